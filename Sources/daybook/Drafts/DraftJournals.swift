import Files
import Glibc
import Journal
import JournalStore

extension DraftStore {
  /// The drafts of this user for a journal.
  ///
  /// - Parameters:
  ///   - journal: The value of `--journal`; `nil` for the journal of the environment.
  ///   - form: The form of its drafts; `nil` reads it from the journal's file, outside of any
  ///     transaction.
  /// - Throws: ``Failure`` 73 when no directory for them is known, and that of ``DraftForm``.
  static func standard(
    for journal: String?, form: DraftForm? = nil
  ) throws(Failure) -> DraftStore {
    let location = try? JournalLookup.location(journal)
    var found = form ?? .readable
    if form == nil, let location { found = try DraftForm(of: location) }
    return DraftStore(
      directory: try Places.state() + "/drafts", journal: identity(of: journal), form: found
    ) { DraftName.make() }
  }

  /// The unique name of a journal in drafts, for all links and relative paths: its absolute path,
  /// or `:memory:`.
  static func identity(of journal: String?) -> String? {
    (try? JournalLookup.location(journal)).map(identity(of:))
  }

  /// The same of a journal whose location is known.
  static func identity(of location: JournalLocation) -> String {
    location.kind == .memory ? location.path : absolute(location.path)
  }

  /// The path without links; for a file that does not exist yet, with its directory resolved.
  private static func absolute(_ path: String) -> String {
    if let real = resolved(path) { return real }
    let slash = path.lastIndex(of: "/")
    let directory = slash.map { String(path[...$0]) } ?? "."
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    guard let real = resolved(directory) else { return path }
    return real == "/" ? "/" + name : "\(real)/\(name)"
  }

  private static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}
