import JournalStore

enum JournalOpening {
  enum Access { case reading, writing, screen }
  static func store(_ options: GlobalOptions, for access: Access) throws -> any EntryStore {
    try SQLiteEntryStore.open(options.journal ?? "/tmp/j.sqlite", mode: .create)
  }
}
