import GRDB
import Journal
import SectionedResults
import SectionedResultsSQL

extension SQLiteSnapshot {
  typealias Group = OutlineGroup<EntryRowID>

  func outline(of request: EntryRequest) throws -> [Group] {
    if let found = try found(request) { return try outline(of: request, found) }
    let sql = SQLRequest(request, mode: .whole, isRare: try isRare(request))
    if !sql.filter.isExact {
      return KeyGrouping.groups(of: try scan(sql, .everything), request)
    }
    switch sql.keys.first?.field {
    case .period(let period)?:
      return sql.isByTag ? try groupsByKeys(sql) : try groupsByDays(sql, of: period)
    case .tag: return try groupsByTags(sql)
    case let field? where field.needsEntry && sql.isPlain && request.sectionField == nil:
      return try reader(sql).groups(total: try KeptCounts.entries(db), size: SQLiteSnapshot.chunk)
    default: return try groupsByKeys(sql)
    }
  }

  /// Groups of one day, or of one period if the order begins with it.
  private func groupsByDays(_ sql: SQLRequest, of period: Period) throws -> [Group] {
    let isAscending = sql.keys.first?.order == .ascending
    var groups = DayGrouping(period: period, section: sql.request.sectionField)
    let days = try countsByDay(sql, isAscending ? "" : "DESC")
    try db.forEach(days.sql, days.arguments) { row in
      groups.add(try row.day(0), try row.count(1, of: "section_count"), text: row.text(0))
    }
    return groups.groups
  }

  private func countsByDay(_ sql: SQLRequest, _ direction: String) throws -> SQLText {
    if sql.isPlain {
      return SQLText(sql: "SELECT day, entries FROM section_count ORDER BY day \(direction)")
    }
    let filter = sql.filter
    if let days = filter.ofDays {
      return SQLText(
        sql: """
          SELECT e.day, e.entries FROM section_count AS e WHERE \(days) ORDER BY e.day \(direction)
          """, arguments: filter.arguments)
    }
    if let tag = filter.ofTag, try !hasChildren(tag.key) {
      return SQLText(
        sql: """
          SELECT e.day, count(*) FROM entry_tag AS e WHERE live = 1 AND tag = ? AND \(tag.days)
          GROUP BY e.day ORDER BY e.day \(direction)
          """, arguments: [tag.key] + tag.arguments)
    }
    return SQLText(
      sql:
        "SELECT e.day, count(*) \(sql.rows(RangePart()).sql) GROUP BY e.day ORDER BY e.day \(direction)",
      arguments: filter.arguments)
  }

  /// Whether a tag has tags below it; an entry may have both, and counts once.
  private func hasChildren(_ tag: String) throws -> Bool {
    try db.first(
      "SELECT 1 FROM tag_count WHERE tag > ? AND tag < ? LIMIT 1", [tag + "/", tag + "0"]
    ) { _ in true } ?? false
  }

  /// One group per tag.
  private func groupsByTags(_ sql: SQLRequest) throws -> [Group] {
    guard sql.isPlain, let key = sql.keys.first else { return try groupsByKeys(sql) }
    var groups: [Group] = []
    try db.forEach(
      "SELECT tag, entries FROM tag_count ORDER BY tag \(key.order == .ascending ? "" : "DESC")"
    ) {
      let tag = $0.text(0)
      groups.append(
        Group(section: tag, bound: [.text(tag)], count: try $0.count(1, of: "tag_count")))
    }
    return groups
  }

  /// The days of a tag that has many entries, when one of them is first needed.
  func outline(
    of request: EntryRequest, in range: ResultsKeyRange, count: Int
  ) throws -> [Group]? {
    guard count > 4 * SQLiteSnapshot.chunk else { return nil }
    let sql = SQLRequest(request, mode: .whole)
    guard sql.isPlain, sql.isByTag, sql.keys.count > 1, sql.keys[0].field == .tag,
      sql.keys[1].field == .day, case .text(let tag)? = range.lower?.first, range.lower?.count == 1
    else { return nil }
    return try days(of: tag, sql.keys[1].order)
  }

  /// The first group's bound is the tag alone, so that the group before it ends at the tag.
  private func days(of tag: String, _ order: SortValue.Order) throws -> [Group] {
    var groups: [Group] = []
    try db.forEach(
      """
      SELECT day, count(*) FROM entry_tag WHERE live = 1 AND tag = ?
      GROUP BY day ORDER BY day \(order == .ascending ? "" : "DESC")
      """, [tag]
    ) { row in
      let day = SortValue.integer(Period.day.number(of: try row.day(0)))
      let bound = groups.isEmpty ? [.text(tag)] : [.text(tag), day]
      groups.append(Group(section: tag, bound: bound, count: Int(row.integer(1))))
    }
    return groups
  }

  /// Groups found by one pass over all keys.
  private func groupsByKeys(_ sql: SQLRequest) throws -> [Group] {
    var grouping = KeyGrouping(sql.request, keeping: sql.request.kept)
    try reader(sql).forEachKey { grouping.add($0) }
    return grouping.groups
  }
}

extension EntryRequest {
  /// The keys to keep of a pass over all: in the order of a field, which no index has, to read a page again
  /// would be another pass.
  var kept: KeyGrouping<EntryRowID>.Keeping {
    sortKeys.first?.field.isAlwaysAscending ?? false ? .all : .none
  }
}
