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

/// Reads the entries of tui-journal's SQLite file, by number.
struct TuiJournalDatabaseSource: EntrySource {
  private let database: TuiJournalDatabase
  private let clock: WallClock
  private var page: ArraySlice<TuiJournalDatabase.Row> = []
  private var last: Int64 = .min
  private var isAtEnd = false

  private static let pageSize = 256

  init(_ database: TuiJournalDatabase, clock: WallClock) {
    self.database = database
    self.clock = clock
  }

  mutating func next() throws -> ImportItem? {
    if page.isEmpty, !isAtEnd {
      page = try database.rows(after: last, limit: Self.pageSize)[...]
      last = page.last?.id ?? last
      isAtEnd = page.isEmpty
    }
    guard let row = page.popFirst() else { return nil }
    let place = ImportPlace(record: "entry \(row.id)")
    do throws(FormatError) {
      var entry = try TuiJournalEntry.make(
        date: row.date, title: row.title, content: row.content, tags: row.tags,
        priority: row.priority, clock: clock)
      if row.hasFolder { entry.unkept = ["folder"] }
      return .entry(entry, place)
    } catch {
      return .problem(error.reason, place)
    }
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
