import GRDB

/// Reads the texts of entries in pages by number, so that `body` may write to the entries.
///
/// Each page must begin after the last one. In a damaged index or table it may not, and the loop
/// would read the same entries without end.
struct EntryTexts {
  let db: Database
  /// The entries to read.
  let source: Source

  /// The sources, as SQL.
  enum Source: String {
    /// All entries, by the table itself.
    case all = "entry NOT INDEXED WHERE"
    /// The entries without derived columns.
    case stale = "entry WHERE title IS NULL AND"
    /// The entries whose texts have the sign of a file.
    case filed = "entry NOT INDEXED WHERE instr(text, 'file:') > 0 AND"
    /// The former texts in the change log with tags, each under the number of its line.
    case former = """
      (SELECT seq AS number, text FROM change WHERE text IS NOT NULL AND tags <> '') WHERE
      """
  }

  private static let pageSize = 500

  /// Calls `body` with the number and the text of each entry.
  ///
  /// - Throws: `DatabaseError` with `SQLITE_CORRUPT` when the numbers do not ascend.
  func visit(_ body: (_ number: Int64, _ text: String) throws -> Void) throws {
    let select = """
      SELECT number, ifnull(CAST(text AS TEXT), '') FROM \(source.rawValue) number > ?
      ORDER BY number LIMIT \(Self.pageSize)
      """
    var last = Int64.min
    while true {
      var page: [(number: Int64, text: String)] = []
      try db.forEach(select, [last]) { page.append(($0.integer(0), $0.text(1))) }
      if page.isEmpty { return }
      for (number, text) in page {
        guard number > last else { throw unordered }
        last = number
        try body(number, text)
      }
    }
  }

  private var unordered: DatabaseError {
    let name =
      switch source {
      case .all, .filed: "table entry is out of order"
      case .stale: "index entry_stale disagrees with its table"
      case .former: "table change is out of order"
      }
    return DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the \(name)")
  }
}
