import Glibc
import JournalStore

/// Finds the journal that a command is about, and opens it.
enum JournalOpening {
  /// What a command is going to do.
  enum Access {
    /// Only read.
    case reading
    /// Write, and make a journal that is not there yet.
    case writing
  }

  /// Opens the journal named by `--journal`, else by `DAYBOOK_JOURNAL`, else the usual one, and says
  /// on standard error what there is to say about it.
  ///
  /// - Throws: `StoreError`, or ``Failure`` when there is no place for it.
  static func store(
    _ options: GlobalOptions, for access: Access
  ) throws -> any EntryStore {
    let (store, notes) = try opened(options, for: access)
    for note in notes { Console.complain(note) }
    return store
  }

  /// Opens the journal and hands over what there is to say about it.
  static func opened(
    _ options: GlobalOptions, for access: Access
  ) throws -> (store: any EntryStore, notes: [String]) {
    let named = options.journal ?? Places.variable("DAYBOOK_JOURNAL")
    if named?.hasSuffix(".json") == true {
      throw Failure(.notUsable, "\(named ?? ""): journals are SQLite files here; name it .sqlite")
    }
    let path = try named ?? Places.journal()
    let store = try SQLiteEntryStore.open(path, mode: mode(options, access, isNamed: named != nil))
    return (store, store.notes)
  }

  private static func mode(
    _ options: GlobalOptions, _ access: Access, isNamed: Bool
  ) throws(Failure) -> OpenMode {
    if options.readOnly { return .readOnly }
    if isNamed { return access == .reading ? .readWrite : .create }
    try DraftFile.makeFolder(Places.data())
    return .create
  }
}
