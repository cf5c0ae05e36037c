import Foundation
import Testing

/// Starts programs with files for their standard streams, and waits for them.
///
/// Foundation's `Process` gives a descriptor to the child and waits for its end, which never comes
/// if the child starts a server, such as tmux.
enum ChildProcess {
  /// Runs a program.
  ///
  /// - Returns: its exit code, 128+n after a signal.
  static func run(
    _ path: String, _ arguments: [String], environment: [String: String], input: String,
    output: String, errors: String
  ) throws -> Int32 {
    let pid = try start(path, arguments, environment: environment) { actions in
      posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
      posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
      posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 { try #require(errno == EINTR) }
    return code(status)
  }

  /// Starts a program, with the files that `open` says.
  static func start(
    _ path: String, _ arguments: [String], environment: [String: String],
    open: (inout posix_spawn_file_actions_t) -> Void
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    open(&actions)
    // Test threads block signals, which a child would inherit: no resize would reach it.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    // A test that runs an editor in this process ignores the signals of its keys meanwhile.
    var standard = sigset_t()
    sigemptyset(&standard)
    for number in [SIGINT, SIGQUIT] { sigaddset(&standard, number) }
    posix_spawnattr_setsigdefault(&attributes, &standard)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    let words = ([path] + arguments).map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in words + variables { free(pointer) } }
    var pid: pid_t = 0
    let error = posix_spawn(&pid, path, &actions, &attributes, words, variables)
    try #require(error == 0, "\(path): \(String(cString: strerror(error)))")
    return pid
  }

  /// The exit code that a status of `waitpid` holds, 128+n after a signal.
  static func code(_ status: Int32) -> Int32 {
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }
}
