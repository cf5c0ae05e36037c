import GRDB

/// The numbers that SQLite counts up for entries, changes and steps, kept in `sqlite_sequence`.
enum Numbering {
  /// A number that counting never reaches: a damaged file may have any, and after the largest one
  /// SQLite says that the disk is full.
  static let limit = Int64.max - (1 << 20)

  /// Tables and the queries for the highest number in use in each.
  static let highest = [
    (
      table: "entry",
      sql:
        "SELECT max(ifnull((SELECT max(number) FROM entry), 0), ifnull((SELECT max(number) FROM change WHERE typeof(number) = 'integer'), 0))"
    ),
    (table: "change", sql: "SELECT ifnull(max(seq), 0) FROM change"),
    (table: "change_set", sql: "SELECT ifnull(max(id), 0) FROM change_set"),
  ]

  /// - Throws: `DatabaseError` with `SQLITE_CORRUPT` when no number is left for what is written next.
  static func check(_ db: Database) throws {
    let next = try db.first("SELECT ifnull(max(CAST(seq AS INTEGER)), 0) FROM sqlite_sequence", [])
    {
      $0.integer(0)
    }
    let change = try ChangeLog(db: db).lastSequence()
    guard max(next ?? 0, change) < limit else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "its numbers are used up")
    }
  }

  /// What the table of numbers says of a table.
  static func next(of table: String, _ db: Database) throws -> Int64? {
    try db.first(
      "SELECT ifnull(max(CAST(seq AS INTEGER)), 0), count(*) FROM sqlite_sequence WHERE name = ?",
      [table]
    ) { $0.bool(1) ? $0.integer(0) : nil } ?? nil
  }
}
