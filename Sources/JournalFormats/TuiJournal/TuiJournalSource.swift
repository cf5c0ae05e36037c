import Journal

/// Reads the JSON of tui-journal.
///
/// That is its own file, a bare array, and the file of its export, in which the array is the member
/// `entries`. See ``TuiJournalEntry`` for what becomes of the fields.
struct TuiJournalSource: EntrySource {
  private let records: JSONRecords
  private let clock: WallClock

  /// Makes a source of a stream.
  init(_ stream: ByteStream, options: ImportOptions) {
    records = JSONRecords(stream, options: JSONOptions(isLossy: options.isLossy))
    clock = options.clock
  }

  private static let members: Set = ["date", "title", "content", "tags", "priority"]

  /// The next entry, or what stands where one should.
  mutating func next() throws -> ImportItem? {
    try records.nextItem(members: Self.members, derived: ["id"]) { value, _ in
      try TuiJournalEntry.make(
        date: value.text("date"), title: value.text("title"), content: value.text("content"),
        tags: value.texts("tags"), priority: value["priority"]?.integer, clock: clock)
    }
  }
}
