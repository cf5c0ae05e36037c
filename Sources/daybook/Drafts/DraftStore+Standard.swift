import Glibc
import Journal
import JournalStore

extension DraftStore {
  /// The drafts of this user for a journal.
  ///
  /// - Parameter journal: What `--journal` says; `nil` for the journal of the environment.
  /// - Throws: ``Failure`` 73 when there is no place for them.
  static func standard(for journal: String?) throws(Failure) -> DraftStore {
    DraftStore(folder: try Places.state() + "/drafts", journal: identity(of: journal)) {
      DraftName.make()
    }
  }

  /// The one name under which drafts know a journal, whatever link or relative path leads to it:
  /// its absolute path, or `:memory:`.
  static func identity(of journal: String?) -> String? {
    guard let location = try? JournalOpening.location(journal) else { return nil }
    return location.kind == .memory ? location.path : absolute(location.path)
  }

  /// The path without links; of a file that is not there yet, as far as its folder is.
  private static func absolute(_ path: String) -> String {
    if let real = resolved(path) { return real }
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { String(path[...$0]) } ?? "."
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    guard let real = resolved(folder) else { return path }
    return real == "/" ? "/" + name : "\(real)/\(name)"
  }

  private static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}
