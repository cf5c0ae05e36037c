import Journal
import JournalFormats
import JournalStore

/// Reads the entries of tui-journal's SQLite file, by number.
struct TuiJournalDatabaseSource: EntrySource {
  private let database: TuiJournalDatabase
  private let clock: WallClock
  private var page: ArraySlice<TuiJournalDatabase.Row> = []
  private var last: Int64 = .min
  private var isAtEnd = false

  private static let pageSize = 256

  /// Makes a source over an open file.
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
