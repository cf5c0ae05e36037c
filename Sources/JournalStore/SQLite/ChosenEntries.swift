import GRDB

/// A chunk of entries as a temporary table, so that one statement changes all of them.
///
/// The table is in memory and visible to this connection only.
struct ChosenEntries {
  private let db: Database

  /// The subquery of the chosen numbers.
  static let numbers = "(SELECT number FROM temp.chosen_entry)"

  /// The number of entries in a chunk: enough that a statement's own cost does not matter, few
  /// enough that cancelling takes effect at once.
  static let size = 512

  /// Makes the table, which must not be used before ``choose(_:)``.
  init(_ db: Database) throws {
    self.db = db
    try db.execute(
      sql: "CREATE TABLE IF NOT EXISTS temp.chosen_entry (number INTEGER PRIMARY KEY, seq INTEGER)")
  }

  /// Replaces the chosen entries.
  func choose(_ numbers: some Sequence<Int64>) throws {
    try clear()
    var rows = RowInsertion(into: "temp.chosen_entry", ["number"], in: db)
    for number in Set(numbers).sorted() { try rows.add(.integer(number)) }
    try rows.finish()
  }

  /// Chooses no entry.
  func clear() throws {
    try db.cachedStatement(sql: "DELETE FROM temp.chosen_entry").execute()
  }

  /// Divides numbers into chunks.
  static func chunks(of numbers: [Int64]) -> some Sequence<ArraySlice<Int64>> {
    stride(from: 0, to: numbers.count, by: size).lazy.map { start in
      numbers[start..<min(start + size, numbers.count)]
    }
  }
}
