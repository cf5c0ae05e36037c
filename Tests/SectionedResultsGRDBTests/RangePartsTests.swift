import GRDB
import SectionedResults
import SectionedResultsSQL
import TestSupport
import Testing

@testable import SectionedResultsGRDB

/// Ranges as parts, compared with the definition of a range, over all pairs of short bounds.
@Suite("Ranges in SQL")
struct RangePartsTests {
  private struct Item: ResultsRow, FetchableRecord {
    var id: Int64
    var a: SortValue
    var b: SortValue
    var c: SortValue

    init(row: GRDB.Row) {
      (id, a, b, c) = (row["id"], row["a"], row["b"], row["c"])
    }
  }

  private static let values: [SortValue] = [.null, 1, 2.5, "a", .blob([0])]
  private static let orders: [[SortValue.Order]] = [
    [.ascending, .ascending, .ascending], [.descending, .descending, .descending],
    [.ascending, .descending, .ascending], [.descending, .ascending, .descending],
  ]

  @Test(
    "every range holds the rows that the definition gives, in order, with null and mixed directions",
    arguments: orders)
  func allRanges(orders: [SortValue.Order]) throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE item (id INTEGER PRIMARY KEY, a, b, c)")
      for a in Self.values {
        for b in Self.values {
          for c in Self.values {
            try db.execute(
              sql: "INSERT INTO item (a, b, c) VALUES (?, ?, ?)", arguments: [a, b, c])
          }
        }
      }
    }
    let store = try GRDBResultsStore<Item>(queue, table: "item")
    let request = ResultsRequest<Item>(sortKeys: [
      SortKey(\.a, orders[0]), SortKey(\.b, orders[1]), SortKey(\.c, orders[2]),
    ])
    let all = try store.read {
      try $0.keys(of: request, in: ResultsKeyRange(lower: nil, upper: nil))
    }
    #expect(all.count == 125)
    #expect(zip(all, all.dropFirst()).allSatisfy(request.precedes))
    var random = SeededGenerator(seed: SeededGenerator.runSeed)
    func bound(_ random: inout SeededGenerator) -> [SortValue]? {
      let length = Int.random(in: -1...3, using: &random)
      return length < 0
        ? nil : (0..<length).map { _ in Self.values.randomElement(using: &random) ?? .null }
    }
    try store.read { snapshot in
      for _ in 0..<1_500 {
        let range = ResultsKeyRange(lower: bound(&random), upper: bound(&random))
        let expected = all.filter { key in
          (range.lower.map { request.compare($0, key.values) <= 0 } ?? true)
            && (range.upper.map { request.compare($0, key.values) > 0 } ?? true)
        }
        let keys = try snapshot.keys(of: request, in: range)
        let count = try snapshot.count(of: request, in: range)
        #expect(keys == expected, "\(range)")
        #expect(count == expected.count, "\(range)")
      }
    }
  }

  @Test("a bound is excluded with all rows equal to it", arguments: orders)
  func after(orders: [SortValue.Order]) throws {
    let queue = try DatabaseQueue()
    let keys = zip(["a", "b", "c"], orders).map {
      SQLSortKey(expression: $0, isDescending: $1 == .descending, isNullable: true)
    }
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE item (a, b, c)")
      for a in Self.values {
        for b in Self.values {
          for c in Self.values {
            try db.execute(
              sql: "INSERT INTO item (a, b, c) VALUES (?, ?, ?)", arguments: [a, b, c])
          }
        }
      }
      func count(_ lower: [SortValue], isAfter: Bool, fixed: Int) throws -> Int {
        try RangeParts.parts(lower: lower, upper: nil, keys, fixed: fixed, isAfter: isAfter)
          .reduce(0) { sum, part in
            let condition =
              part.conditions.isEmpty ? "1" : part.conditions.joined(separator: " AND ")
            return sum
              + (try Int.fetchOne(
                db, sql: "SELECT count(*) FROM item WHERE \(condition)",
                arguments: StatementArguments(part.arguments)) ?? 0)
          }
      }
      for a in Self.values {
        for b in Self.values {
          for c in Self.values {
            for fixed in 0...1 {
              let difference =
                try count([a, b, c], isAfter: false, fixed: fixed)
                - count([a, b, c], isAfter: true, fixed: fixed)
              #expect(difference == 1)
            }
            #expect(try count([a], isAfter: false, fixed: 1) == 25)
          }
        }
      }
    }
  }

  /// A column that is never null and has an index.
  private struct ColumnKey: RangeKey {
    let expression: String
    let isDescending: Bool
    var isNullable: Bool { false }
    var isColumn: Bool { true }
  }

  @Test(
    "a range whose bounds are compared as rows of columns is one statement with what its parts hold",
    arguments: [false, true])
  func wholeRows(isDescending: Bool) throws {
    let keys = ["a", "b", "c"].map { ColumnKey(expression: $0, isDescending: isDescending) }
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE item (a, b, c);
          WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 63)
          INSERT INTO item SELECT i / 16, i / 4 % 4, i % 4 FROM n
          """)
    }
    func numbers(_ parts: [RangePart]) throws -> [Int] {
      let order = keys.map(\.term).joined(separator: ", ")
      return try queue.read { db in
        try parts.flatMap { part in
          let condition = (["1"] + part.conditions).joined(separator: " AND ")
          return try Int.fetchAll(
            db, sql: "SELECT a * 16 + b * 4 + c FROM item WHERE \(condition) ORDER BY \(order)",
            arguments: StatementArguments(part.arguments))
        }
      }
    }
    var random = SeededGenerator(seed: SeededGenerator.runSeed)
    func bound() -> [SortValue]? {
      let length = Int.random(in: -1...3, using: &random)
      return length < 0
        ? nil : (0..<length).map { _ in .integer(Int64.random(in: 0..<4, using: &random)) }
    }
    for _ in 0..<500 {
      let range = ResultsKeyRange(lower: bound(), upper: bound())
      let statements = RangeParts.reading(range, keys)
      #expect(statements.count <= 1, "\(range)")
      let parts = RangeParts.parts(lower: range.lower, upper: range.upper, keys)
      #expect(try numbers(statements) == numbers(parts), "\(range)")
    }
  }
}
