import GRDB
import Journal
import SectionedResults

/// One state of an SQLite journal, as results controllers ask about it.
struct SQLiteSnapshot: ResultsSnapshot {
  let db: Database

  /// How many rows a group of an order without days has.
  static let chunk = 512

  func stamp() throws -> StoreStamp {
    StoreStamp(sequence: try ChangeLog(db: db).lastSequence())
  }

  func keys(
    of request: EntryRequest, in range: KeyRange
  ) throws -> [RowKey<EntryRowID>] {
    let isWhole = range.lower == nil && range.upper == nil
    let sql = SQLRequest(request, mode: isWhole ? .whole : .eachRow)
    guard sql.filter.isExact else { return try scan(sql, range) }
    var keys: [RowKey<EntryRowID>] = []
    try forEachKey(of: sql, in: range) { keys.append($0) }
    return keys
  }

  /// Calls `body` with each key of a range, in order.
  func forEachKey(
    of sql: SQLRequest, in range: KeyRange, _ body: (RowKey<EntryRowID>) throws -> Void
  ) throws {
    let from = sql.from(range)
    let rows = try SQLRow.fetchCursor(
      db.cachedStatement(sql: "SELECT \(sql.keyColumns) \(from.sql) \(sql.order)"),
      arguments: from.arguments)
    var decoder = KeyDecoder(sql)
    while let row = try rows.next() { try body(decoder.decode(row)) }
  }

  /// The keys of a range under a filter that SQL cannot decide alone.
  func scan(_ sql: SQLRequest, _ range: KeyRange) throws -> [RowKey<EntryRowID>] {
    let from = sql.from(range)
    let columns = EntryColumns.entry.split(separator: ", ").map { "e.\($0)" }
    let rows = try SQLRow.fetchCursor(
      db,
      sql: "SELECT \(columns.joined(separator: ", ")), \(sql.isByTag ? "t.tag" : "''")"
        + " \(from.sql) \(sql.order)",
      arguments: from.arguments)
    var keys: [RowKey<EntryRowID>] = []
    while let row = try rows.next() {
      let entry = EntryColumns.decodeEntry(row)
      guard sql.request.filter?.matches(entry) ?? true else { continue }
      keys.append(sql.request.key(of: entry.row(tag: row[11])))
    }
    return keys
  }

  func rows(of request: EntryRequest, ids: [EntryRowID]) throws -> [EntryRow] {
    let select = try db.cachedStatement(
      sql: "SELECT \(EntryColumns.row) FROM entry WHERE number = ?")
    return try ids.compactMap { id in
      try SQLRow.fetchOne(select, arguments: [id.number])
        .map { EntryColumns.decodeRow($0, tag: id.tag) }
    }
  }
}
