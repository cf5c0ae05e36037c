import Glibc

/// The search for a program in the directories of `PATH`.
package enum ProgramSearch {
  /// The directories searched where `PATH` is not set.
  package static let standardPath = "/usr/local/bin:/usr/bin:/bin"

  /// The path of a program; `nil` if there is none.
  ///
  /// Relative directories of `PATH` are passed over: which program they mean depends on the present
  /// directory, which may be a stranger's.
  ///
  /// - Parameters:
  ///   - name: its name; one with a slash is the path itself.
  ///   - path: the value of `PATH`.
  package static func find(_ name: String, in path: String) -> String? {
    if name.contains("/") { return isProgram(name) ? name : nil }
    return path.split(separator: ":").lazy.filter { $0.hasPrefix("/") }
      .map { "\($0)/\(name)" }.first(where: isProgram)
  }

  /// Whether a path is a file that this process may run.
  private static func isProgram(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }
}
