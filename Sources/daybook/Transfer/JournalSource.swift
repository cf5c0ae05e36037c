import Journal
import JournalFormats
import JournalStore

/// Reads the entries of another journal, those in its trash too, by number.
struct JournalSource: EntrySource {
  private let store: any EntryStore
  private var numbers: ArraySlice<Int64>
  private var page: ArraySlice<Entry> = []

  private static let pageSize = 512

  /// Takes all numbers of the journal.
  ///
  /// - Throws: what the store throws.
  init(_ store: any EntryStore) throws {
    self.store = store
    let all = try store.inspect { reader in
      try reader.numbers(matching: nil) + reader.numbers(matching: .flag(.deleted))
    }
    numbers = all.sorted()[...]
  }

  mutating func next() throws -> ImportItem? {
    while page.isEmpty, !numbers.isEmpty {
      page = try store.entries(Array(numbers.prefix(Self.pageSize)))[...]
      numbers = numbers.dropFirst(Self.pageSize)
    }
    guard let entry = page.popFirst() else { return nil }
    return .entry(
      ImportedEntry(
        uuid: entry.uuid, created: entry.created, modified: entry.modified, day: entry.day,
        text: entry.text, starred: entry.starred, deleted: entry.deleted),
      ImportPlace(record: "entry \(entry.number)"))
  }
}
