import GRDB
import Journal
import SectionedResults

extension SQLiteSnapshot: RowSeeking {
  func firstRow(
    of request: EntryRequest, in range: KeyRange, except id: EntryRowID?
  ) throws -> EntryRowID? {
    if let found = try found(request) {
      return try firstRow(of: request, in: range, except: id, found)
    }
    let sql = SQLRequest(request, mode: .eachRow, isRare: false)
    let from = sql.from(range)
    let tag = sql.isByTag ? "t.tag" : "''"
    let isExact = sql.filter.isExact
    let columns =
      isExact
      ? "\(sql.alias).number, \(tag)"
      : "\(EntryColumns.qualifiedEntry), \(tag)"
    let rows = try Columns.fetchCursor(
      db.cachedStatement(sql: "SELECT \(columns) \(from.sql) \(sql.order)"),
      arguments: from.arguments)
    while let row = try rows.next() {
      let number = row.integer(0)
      let found = EntryRowID(
        number: number, tag: row.text(isExact ? 1 : EntryColumns.textIndex + 1))
      if found == id { continue }
      guard !isExact else { return found }
      if try matches(number, request) { return found }
    }
    return nil
  }

  /// Whether the entry with a number matches a filter that SQL cannot decide alone.
  private func matches(_ number: Int64, _ request: EntryRequest) throws -> Bool {
    guard let filter = request.filter else { return true }
    let entry = try SQLiteReader(db: db, place: "").entry(number: number)
    return entry.map(filter.matches) ?? false
  }
}
