// SPDX-License-Identifier: MIT

import GRDB
import SectionedResults

// The outline of a request: with an index, counts of groups found by jumps; without one, one pass
// over all keys.

extension GRDBSnapshot {
  /// The number of rows in a group.
  private static var groupSize: Int { 512 }
  /// A section up to this length is one group if only the sections have an index.
  private static var longestGroup: Int { 4_096 }

  func outline(of request: ResultsRequest<Record>) throws -> [Group] {
    let sql = try plan.sql(request, db)
    if sql.section == nil {
      guard try plan.isOrdered(sql, keys: sql.keys.count, db) else {
        return try scannedGroups(sql, request)
      }
      return try pieces(of: [], "", count: try count(sql, [RangePart()]), sql)
    }
    guard sql.isOrderedBySection, try plan.isOrdered(sql, keys: 1, db) else {
      return try scannedGroups(sql, request)
    }
    let sections = try sectionCounts(sql)
    let isOrdered = try plan.isOrdered(sql, keys: sql.keys.count, db)
    guard isOrdered || sections.allSatisfy({ $0.count <= Self.longestGroup }) else {
      return try scannedGroups(sql, request)
    }
    return try sections.flatMap { value, count in
      isOrdered
        ? try pieces(of: [value], value.sectionText, count: count, sql)
        : [Group(section: value.sectionText, bound: [value], count: count)]
    }
  }

  private func sectionCounts(_ sql: RequestSQL) throws -> [(value: SortValue, count: Int)] {
    let key = sql.keys[0]
    let statement = try db.cachedStatement(
      sql: """
        SELECT \(key.expression), count(*) \(sql.rows(RangePart()))
        GROUP BY \(key.expression) ORDER BY \(key.order)
        """)
    return try GRDB.Row.fetchAll(statement, arguments: StatementArguments(sql.arguments()))
      .map { (SortValue(databaseValue: $0[0]), $0[1]) }
  }

  /// The groups of a section, or of the whole list, found by jumps in the index.
  ///
  /// A group never begins inside a run of rows with equal sort values: those before the jump's goal go
  /// to the next group, and a run longer than a group is a group.
  private func pieces(
    of prefix: [SortValue], _ section: String, count total: Int, _ sql: RequestSQL
  ) throws -> [Group] {
    var left = total
    guard left > 0 else { return [] }
    let fixed = prefix.count
    func parts(from lower: [SortValue], isAfter: Bool = false) -> [RangePart] {
      RangeParts.parts(lower: lower, upper: nil, sql.keys, fixed: fixed, isAfter: isAfter)
    }
    var bound = prefix
    if prefix.isEmpty {
      guard let first = try values(at: 0, of: parts(from: []), sql) else { return [] }
      bound = first
    }
    var groups: [Group] = []
    while left > Self.groupSize {
      guard let goal = try values(at: Self.groupSize, of: parts(from: bound), sql) else { break }
      var next: [SortValue]? = goal
      var size = try count(sql, RangeParts.parts(lower: bound, upper: goal, sql.keys))
      if size == 0 {
        next = try values(at: 0, of: parts(from: goal, isAfter: true), sql)
        guard let next else { break }
        size = try count(sql, RangeParts.parts(lower: bound, upper: next, sql.keys))
      }
      guard let next else { break }
      groups.append(Group(section: section, bound: bound, count: size))
      left -= size
      bound = next
    }
    if left > 0 { groups.append(Group(section: section, bound: bound, count: left)) }
    return groups
  }

  /// The sort values of a row of some parts that follow each other; `nil` if there are fewer rows.
  private func values(
    at offset: Int, of parts: [RangePart], _ sql: RequestSQL
  ) throws -> [SortValue]? {
    var offset = offset
    for (index, part) in parts.enumerated() {
      let statement = try db.cachedStatement(
        sql: """
          SELECT \(sql.keys.map(\.expression).joined(separator: ", ")) \(sql.rows(part))
          ORDER BY \(sql.order(keys: sql.keys.count)) LIMIT 1 OFFSET ?
          """)
      let arguments = sql.arguments(part) + [offset.databaseValue]
      if let row = try GRDB.Row.fetchOne(statement, arguments: StatementArguments(arguments)) {
        return sql.keys.indices.map { SortValue(databaseValue: row[$0]) }
      }
      // The part has at most `offset` rows.
      if index < parts.count - 1, offset > 0 { offset -= try count(sql, [part]) }
    }
    return nil
  }

  private func scannedGroups(
    _ sql: RequestSQL, _ request: ResultsRequest<Record>
  ) throws -> [Group] {
    var grouping = KeyGrouping(request: request, size: Self.groupSize)
    try forEachKey(sql, RangePart()) { grouping.add($0) }
    return grouping.groups
  }
}

/// Groups of the keys of a list, read in order.
///
/// Few keys are kept, and those of groups that begin or end inside a run of equal sort values: their
/// bounds could not separate them.
private struct KeyGrouping<Record: ResultsRow> {
  let request: ResultsRequest<Record>
  let size: Int
  private(set) var groups: [OutlineGroup<Record.ID>] = []
  private var total = 0
  private var last: ResultsKey<Record.ID>?
  /// Whether the newest group needs its keys.
  private var isBoundUnclear = false

  init(request: ResultsRequest<Record>, size: Int) {
    self.request = request
    self.size = size
  }

  /// The number of keys up to which all are kept.
  private static var fewKeys: Int { 10_000 }

  mutating func add(_ key: ResultsKey<Record.ID>) {
    total += 1
    if total == Self.fewKeys {
      // Unclear groups are so rare that keeping all of the first ones' keys costs less than marks.
      for index in groups.indices.dropLast() where isClear(index) { groups[index].keys = nil }
    }
    let isRun = last.map { request.compare($0.values, key.values) == 0 } ?? false
    defer { last = key }
    let end = groups.count - 1
    if end >= 0, SortValue.text(groups[end].section) == .text(key.section),
      groups[end].count < size || isRun
    {
      groups[end].count += 1
      groups[end].keys?.append(key)
      return
    }
    if end >= 0, total >= Self.fewKeys, !isRun, !isBoundUnclear { groups[end].keys = nil }
    isBoundUnclear = isRun
    groups.append(
      OutlineGroup(section: key.section, bound: key.values, count: 1, keys: [key]))
  }

  /// Whether the bounds of a group separate it from its neighbours.
  private func isClear(_ index: Int) -> Bool {
    func areApart(_ left: Int, _ right: Int) -> Bool {
      guard groups.indices.contains(left), let end = groups[left].keys?.last else { return true }
      return request.compare(end.values, groups[right].bound) != 0
    }
    return areApart(index - 1, index)
      && (index + 1 == groups.count || areApart(index, index + 1))
  }
}
