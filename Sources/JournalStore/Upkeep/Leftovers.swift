import Files
import Glibc

/// Temporary files of processes that were killed before they could give them their names or remove them.
///
/// They carry the number of their process: `NAME.new-PID` beside the file that was being written, as
/// ``AtomicFile`` names it, `daybook-doctor-PID-XXXXXX` among temporary directories. Those of a process that still runs are never
/// touched.
package enum Leftovers {
  /// Removes what killed writers of a file left beside it.
  package static func remove(beside path: String) {
    let directory = Directory.of(path)
    for name in names(beside: path) { unlink("\(directory)/\(name)") }
  }

  /// Removes what killed writers left in a directory beside files of their own.
  ///
  /// - Parameter isOurs: whether a name is one that this program gives to a file there.
  package static func remove(in directory: String, of isOurs: (Substring) -> Bool) {
    for name in entries(of: directory) {
      guard let mark = name.range(of: ".new-"), isOurs(name[..<mark.lowerBound]),
        isOfDeadProcess(name[mark.upperBound...])
      else { continue }
      unlink("\(directory)/\(name)")
    }
  }

  /// The names of what killed processes left beside a file: their new files, and what SQLite keeps beside
  /// those while it writes them.
  static func names(beside path: String, _ suffix: String = ".new-") -> [String] {
    let prefix = AtomicFile.temporaryPrefix(of: path, suffix)
    return entries(of: Directory.of(path)).filter { name in
      name.hasPrefix(prefix) && isOfDeadProcess(name.dropFirst(prefix.count))
    }
  }

  /// The beginning of the name of a temporary directory of this process, for `mkdtemp`.
  package static func directoryTemplate(_ prefix: String, in parent: String) -> String {
    "\(parent)/\(prefix)-\(getpid())-XXXXXX"
  }

  /// This user's temporary directories whose processes are gone.
  package static func directories(_ prefix: String, in parent: String) -> [String] {
    entries(of: parent).filter { $0.hasPrefix(prefix + "-") }.compactMap { name in
      let parts = name.dropFirst(prefix.count + 1).split(separator: "-")
      let path = "\(parent)/\(name)"
      var status = stat()
      guard parts.count == 2, isOfDeadProcess(parts[0]), lstat(path, &status) == 0,
        status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid()
      else { return nil }
      return path
    }
  }

  /// Whether the end of a name is the number of a process that is gone, alone or before `-journal` or
  /// `.lock`.
  private static func isOfDeadProcess(_ ending: Substring) -> Bool {
    let digits = ending.prefix { ("0"..."9").contains($0) }
    guard ["", "-journal", ".lock"].contains(ending[digits.endIndex...]),
      let pid = pid_t(digits), pid > 0
    else { return false }
    return kill(pid, 0) != 0 && errno == ESRCH
  }

  private static func entries(of directory: String) -> [String] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let item = readdir(stream) {
      let name = withUnsafeBytes(of: &item.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      names.append(name)
    }
    return names.sorted()
  }
}
