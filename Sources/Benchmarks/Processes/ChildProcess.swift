import Glibc

/// Starts programs, with descriptors of our choice and an environment of our own.
struct ChildProcess {
  let pid: pid_t

  /// `POSIX_SPAWN_SETSID`, which the C library keeps for programs that ask for GNU extensions.
  private static let ownSession: Int16 = 0x80

  /// What programs find in their environment: nothing of the machine's.
  static func environment(home: String) -> [String] {
    [
      "HOME=\(home)", "PATH=/usr/local/bin:/usr/bin:/bin", "TZ=UTC", "LC_ALL=C.UTF-8",
      "TERM=xterm-256color", "INPUTRC=/dev/null",
    ]
  }

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - terminal: the path of a terminal that becomes the program's own, in a session of its own;
  ///     without one input is empty and errors go where ours go.
  ///   - output: the descriptor that becomes standard output; without one it is thrown away.
  init(
    _ arguments: [String], environment: [String], terminal: String? = nil, output: Int32? = nil
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    if let terminal {
      posix_spawnattr_setflags(&attributes, ChildProcess.ownSession)
      posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
      posix_spawn_file_actions_adddup2(&actions, 0, 1)
      posix_spawn_file_actions_adddup2(&actions, 0, 2)
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
      if let output {
        posix_spawn_file_actions_adddup2(&actions, output, 1)
      } else {
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
      }
    }
    var words = arguments.map { strdup($0) } + [nil]
    var variables = environment.map { strdup($0) } + [nil]
    defer { for pointer in words + variables { free(pointer) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, arguments[0], &actions, &attributes, &words, &variables)
    guard code == 0 else { throw BenchError("\(arguments[0]): \(String(cString: strerror(code)))") }
    pid = child
  }

  /// Waits for the program's end.
  ///
  /// - Throws: ``BenchError`` when it did not end with exit code 0.
  func wait() throws {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    guard status == 0 else { throw BenchError("a measured program ended with status \(status)") }
  }

  /// Runs a program to its end and gives the time from its start to its end, in milliseconds.
  static func time(_ arguments: [String], environment: [String]) throws -> Double {
    let start = Monotonic.now()
    try ChildProcess(arguments, environment: environment).wait()
    return Monotonic.milliseconds(since: start)
  }
}
