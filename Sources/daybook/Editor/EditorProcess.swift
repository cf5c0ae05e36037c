import Glibc

/// Runs the user's editor on a file and waits for it.
enum EditorProcess {
  /// The user's editor: a shell command, as `config.toml`, `VISUAL` or `EDITOR` give it, else `vi`.
  static var command: String {
    Configuration.ofUser.settings.editor ?? Places.variable("VISUAL") ?? Places.variable("EDITOR")
      ?? "vi"
  }

  /// Runs the editor on a file and gives its exit code, 128+n after a signal.
  ///
  /// The file's path is an argument and never a part of the shell's script, so no name can run
  /// anything. While the editor has the terminal, ^C and ^\ are its keys and not ours.
  ///
  /// - Throws: ``Failure`` when no shell can be started.
  static func run(on path: String) throws(Failure) -> Int32 {
    let before = [SIGINT, SIGQUIT].map { ($0, ignore($0)) }
    defer { for (number, action) in before { restore(number, action) } }
    let pid = try spawn(["sh", "-c", "\(command) \"$1\"", "daybook", path])
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 {
      guard errno == EINTR else { throw .system(errno, "editor") }
    }
    let number = status & 0x7F
    return number == 0 ? (status >> 8) & 0xFF : 128 + number
  }

  private static func ignore(_ number: Int32) -> sigaction {
    var ignoring = sigaction()
    ignoring.__sigaction_handler.sa_handler = SIG_IGN
    var old = sigaction()
    sigaction(number, &ignoring, &old)
    return old
  }

  private static func restore(_ number: Int32, _ action: sigaction) {
    var action = action
    sigaction(number, &action, nil)
  }

  /// Our environment as the parent gave it; Swift does not let us near the C variable.
  private static func environment() -> [String] {
    let bytes = DraftFile.read("/proc/self/environ", limit: 1 << 24) ?? []
    return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
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
    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    let variables: [UnsafeMutablePointer<CChar>?] = environment().map { strdup($0) } + [nil]
    defer { for pointer in arguments + variables { free(pointer) } }
    var pid: pid_t = 0
    let problem = posix_spawn(&pid, "/bin/sh", nil, &attributes, arguments, variables)
    guard problem == 0 else { throw .system(problem, "/bin/sh") }
    return pid
  }
}
