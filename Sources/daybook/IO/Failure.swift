import Glibc
import Journal
import JournalStore
import JournalSync
import SectionedResults
import Terminal
import TextLayout

/// The reason why a command failed: an exit code and one line for users.
///
/// The line gives the error, its position and the remedy. It may contain user text; it is sanitised
/// when written.
struct Failure: Error, Equatable {
  /// The exit codes of the program, as documented for the command line.
  enum Code: Int32, CaseIterable {
    /// Nothing was found or saved; nothing changed.
    case notDone = 1
    /// The command line is invalid.
    case usage = 64
    /// The input is not valid text.
    case badData = 65
    /// The named file or entry does not exist.
    case noInput = 66
    /// A terminal, git or a remote cannot be used.
    case unavailable = 69
    /// A file cannot be created.
    case cannotCreate = 73
    /// Reading or writing failed, or the disk is full.
    case inputOutput = 74
    /// Another program holds the journal.
    case busy = 75
    /// Access is denied.
    case noPermission = 77
    /// The journal or the configuration is not usable.
    case notUsable = 78
  }

  /// The exit code.
  var code: Int32
  /// The error, without the program's name.
  var sentence: Sentence
  /// The reason of a failed system call, without the path.
  private var cause: String?

  /// The message in a shell.
  var message: String { sentence.inShell }

  /// The message on the screen, where commands are typed after `:`.
  var screenMessage: String { sentence.onScreen }

  /// The error in few words, for a line that has no room for a path.
  var reason: String { cause ?? message }

  static func == (one: Failure, other: Failure) -> Bool {
    one.code == other.code && one.sentence == other.sentence
  }

  /// A failure with one of the documented codes.
  init(_ code: Code, _ sentence: Sentence) {
    self.init(exitCode: code.rawValue, sentence)
  }

  @_disfavoredOverload
  init(_ code: Code, _ message: String) { self.init(code, Sentence(message)) }

  /// A failure with another program's code.
  init(exitCode: Int32, _ sentence: Sentence) {
    (code, self.sentence) = (exitCode, sentence)
  }

  /// A failed system call; `errno` determines the exit code.
  static func system(_ number: Int32, _ what: String) -> Failure {
    let code: Code =
      switch number {
      case EACCES, EPERM, EROFS: .noPermission
      case ENOENT, ENOTDIR: .cannotCreate
      default: .inputOutput
      }
    let cause = String(cString: strerror(number))
    var failure = Failure(code, "\(what): \(cause)")
    failure.cause = cause
    return failure
  }
}

extension Failure {
  /// The failure for any error.
  init(explaining error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case is Unlocking.Cancelled: self.init(.noPermission, "cancelled; the journal stays locked")
    case is GivenUp: self.init(.notDone, "cancelled; nothing was changed")
    case let error as StoreError: self.init(error.code, error.sentence)
    case let error as FileContentError: self.init(error.code, error.description)
    case let error as GitError:
      self.init(exitCode: error.code?.rawValue ?? 128 + SIGINT, "\(error.description)")
    case let error as SyncError: self.init(error.code, error.sentence)
    case let error as TerminalError: self.init(.unavailable, error.description)
    case let error as PromptHistoryError: self.init(.inputOutput, error.description)
    case let error as QueryError: self.init(.usage, "\(error)")
    case let error as WhenError: self.init(.badData, "\(error)")
    case let error as TagError: self.init(.badData, "\(error)")
    case ResultsError.historyLost:
      self.init(
        .inputOutput,
        "another program emptied the trash or replaced the journal; the list is reloaded")
    case ResultsError.inconsistentStore(let what):
      let damage: Sentence = "journal: damaged: \(what); \(StoreError.seeDoctor)"
      self.init(.notUsable, damage)
    case let error as ResultsError: self.init(.inputOutput, "journal: \(error); try again")
    default: self.init(.inputOutput, "\(error)")
    }
  }

  /// An invalid command line: the parser's first line, and where to read more.
  init(usage message: String, _ words: [String], isOnScreen: Bool) {
    let lines = message.split(separator: "\n").map(String.init)
    var line = lines.first ?? "wrong usage"
    // If there are many choices, the parser prints one per line.
    let choices = lines.dropFirst().map { $0.drop { $0 == " " } }.prefix { $0.hasPrefix("- ") }
    if line.hasSuffix(":") {
      line += " " + choices.map { String($0.dropFirst(2)) }.joined(separator: ", ")
    }
    if line.hasSuffix(".") { line.removeLast() }
    let command = words.first.flatMap { Daybook.commandNames.contains($0) ? $0 : nil }
    // The parser's sentences begin with a capital letter, all messages of this program do not.
    var said = line.prefix(1).lowercased() + line.dropFirst()
    if said.hasPrefix("unknown option"), CommandParser.takesText(command) {
      said += "; put -- before a text that begins with it"
    }
    if isOnScreen {
      // The screen cannot run a command of the shell.
      self.init(.usage, (command.map { "\($0): " } ?? "") + said)
    } else {
      self.init(.usage, "\(said); see daybook\(command.map { " \($0)" } ?? "") --help")
    }
  }
}
