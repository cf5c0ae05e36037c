import CNcurses
import Files
import Foundation
import Glibc
import Journal
import JournalStore
import Seal

/// Starts programs with given descriptors and a fixed environment.
struct ChildProcess {
  let pid: pid_t

  /// The environment of programs: nothing of the machine's.
  static func environment(home: String) -> [String] {
    [
      "HOME=\(home)", "PATH=/usr/local/bin:/usr/bin:/bin", "TZ=UTC", "LC_ALL=C.UTF-8",
      "TERM=xterm-256color", "INPUTRC=/dev/null",
    ]
  }

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - terminal: the path of a terminal for a session of its own; without one input is empty and
  ///     errors go to standard error.
  ///   - output: the descriptor for standard output; without one it is discarded.
  init(
    _ arguments: [String], environment: [String], terminal: String? = nil, output: Int32? = nil
  ) throws {
    let redirections: [ProgramStart.Redirection]
    if let terminal {
      redirections = [
        .file(terminal, flags: O_RDWR, as: 0), .descriptor(0, as: 1), .descriptor(0, as: 2),
      ]
    } else {
      redirections = [
        .file("/dev/null", flags: O_RDONLY, as: 0),
        output.map { .descriptor($0, as: 1) } ?? .file("/dev/null", flags: O_WRONLY, as: 1),
      ]
    }
    let start = ProgramStart(
      arguments[0], arguments, environment: environment, redirections: redirections,
      ownSession: terminal != nil)
    do {
      pid = try start.run()
    } catch {
      throw BenchError("\(arguments[0]): \(error.reason)")
    }
  }

  /// Waits for the program's end.
  ///
  /// - Throws: ``BenchError`` unless it ended with exit code 0.
  func wait() throws {
    let code = try ProgramStart.exitCode(of: pid)
    guard code == 0 else {
      throw BenchError("a measured program ended with exit code \(code ?? 0)")
    }
  }

  /// Runs a program and returns the time from its start to its end, in milliseconds.
  static func time(_ arguments: [String], environment: [String]) throws -> Double {
    let start = Monotonic.now()
    try ChildProcess(arguments, environment: environment).wait()
    return Monotonic.milliseconds(since: start)
  }
}

/// A program on a pseudo-terminal of its own.
final class TerminalProcess {
  let child: ChildProcess
  /// The time of its start.
  let started: UInt64
  /// The controlling end of the terminal.
  let descriptor: Int32
  /// All output so far.
  private(set) var output: [UInt8] = []
  /// Whether the program has closed the terminal.
  private(set) var hasEnded = false
  /// `TIOCSPTLCK` and `TIOCGPTN`: Swift does not import macros that compute.
  private static let setLock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430
  private var buffer = [UInt8](repeating: 0, count: 65_536)

  /// Starts a program on a new terminal.
  init(
    _ arguments: [String], environment: [String], columns: UInt16 = 80, lines: UInt16 = 24
  ) throws {
    descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (locked, number): (Int32, Int32) = (0, 0)
    guard descriptor >= 0, ioctl(descriptor, Self.setLock, &locked) == 0,
      ioctl(descriptor, Self.getNumber, &number) == 0
    else { throw BenchError("no pseudo-terminal: \(String(cString: strerror(errno)))") }
    var size = winsize(ws_row: lines, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(descriptor, UInt(TIOCSWINSZ), &size)
    let path = "/dev/pts/\(number)"
    started = Monotonic.now()
    child = try ChildProcess(arguments, environment: environment, terminal: path)
  }

  deinit { close(descriptor) }

  /// Types keys.
  func send(_ keys: String) {
    let bytes = Array(keys.utf8)
    _ = write(descriptor, bytes, bytes.count)
  }

  /// Reads once, with a timeout in milliseconds.
  ///
  /// - Returns: whether there was output; `nil` when the program has closed the terminal.
  func readOnce(timeout: Int32) -> Bool? {
    var poll = Poll()
    let ready = try? poll.wait(for: [.reading(descriptor)], milliseconds: timeout)
    guard ready != nil else { return false }
    let count = read(descriptor, &buffer, buffer.count)
    guard count > 0 else {
      hasEnded = true
      return nil
    }
    output += buffer[..<count]
    return true
  }

  /// Reads until the output contains a text.
  ///
  /// - Returns: the time of its appearance, or now if it was there before.
  /// - Throws: ``BenchError`` after ten seconds, or when the program ends first.
  func wait(for text: String) throws -> UInt64 {
    let wanted = Array(text.utf8)
    var searched = 0
    while !output[searched...].contains(wanted) {
      searched = max(0, output.count - wanted.count)
      switch readOnce(timeout: 10_000) {
      case true?: continue
      case false?: throw BenchError("“\(text)” did not appear within 10 s: \(lastOutput)")
      case nil: throw BenchError("the program ended before “\(text)” appeared: \(lastOutput)")
      }
    }
    return Monotonic.now()
  }

  /// Whether the output so far contains a text.
  func hasShown(_ text: String) -> Bool { output.contains(Array(text.utf8)) }

  /// Reads until there is no output for some milliseconds.
  func settle(milliseconds: Int32) {
    while readOnce(timeout: milliseconds) == true {}
  }

  /// Reads until the program has nothing left to do: for `quiet` milliseconds no output, no processor
  /// time of any thread, and no thread that waits for the disk.
  ///
  /// - Parameters:
  ///   - isEnough: whether output ends the wait, too.
  ///   - before: its processor time before a key, which a busy kernel may hand over late.
  /// - Returns: the time of the last sign of work.
  /// - Throws: ``BenchError`` if it has ended, or still works after a number of seconds.
  func rest(
    quiet: Double = 20, seconds: Double = 120, since before: Int? = nil,
    until isEnough: (TerminalProcess) -> Bool = { _ in false }
  ) throws -> UInt64 {
    let started = Monotonic.now()
    var (last, worked) = (started, -1)
    while Monotonic.milliseconds(since: last) < quiet
      || worked == before && Monotonic.milliseconds(since: started) < 1_000
    {
      switch readOnce(timeout: 1) {
      case true?:
        last = Monotonic.now()
        if isEnough(self) { return last }
      case false?: break
      case nil: throw BenchError("the program ended: \(lastOutput)")
      }
      let statistics = try ProcessStatistics(pid: child.pid)
      if statistics.isRunning || statistics.nanoseconds != worked { last = Monotonic.now() }
      worked = statistics.nanoseconds
      if Monotonic.milliseconds(since: started) > seconds * 1_000 {
        throw BenchError("still working after \(Figure.number(seconds)) s: \(lastOutput)")
      }
    }
    return last
  }

  /// Forgets all output so far.
  func forgetOutput() { output = [] }

  /// Kills the program, after a measurement that failed.
  func kill() {
    _ = Glibc.kill(child.pid, SIGKILL)
    _ = try? ProgramStart.exitCode(of: child.pid)
  }

  /// Reads until the program has ended.
  ///
  /// - Returns: the time of its end.
  func end() throws -> UInt64 {
    while readOnce(timeout: 10_000) == true {}
    try child.wait()
    return Monotonic.now()
  }

  private var lastOutput: String {
    String(decoding: output.suffix(300), as: UTF8.self)
  }
}

/// The kernel's counters of a process, from `/proc`.
struct ProcessStatistics {
  /// The number of voluntary context switches of its threads, which is the number of wake-ups.
  let sleeps: Int
  /// The processor time of all its threads, in nanoseconds.
  let nanoseconds: Int
  /// The maximum resident memory, in KiB.
  ///
  /// The peak of `wait4` also includes the parent's memory at the start of the program.
  let peakKibibytes: Int
  /// The resident memory now, in KiB.
  let kibibytes: Int
  /// Whether a thread runs or waits for the disk.
  let isRunning: Bool

  /// Reads the counters of a running process.
  init(pid: pid_t) throws {
    let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")
    var (sleeps, nanoseconds, isRunning) = (0, 0, false)
    for task in tasks {
      let directory = "/proc/\(pid)/task/\(task)"
      let status = try ProcessStatistics.text("\(directory)/status")
      sleeps += try ProcessStatistics.field("voluntary_ctxt_switches", in: status)
      isRunning = isRunning || !status.contains("State:\tS")
      let schedule = try ProcessStatistics.text("\(directory)/schedstat")
      nanoseconds += schedule.split(separator: " ").first.flatMap { Int($0) } ?? 0
    }
    self.sleeps = sleeps
    self.nanoseconds = nanoseconds
    self.isRunning = isRunning
    let status = try ProcessStatistics.text("/proc/\(pid)/status")
    peakKibibytes = try ProcessStatistics.field("VmHWM", in: status)
    kibibytes = try ProcessStatistics.field("VmRSS", in: status)
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  private static func field(_ name: String, in status: String) throws -> Int {
    let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
    let number = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
    guard let number else { throw BenchError("no \(name) in the status") }
    return number
  }
}

/// The lower bound of a full-screen program: this binary, which links the same libraries as
/// `daybook`, opens ncurses, draws one line, waits for a key and ends.
enum FloorProgram {
  /// The option that starts it.
  static let option = "--floor"
  /// The line it draws.
  static let line = "floor: any key ends"

  static func run() -> Int32 {
    setlocale(LC_ALL, "")
    guard daybook_newterm(nil, STDOUT_FILENO, STDIN_FILENO) != nil else { return 1 }
    raw()
    noecho()
    mvwaddstr(daybook_stdscr(), 0, 0, line)
    wrefresh(daybook_stdscr())
    var key: UInt8 = 0
    _ = read(STDIN_FILENO, &key, 1)
    endwin()
    return 0
  }
}

/// Another writing process: it adds entries and prints when each commit returned.
enum WriterProgram {
  /// The option that starts it; the journal's path and the number of entries follow.
  static let option = "--write"

  /// A title for the entry of a round; 3,782 rounds have different ones.
  ///
  /// It differs from the last one in every character, so that a screen that draws only changes must
  /// draw all of it.
  static func title(_ round: Int) -> String {
    let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
    return String(
      (0..<12).map { letters[(round * 7 + $0 * $0 * 5) % (letters.count - $0 % 2)] })
  }

  static func run(_ arguments: [String]) throws {
    guard arguments.count == 2, let rounds = Int(arguments[1]) else {
      throw BenchError("\(option) needs a journal and a number")
    }
    let location = JournalLocation(path: arguments[0], isExplicit: true)
    if let header = try Sealing.header(of: location),
      let key = try JournalKey.inKeyring(for: header.id)
    {
      key.register()
    }
    let store = try SQLiteEntryStore.open(arguments[0], mode: .readWrite)
    var committed: UInt64 = 0
    let observation = store.observeCommits { committed = Monotonic.now() }
    for round in 0..<rounds {
      usleep(useconds_t(40_000 + round % 7 * 3_000))
      let now = store.clock.moment()
      try store.add([NewEntry(text: title(round), created: now, day: now.localDay)])
      print(committed)
      fflush(nil)
    }
    observation.cancel()
  }
}
