import GRDB
import Journal
import SectionedResults

/// One state of an SQLite journal, as results controllers ask about it.
struct SQLiteSnapshot: ResultsSnapshot {
  let db: Database
  /// What answers filters with words in them; `nil` while the index does not fit the texts.
  var search: TextSearch?

  /// How many rows a group of an order without days has.
  static let chunk = 256

  func stamp() throws -> StoreStamp {
    StoreStamp(sequence: try ChangeLog(db: db).lastSequence())
  }

  func keys(
    of request: EntryRequest, in range: KeyRange
  ) throws -> [RowKey<EntryRowID>] {
    if range.isEmpty { return [] }
    if let found = try found(request) { return try keys(of: request, in: range, found) }
    let isWhole = range.lower == nil && range.upper == nil
    let isRare = try isRare(request)
    let sql = SQLRequest(request, mode: isWhole || isRare ? .whole : .eachRow, isRare: isRare)
    guard sql.filter.isExact else { return try scan(sql, range) }
    var keys: [RowKey<EntryRowID>] = []
    try forEachKey(of: sql, in: range) { keys.append($0) }
    return keys
  }

  var excerptSize: Int? { 8 }

  func keys(
    of request: EntryRequest, in range: KeyRange, limit: Int
  ) throws -> [RowKey<EntryRowID>]? {
    if let found = try found(request) {
      return try keys(of: request, in: range, found, limit: limit)
    }
    let sql = SQLRequest(request, mode: .eachRow)
    guard try sql.filter.isExact && !isRare(request) else { return nil }
    let from = sql.from(range)
    var decoder = KeyDecoder(sql)
    var keys: [RowKey<EntryRowID>] = []
    keys.reserveCapacity(limit)
    try db.forEach(
      "SELECT \(sql.keyColumns) \(from.sql) \(sql.order) LIMIT ?", from.arguments + [limit]
    ) { keys.append(try decoder.decode($0)) }
    return keys
  }

  func count(of request: EntryRequest, in range: KeyRange) throws -> Int {
    if range.isEmpty { return 0 }
    if let found = try found(request) { return try count(of: request, in: range, found) }
    let sql = SQLRequest(request, mode: .eachRow)
    guard try sql.filter.isExact && !isRare(request) else {
      return try keys(of: request, in: range).count
    }
    let parts = SQLBounds.parts(of: range, sql.keys).map { sql.from($0) }
    let counts = parts.map { "(SELECT count(*) \($0.sql))" }
    guard !parts.isEmpty else { return 0 }
    return try Int.fetchOne(
      db.cachedStatement(sql: "SELECT \(counts.joined(separator: " + "))"),
      arguments: parts.reduce(StatementArguments()) { $0 + $1.arguments }) ?? 0
  }

  /// Whether a tag that the filter needs is on few entries; counts kept as data tell.
  func isRare(_ request: EntryRequest) throws -> Bool {
    guard let tag = request.filter?.neededTag else { return false }
    let most = try db.first(
      "SELECT total(entries) FROM tag_count WHERE tag = ?1 OR (tag > ?2 AND tag < ?3)",
      [tag, tag + "/", tag + "0"]
    ) { $0.real(0) }
    return try (most ?? 0) * 50 < Double(KeptCounts.entries(db))
  }

  /// Calls `body` with each key of a range, in order.
  func forEachKey(
    of sql: SQLRequest, in range: KeyRange, _ body: (RowKey<EntryRowID>) throws -> Void
  ) throws {
    let from = sql.from(range)
    var decoder = KeyDecoder(sql)
    try db.forEach("SELECT \(sql.keyColumns) \(from.sql) \(sql.order)", from.arguments) {
      try body(try decoder.decode($0))
    }
  }

  /// The keys of a range under a filter that SQL cannot decide alone.
  func scan(_ sql: SQLRequest, _ range: KeyRange) throws -> [RowKey<EntryRowID>] {
    let from = sql.from(range)
    let tag = sql.isByTag ? "t.tag" : "''"
    var keys: [RowKey<EntryRowID>] = []
    try db.forEach(
      "SELECT \(EntryColumns.qualifiedEntry), \(tag) \(from.sql) \(sql.order)", from.arguments
    ) { columns in
      let entry = EntryColumns.decodeEntry(columns)
      guard sql.request.filter?.matches(entry) ?? true else { return }
      let tag = columns.text(EntryColumns.textIndex + 1)
      keys.append(sql.request.key(of: entry.row(tag: tag)))
    }
    return keys
  }

  func rows(of request: EntryRequest, ids: [EntryRowID]) throws -> [EntryRow] {
    let matches = try matching(request)
    let projection = RowProjection(request: request)
    return try ids.compactMap { id in
      let row = try db.first(matches.sql, matches.arguments + [id.number]) {
        EntryColumns.decodeRow($0, tag: id.tag)
      }
      guard let row, matches.found?.contains(id.number) ?? true, projection.hasTag(row),
        try !matches.needsText || projection.matches(row, text: { try text(of: id.number) })
      else { return nil }
      return row
    }
  }

  /// A statement for the row of one entry, if SQL can tell that it matches.
  private struct Matching {
    var sql: String
    var arguments = StatementArguments()
    /// The entries that match, where the index of words tells.
    var found: NumberSet?
    /// Whether the filter has to look at the text.
    var needsText = false
  }

  private func matching(_ request: EntryRequest) throws -> Matching {
    let byNumber = "FROM entry AS e WHERE e.number = ?"
    if let found = try found(request) {
      return Matching(sql: "SELECT \(EntryColumns.qualifiedRow) \(byNumber)", found: found)
    }
    let filter = SQLFilter(request.filter, mode: .eachRow)
    return Matching(
      sql: "SELECT \(EntryColumns.qualifiedRow) FROM entry AS e WHERE \(filter.sql) AND e.number = ?",
      arguments: filter.arguments, needsText: !filter.isExact)
  }

  private func text(of number: Int64) throws -> String? {
    try db.first("SELECT text FROM entry WHERE number = ?", [number]) { $0.text(0) }
  }
}

extension KeyRange {
  /// Whether it ends where it begins: SQLite finds no plan for some of the queries that say so.
  fileprivate var isEmpty: Bool {
    guard let lower, let upper else { return false }
    return lower.starts(with: upper)
  }
}
