import GRDB
import GRDBSQLite
import Journal

/// Statistics from small columns: the index of days has all data of an entry outside the trash, the
/// tags table all data about tags, so that no text is read.
extension SQLiteReader {
  func statistics(of query: Query?) throws -> Statistics {
    guard let query, query != .everything else { return try wholeStatistics() }
    var counting = StatisticsRows(reader: self)
    try forEachRow(of: query) { try counting.add($0) }
    var result = counting.counter.finished()
    try countTags(of: counting.numbers, wantsDeleted: query.wantsDeleted, in: &result)
    result.trash = try numbers(matching: .and([query, .flag(.deleted)])).count
    return result
  }

  func dayCounts(in days: ClosedRange<Day>) throws -> [DayCount] {
    var counting = StatisticsRows(reader: self, keepsNumbers: false)
    try forEachRow(of: .and([.since(days.lowerBound), .until(days.upperBound)])) {
      try counting.add($0)
    }
    return counting.counter.finished().days
  }

  func daysWithSeveralOffsets(among days: Set<Day>) throws -> Set<Day> {
    try days.filter { day in
      try db.first(Self.hasSeveralOffsets, [day.description]) { $0.bool(0) } ?? false
    }
  }

  private static let hasSeveralOffsets = """
    SELECT ifnull(min(created_offset) <> max(created_offset), 0) FROM (
      SELECT created_offset FROM entry INDEXED BY entry_day
      WHERE deleted IS NULL AND day = ? ORDER BY created, number LIMIT 10000)
    """

  /// The rows of all entries outside the trash, from the index of days.
  static let statisticsOfAll = """
    SELECT \(StatisticsRows.columns) FROM entry AS e INDEXED BY entry_day
    WHERE e.deleted IS NULL ORDER BY e.day
    """

  private func wholeStatistics() throws -> Statistics {
    var counting = StatisticsRows(reader: self, keepsNumbers: false)
    try db.forEach(Self.statisticsOfAll) { try counting.add($0) }
    var result = counting.counter.finished()
    try countTags(in: &result)
    result.files = try db.first("SELECT count(*), CAST(total(size) AS INTEGER) FROM file", []) {
      FileTotals(count: Int($0.integer(0)), bytes: Int($0.integer(1)))
    }
    if result.files?.count == 0 { result.files = nil }
    result.trash =
      try Int.fetchOne(db, sql: "SELECT count(*) FROM entry WHERE deleted IS NOT NULL") ?? 0
    return result
  }

  // MARK: The entries of a query

  /// The maximum number of entries to look up one by one; for more, all are read.
  private static let few = 20_000

  private func forEachRow(of query: Query, _ body: (Columns) throws -> Void) throws {
    if let search, search.isIndexed && query.needsWords || query.needsMarks,
      let found = try search.numbers(matching: query, db)
    {
      return try forEachRow(of: found, wantsDeleted: query.wantsDeleted, body)
    }
    let filter = SQLFilter(query, mode: .whole)
    guard filter.isExact else {
      return try forEachRow(
        of: NumberList(try numbers(matching: query)), wantsDeleted: query.wantsDeleted, body)
    }
    try db.forEach(
      """
      SELECT \(StatisticsRows.columns)
      FROM entry AS e\(SQLRequest.index(query, isRare: false)) WHERE \(filter.sql)
      """,
      filter.arguments, body)
  }

  private func forEachRow(
    of found: some NumberCollection, wantsDeleted: Bool, _ body: (Columns) throws -> Void
  ) throws {
    if found.count <= Self.few || wantsDeleted {
      return try found.forEachNumber { number in
        try db.forEach(
          "SELECT \(StatisticsRows.columns) FROM entry AS e WHERE e.number = ?", [number], body)
      }
    }
    try db.forEach(Self.statisticsOfAll) { columns in
      if found.contains(columns.integer(0)) { try body(columns) }
    }
  }
}

/// Collects the rows of statistics.
struct StatisticsRows {
  /// Number, day, local seconds, words or -1, star.
  static let columns =
    "e.number, e.day, e.created + e.created_offset, ifnull(e.words, -1), e.starred"

  private let reader: SQLiteReader
  private let keepsNumbers: Bool
  private var days = DayColumn()
  private(set) var counter = StatisticsCounter()
  /// The numbers of the counted entries.
  private(set) var numbers: [Int64] = []

  init(reader: SQLiteReader, keepsNumbers: Bool = true) {
    self.reader = reader
    self.keepsNumbers = keepsNumbers
  }

  /// A text has at least one byte per word.
  private static let possibleWords = 0...(1 << 30)

  /// Counts a row; words of another tool's text that cannot be adopted are counted here.
  mutating func add(_ row: Columns) throws {
    let number = row.integer(0)
    var words = Int(row.integer(3))
    if !Self.possibleWords.contains(words) {
      words = try reader.entry(number: number)?.wordCount ?? 0
    }
    counter.add(
      number: number, day: days.day(row, 1), localSeconds: row.integer(2), words: words,
      isStarred: row.bool(4))
    if keepsNumbers { numbers.append(number) }
  }
}

/// A collection of entry numbers.
protocol NumberCollection {
  var count: Int { get }
  func contains(_ number: Int64) -> Bool
  func forEachNumber(_ body: (Int64) throws -> Void) rethrows
}

extension NumberSet: NumberCollection {}

/// Numbers of any size, ascending.
struct NumberList: NumberCollection {
  private let numbers: [Int64]

  init(_ numbers: [Int64]) {
    self.numbers = numbers
  }

  var count: Int { numbers.count }

  func contains(_ number: Int64) -> Bool {
    let place = numbers.partitioningIndex { $0 >= number }
    return place < numbers.count && numbers[place] == number
  }

  func forEachNumber(_ body: (Int64) throws -> Void) rethrows {
    for number in numbers { try body(number) }
  }
}

/// Tags over time, from the tags table.
extension SQLiteReader {
  /// The maximum number of entries whose tags are looked up one by one; for more, the table is
  /// read.
  private static let fewTagged = 50_000

  /// The tags of all entries outside the trash: counts are stored, months are counted for the most
  /// frequent tags only.
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
    if numbers.count <= Self.fewTagged {
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

  /// The table is sorted by tags and days, so that a run of rows is counted at once.
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

  /// A tag as typed in its earliest entry, preferably one outside the trash.
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

/// Reads the day of one row after the other; adjacent rows usually have the same day.
struct DayColumn {
  private var bytes: (UInt64, UInt16) = (0, 0)
  private var day = Day.earliest

  /// The day in a column, whose form the table's own check guarantees.
  mutating func day(_ columns: Columns, _ index: Int) -> Day {
    let place = CInt(index)
    guard sqlite3_column_bytes(columns.statement, place) == 10,
      let pointer = sqlite3_column_text(columns.statement, place)
    else { return Day.earliest }
    let raw = UnsafeRawPointer(pointer)
    let found = (
      raw.loadUnaligned(as: UInt64.self), raw.loadUnaligned(fromByteOffset: 8, as: UInt16.self)
    )
    guard found != bytes else { return day }
    bytes = found
    day = Day(columns.text(index)) ?? Day.earliest
    return day
  }
}
