import Glibc

/// Starts the shell that starts the editor.
enum EditorSpawn {
  /// Starts `/bin/sh` with these words, our environment and the usual actions of signals.
  ///
  /// - Throws: ``Failure`` when it cannot be started.
  static func spawn(_ words: [String]) throws(Failure) -> pid_t {
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

  /// Our environment as the parent gave it; Swift does not let us near the C variable.
  private static func environment() -> [String] {
    let bytes = DraftFile.read("/proc/self/environ", limit: 1 << 24) ?? []
    return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }
}
