import Journal

/// Reads the entries of tui-journal's SQLite file in the order of their ids.
///
/// The table `tags` and the columns `priority` and `folder` are of later versions.
struct TuiJournalDatabaseSource: EntrySource {
  private let database: any ForeignDatabase
  private let clock: WallClock
  private let hasTags: Bool
  private var rows: ForeignRows

  init(_ database: any ForeignDatabase, options: ImportOptions) {
    self.database = database
    clock = options.clock
    hasTags = database.has("tags", ["entry_id", "tag"])
    rows = ForeignRows(
      ForeignSelection("entries", ["id", "title", "date", "content", "priority", "folder"]),
      in: database)
  }

  /// The next entry or problem.
  mutating func next() throws -> ImportItem? {
    guard let row = try rows.next() else { return nil }
    let place = ImportPlace(record: "entry \(row["id"].integer ?? row.id)")
    do {
      var entry = try TuiJournalEntry.make(
        date: Self.date(row["date"]), title: row["title"].text, content: row["content"].text,
        tags: try tags(of: row), priority: row["priority"].integer.map { Int($0) }, clock: clock)
      entry.keep(row["folder"].text, as: "folder")
      return .entry(entry, place)
    } catch let error as FormatError {
      return .problem(error, place)
    }
  }

  private func tags(of row: ForeignRow) throws -> [String] {
    guard hasTags else { return [] }
    return try database.rows(of: "tags", ["tag"], where: "entry_id", is: row["id"])
      .map { $0["tag"].text }.filter { !$0.isEmpty }
  }

  /// The date as ISO 8601, from any of SQLite's three date formats: integers are seconds since 1970,
  /// reals are Julian days, which begin at noon.
  private static func date(_ value: ForeignValue) -> String {
    switch value {
    case .text(let text): text
    case .integer(let seconds): text(of: seconds)
    case .real(let days):
      Int64(exactly: ((days - 2_440_587.5) * 86_400).rounded()).map(text) ?? ""
    case .null, .blob: ""
    }
  }

  private static func text(of seconds: Int64) -> String {
    let years: ClosedRange<Int64> = -62_135_596_800...253_402_300_799
    return years.contains(seconds) ? Moment(seconds: seconds, offset: 0).description : ""
  }
}
