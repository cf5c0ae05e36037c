import Glibc

/// Runs the user's editor on a file and waits for it.
enum EditorProcess {
  /// The user's editor: a shell command, as `VISUAL` or `EDITOR` give it, else `vi`.
  static var command: String {
    for name in ["VISUAL", "EDITOR"] {
      if let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty { return value }
    }
    return "vi"
  }

  /// Runs the editor on a file and gives its exit code, 128+n after a signal.
  ///
  /// The file's path is an argument and never a part of the shell's script, so no name can run
  /// anything. While the editor has the terminal, ^C and ^\ are its keys and not ours.
  ///
  /// - Throws: ``Failure`` when no shell can be started.
  static func run(on path: String) throws(Failure) -> Int32 {
    let interrupt = signal(SIGINT, SIG_IGN)
    let quit = signal(SIGQUIT, SIG_IGN)
    defer {
      signal(SIGINT, interrupt)
      signal(SIGQUIT, quit)
    }
    let pid = try spawn(["sh", "-c", "\(command) \"$1\"", "daybook", path])
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 {
      guard errno == EINTR else { throw .system(errno, "editor") }
    }
    let number = status & 0x7F
    return number == 0 ? (status >> 8) & 0xFF : 128 + number
  }

  private static func spawn(_ words: [String]) throws(Failure) -> pid_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var defaults = sigset_t()
    sigemptyset(&defaults)
    for number in [SIGINT, SIGQUIT, SIGPIPE, SIGXFSZ, SIGTSTP] { sigaddset(&defaults, number) }
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var pid: pid_t = 0
    let problem = posix_spawn(&pid, "/bin/sh", nil, &attributes, &arguments, environ)
    guard problem == 0 else { throw .system(problem, "/bin/sh") }
    return pid
  }
}
