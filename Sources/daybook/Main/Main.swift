import ArgumentParser
import Glibc
import JournalStore
import TerminalUI

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
    if words.isEmpty { return try Screen().open() }
    let words = try CommandWords.arranged(words, commands: Daybook.commandNames)
    do {
      var command = try Daybook.parseAsRoot(words)
      // The screen has its own place for them.
      if !(command is ScreenCommand || command is PlayCommand || command is DemoCommand) {
        ConfigWarnings(Configuration.ofUser).tell(
          isAsked: command is ConfigCommand, isReadOnly: words.contains("--read-only"))
      }
      try command.run()
    } catch let failure as Failure {
      throw failure
    } catch  where Daybook.exitCode(for: error) == .success {
      try Console.tell(Daybook.fullMessage(for: error))
    } catch  where Self.isUsage(error) {
      throw Failure(usage: Daybook.message(for: error), words)
    }
  }

  /// Whether the command line could not be understood, as opposed to a command that failed.
  private static func isUsage(_ error: any Error) -> Bool {
    Daybook.exitCode(for: error) == .validationFailure
  }
}
