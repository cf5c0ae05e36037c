import Files
import Glibc
import Terminal
import TextLayout

/// Child processes that the program waits for.
enum SubProcess {
  /// The end of a program in the foreground.
  enum End: Equatable {
    /// It exited with this code, 128+n after a signal.
    case exited(Int32)
    /// This signal asked Daybook to end while the program ran.
    case signalled(Int32)
  }

  /// The time that a program has to end, in milliseconds; Daybook must end within a second.
  private static let grace: Int32 = 700

  /// Runs a shell command with a text on its standard input, and the terminal for the rest.
  ///
  /// - Parameter signals: the open signal pipe, so that Daybook can end while it runs.
  /// - Throws: ``Failure`` when no shell can be started.
  static func shell(
    _ command: String, input: String, signals: SignalPipe?
  ) throws(Failure) -> End {
    let file = try temporary("input", holding: input)
    defer { close(file) }
    // The screen returns at once afterwards: let users read the output of the command.
    let script = """
      \(command)
      status=$?
      if [ -t 1 ]; then printf '\\n[Enter: back to the journal] '; read -r _ </dev/tty; fi
      exit $status
      """
    let pid = try spawn(
      ["sh", "-c", script], executable: "/bin/sh", descriptors: [(file, STDIN_FILENO)])
    return try end(of: pid, signals: signals)
  }

  /// Runs a shell command with an argument after its own, in the terminal.
  ///
  /// - Throws: ``Failure`` when no shell can be started.
  static func shell(
    _ command: String, with argument: String, signals: SignalPipe?
  ) throws(Failure) -> End {
    let words = ["sh", "-c", "\(command) \"$1\"", "sh", argument]
    return try end(of: spawn(words, executable: "/bin/sh"), signals: signals)
  }

  /// Starts a program of its own, without the terminal, and waits a moment for an early end.
  ///
  /// - Returns: its exit code; `nil` if it runs on.
  /// - Throws: ``Failure`` when it cannot be started.
  static func detached(
    _ words: [String], milliseconds: Int32
  ) throws(Failure) -> Int32? {
    let nowhere = [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].map {
      ProgramStart.Redirection.file("/dev/null", flags: O_RDWR, as: $0)
    }
    let start = ProgramStart(
      words[0], words, environment: environment, redirections: nowhere, ownSession: true)
    let pid: pid_t
    do {
      pid = try start.run()
    } catch {
      throw .system(error.code, words[0])
    }
    ProcessDescriptor(pid)?.wait(milliseconds: milliseconds)
    let code = try code(of: pid)
    if code == nil { strays.append(pid) }
    // Programs of earlier calls that have ended since are reaped.
    strays.removeAll { (try? self.code(of: $0)) ?? nil != nil }
    return code
  }

  /// Starts this program again in the background, without the terminal.
  ///
  /// - Parameters:
  ///   - input: its standard input; `nil` for none.
  ///   - news: its descriptor ``newsDescriptor``, which it is told to write to; `nil` for none.
  /// - Throws: ``Failure`` when it cannot be started.
  static func background(
    _ words: [String], input: Int32? = nil, news: Int32? = nil
  ) throws(Failure) -> pid_t {
    var redirections: [ProgramStart.Redirection] = [
      input.map { .descriptor($0, as: STDIN_FILENO) }
        ?? .file("/dev/null", flags: O_RDONLY, as: STDIN_FILENO),
      .file("/dev/null", flags: O_WRONLY, as: STDOUT_FILENO),
      .file("/dev/null", flags: O_WRONLY, as: STDERR_FILENO),
    ]
    if let news { redirections.append(.descriptor(news, as: newsDescriptor)) }
    let start = ProgramStart(
      "/proc/self/exe", words, environment: environment, redirections: redirections,
      ownSession: true)
    do {
      return try start.run()
    } catch {
      throw .system(error.code, words[0])
    }
  }

  /// The first descriptor that is none of the standard ones.
  static let newsDescriptor: Int32 = 3

  /// Runs a shell command without input, and collects the beginning of its output.
  ///
  /// - Parameter seconds: the time after which it is ended.
  /// - Returns: `nil` when it did not end in time.
  /// - Throws: ``Failure`` when no shell can be started.
  static func output(
    of command: String, seconds: Int
  ) throws(Failure) -> (bytes: [UInt8], code: Int32)? {
    let pipe: (reading: Int32, writing: Int32)
    do {
      pipe = try Descriptor.pipe()
    } catch {
      throw .system(error.code, "a pipe")
    }
    defer { close(pipe.reading) }
    let start = ProgramStart(
      "/bin/sh", ["sh", "-c", command], environment: environment,
      redirections: [
        .file("/dev/null", flags: O_RDONLY, as: STDIN_FILENO),
        .descriptor(pipe.writing, as: STDOUT_FILENO),
      ])
    let pid: pid_t
    do {
      defer { close(pipe.writing) }
      pid = try start.run()
    } catch {
      throw .system(error.code, "/bin/sh")
    }
    let deadline = Deadline(seconds: seconds)
    let bytes = Descriptor.readAll(pipe.reading, limit: 1 << 16) {
      var poll = Poll()
      while try poll.wait(for: [.reading(pipe.reading)], milliseconds: deadline.left) == nil {
        if deadline.left == 0 { throw Failure.system(ETIMEDOUT, command) }
      }
    }.bytes
    let process = ProcessDescriptor(pid)
    while true {
      if let code = try code(of: pid) { return (bytes, code) }
      guard deadline.left > 0 else { break }
      process?.wait(milliseconds: deadline.left)
    }
    ProcessTree.signal(pid, SIGTERM)
    process?.wait(milliseconds: grace)
    if try code(of: pid) == nil {
      ProcessTree.signal(pid, SIGKILL)
      do { _ = try ProgramStart.exitCode(of: pid) } catch { throw .system(error.code, "waitpid") }
    }
    return nil
  }

  /// A moment until which a program may run.
  private struct Deadline {
    private let end: ContinuousClock.Instant

    init(seconds: Int) { end = .now + .seconds(seconds) }

    /// The time that is left in milliseconds.
    var left: Int32 {
      let left = ContinuousClock.now.duration(to: end) / .milliseconds(1)
      return Int32(max(0, min(left.rounded(.up), 1e9)))
    }
  }

  /// Programs that run on.
  private nonisolated(unsafe) static var strays: [pid_t] = []

  /// A private unnamed file for texts of a journal.
  private static func temporary(
    _ name: String, holding text: String = ""
  ) throws(Failure) -> Int32 {
    let file = MemoryFile.open("daybook-\(name)")
    guard file >= 0 else { throw .system(errno, "a file in memory") }
    let problem = Descriptor.writeAll(file, Array(text.utf8))
    guard problem == 0 else {
      close(file)
      throw .system(problem, "a file in memory")
    }
    lseek(file, 0, SEEK_SET)
    return file
  }

  /// Starts a program with Daybook's environment and default signal actions.
  ///
  /// A program without an input of its own gets the terminal. Daybook's standard input may be a
  /// script, whose remaining keys a program would read, or run.
  ///
  /// - Parameters:
  ///   - descriptors: descriptors to pass, with their numbers in the program.
  ///   - variables: additions to the environment, as `NAME=value`.
  /// - Throws: ``Failure`` when it cannot be started.
  static func spawn(
    _ words: [String], executable: String, descriptors: [(from: Int32, to: Int32)] = [],
    adding variables: [String] = []
  ) throws(Failure) -> pid_t {
    let isGiven = descriptors.contains { $0.to == STDIN_FILENO }
    var terminal = isGiven || StandardInput.isTerminal ? -1 : open("/dev/tty", O_RDWR | O_CLOEXEC)
    // In the background, as below `timeout`, reading the terminal would stop the program for ever.
    if terminal >= 0, tcgetpgrp(terminal) != getpgrp() {
      close(terminal)
      terminal = -1
    }
    defer { if terminal >= 0 { close(terminal) } }
    var redirections = descriptors.map {
      ProgramStart.Redirection.descriptor($0.from, as: $0.to)
    }
    if terminal >= 0 {
      redirections.append(.descriptor(terminal, as: STDIN_FILENO))
    } else if !isGiven, !StandardInput.isTerminal {
      redirections.append(.file("/dev/null", flags: O_RDONLY, as: STDIN_FILENO))
    }
    let start = ProgramStart(
      executable, words, environment: environment + variables, redirections: redirections)
    do {
      return try start.run()
    } catch {
      throw .system(error.code, executable)
    }
  }

  /// Waits until a foreground program ends, or until a signal asks Daybook to end.
  ///
  /// A stop signal stops both. A terminating signal is forwarded to the program and all its
  /// descendants.
  ///
  /// - Throws: ``Failure`` when it is not a child process.
  static func end(of pid: pid_t, signals: SignalPipe?) throws(Failure) -> End {
    let process = ProcessDescriptor(pid)
    while true {
      if let code = try code(of: pid) { return .exited(code) }
      process?.wait(or: [signals?.descriptor])
      for signal in signals?.drain() ?? [] {
        if signal == .stop { kill(getpid(), SIGSTOP) }
        guard signal.endsProgram else { continue }
        ProcessTree.signal(pid, signal.number)
        process?.wait(milliseconds: grace)
        _ = try code(of: pid)
        return .signalled(signal.number)
      }
    }
  }

  /// The exit code of a process, 128+n after a signal; `nil` while it runs.
  private static func code(of pid: pid_t) throws(Failure) -> Int32? {
    do {
      return try ProgramStart.exitCode(of: pid, waits: false)
    } catch {
      throw .system(error.code, "waitpid")
    }
  }

  /// The environment from the parent; Swift does not import the C variable.
  ///
  /// It is read before a key is registered: the system then hides this process's data.
  static let environment: [String] = {
    let bytes = DraftFile.read("/proc/self/environ", limit: 1 << 24) ?? []
    return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }()
}
