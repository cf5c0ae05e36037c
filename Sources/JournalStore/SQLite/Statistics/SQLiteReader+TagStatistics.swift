import GRDB
import Journal

/// Tags over time, from the table of tags.
extension SQLiteReader {
  /// So many entries' tags are looked up one by one; more are found by going through the table.
  private static let few = 50_000

  /// The tags of all entries outside the trash: counts are kept as data, months are counted for the
  /// most used alone.
  func countTags(in result: inout Statistics) throws {
    result.tagCount =
      try Int.fetchOne(db, sql: "SELECT count(*) FROM tag_count WHERE tag <> ''") ?? 0
    var most: [String] = []
    try db.forEach(
      "SELECT tag FROM tag_count WHERE tag <> '' ORDER BY entries DESC, tag LIMIT ?",
      [TagTally.limit]
    ) { most.append($0.text(0)) }
    var tally = TagTally()
    for tag in most {
      try countMonths(
        "SELECT day FROM entry_tag WHERE live = 1 AND tag = ?", [tag], tag: tag, &tally)
    }
    result.tags = try tally.top(name: typed)
  }

  /// The tags of some entries.
  func countTags(
    of numbers: [Int64], wantsDeleted: Bool, in result: inout Statistics
  ) throws {
    var tally = TagTally()
    if numbers.count <= Self.few {
      try countOneByOne(numbers, &tally)
    } else {
      try countTogether(numbers, wantsDeleted: wantsDeleted, &tally)
    }
    result.tagCount = tally.count
    result.tags = try tally.top(name: typed)
  }

  private func countOneByOne(_ numbers: [Int64], _ tally: inout TagTally) throws {
    var days = DayColumn()
    for number in numbers {
      try db.forEach(
        "SELECT tag, day FROM entry_tag WHERE number = ? AND tag <> ''", [number]
      ) { tally.add($0.text(0), month: days.day($0, 1).monthNumber) }
    }
  }

  /// The table stands in the order of tags and days, so that a run of rows is counted at once.
  private func countTogether(
    _ numbers: [Int64], wantsDeleted: Bool, _ tally: inout TagTally
  ) throws {
    let wanted = NumberList(numbers.sorted())
    let bits =
      numbers.allSatisfy({ (0...NumberSet.largest).contains($0) }) ? NumberSet(numbers) : nil
    var days = DayColumn()
    var run = (tag: "", month: 0, count: 0)
    let live = wantsDeleted ? "live IN (0, 1)" : "live = 1"
    try db.forEach(
      "SELECT number, day, tag FROM entry_tag WHERE \(live) AND tag <> '' ORDER BY live, tag, day"
    ) { row in
      let number = row.integer(0)
      guard bits?.contains(number) ?? wanted.contains(number) else { return }
      let (tag, month) = (row.text(2), days.day(row, 1).monthNumber)
      if tag != run.tag || month != run.month {
        if run.count > 0 { tally.add(run.tag, month: run.month, entries: run.count) }
        run = (tag, month, 0)
      }
      run.count += 1
    }
    if run.count > 0 { tally.add(run.tag, month: run.month, entries: run.count) }
  }

  private func countMonths(
    _ sql: String, _ arguments: StatementArguments, tag: String, _ tally: inout TagTally
  ) throws {
    var days = DayColumn()
    var run = (month: 0, count: 0)
    try db.forEach(sql, arguments) { row in
      let month = days.day(row, 0).monthNumber
      if month != run.month {
        if run.count > 0 { tally.add(tag, month: run.month, entries: run.count) }
        run = (month, 0)
      }
      run.count += 1
    }
    if run.count > 0 { tally.add(tag, month: run.month, entries: run.count) }
  }

  /// A tag as its earliest entry typed it; one outside the trash, if there is one.
  private func typed(_ key: String) throws -> String {
    for live in [1, 0] {
      let typed = try db.first(
        """
        SELECT typed FROM entry_tag WHERE live = ? AND tag = ? ORDER BY day, created, number LIMIT 1
        """, [live, key]
      ) { $0.text(0) }
      if let typed { return typed }
    }
    return key
  }
}
