import Glibc

/// The limits under which the program was started.
///
/// A Swift program that gets no memory ends at once, wherever it is; the journal and drafts are whole
/// then, as after any kill. Limits that are too small for every command are said before anything is
/// done.
enum ResourceLimits {
  /// The smallest stack, in bytes; queries and TOML are bounded so that this is enough for them.
  private static let stack: rlim_t = 256 << 10
  /// The smallest address space, in bytes: libraries and an empty journal take three quarters of it.
  private static let memory: rlim_t = 128 << 20

  /// The fewest files that may be open: the journal, its log, watchers, pipes and the terminal.
  private static let files: rlim_t = 16

  /// - Throws: ``Failure`` 74 naming a limit that is too small.
  static func check() throws(Failure) {
    var limit = rlimit()
    if getrlimit(Int32(RLIMIT_STACK.rawValue), &limit) == 0, limit.rlim_cur < stack {
      throw tooSmall("stack", limit.rlim_cur, stack, "s")
    }
    if getrlimit(Int32(RLIMIT_AS.rawValue), &limit) == 0, limit.rlim_cur < memory {
      throw tooSmall("address space", limit.rlim_cur, memory, "v")
    }
    if getrlimit(Int32(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < files {
      throw Failure(
        .inputOutput,
        "only \(limit.rlim_cur) files may be open; daybook needs \(files) (ulimit -n);"
          + " nothing was done")
    }
  }

  private static func tooSmall(
    _ name: String, _ limit: rlim_t, _ wanted: rlim_t, _ option: String
  ) -> Failure {
    Failure(
      .inputOutput,
      "the \(name) is limited to \(limit >> 10) KiB; daybook needs \(wanted >> 10)"
        + " (ulimit -\(option)); nothing was done")
  }
}
