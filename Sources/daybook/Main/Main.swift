import ArgumentParser
import Glibc
import JournalStore
import Terminal
import TextLayout

/// The program: reads the command line as bytes, runs one command, and ends with its exit code.
@main
enum Main {
  static func main() {
    exit(run())
  }

  private static func run() -> Int32 {
    do {
      try prepare()
      let words = try ArgumentBytes.words()
      try BusyAttendant.$current.withValue(attendant) { try dispatch(words) }
      return 0
    } catch is Output.Closed {
      return 0
    } catch {
      let failure = Failure(explaining: error)
      if !failure.message.isEmpty { Console.complainAtEnd(failure.message) }
      return failure.code
    }
  }

  /// Makes what every command relies on: private files, three open descriptors, errors instead of
  /// deadly signals.
  private static func prepare() throws {
    StandardInput.noteIfClosed()
    Output.noteIfClosed()
    try StandardDescriptors.ensureOpen()
    try ResourceLimits.check()
    umask(0o077)
    // A parent's threads may have left signals blocked; then no resize and no end would reach us.
    var none = sigset_t()
    sigemptyset(&none)
    sigprocmask(SIG_SETMASK, &none, nil)
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    setlocale(LC_ALL, "")
  }

  /// Says at a terminal that another program is waited for; ^C ends the program as ever.
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

  /// What is said while another program is waited for.
  static let waiting = "waiting for another program to finish writing… ^C cancels"
  /// Shorter waits are not worth a word, in milliseconds.
  static let waitToTell: Int64 = 300

  private static func dispatch(_ words: [String]) throws {
    // What people type most needs no parser, whose tables take a good part of the start.
    if words.isEmpty { return try FullScreen().open() }
    let words = try CommandParser.arranged(words)
    do {
      var command = try CommandParser.parse(words)
      // The screen has its own place for them.
      if !(command is ScreenCommand || command is PlayCommand || command is DemoCommand) {
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

/// The command line's words, from the bytes that the system gave.
///
/// `CommandLine.arguments` replaces what is not UTF-8 without a word; a journal must not store that.
enum ArgumentBytes {
  /// The words after the program's name.
  ///
  /// - Throws: ``Failure`` 65 naming the word and the byte.
  static func words() throws(Failure) -> [String] {
    var words: [String] = []
    for index in 1..<max(1, ProcessArguments.count) {
      guard let start = ProcessArguments.bytes(index) else { break }
      let bytes = UnsafeBufferPointer(start: start, count: strlen(start)).map(
        UInt8.init(bitPattern:))
      words.append(try TextInput.text(from: bytes[...], name: "argument \(index)"))
    }
    return words
  }
}

/// The limits under which the program was started.
///
/// A Swift program that gets no memory ends at once, wherever it is; the journal and drafts are whole
/// then, as after any kill. Limits that are too small for every command are said before anything is
/// done.
enum ResourceLimits {
  /// The smallest stack, in bytes; queries and TOML are bounded so that this is enough for them.
  private static let stack: rlim_t = 256 << 10
  /// The smallest address space, in bytes: libraries and an empty journal take three quarters of it.
  private static let memory: rlim_t = 128 << 20

  /// The fewest files that may be open: the journal, its log, watchers, pipes and the terminal.
  private static let files: rlim_t = 16

  /// - Throws: ``Failure`` 74 naming a limit that is too small.
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
