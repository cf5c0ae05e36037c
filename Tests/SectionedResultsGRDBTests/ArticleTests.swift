import Foundation
import GRDB
import SectionedResults
import SectionedResultsGRDB
import Testing

/// The article, held against the code.
@Suite("Article")
struct ArticleTests {
  private static let tests = URL(filePath: #filePath).deletingLastPathComponent()
  private static let sources = tests.appending(path: "../../Sources/SectionedResultsGRDB")

  private static func article(_ name: String = "SectionedResultsGRDB") throws -> String {
    try String(
      contentsOf: sources.appending(path: "SectionedResultsGRDB.docc/\(name).md"), encoding: .utf8)
  }

  @Test("the example of the article is the code that runs, and follows a table")
  func example() throws {
    let code = try String(
      contentsOf: Self.tests.appending(path: "ArticleExample.swift"), encoding: .utf8)
    let shown = try #require(
      code.split(separator: "// example:begin\n").last?.split(separator: "// example:end").first)
    #expect(try Self.article().contains("```swift\n\(shown)```"))
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE item (id INTEGER PRIMARY KEY, feed TEXT NOT NULL, published DATETIME NOT NULL);
          CREATE INDEX item_list ON item (feed, published DESC);
          """)
      try db.execute(
        sql: "INSERT INTO item VALUES (1, 'b', ?), (2, 'a', ?)",
        arguments: [Date(timeIntervalSince1970: 1), Date(timeIntervalSince1970: 2)])
    }
    let inbox = try Inbox(queue)
    #expect(inbox.controller.sectionKeys == ["a", "b"])
    try inbox.store.write { try $0.execute(sql: "UPDATE item SET feed = 'a' WHERE id = 1") }
    #expect(inbox.controller.sectionKeys == ["a"])
    #expect(
      inbox.log == ["\(ResultsBatch.RowChange.move(from: RowPath(1, 0), to: RowPath(0, 1)))"])
  }

  @Test(
    "every symbol that an article links to is in the code",
    arguments: ["SectionedResultsGRDB", "Searches", "QueryInterface", "Identities"])
  func links(_ name: String) throws {
    var code = ""
    for directory in [Self.sources, Self.sources.appending(path: "../SectionedResults")] {
      for file in try FileManager.default.subpathsOfDirectory(atPath: directory.path)
      where file.hasSuffix(".swift") {
        code += try String(contentsOf: directory.appending(path: file), encoding: .utf8)
      }
    }
    let words = Set(code.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init))
    let parts = try Self.article(name).replacingOccurrences(of: "```", with: "")
      .components(separatedBy: "``")
    #expect(parts.count > 4)
    for link in parts.enumerated().filter({ $0.offset % 2 == 1 }).map(\.element)
    where link != "SectionedResultsGRDB" {
      for name in link.split(whereSeparator: { "/():,".contains($0) }) {
        #expect(name == "_" || words.contains(String(name)), "\(link)")
      }
    }
  }

  @Test("values of every convertible type sort as SQLite sorts what GRDB stores")
  func values() throws {
    let queue = try DatabaseQueue()
    let uuids = (0..<20).map { _ in UUID() }
    let dates = (0..<20).map { Date(timeIntervalSince1970: Double($0 * 7 % 20) * 1e7 + 0.25) }
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE v (i INTEGER, u BLOB, d DATETIME, b BLOB, f BOOLEAN)")
      for (index, (uuid, date)) in zip(uuids, dates).enumerated() {
        try db.execute(
          sql: "INSERT INTO v VALUES (?, ?, ?, ?, ?)",
          arguments: [index, uuid, date, Data([UInt8(index * 7 % 20)]), index % 2 == 0])
      }
      func order(_ column: String) throws -> [Int] {
        try Int.fetchAll(db, sql: "SELECT i FROM v ORDER BY \(column), i")
      }
      func sorted(_ value: (Int) -> SortValue) -> [Int] {
        (0..<20).sorted { (value($0), $0) < (value($1), $1) }
      }
      #expect(try order("u") == sorted { uuids[$0].sortValue })
      #expect(try order("d") == sorted { dates[$0].sortValue })
      #expect(try order("b") == sorted { Data([UInt8($0 * 7 % 20)]).sortValue })
      #expect(try order("f") == sorted { ($0 % 2 == 0).sortValue })
      let stored = try SortValue.fetchAll(db, sql: "SELECT d FROM v ORDER BY i")
      #expect(stored == dates.map(\.sortValue))
    }
  }

  @Test("a field whose value is not its column's is refused when a row is read")
  func differentField() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE item (id INTEGER PRIMARY KEY, feed TEXT NOT NULL, published DATETIME NOT NULL);
          INSERT INTO item VALUES (1, 'a', '2026-11-21')
          """)
    }
    let inbox = try Inbox(queue)
    #expect(throws: GRDBResultsError.self) { try inbox.controller.object(at: RowPath(0, 0)) }
  }
}
