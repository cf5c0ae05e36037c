import GRDB
import Journal
import SectionedResults

extension SQLiteSnapshot: EntryPaging {
  /// One statement reads keys and texts together: what comes next in the list's order is mostly what
  /// stands next in the file.
  func entries(
    of request: EntryRequest, after key: RowKey<EntryRowID>?, limit: Int
  ) throws -> [Entry]? {
    guard try found(request) == nil else { return nil }
    let sql = SQLRequest(request, mode: .eachRow)
    guard try sql.filter.isExact && !sql.isByTag && !isRare(request) else { return nil }
    let from = sql.from(KeyRange(lower: key?.values, upper: nil))
    var entries: [Entry] = []
    entries.reserveCapacity(limit)
    try db.forEach(
      "SELECT \(EntryColumns.qualifiedEntry) \(from.sql) \(sql.order) LIMIT ?",
      from.arguments + [limit + 1]
    ) { columns in
      if columns.integer(0) != key?.id.number, entries.count < limit {
        entries.append(EntryColumns.decodeEntry(columns))
      }
    }
    return entries
  }
}
