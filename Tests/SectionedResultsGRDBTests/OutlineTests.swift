import GRDB
import SectionedResults
import SectionedResultsSQL
import TestSupport
import Testing

@testable import SectionedResultsGRDB

/// The groups of long lists, and the plans of the statements that read them.
@Suite("Outlines and query plans")
struct OutlineTests {
  private struct Item: ResultsRow, FetchableRecord {
    typealias Filter = SQLCondition

    var id: Int64
    var feed: String?
    var published: Double

    init(row: GRDB.Row) {
      (id, feed, published) = (row["id"], row["feed"], row["published"])
    }
  }

  private static let rows = 20_000

  private func queue(index: String = "") throws -> DatabaseQueue {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE item (id INTEGER PRIMARY KEY, feed TEXT, published REAL NOT NULL, read);
          WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.rows - 1))
          INSERT INTO item (feed, published, read)
          SELECT CASE i % 7 WHEN 6 THEN NULL ELSE 'feed ' || (i % 7) END,
            CASE WHEN i % 3 = 0 THEN 5.5 ELSE i * 7919 % 10007 END, i % 2 FROM n;
          \(index)
          """)
    }
    return queue
  }

  private static let requests: [ResultsRequest<Item>] = [
    ResultsRequest(
      sortKeys: [SortKey(\.feed), SortKey(\.published, .descending)], sections: \.feed),
    ResultsRequest(
      sortKeys: [SortKey(\.feed, .descending), SortKey(\.published)], sections: \.feed),
    ResultsRequest(sortKeys: [SortKey(\.published, .descending)]),
    ResultsRequest(sortKeys: [SortKey(\.published)]),
    ResultsRequest(filter: "read", sortKeys: [SortKey(\.feed), SortKey(\.published)]),
  ]
  private static let indexes = [
    "", "CREATE INDEX feeds ON item (feed)",
    """
    CREATE INDEX descending ON item (feed, published DESC);
    CREATE INDEX ascending ON item (feed, published); CREATE INDEX flat ON item (published)
    """,
  ]

  @Test(
    "groups are bounded, in order, hold every row once, and begin outside of runs",
    arguments: requests, indexes)
  private func groups(request: ResultsRequest<Item>, index: String) throws {
    let store = try GRDBResultsStore<Item>(queue(index: index), table: "item")
    try store.read { snapshot in
      let all = try snapshot.keys(of: request, in: ResultsKeyRange(lower: nil, upper: nil))
      let groups = try snapshot.outline(of: request)
      #expect(groups.reduce(0) { $0 + $1.count } == all.count)
      var start = 0
      for (number, group) in groups.enumerated() {
        let keys = all[start..<(start + group.count)]
        start += group.count
        let next = number + 1 < groups.count ? groups[number + 1].bound : nil
        let range = ResultsKeyRange(lower: group.bound, upper: next)
        let read = try snapshot.keys(of: request, in: range)
        #expect(read == Array(keys))
        #expect(keys.allSatisfy { $0.section == group.section })
        // The run at the end of a group may have any length.
        let apart = keys.filter { $0.values != keys.last?.values }.count
        #expect(apart <= 4_096, "\(group.count) rows")
      }
    }
  }

  @Test("a long list with an index gives groups without keys")
  func noKeys() throws {
    let store = try GRDBResultsStore<Item>(queue(index: Self.indexes[2]), table: "item")
    try store.read { snapshot in
      for request in Self.requests.prefix(4) {
        let groups = try snapshot.outline(of: request)
        #expect(groups.count > 20)
        #expect(groups.allSatisfy { $0.keys == nil })
      }
    }
  }

  @Test("with a fitting index every part of a range is a search in order")
  func plans() throws {
    let queue = try queue(index: Self.indexes[2])
    let store = try GRDBResultsStore<Item>(queue, table: "item")
    let source = try queue.read { db in
      try ResultsSource(
        db, ResultsSource.Description(table: "item", select: nil, related: []))
    }
    for request in Self.requests.prefix(4) {
      let groups = try store.read { try $0.outline(of: request) }
      let sql = try RequestSQL(request, source)
      for (group, next) in zip(groups, groups.dropFirst()).dropFirst() {
        let range = ResultsKeyRange(lower: group.bound, upper: next.bound)
        for rows in RangeParts.reading(range, sql.keys).map(sql.rows) {
          let order = sql.keys.map(\.term).joined(separator: ", ")
          let plan = try queue.read { db in
            try GRDB.Row.fetchAll(
              db,
              sql: "EXPLAIN QUERY PLAN SELECT \(sql.keyColumns) \(rows.sql) ORDER BY \(order)",
              arguments: rows.arguments
            ).map { $0["detail"] as String }
          }
          #expect(plan.allSatisfy { $0.hasPrefix("SEARCH item USING") }, "\(plan)")
        }
      }
    }
  }
}
