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

  /// The requested fate of a program that runs beside the screen.
  enum Wish {
    /// It continues.
    case goesOn
    /// The user pressed `^C`: it is interrupted, and killed at the second `^C`.
    case givenUp
    /// Daybook must end: the program is interrupted, and killed if it does not end in time.
    case ends
  }

  /// The time for a program to end, in milliseconds, so that Daybook ends within a second.
  private static let grace: Int32 = 700

  /// The maximum size of output in bytes; more cannot be read on a screen.
  private static let outputLimit = 4 << 20

  /// Set in the environment of a command of the screen: its messages are for the status line.
  static let screenVariable = "DAYBOOK_SCREEN"

  /// Whether the screen of another process runs this command.
  static let isRunByScreen = Places.variable(screenVariable) != nil

  /// Runs Daybook with other arguments and collects its output, from both descriptors.
  ///
  /// - Parameters:
  ///   - input: its standard input.
  ///   - wish: called regularly while it runs.
  /// - Throws: ``Failure`` when it cannot be started.
  static func run(
    _ words: [String], input: String = "", wish: () -> Wish = { .goesOn }
  ) throws(Failure) -> (code: Int32, output: String) {
    let output = try temporary("output")
    defer { close(output) }
    let given = try temporary("input", holding: input)
    defer { close(given) }
    let pid = try spawn(
      ["daybook"] + words, executable: "/proc/self/exe",
      descriptors: [(given, STDIN_FILENO), (output, STDOUT_FILENO), (output, STDERR_FILENO)],
      adding: ["\(screenVariable)=1"])
    let code = try exitCode(of: pid, wish: wish)
    lseek(output, 0, SEEK_SET)
    let bytes = try FileDescriptor.readAll(output, limit: outputLimit, name: "output")
    return (code, String(decoding: bytes.prefix(outputLimit), as: UTF8.self))
  }

  /// Runs a shell command with a text on its standard input, in the terminal.
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
  /// - Parameters:
  ///   - descriptors: descriptors to pass, with their numbers in the program.
  ///   - variables: additions to the environment, as `NAME=value`.
  /// - Throws: ``Failure`` when it cannot be started.
  static func spawn(
    _ words: [String], executable: String, descriptors: [(from: Int32, to: Int32)] = [],
    adding variables: [String] = []
  ) throws(Failure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (from, to) in descriptors { posix_spawn_file_actions_adddup2(&actions, from, to) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var defaults = sigset_t()
    sigemptyset(&defaults)
    for number in [SIGINT, SIGQUIT, SIGPIPE, SIGXFSZ, SIGTSTP] { sigaddset(&defaults, number) }
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    let all: [UnsafeMutablePointer<CChar>?] = (environment() + variables).map { strdup($0) } + [nil]
    defer { for pointer in arguments + all { free(pointer) } }
    var pid: pid_t = 0
    let problem = posix_spawn(&pid, executable, &actions, &attributes, arguments, all)
    guard problem == 0 else { throw .system(problem, executable) }
    return pid
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
      sleep(process, signals, milliseconds: process == nil ? 100 : -1)
      for signal in signals?.drain() ?? [] {
        if signal == .stop { kill(getpid(), SIGSTOP) }
        guard signal.endsProgram else { continue }
        ProcessTree.signal(pid, signal.number)
        sleep(process, nil, milliseconds: grace)
        _ = try code(of: pid)
        return .signalled(signal.number)
      }
    }
  }

  /// Waits for a program beside the screen and returns its exit code, 128+n after a signal.
  ///
  /// It is polled often at first, since most programs end quickly.
  private static func exitCode(of pid: pid_t, wish: () -> Wish) throws(Failure) -> Int32 {
    let process = ProcessDescriptor(pid)
    var pause: Int32 = 1
    var isGivenUp = false
    while true {
      if let code = try code(of: pid) { return code }
      switch wish() {
      case .goesOn: break
      case .givenUp:
        ProcessTree.signal(pid, isGivenUp ? SIGKILL : SIGINT)
        isGivenUp = true
      case .ends:
        ProcessTree.signal(pid, SIGINT)
        sleep(process, nil, milliseconds: grace)
        if let code = try code(of: pid) { return code }
        ProcessTree.signal(pid, SIGKILL)
      }
      sleep(process, nil, milliseconds: pause)
      pause = min(pause * 2, 20)
    }
  }

  /// Sleeps until a process ends, a signal arrives, or the timeout passes.
  private static func sleep(
    _ process: ProcessDescriptor?, _ signals: SignalPipe?, milliseconds: Int32
  ) {
    // poll ignores a negative descriptor.
    var polls = [process?.descriptor ?? -1, signals?.descriptor ?? -1].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    let count = poll(&polls, nfds_t(polls.count), milliseconds)
    // Without memory for poll the callers retry ten times a second.
    if count < 0, errno != EINTR { usleep(100_000) }
  }

  /// The exit code of a process, 128+n after a signal; `nil` while it runs.
  private static func code(of pid: pid_t) throws(Failure) -> Int32? {
    var status: Int32 = 0
    let found = waitpid(pid, &status, WNOHANG)
    if found == 0 || (found < 0 && errno == EINTR) { return nil }
    guard found == pid else { throw .system(errno, "waitpid") }
    let number = status & 0x7F
    return number == 0 ? (status >> 8) & 0xFF : 128 + number
  }

  /// The environment from the parent; Swift does not import the C variable.
  private static func environment() -> [String] {
    let bytes = DraftFile.read("/proc/self/environ", limit: 1 << 24) ?? []
    return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }
}
