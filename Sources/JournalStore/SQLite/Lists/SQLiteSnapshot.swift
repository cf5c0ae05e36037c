import GRDB
import Journal
import SectionedResults
import SectionedResultsSQL

/// One state of an SQLite journal for results controllers.
struct SQLiteSnapshot: ResultsSnapshot {
  let db: Database
  /// Answers filters with words; `nil` while the index does not match the texts.
  var search: TextSearch?

  /// The number of rows in a group of an order without days.
  static let chunk = 256

  func stamp() throws -> StoreStamp {
    StoreStamp(sequence: try ChangeLog(db: db).lastSequence())
  }

  func keys(
    of request: EntryRequest, in range: ResultsKeyRange
  ) throws -> [ResultsKey<EntryRowID>] {
    if range.isEmpty { return [] }
    if let found = try found(request) { return try keys(of: request, in: range, found) }
    let isWhole = range.lower == nil && range.upper == nil
    let isRare = try isRare(request)
    let sql = SQLRequest(request, mode: isWhole || isRare ? .whole : .eachRow, isRare: isRare)
    return try sql.filter.isExact ? reader(sql).keys(in: range) : scan(sql, range)
  }

  var excerptSize: Int? { 8 }

  func keys(
    of request: EntryRequest, in range: ResultsKeyRange, limit: Int
  ) throws -> [ResultsKey<EntryRowID>]? {
    if let found = try found(request) {
      return try keys(of: request, in: range, found, limit: limit)
    }
    let sql = SQLRequest(request, mode: .eachRow)
    guard try sql.filter.isExact && !isRare(request) else { return nil }
    return try reader(sql).keys(in: range, limit: limit)
  }

  func count(of request: EntryRequest, in range: ResultsKeyRange) throws -> Int {
    if range.isEmpty { return 0 }
    if let found = try found(request) { return try count(of: request, in: range, found) }
    let sql = SQLRequest(request, mode: .eachRow)
    guard try sql.filter.isExact && !isRare(request) else {
      return try keys(of: request, in: range).count
    }
    return try reader(sql).count(in: range)
  }

  func reader(_ sql: SQLRequest) -> SQLListReader<SQLRequest> { SQLListReader(db, sql) }

  /// Whether a required tag of the filter is on few entries, by the stored counts.
  func isRare(_ request: EntryRequest) throws -> Bool {
    guard let tag = request.filter?.neededTag else { return false }
    let most = try db.first(
      "SELECT total(entries) FROM tag_count WHERE tag = ?1 OR (tag > ?2 AND tag < ?3)",
      [tag, tag + "/", tag + "0"]
    ) { $0.real(0) }
    return try (most ?? 0) * 50 < Double(KeptCounts.entries(db))
  }

  /// The keys of a range under a filter that SQL cannot decide alone.
  func scan(_ sql: SQLRequest, _ range: ResultsKeyRange) throws -> [ResultsKey<EntryRowID>] {
    let tag = sql.isByTag ? "t.tag" : "''"
    var keys: [ResultsKey<EntryRowID>] = []
    let ask = LinkGraph(db: db).decide
    let projection = RowProjection(request: sql.request)
    try reader(sql).forEachRow("\(EntryColumns.qualifiedEntry), \(tag)", in: range) { columns in
      let entry = EntryColumns.decodeEntry(columns)
      guard try sql.request.filter.map({ try $0.matches(entry, asking: ask) }) ?? true else {
        return true
      }
      let tag = columns.text(EntryColumns.textIndex + 1)
      keys.append(sql.request.key(of: projection.valued(entry.row(tag: tag)) { entry.text }))
      return true
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
      return try valued(row, projection.fieldKeys)
    }
  }

  /// A row with the values of the fields that its list is about, from their table.
  private func valued(_ row: EntryRow, _ keys: Set<String>) throws -> EntryRow {
    guard !keys.isEmpty else { return row }
    var valued = row
    let reader = SQLiteReader(db: db, path: "")
    for key in keys {
      let values = try reader.fieldValues(of: row.id.number, named: key)
      valued.fieldValues[key] = values.isEmpty ? nil : values
    }
    return valued
  }

  /// A statement for the row of one entry, if SQL can decide whether it matches.
  private struct Matching {
    var sql: String
    var arguments = StatementArguments()
    /// The matching entries, if the full-text index can answer.
    var found: NumberSet?
    /// Whether the filter needs the text.
    var needsText = false
  }

  private func matching(_ request: EntryRequest) throws -> Matching {
    let byNumber = "FROM entry AS e WHERE e.number = ?"
    if let found = try found(request) {
      return Matching(sql: "SELECT \(EntryColumns.qualifiedRow) \(byNumber)", found: found)
    }
    let filter = SQLFilter(request.filter, mode: .oneRow)
    return Matching(
      sql:
        "SELECT \(EntryColumns.qualifiedRow) FROM entry AS e WHERE \(filter.sql) AND e.number = ?",
      arguments: filter.arguments, needsText: !filter.isExact)
  }

  private func text(of number: Int64) throws -> String? {
    try db.first("SELECT text FROM entry WHERE number = ?", [number]) { $0.text(0) }
  }
}

extension ResultsKeyRange {
  /// Whether it is empty: SQLite finds no plan for some queries over an empty range.
  fileprivate var isEmpty: Bool {
    guard let lower, let upper else { return false }
    return lower.starts(with: upper)
  }
}

extension SQLiteSnapshot: RowSeeking {
  func firstRow(
    of request: EntryRequest, in range: ResultsKeyRange, except id: EntryRowID?
  ) throws -> EntryRowID? {
    if let found = try found(request) {
      return try firstRow(of: request, in: range, except: id, found)
    }
    let sql = SQLRequest(request, mode: .eachRow, isRare: false)
    let tag = sql.isByTag ? "t.tag" : "''"
    let isExact = sql.filter.isExact
    let columns =
      isExact
      ? "\(sql.alias).number, \(tag)"
      : "\(EntryColumns.qualifiedEntry), \(tag)"
    var first: EntryRowID?
    try reader(sql).forEachRow(columns, in: range) { row in
      let found = EntryRowID(
        number: row.integer(0), tag: row.text(isExact ? 1 : EntryColumns.textIndex + 1))
      guard try found != id && (isExact || matches(found.number, request)) else { return true }
      first = found
      return false
    }
    return first
  }

  /// Whether the entry with a number matches a filter that SQL cannot decide alone.
  private func matches(_ number: Int64, _ request: EntryRequest) throws -> Bool {
    guard let filter = request.filter else { return true }
    let entry = try SQLiteReader(db: db, path: "").entry(number: number)
    return try entry.map { try filter.matches($0, asking: LinkGraph(db: db).decide) } ?? false
  }
}

extension SQLiteSnapshot: EntryPaging {
  /// One statement reads keys and texts together: adjacent entries of the list are usually adjacent
  /// in the file.
  func entries(
    of request: EntryRequest, after key: ResultsKey<EntryRowID>?, limit: Int
  ) throws -> [Entry]? {
    guard try found(request) == nil else { return nil }
    let sql = SQLRequest(request, mode: .eachRow)
    guard try sql.filter.isExact && !sql.isByTag && !isRare(request) else { return nil }
    let range = ResultsKeyRange(lower: key?.values, upper: nil)
    var entries: [Entry] = []
    entries.reserveCapacity(limit)
    try reader(sql).forEachRow(EntryColumns.qualifiedEntry, in: range, limit: limit + 1) {
      if $0.integer(0) != key?.id.number, entries.count < limit {
        entries.append(EntryColumns.decodeEntry($0))
      }
      return true
    }
    return entries
  }
}

extension SQLiteSnapshot {
  /// The maximum number of changes to follow; for more, a new fetch is cheaper.
  private static let longestHistory = 100_000

  func commits(
    after stamp: StoreStamp, for request: EntryRequest
  ) throws -> [StoreCommit<EntryRow>] {
    let log = ChangeLog(db: db)
    let limit = SQLiteSnapshot.longestHistory
    let distance = try log.lastSequence() - stamp.sequence
    // Sequence numbers increase by at least one, so a short distance means few changes.
    guard distance >= 0,
      try distance <= limit || log.count(after: stamp.sequence, limit: limit + 1) <= limit
    else { throw ResultsError.historyLost }
    if let filter = request.filter, filter.needsOthers {
      // A file that came since may be the one that a text named before.
      if filter.needsSizes, try FileTables(db: db).hasArrivals(after: stamp.sequence) {
        throw ResultsError.historyLost
      }
      return try LinkedCommits(db: db, request: request, filter: filter)
        .commits(log.changes(after: stamp.sequence))
    }
    let projection = RowProjection(request: request)
    var changes = NetChanges<ChangeLog.Change>(
      rowsBefore: { try rows(before: $0, projection, log) },
      currentRows: { try currentRows(of: $0, projection) })
    return try changes.commits(log.changes(after: stamp.sequence))
  }

  private func currentRow(of number: Int64) throws -> EntryRow? {
    try db.first("SELECT \(EntryColumns.row) FROM entry WHERE number = ?", [number]) {
      EntryColumns.decodeRow($0)
    }
  }

  private func currentRows(of number: Int64, _ projection: RowProjection) throws -> [EntryRow] {
    guard let row = try currentRow(of: number) else { return [] }
    return try projection.rows(row) {
      try db.first("SELECT text FROM entry WHERE number = ?", [number]) { $0.text(0) }
    }
  }

  private func rows(
    before change: ChangeLog.Change, _ projection: RowProjection, _ log: ChangeLog
  ) throws -> [EntryRow] {
    if change.isPurged {
      if change.isInTrash, projection.request.filter?.wantsDeleted != true { return [] }
      throw ResultsError.historyLost
    }
    guard let image = change.before else { return [] }
    return try projection.rows(image.row) {
      try image.text ?? log.text(of: change.number, before: change.sequence)
    }
  }
}
