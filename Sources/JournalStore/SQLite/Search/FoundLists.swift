import GRDB
import Journal
import SectionedResults
import SectionedResultsSQL

/// Lists whose filter has words: the full-text index gives the matching entries, and the list's own
/// indexes give their order.
extension SQLiteSnapshot {
  /// The maximum number of rows to look up one by one; more are read through an index in order.
  private static let few = 1_000
  /// The maximum number of rows of which those after the first groups may be one group: the list
  /// reads the keys of a group as a whole.
  private static let mostInRest = 1_000_000

  /// The entries that a request's filter matches, if the filter has words, links or fields, and an index can
  /// answer; also without one, if other entries decide.
  func found(_ request: EntryRequest) throws -> NumberSet? {
    guard let query = request.filter else { return nil }
    if let search, search.isIndexed && query.needsWords || query.needsMarks,
      let found = try search.numbers(matching: query, db)
    {
      return found
    }
    guard query.needsOthers else { return nil }
    return NumberSet(try SQLiteReader(db: db, path: "").numbers(matching: query))
  }

  func outline(of request: EntryRequest, _ found: NumberSet) throws -> [Group] {
    if found.count <= SQLiteSnapshot.few {
      return KeyGrouping.groups(of: try fewKeys(of: request, found), request)
    }
    let sql = SQLRequest(unfiltered: request)
    switch sql.keys.first?.field {
    case .period(let period)?:
      if !sql.isByTag, !sql.filter.wantsDeleted, let search {
        return groups(of: period, try search.dayMap(db).counts(of: found), sql)
      }
    case .tag: return try groups(byTagsOf: found, sql)
    default: break
    }
    var grouping = KeyGrouping(request, keeping: request.kept)
    // All bounds would need a read of the whole index, although the screen shows only a part of the list.
    let isCut =
      request.sectionField == nil && request.kept == .none
      && found.count <= SQLiteSnapshot.mostInRest
    try forEachKey(of: sql, in: .everything, found) {
      grouping.add($0)
      return !isCut || grouping.groups.count < 3
    }
    if isCut, grouping.groups.count == 3 { grouping.fillLast(upTo: found.count) }
    return grouping.groups
  }

  private func groups(
    of period: Period, _ counts: [(day: Day, count: Int)], _ sql: SQLRequest
  ) -> [Group] {
    var groups = DayGrouping(period: period, section: sql.request.sectionField)
    if sql.keys.first?.order == .ascending {
      for (day, count) in counts { groups.add(day, count) }
    } else {
      for (day, count) in counts.reversed() { groups.add(day, count) }
    }
    return groups.groups
  }

  /// One group per tag.
  private func groups(byTagsOf found: NumberSet, _ sql: SQLRequest) throws -> [Group] {
    let isAscending = sql.keys.first?.order == .ascending
    return try counts(byTagsOf: found, sql)
      .sorted { (SortValue.text($0.key) < SortValue.text($1.key)) == isAscending }
      .map { Group(section: $0.key, bound: [.text($0.key)], count: $0.value) }
  }

  private func counts(byTagsOf found: NumberSet, _ sql: SQLRequest) throws -> [String: Int] {
    if !sql.filter.wantsDeleted, let search { return try search.tagMap(db).counts(of: found) }
    var counts: [String: Int] = [:]
    try db.forEach("SELECT number, tag FROM entry_tag WHERE live IN (0, 1) ORDER BY live, tag") {
      if found.contains($0.integer(0)) { counts[$0.text(1), default: 0] += 1 }
    }
    return counts
  }

  /// The keys of a range, at most `limit` of them.
  func keys(
    of request: EntryRequest, in range: ResultsKeyRange, _ found: NumberSet, limit: Int = .max
  ) throws -> [ResultsKey<EntryRowID>] {
    if found.count <= SQLiteSnapshot.few {
      let keys = try fewKeys(of: request, found).filter { request.contains($0, in: range) }
      return limit < keys.count ? Array(keys.prefix(limit)) : keys
    }
    var keys: [ResultsKey<EntryRowID>] = []
    guard limit > 0 else { return keys }
    let sql = SQLRequest(unfiltered: request)
    // No index has the order inside a tag: SQLite would sort all rows of the tag, not only those found.
    let isSortedHere = sql.isByTag && limit == .max
    try forEachKey(of: sql, in: range, found, isOrdered: !isSortedHere) {
      keys.append($0)
      return keys.count < limit
    }
    return isSortedHere ? keys.sorted(by: request.precedes) : keys
  }

  /// The number of matching rows in a range.
  func count(
    of request: EntryRequest, in range: ResultsKeyRange, _ found: NumberSet
  ) throws -> Int {
    if found.count <= SQLiteSnapshot.few {
      return try keys(of: request, in: range, found).count
    }
    let sql = SQLRequest(unfiltered: request)
    var count = 0
    try reader(sql).forEachRow("\(sql.alias).number", in: range, isOrdered: false) {
      if found.contains($0.integer(0)) { count += 1 }
      return true
    }
    return count
  }

  /// The first matching row of a range, except the given one.
  func firstRow(
    of request: EntryRequest, in range: ResultsKeyRange, except id: EntryRowID?, _ found: NumberSet
  ) throws -> EntryRowID? {
    if found.count <= SQLiteSnapshot.few {
      return try keys(of: request, in: range, found).first { $0.id != id }?.id
    }
    var first: EntryRowID?
    try forEachKey(of: SQLRequest(unfiltered: request), in: range, found) { key in
      first = key.id == id ? nil : key.id
      return first == nil
    }
    return first
  }

  /// The keys of a few entries, in the request's order.
  private func fewKeys(
    of request: EntryRequest, _ found: NumberSet
  ) throws -> [ResultsKey<EntryRowID>] {
    let sql = SQLRequest(unfiltered: request, byNumber: true)
    let rows = sql.rows(RangePart())
    let statement = "SELECT \(sql.keyColumns) \(rows.sql) AND \(sql.alias).number = ?"
    let decode = sql.keyDecoder()
    var keys: [ResultsKey<EntryRowID>] = []
    try found.forEachNumber { number in
      try db.forEach(statement, rows.arguments + [number]) { keys.append(try decode($0)) }
    }
    return keys.sorted(by: request.precedes)
  }

  /// Reads a range, in the request's order or in any; skips other rows without decoding them.
  ///
  /// - Parameter body: receives a key; returns whether to continue.
  private func forEachKey(
    of sql: SQLRequest, in range: ResultsKeyRange, _ found: NumberSet, isOrdered: Bool = true,
    _ body: (ResultsKey<EntryRowID>) throws -> Bool
  ) throws {
    let decode = sql.keyDecoder()
    try reader(sql).forEachRow(sql.keyColumns, in: range, isOrdered: isOrdered) {
      guard found.contains($0.integer(0)) else { return true }
      return try body(decode($0))
    }
  }
}

extension EntryRequest {
  fileprivate func contains(_ key: ResultsKey<EntryRowID>, in range: ResultsKeyRange) -> Bool {
    if let lower = range.lower, compare(key.values, lower) < 0 { return false }
    if let upper = range.upper, compare(key.values, upper) >= 0 { return false }
    return true
  }
}
