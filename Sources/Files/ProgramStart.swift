import CFiles
import Glibc

/// The start of a program: the only place that makes a process.
///
/// The program gets exactly the given environment, the descriptors that are not closed on `exec`,
/// the default actions of the terminal's signals, which the parent may ignore, and no blocked
/// signals: threads of a library may block all of them.
///
/// ```swift
/// let process = try ProgramStart("/bin/sh", ["sh", "-c", script], environment: variables).run()
/// let code = try ProgramStart.exitCode(of: process)
/// ```
package struct ProgramStart {
  /// A change to the descriptors of the new process, before the program runs.
  package enum Redirection: Hashable, Sendable {
    /// Duplicates a descriptor of the parent.
    case descriptor(Int32, as: Int32)
    /// Opens a file with flags such as `O_RDONLY`.
    case file(String, flags: Int32, as: Int32)
  }

  private let executable: String
  private let arguments: [String]
  private let environment: [String]
  private let redirections: [Redirection]
  private let ownSession: Bool
  private let endsWithParent: Bool

  /// Signals whose default action is restored.
  private static let defaultSignals = [SIGINT, SIGQUIT, SIGPIPE, SIGXFSZ, SIGTSTP]

  /// - Parameters:
  ///   - executable: the path of the program.
  ///   - arguments: its arguments, the first of which is its name.
  ///   - environment: all its variables, as `NAME=value`.
  ///   - redirections: the changes of descriptors, in their order.
  ///   - ownSession: whether the program gets its own session, for its own terminal.
  ///   - endsWithParent: whether the program gets `SIGTERM` when this thread ends, as that of a killed
  ///     Daybook does.
  package init(
    _ executable: String, _ arguments: [String], environment: [String],
    redirections: [Redirection] = [], ownSession: Bool = false, endsWithParent: Bool = false
  ) {
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
    self.redirections = redirections
    self.ownSession = ownSession
    self.endsWithParent = endsWithParent
  }

  /// Starts the program.
  ///
  /// - Returns: the process id, for ``exitCode(of:waits:)``.
  /// - Throws: ``FileError`` with the path of the program.
  package func run() throws(FileError) -> pid_t {
    let words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    let variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
    let path = strdup(executable)
    let changes = redirections.map { redirection in
      switch redirection {
      case .descriptor(let from, let to):
        daybook_redirection(path: nil, flags: 0, from: from, to: to)
      case .file(let path, let flags, let to):
        daybook_redirection(path: strdup(path), flags: flags, from: -1, to: to)
      }
    }
    defer {
      for pointer in words + variables + [path] { free(pointer) }
      for change in changes { free(UnsafeMutablePointer(mutating: change.path)) }
    }
    let process = changes.withUnsafeBufferPointer { changes in
      Self.defaultSignals.withUnsafeBufferPointer { signals in
        words.withUnsafeBufferPointer { words in
          variables.withUnsafeBufferPointer { variables in
            var program = daybook_program(
              path: path, arguments: words.baseAddress, variables: variables.baseAddress,
              redirections: changes.baseAddress, redirection_count: changes.count,
              default_signals: signals.baseAddress, default_signal_count: signals.count,
              own_session: ownSession ? 1 : 0, parent_death_signal: endsWithParent ? SIGTERM : 0)
            return daybook_start(&program)
          }
        }
      }
    }
    guard process >= 0 else { throw FileError("exec", executable) }
    return process
  }

  /// The exit code of a process, 128 + n after a signal n.
  ///
  /// - Parameter waits: whether to wait for its end.
  /// - Returns: `nil` while it runs, if `waits` is `false`.
  /// - Throws: ``FileError`` if it is not a child process.
  package static func exitCode(of process: pid_t, waits: Bool = true) throws(FileError) -> Int32? {
    var status: Int32 = 0
    while true {
      let found = waitpid(process, &status, waits ? 0 : WNOHANG)
      if found == 0 { return nil }
      if found < 0, errno == EINTR { continue }
      guard found == process else { throw FileError("waitpid", "process \(process)") }
      let number = status & 0x7F
      return number == 0 ? (status >> 8) & 0xFF : 128 + number
    }
  }
}
