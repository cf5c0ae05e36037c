import Journal
import JournalStore

/// Gives rows their texts: the texts they had when they were as they are, whatever happened since.
struct EntryTexts {
  let store: any EntryStore

  /// The whole entries of some rows, in their order; `nil` where the text is gone for good.
  ///
  /// - Throws: what the store throws.
  func entries(of rows: [EntryRow]) throws -> [Entry?] {
    try store.inspect { reader in
      try rows.map { row in try Self.text(of: row, reader).map { row.entry(with: $0) } }
    }
  }

  private static func text(of row: EntryRow, _ reader: any EntryReading) throws -> String? {
    if let entry = try reader.entry(number: row.id.number), entry.checksum == row.checksum {
      return entry.text
    }
    return try reader.versions(of: row.id.number)
      .last { Entry.checksum(of: $0.text) == row.checksum }?.text
  }
}

extension EntryRow {
  /// The whole entry, given its text.
  fileprivate func entry(with text: String) -> Entry {
    Entry(
      uuid: uuid, number: id.number, created: created, modified: modified, day: day, text: text,
      starred: starred, deleted: deleted)
  }
}
