import Glibc

/// Why a command ended without doing its work: an exit code and one line for people.
///
/// The line says what, where and what to do. It may hold a user's words; it is made safe where it is
/// written.
struct Failure: Error, Equatable {
  /// The exit codes of the program, as the command line's contract numbers them.
  enum Code: Int32 {
    /// Nothing found, nothing to save: not done, nothing changed.
    case notDone = 1
    /// The command line is wrong.
    case usage = 64
    /// The text given is not text.
    case badData = 65
    /// What was named does not exist.
    case noInput = 66
    /// There is no usable terminal.
    case noTerminal = 69
    /// Something cannot be created.
    case cannotCreate = 73
    /// Reading or writing failed, or the disk is full.
    case inputOutput = 74
    /// Another program holds the journal.
    case busy = 75
    /// Not allowed.
    case noPermission = 77
    /// The journal or the configuration is not usable.
    case notUsable = 78
  }

  /// The exit code.
  var code: Int32
  /// What happened, without the program's name.
  var message: String

  /// Makes a failure with one of the contract's codes.
  init(_ code: Code, _ message: String) {
    self.code = code.rawValue
    self.message = message
  }

  /// Makes a failure with a code that somebody else chose.
  init(exitCode: Int32, _ message: String) {
    self.code = exitCode
    self.message = message
  }

  /// A system call's failure: its exit code follows from `errno`.
  static func system(_ number: Int32, _ what: String) -> Failure {
    let code: Code =
      switch number {
      case EACCES, EPERM, EROFS: .noPermission
      case ENOENT, ENOTDIR: .cannotCreate
      default: .inputOutput
      }
    return Failure(code, "\(what): \(String(cString: strerror(number)))")
  }
}
