import GRDB
import Journal
import SectionedResults
import SectionedResultsSQL
import TestSupport
import Testing

@testable import JournalStore

@Suite("Statements go through indexes")
struct QueryPlanTests {
  private let directory = TemporaryDirectory()

  /// The plan SQLite has for the keys of a range, a line a step.
  private func plan(
    _ request: EntryRequest, _ lower: [SortValue]?, _ upper: [SortValue]?
  ) throws -> String {
    let store = try SQLiteEntryStore.open(directory.file("j.sqlite"), mode: .create)
    let sql = SQLRequest(request, mode: .eachRow)
    let range = ResultsKeyRange(lower: lower, upper: upper)
    return try store.queue.inDatabase { db in
      try RangeParts.reading(range, sql.keys).map(sql.rows).map {
        try QueryPlan.of(
          "SELECT \(sql.keyColumns) \($0.sql) ORDER BY \(sql.order)", $0.arguments, db)
      }.joined(separator: "\n")
    }
  }

  private func day(_ number: Int64) -> [SortValue] { [.integer(number)] }

  @Test("A day's keys come from the covering index, in order, without a look at the rest")
  func dayKeys() throws {
    for order in [ListOrder.newest, .oldest] {
      let (lower, upper) = order == .newest ? (day(101), day(100)) : (day(100), day(101))
      let plan = try plan(.entries(order: order), lower, upper)
      #expect(plan.contains("SEARCH e USING COVERING INDEX entry_day (day>? AND day<?)"), "\(plan)")
      #expect(!plan.contains("SCAN"), "\(plan)")
      #expect(!plan.contains("B-TREE"), "\(plan)")
    }
  }

  @Test("A piece of a flat list comes from its index, in order")
  func flatKeys() throws {
    let modified = try plan(
      .entries(order: .modified, grouping: .none), [.integer(9), .integer(2)],
      [.integer(8), .integer(1)])
    #expect(modified.contains("entry_modified (modified>? AND modified<?)"), "\(modified)")
    let title = try plan(
      .entries(order: .title, grouping: .none), [.text("a"), .integer(2)], [.text("b")])
    #expect(title.contains("entry_title (title_key>? AND title_key<?)"), "\(title)")
    for plan in [modified, title] {
      #expect(!plan.contains("SCAN"), "\(plan)")
      #expect(!plan.contains("B-TREE"), "\(plan)")
    }
  }

  @Test("A tag's day comes from the key of the table of tags, in order")
  func tagKeys() throws {
    let plan = try plan(
      .entries(grouping: .tag), [.text("home"), .integer(101)], [.text("home"), .integer(100)])
    #expect(plan.contains("SEARCH t USING PRIMARY KEY (live=? AND tag=? AND day>?"), "\(plan)")
    #expect(!plan.contains("B-TREE"), "\(plan)")
  }

  @Test("The trash by tag reads the tags of the trash alone, in the order of their key")
  func trashTags() throws {
    for query in [Query.flag(.deleted), .and([.flag(.deleted), .word("bread")])] {
      let plan = try plan(
        .entries(query: query, grouping: .tag), [.text("home"), .integer(101)],
        [.text("home"), .integer(100)])
      #expect(plan.contains("SEARCH t USING PRIMARY KEY (live=? AND tag=? AND day>?"), "\(plan)")
      #expect(!plan.contains("B-TREE"), "\(plan)")
    }
  }

  @Test(
    "Every period of a list that begins with it is a range of days",
    arguments: Grouping.allCases.filter { $0 != .day && $0.period != nil })
  func periods(grouping: Grouping) throws {
    let period = try #require(grouping.period)
    let numbers = [20_000, 18_000].map { period.number(of: Day(daysSinceEpoch: $0)) }
    let plan = try plan(
      .entries(order: .modified, grouping: grouping), day(numbers[0]), day(numbers[1]))
    #expect(plan.contains("entry_day (day>? AND day<?)"), "\(plan)")
    #expect(!plan.contains("SCAN"), "\(plan)")
  }

  @Test("SQL gives every period of a day the number that Swift gives it")
  func numbers() throws {
    let store = try SQLiteEntryStore()
    var random = SeededGenerator(seed: SeededGenerator.runSeed)
    let calendar = Day.earliest.daysSinceEpoch...Day.latest.daysSinceEpoch
    let days =
      [calendar.lowerBound, calendar.upperBound, -1, 0]
      + (0..<200).map { _ in Int.random(in: calendar, using: &random) }
    for period in [Period.week, .months(1), .months(3), .months(12), .months(120)] {
      let key = EntrySortKey(SortKey(.period(period)), alias: "d")
      for day in days.map(Day.init(daysSinceEpoch:)) {
        let value = try store.queue.inDatabase { db in
          try db.first("SELECT \(key.expression) FROM (SELECT ? AS day) AS d", [day.description]) {
            $0.integer(0)
          }
        }
        #expect(value == period.number(of: day), "\(period) \(day)")
      }
    }
  }

  @Test("Filters by days alone count from the days, and no other filter does")
  func dayCounts() throws {
    for text in [
      "since:2025-12-01", "until:2024", "on:2024-05", "on:*-11-21 until:2025", "-on:2024",
      "(on:2023 OR since:2025) -on:*-11-21",
    ] {
      let sql = SQLRequest(.entries(query: try Lists.query(text)), mode: .whole)
      #expect(sql.filter.ofDays.map { !$0.contains("deleted") } == true, "\(text)")
    }
    for text in [
      "since:2025 #home", "on:2024 bread", "is:starred", "since:2025 is:deleted", "id:3",
    ] {
      let sql = SQLRequest(.entries(query: try Lists.query(text)), mode: .whole)
      #expect(sql.filter.ofDays == nil, "\(text)")
    }
  }

  @Test("Filters by one tag and days count from the table of tags, and no other filter does")
  func tagCounts() throws {
    for text in ["#home", "#home since:2025", "on:*-11-21 #home until:2025", "#home -on:2024"] {
      let sql = SQLRequest(.entries(query: try Lists.query(text)), mode: .whole)
      #expect(sql.filter.ofTag?.key == "home", "\(text)")
    }
    for text in [
      "#home #work", "#home is:starred", "#home bread", "-#home", "#home OR since:2025",
      "#home is:deleted", "#home words:3", "since:2025",
    ] {
      let sql = SQLRequest(.entries(query: try Lists.query(text)), mode: .whole)
      #expect(sql.filter.ofTag == nil, "\(text)")
    }
  }

  @Test("Statistics read the index of days alone, and no table")
  func statistics() throws {
    let store = try SQLiteEntryStore.open(directory.file("j.sqlite"), mode: .create)
    let plan = try store.queue.inDatabase { db in
      try QueryPlan.of(SQLiteReader.statisticsOfAll, [], db)
    }
    #expect(plan.contains("SCAN e USING COVERING INDEX entry_day"), "\(plan)")
    #expect(!plan.contains("B-TREE"), "\(plan)")
  }

  @Test("A filter by tag looks at the day's entries alone")
  func filtered() throws {
    let query = try Lists.query("#work -is:starred")
    let plan = try plan(.entries(query: query), day(101), day(100))
    #expect(plan.contains("entry_day (day>? AND day<?)"), "\(plan)")
    #expect(plan.contains("entry_tag USING COVERING INDEX entry_tag_number (number=?)"), "\(plan)")
    #expect(!plan.contains("SCAN"), "\(plan)")
  }

  @Test("Changes since a cursor come from the end of the log, and not from all of its index")
  func changesSince() throws {
    let store = try SQLiteEntryStore.open(directory.file("j.sqlite"), mode: .create)
    let statements = [
      "SELECT count(DISTINCT number) FROM \(ChangesSince.recent)",
      "SELECT DISTINCT number FROM \(ChangesSince.recent) AND kind = 'delete' ORDER BY number",
    ]
    for sql in statements {
      let plan = try store.queue.inDatabase { try QueryPlan.of(sql, [9], $0) }
      #expect(plan.contains("SEARCH change USING INTEGER PRIMARY KEY (rowid>?)"), "\(plan)")
      #expect(!plan.contains("SCAN"), "\(plan)")
    }
  }
}

/// SQLite's query plan of a statement.
enum QueryPlan {
  /// The plan, one line per step.
  static func of(
    _ sql: String, _ arguments: StatementArguments, _ db: Database
  ) throws -> String {
    try SQLRow.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(sql)", arguments: arguments)
      .map { $0[3] as String }.joined(separator: "\n")
  }
}
