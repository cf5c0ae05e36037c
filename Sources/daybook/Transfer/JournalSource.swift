import Journal
import JournalFormats
import JournalStore

/// Reads the entries of another journal, including its trash, by number.
struct JournalSource: EntrySource {
  private let store: any EntryStore
  private var numbers: ArraySlice<Int64>
  private var page: ArraySlice<Entry> = []

  private static let pageSize = 512

  /// Reads all numbers of the journal.
  ///
  /// - Throws: the error of the store.
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
    return .entry(ImportedEntry(entry), ImportPlace(record: "entry \(entry.number)"))
  }
}

/// An identity in 16 bytes, to keep a million of them.
struct UUIDBits: Hashable {
  private var high: UInt64 = 0
  private var low: UInt64 = 0

  /// Converts a canonical identity.
  init(_ uuid: String) {
    for byte in uuid.utf8 where byte != UInt8(ascii: "-") {
      let digit = byte >= UInt8(ascii: "a") ? byte - UInt8(ascii: "a") + 10 : byte & 15
      high = high << 4 | low >> 60
      low = low << 4 | UInt64(digit)
    }
  }
}
