import Foundation
import GRDB
import ResultsTestSupport
import SectionedResults
import SectionedResultsTesting
import TestSupport
import Testing

@testable import SectionedResultsGRDB

/// A row whose primary key has two columns.
struct Line: ResultsRow, Codable, FetchableRecord, PersistableRecord {
  typealias Filter = SQLCondition
  static let databaseTableName = "line"

  var number: Int64
  var code: String
  var product: String?
  var quantity: Int?
  var id: CompositeID { CompositeID(number, code) }
}

/// Primary keys of several columns, and views.
@Suite("Identities of several columns, and views")
struct CompositeTests {
  @Test("an identity is the text that SQLite makes of its values, and back")
  func literals() throws {
    let queue = try DatabaseQueue()
    let values: [[SortValue]] = [
      [7, "a"], ["it''s", "'"], [.null, .blob([0, 255, 16])], ["", .blob([]), -3],
      ["é,'", 1, "X'00'"],
    ]
    for values in values {
      let id = try #require(
        CompositeID.fromDatabaseValue(CompositeIDTests.text(values).databaseValue))
      #expect(id.values == values)
      let parts = values.map { _ in "quote(?)" }.joined(separator: " || ',' || ")
      let text = try queue.read {
        try String.fetchOne($0, sql: "SELECT \(parts)", arguments: StatementArguments(values))
      }
      #expect(id.description == text)
      #expect(id.databaseValue == CompositeIDTests.text(values).databaseValue)
    }
    for wrong in ["", "1,", "'a", "1.5", "X'0'", "X'zz'", "1 2", "'a'b", "null"] {
      #expect(CompositeID.fromDatabaseValue(wrong.databaseValue) == nil, "\(wrong)")
    }
    #expect(CompositeID.fromDatabaseValue(1.databaseValue) == nil)
  }

  @Test(
    "a table with such a key answers as the model does, and takes edits", arguments: [false, true])
  func conformance(areEdits: Bool) throws {
    let queue = try DatabaseQueue()
    try queue.write {
      try $0.execute(
        sql: """
          CREATE TABLE line (number INTEGER NOT NULL, code TEXT NOT NULL, product TEXT, quantity INTEGER,
            PRIMARY KEY (number, code))
          """)
    }
    let store = try GRDBResultsStore<Line>(queue, table: "line")
    var conformance = StoreConformance<Line>(
      requests: [
        ResultsRequest(
          filter: "quantity IS NOT 1",
          sortKeys: [SortKey(\.product), SortKey(\.quantity, .descending)],
          sections: \.product),
        ResultsRequest(sortKeys: [SortKey(\.quantity)], limit: 6, offset: 1),
      ], matches: { line, _ in line.quantity != 1 },
      randomRow: { random in
        Line(
          number: .random(in: 1..<6, using: &random),
          code: ["a", "it's", "é"].randomElement(using: &random) ?? "",
          product: ["x", "y", nil].randomElement(using: &random) ?? nil,
          quantity: [nil, 1, 2, 3].randomElement(using: &random) ?? nil)
      })
    conformance.transactions = 120
    if areEdits { return try conformance.checkEdits(store) }
    try conformance.check(store) { writes in
      try store.write { db in
        for write in writes {
          switch write {
          case .put(let line): try line.insert(db, onConflict: .replace)
          case .delete(let id):
            _ = try Line.filter(keys: [["number": id.keyValues[0], "code": id.keyValues[1]]])
              .deleteAll(db)
          }
        }
      }
    }
  }

  @Test(
    "random writes give the batch that a slow comparison gives",
    arguments: LineWorld.Shape.allCases, [false, true])
  func randomTransactions(_ shape: LineWorld.Shape, isForeign: Bool) throws {
    let failure = try StressRun.run(usual: 400, isForeign: isForeign) {
      try LineWorld(shape, isForeign: isForeign, &$0)
    }
    #expect(failure == nil)
  }

  @Test("keys that are no identity are refused, each with its reason")
  func refusals() throws {
    struct Single: ResultsRow, Codable, FetchableRecord { var id: Int64 }
    struct Whole: ResultsRow, FetchableRecord {
      var id: CompositeID
      init(row: GRDB.Row) { id = CompositeID(row["id"] as Int64) }
    }
    let queue = try DatabaseQueue()
    try queue.write {
      try $0.execute(
        sql: """
          CREATE TABLE line (number INTEGER NOT NULL, code TEXT NOT NULL, PRIMARY KEY (number, code));
          CREATE TABLE loose (number INTEGER, code TEXT, PRIMARY KEY (number, code));
          CREATE TABLE whole (id INTEGER PRIMARY KEY);
          CREATE VIEW keyless AS SELECT code FROM line;
          CREATE VIEW upon AS SELECT * FROM keyless
          """)
    }
    #expect(
      reason { _ = try GRDBResultsStore<Single>(queue, table: "line") }.contains("a CompositeID"))
    #expect(
      reason { _ = try GRDBResultsStore<Whole>(queue, table: "whole") }.contains("no CompositeID"))
    #expect(reason { _ = try GRDBResultsStore<Line>(queue, table: "loose") }.contains("NULL"))
    #expect(
      reason { _ = try GRDBResultsStore<Line>(queue, view: "line", of: "line") }
        == "there is no table line")
    #expect(
      reason { _ = try GRDBResultsStore<Line>(queue, view: "keyless", of: "line") }
        == "there is no column number")
    #expect(
      reason { _ = try GRDBResultsStore<Single>(queue, view: "upon", of: "whole") }
        == "there is no column id")
  }

  @Test("a view of a view is refused when it is read")
  func viewOfView() throws {
    struct Single: ResultsRow, Codable, FetchableRecord { var id: Int64 }
    let queue = try DatabaseQueue()
    try queue.write {
      try $0.execute(
        sql: """
          CREATE TABLE whole (id INTEGER PRIMARY KEY);
          CREATE VIEW one AS SELECT * FROM whole;
          CREATE VIEW two AS SELECT * FROM one
          """)
    }
    func fetch(_ view: String) throws {
      let store = try GRDBResultsStore<Single>(queue, view: view, of: "whole")
      try ResultsController(
        request: ResultsRequest<Single>(sortKeys: [SortKey(\.id)]), store: store
      ).performFetch()
    }
    try fetch("ONE")
    #expect(throws: GRDBResultsError.undeclaredTable("whole")) { try fetch("two") }
  }
}

/// The text of values, written as the tests know it.
private enum CompositeIDTests {
  static func text(_ values: [SortValue]) -> String {
    values.map { value in
      switch value {
      case .null: return "NULL"
      case .text(let text):
        return "'"
          + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''")
          + "'"
      case .blob(let bytes):
        let digits = Array("0123456789ABCDEF")
        return "X'" + String(bytes.flatMap { [digits[Int($0) / 16], digits[Int($0) % 16]] }) + "'"
      default: return value.description
      }
    }.joined(separator: ",")
  }
}

/// Lines and their products, written at random by this process or another one.
struct LineWorld: StressWorld {
  /// What the rows come from.
  enum Shape: CaseIterable {
    case table
    case withoutRowid
    /// A view that joins.
    case view
    /// A view that names its columns.
    case named
  }

  let request: ResultsRequest<Line>
  let store: any ResultsStore<Line>
  let isTold: Bool
  private let isForeign: Bool
  private let source: String
  private let results: GRDBResultsStore<Line>
  private let database = TemporaryDatabase()
  private let other: DatabaseQueue

  init(_ shape: Shape, isForeign: Bool, _ random: inout SeededGenerator) throws {
    self.isForeign = isForeign
    // Commits of another process are told apart only if the store looks between them.
    isTold = !isForeign && random.chance(0.5)
    other = try database.queue()
    try other.write {
      try $0.execute(
        sql: """
          CREATE TABLE line (
            number INTEGER NOT NULL, code TEXT NOT NULL, product TEXT, quantity INTEGER UNIQUE,
            PRIMARY KEY (number, code))\(shape == .withoutRowid ? " WITHOUT ROWID" : "");
          CREATE TABLE product (id TEXT PRIMARY KEY NOT NULL, title TEXT);
          CREATE VIEW titled AS
            SELECT number, code, title AS product, quantity FROM line LEFT JOIN product ON id = product
            -- "AS" (in a comment)
            ;
          CREATE VIEW "as" (code, "number", product, quantity) AS
            SELECT line.code, line.number, p.title, line.quantity * 2 FROM line
            JOIN product AS p ON p.id = line.product WHERE line.quantity IS NOT 2
          """)
    }
    request = ResultsRequest(
      filter: random.chance(0.4) ? SQLCondition("quantity > ?", [3]) : nil,
      sortKeys: [
        SortKey(\.product, random.chance(0.5) ? .ascending : .descending), SortKey(\.quantity),
      ],
      sectionField: random.chance(0.7) ? ResultsField(\.product) : nil,
      limit: random.chance(0.2) ? Int.random(in: 1..<6, using: &random) : nil, pageSize: 3)
    let writer: any DatabaseWriter = try random.chance(0.5) ? database.pool() : database.queue()
    let related = [RelatedTable("product", "id", equals: "product", of: "line")]
    switch shape {
    case .table, .withoutRowid:
      source = "line"
      results = try GRDBResultsStore(writer, table: "line")
    case .view:
      source = "titled"
      results = try GRDBResultsStore(writer, view: "titled", of: "line", related: related)
    case .named:
      source = "\"as\""
      results = try GRDBResultsStore(writer, view: "as", of: "line", related: related)
    }
    store = results
    for _ in 0..<12 { try commit(&random) }
  }

  func visibleRows() throws -> [Line] {
    try other.read { try Line.fetchAll($0, sql: "SELECT * FROM \(source)") }
      .filter { request.filter == nil || ($0.quantity ?? 0) > 3 }
  }

  func tellCommits() throws { try results.checkForChanges() }

  mutating func commit(_ random: inout SeededGenerator) throws {
    let statements = (0..<Int.random(in: 1...3, using: &random)).map { _ in Self.sql(&random) }
    if isForeign {
      return try database.commitElsewhere(statements, &random)
    }
    let writer: any DatabaseWriter = isTold || random.chance(0.6) ? results.writer : other
    try writer.commit(statements)
  }

  private static func sql(_ random: inout SeededGenerator) -> String {
    func number(_ random: inout SeededGenerator) -> Int { Int.random(in: 1...3, using: &random) }
    let code = ["'a'", "'it''s'", "'É'", "''"].randomElement(using: &random) ?? ""
    let product = ["'p'", "'q'", "'r'", "NULL"].randomElement(using: &random) ?? ""
    let quantity = Int.random(in: 1...9, using: &random)
    let row = "number = \(number(&random)) AND code = \(code)"
    return [
      "REPLACE INTO line VALUES (\(number(&random)), \(code), \(product), \(quantity))",
      "REPLACE INTO line VALUES (\(number(&random)), \(code), \(product), NULL)",
      "INSERT OR IGNORE INTO line VALUES (\(number(&random)), \(code), \(product), \(quantity))",
      "UPDATE OR IGNORE line SET number = \(number(&random)) WHERE \(row)",
      "UPDATE OR REPLACE line SET code = \(code), product = \(product) WHERE number = \(number(&random))",
      "UPDATE OR REPLACE line SET quantity = \(quantity) WHERE \(row)",
      "DELETE FROM line WHERE \(row)", "DELETE FROM line WHERE quantity = \(quantity)",
      "REPLACE INTO product VALUES (\(product == "NULL" ? "'p'" : product), \(code))",
      "UPDATE product SET title = title || 'x' WHERE id = 'q'",
      "DELETE FROM product WHERE id = 'r'",
    ].randomElement(using: &random) ?? ""
  }
}
