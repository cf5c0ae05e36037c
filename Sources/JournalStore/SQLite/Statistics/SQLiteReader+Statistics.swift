import GRDB
import Journal

/// Statistics from small columns: the index of days has all that is counted of an entry outside the
/// trash, the table of tags all about tags, so that no text is read.
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
    result.trash =
      try Int.fetchOne(db, sql: "SELECT count(*) FROM entry WHERE deleted IS NOT NULL") ?? 0
    return result
  }

  // MARK: The entries of a query

  /// So many entries are looked up one by one; more are found by going through all of them.
  private static let few = 20_000

  private func forEachRow(of query: Query, _ body: (Columns) throws -> Void) throws {
    if query.needsWords, let found = try search?.numbers(matching: query, db) {
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

/// Takes the rows that statistics are made from.
struct StatisticsRows {
  /// Number, day, local seconds, words or -1, star.
  static let columns =
    "e.number, e.day, e.created + e.created_offset, ifnull(e.words, -1), e.starred"

  private let reader: SQLiteReader
  private let keepsNumbers: Bool
  private var days = DayColumn()
  private(set) var counter = StatisticsCounter()
  /// The numbers of the entries counted.
  private(set) var numbers: [Int64] = []

  init(reader: SQLiteReader, keepsNumbers: Bool = true) {
    self.reader = reader
    self.keepsNumbers = keepsNumbers
  }

  /// A text has a byte for each word at least.
  private static let possibleWords = 0...(1 << 30)

  /// Counts a row; words of a text that another tool wrote, and that nobody may settle, are counted
  /// here.
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

/// Entry numbers that were found.
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
