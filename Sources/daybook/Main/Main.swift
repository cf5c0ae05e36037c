import ArgumentParser
import Glibc
import JournalStore
import Terminal
import TextLayout

/// The program: reads the command line as bytes, runs one command, and exits with its code.
@main
enum Main {
  static func main() {
    let code = run()
    DebugLog.ofProcess?.noteEnd(code)
    exit(code)
  }

  private static func run() -> Int32 {
    do {
      try prepare()
      let words = try ArgumentBytes.words()
      DebugLog.ofProcess?.noteStart(words)
      try BusyAttendant.$current.withValue(attendant) { try dispatch(words) }
      return 0
    } catch is Output.Closed {
      return 0
    } catch {
      let failure = Failure(explaining: error)
      DebugLog.ofProcess?.noteFailure(failure)
      if !failure.message.isEmpty { Console.complainAtEnd(failure.message) }
      return failure.code
    }
  }

  /// Sets up the process for all commands: private files, three open descriptors, errors instead of
  /// fatal signals.
  private static func prepare() throws {
    StandardInput.noteIfClosed()
    Output.noteIfClosed()
    try StandardDescriptors.ensureOpen()
    try ResourceLimits.check()
    umask(0o077)
    // The parent may have blocked signals, but resizing and termination need them.
    var none = sigset_t()
    sigemptyset(&none)
    sigprocmask(SIG_SETMASK, &none, nil)
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    setlocale(LC_ALL, "")
  }

  /// Reports on a terminal that the program waits for another one; ^C still ends it.
  private static var attendant: BusyAttendant {
    var isTold = false
    return BusyAttendant { milliseconds in
      if !isTold, milliseconds >= waitToTell, isatty(STDERR_FILENO) == 1 {
        isTold = true
        Console.complain(waiting)
      }
      return false
    }
  }

  /// The message while waiting for another program.
  static let waiting = "waiting for another program to finish writing… ^C cancels"
  /// The time before the message appears, in milliseconds.
  static let waitToTell: Int64 = 300

  private static func dispatch(_ words: [String]) throws {
    if let child = PictureChild(words) { return try child.run() }
    let words = try CommandParser.arranged(words)
    if let line = PlainCommandLine(words) { return try line.run() }
    do {
      var command = try CommandParser.parse(words)
      // The screen shows them itself.
      if !(command is ScreenCommand || command is PlayCommand || command is DemoCommand
        || command is ReplayCommand)
      {
        ConfigWarnings(Configuration.ofUser).tell(
          isAsked: command is ConfigCommand, isReadOnly: words.contains("--read-only"))
      }
      try command.run()
    } catch let closed as Output.Closed {
      throw closed
    } catch {
      guard let help = CommandParser.help(error) else {
        throw CommandParser.failure(error, words)
      }
      try Console.print(help)
    }
  }
}

/// The arguments of the command line, from the system's bytes.
///
/// `CommandLine.arguments` silently replaces invalid UTF-8; a journal must not store that.
enum ArgumentBytes {
  /// The arguments after the program's name.
  ///
  /// - Throws: ``Failure`` 65 with the argument and the byte.
  static func words() throws(Failure) -> [String] {
    var words: [String] = []
    for index in 1..<max(1, ProcessArguments.count) {
      guard let start = ProcessArguments.bytes(index) else { break }
      let bytes = UnsafeBufferPointer(start: start, count: strlen(start)).map(
        UInt8.init(bitPattern:))
      do {
        words.append(try TextInput.text(from: bytes[...]))
      } catch {
        throw Failure(.badData, "argument \(index): \(error.reason); nothing saved")
      }
    }
    return words
  }
}

/// The resource limits of the process.
///
/// A Swift program without memory ends at once, anywhere; the journal and drafts are then intact,
/// as after any kill. Limits that are too small for every command are reported at the start.
enum ResourceLimits {
  /// The minimum stack size, in bytes; queries and TOML are limited so that it is enough for them.
  private static let stack: rlim_t = 256 << 10
  /// The minimum address space, in bytes: libraries and an empty journal use three quarters of it.
  private static let memory: rlim_t = 128 << 20

  /// The minimum number of open files: the journal, its log, watchers, pipes and the terminal.
  private static let files: rlim_t = 16

  /// - Throws: ``Failure`` 74 with the limit that is too small.
  static func check() throws(Failure) {
    var limit = rlimit()
    if getrlimit(Int32(RLIMIT_STACK.rawValue), &limit) == 0, limit.rlim_cur < stack {
      throw tooSmall("stack", limit.rlim_cur, stack, "s")
    }
    if getrlimit(Int32(RLIMIT_AS.rawValue), &limit) == 0, limit.rlim_cur < memory {
      throw tooSmall("address space", limit.rlim_cur, memory, "v")
    }
    if getrlimit(Int32(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < files {
      throw Failure(
        .inputOutput,
        "only \(limit.rlim_cur) files may be open; daybook needs \(files) (ulimit -n);"
          + " nothing was done")
    }
  }

  private static func tooSmall(
    _ name: String, _ limit: rlim_t, _ wanted: rlim_t, _ option: String
  ) -> Failure {
    Failure(
      .inputOutput,
      "the \(name) is limited to \(limit >> 10) KiB; daybook needs \(wanted >> 10)"
        + " (ulimit -\(option)); nothing was done")
  }
}
