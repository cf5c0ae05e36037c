// SPDX-License-Identifier: MIT

import GRDB
import SectionedResults
import SectionedResultsSQL

/// One state of the database for results controllers.
struct GRDBSnapshot<Record>: ResultsSnapshot
where
  Record: ResultsRow & FetchableRecord, Record.ID: DatabaseValueConvertible,
  Record.Filter: SQLFilter, Record.SortField == ResultsField<Record>,
  Record.SectionField == ResultsField<Record>
{
  typealias Row = Record
  typealias Key = ResultsKey<Record.ID>
  typealias Group = OutlineGroup<Record.ID>

  let db: Database
  let plan: RequestPlans
  let watch: CommitWatch
  /// The position of this state in the log.
  let present: StoreStamp

  func stamp() -> StoreStamp { present }

  var excerptSize: Int? { 32 }

  func reader(
    _ request: ResultsRequest<Record>
  ) throws -> SQLListReader<RequestSQL<Record>> {
    SQLListReader(db, try plan.sql(request, db))
  }

  /// The number of matches that a search finds in the time in which one row is looked up.
  private static var matchesPerRow: Int { 16 }
  /// The number of rows that are looked up in the time of one search, if each takes a pass over the matches.
  private static var rowsPerSearch: Int { 50 }

  /// The reader of a range: in a short range of a list with many matches each row is looked up, instead of
  /// searching for all of them.
  private func reader(
    _ request: ResultsRequest<Record>, in range: ResultsKeyRange
  ) throws -> SQLListReader<RequestSQL<Record>> {
    var sql = try plan.sql(request, db)
    guard sql.searches, let matches = plan.matches(of: sql.filter) else {
      return SQLListReader(db, sql)
    }
    let most = sql.isQuick ? Int.max : Self.rowsPerSearch
    var left = min(matches / Self.matchesPerRow, most)
    for part in RangeParts.reading(range, sql.keys) where left > 0 {
      let rows = sql.allRows(part)
      let statement = try db.cachedStatement(
        sql: "SELECT count(*) FROM (SELECT 1 \(rows.sql) LIMIT ?)")
      left -= try Int.fetchOne(statement, arguments: rows.arguments + [left]) ?? 0
    }
    sql.isByRow = left > 0
    return SQLListReader(db, sql)
  }

  func keys(of request: ResultsRequest<Record>, in range: ResultsKeyRange) throws -> [Key] {
    try reader(request, in: range).keys(in: range)
  }

  /// `nil` without an index, and for a search: then the whole group costs no more than an excerpt.
  func keys(
    of request: ResultsRequest<Record>, in range: ResultsKeyRange, limit: Int
  ) throws -> [Key]? {
    let reader = try reader(request)
    guard !reader.list.searches,
      try plan.isOrdered(reader.list, keys: reader.list.keys.count, db)
    else { return nil }
    return try reader.keys(in: range, limit: limit)
  }

  func count(of request: ResultsRequest<Record>, in range: ResultsKeyRange) throws -> Int {
    try reader(request, in: range).count(in: range)
  }

  /// Arguments of one statement: SQLite allows 32,766, older ones 999.
  private static var idsPerStatement: Int { 500 }

  func rows(of request: ResultsRequest<Record>, ids: [Record.ID]) throws -> [Record] {
    let sql = try plan.sql(request, db)
    var rows: [Record] = []
    for start in stride(from: 0, to: ids.count, by: Self.idsPerStatement) {
      let some = ids[start..<min(ids.count, start + Self.idsPerStatement)]
      let found = sql.fewRows(sql.source.isOneOf(some))
      let cursor = try GRDB.Row.fetchCursor(
        db.cachedStatement(sql: "SELECT * \(found.sql)"), arguments: found.arguments)
      while let row = try cursor.next() { rows.append(try record(row, request)) }
    }
    return rows
  }
}

extension GRDBSnapshot {
  /// Decodes a row, and checks that its key is what SQLite compares.
  ///
  /// - Throws: `GRDBResultsError.fieldDiffersFromColumn`, or the error of the record.
  private func record(_ row: GRDB.Row, _ request: ResultsRequest<Record>) throws -> Record {
    let record = try Record(row: row)
    let source = plan.source
    let key = record.id.keyValues
    for (index, column) in source.main.key.enumerated() {
      let value = key.indices.contains(index) ? key[index] : .null
      try check(column.name, SortValue(databaseValue: value), row)
    }
    for key in request.sortKeys { try check(key.field.name, key.field.value(of: record), row) }
    if let field = request.sectionField {
      let stored: DatabaseValue = row[field.name] ?? .null
      let section = SortValue(databaseValue: stored).sectionKey
      if SortValue.text(record.sectionKey(for: field)) != .text(section) {
        throw GRDBResultsError.fieldDiffersFromColumn(
          field: field.name, value: record.sectionKey(for: field), column: section)
      }
    }
    return record
  }

  private func check(_ name: String, _ value: SortValue, _ row: GRDB.Row) throws {
    let stored = SortValue(databaseValue: row[name] ?? DatabaseValue.null)
    if value != stored {
      throw GRDBResultsError.fieldDiffersFromColumn(
        field: name, value: value.description, column: stored.description)
    }
  }
}

// MARK: - Commits

extension GRDBSnapshot {
  /// The maximum number of changes to follow; for more, a new fetch is cheaper.
  private static var longestHistory: Int64 { 200_000 }

  func commits(
    after stamp: StoreStamp, for request: ResultsRequest<Record>
  ) throws -> [StoreCommit<Record>] {
    if stamp == present { return [] }
    guard stamp.sequence >= 0, stamp.sequence < present.sequence,
      present.sequence - stamp.sequence <= Self.longestHistory,
      let floor = try ChangeLog.floor(of: plan.source.tables, db), stamp.sequence >= floor,
      try ChangeLog.contains(stamp, db)
    else { throw ResultsError.historyLost }
    let sql = try plan.sql(request, db)
    let past = PastRows(source: plan.source, filter: sql.filter)
    let images = try images(of: sql, past, request)
    var commits: [StoreCommit<Record>] = []
    var start = stamp.sequence
    for stamp in watch.ends(after: stamp, upTo: present) where try ChangeLog.contains(stamp, db) {
      let end = stamp.sequence
      let before = try images(start, end, start)
      let after = try images(start, end, end)
      commits.append(
        StoreCommit(
          stamp: stamp,
          changes: Self.images(before: before, after: after).filter(request.isChanged)))
      start = end
    }
    return commits
  }

  /// A function that reads the rows that a range of changes affected, as they were at a state.
  private func images(
    of sql: RequestSQL<Record>, _ past: PastRows, _ request: ResultsRequest<Record>
  ) throws -> (_ start: Int64, _ end: Int64, _ state: Int64) throws -> [Record.ID.Exact: Record] {
    guard sql.searches else {
      let statement = try db.cachedStatement(sql: past.sql)
      return { start, end, state in
        try records(statement, past.arguments(after: start, upTo: end, at: state), request)
      }
    }
    let earlier = try plan.pastDatabase()
    return { start, end, state in
      // Else the present documents of the changed rows are read as the earlier ones are.
      if state == present.sequence, sql.isQuick {
        let found = sql.fewRows(RangePart(conditions: [past.isAffected]))
        let arguments: StatementArguments = [start, end, state]
        return try records(
          db.cachedStatement(sql: past.affecting("SELECT * \(found.sql)")),
          arguments + found.arguments, request)
      }
      let position = PastDatabase.Position(
        start: start, end: end, state: state, present: present.sequence)
      return try earlier.read(position, past, db) { copy in
        let rows = sql.rows(RangePart())
        return try records(
          copy.cachedStatement(sql: "SELECT * \(rows.sql)"), rows.arguments, request)
      }
    }
  }

  /// The rows of a statement by identity.
  private func records(
    _ statement: Statement, _ arguments: StatementArguments, _ request: ResultsRequest<Record>
  ) throws -> [Record.ID.Exact: Record] {
    var rows: [Record.ID.Exact: Record] = [:]
    let cursor = try GRDB.Row.fetchCursor(statement, arguments: arguments)
    while let row = try cursor.next() {
      let record = try record(row, request)
      guard rows.updateValue(record, forKey: record.id.exact) == nil else {
        throw GRDBResultsError.repeatedRow("\(record.id)")
      }
    }
    return rows
  }

  private static func images(
    before: [Record.ID.Exact: Record], after: [Record.ID.Exact: Record]
  ) -> [RowImages<Record>] {
    let ids = Set(before.keys).union(after.keys).sorted()
    return ids.compactMap { exact in
      let (old, new) = (before[exact], after[exact])
      return (old ?? new).map { RowImages(id: $0.id, before: old, after: new) }
    }
  }
}
