import Glibc

/// The start of a program: the only call of `posix_spawn`.
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

  /// Signals whose default action is restored.
  private static let defaultSignals = [SIGINT, SIGQUIT, SIGPIPE, SIGXFSZ, SIGTSTP]

  /// `POSIX_SPAWN_SETSID`, which the C library defines only for GNU extensions.
  private static let setSession: Int16 = 0x80

  /// - Parameters:
  ///   - executable: the path of the program.
  ///   - arguments: its arguments, the first of which is its name.
  ///   - environment: all its variables, as `NAME=value`.
  ///   - redirections: the changes of descriptors, in their order.
  ///   - ownSession: whether the program gets its own session, for its own terminal.
  package init(
    _ executable: String, _ arguments: [String], environment: [String],
    redirections: [Redirection] = [], ownSession: Bool = false
  ) {
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
    self.redirections = redirections
    self.ownSession = ownSession
  }

  /// Starts the program.
  ///
  /// - Returns: the process id, for ``exitCode(of:waits:)``.
  /// - Throws: ``FileError`` with the path of the program.
  package func run() throws(FileError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for redirection in redirections {
      switch redirection {
      case .descriptor(let from, let to): posix_spawn_file_actions_adddup2(&actions, from, to)
      case .file(let path, let flags, let to):
        posix_spawn_file_actions_addopen(&actions, to, path, flags, 0)
      }
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var defaults = sigset_t()
    sigemptyset(&defaults)
    for number in Self.defaultSignals { sigaddset(&defaults, number) }
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    var blocked = sigset_t()
    sigemptyset(&blocked)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK) | (ownSession ? Self.setSession : 0))
    let words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    let variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
    defer { for pointer in words + variables { free(pointer) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, executable, &actions, &attributes, words, variables)
    guard code == 0 else { throw FileError("posix_spawn", executable, code: code) }
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
