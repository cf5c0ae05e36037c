import GRDB
import ResultsTestSupport
import SectionedResults
import SectionedResultsGRDB
import Testing

/// Every vector over a table.
@Suite("Vectors over GRDB")
struct GRDBVectorTests {
  @Test(
    "every vector gives the batch it expects, with and without an index",
    arguments: try Vector.all(), [false, true])
  func vector(_ vector: Vector, isIndexed: Bool) throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(sql: VectorItem.table)
      if isIndexed { try db.execute(sql: "CREATE INDEX i ON vector (section, key, id)") }
      for row in vector.before { try VectorItem(row, vector.options).insert(db) }
    }
    let store = try GRDBResultsStore<VectorItem>(queue, table: "vector")
    let controller = try ResultsController(
      request: VectorItem.request(vector.options), store: store)
    var changes: [ResultsChange<VectorItem>] = []
    let token = try controller.observe { changes.append($0) }
    try store.write { db in
      for operation in vector.operations { try perform(operation, vector.options, db) }
    }
    token.cancel()
    #expect(changes.count <= 1)
    #expect((changes.first.map { BatchLists($0.batch) } ?? BatchLists()) == vector.expected)
    #expect((changes.first.map { BatchLists(delegate: $0) } ?? BatchLists()) == vector.delegate)
    if let after = vector.after {
      let shown = try controller.sectionCounts.enumerated().map { section, count in
        try (0..<count).map { try controller.identity(at: RowPath(section, $0)) }
      }
      #expect(shown == after.map { Array($0.values)[0] })
    }
  }

  private func perform(
    _ operation: Vector.Operation, _ options: VectorOptions, _ db: Database
  ) throws {
    let id = operation.patch.id
    let old = try VectorItem.fetchOne(db, sql: "SELECT * FROM vector WHERE id = ?", arguments: [id])
    switch operation.kind {
    case "delete": try db.execute(sql: "DELETE FROM vector WHERE id = ?", arguments: [id])
    case "update":
      guard let old else { return }
      let new = VectorItem(operation.patch.applied(old.vectorRow), options)
      try db.execute(
        sql: "UPDATE vector SET section = ?, key = ?, value = ?, hidden = ? WHERE id = ?",
        arguments: [new.section, new.key, new.value, new.hidden, id])
    default: try VectorItem(operation.patch.row, options).insert(db, "INSERT OR REPLACE")
    }
  }
}

/// A row of the vectors in a table.
struct VectorItem: ResultsRow, FetchableRecord {
  typealias Filter = SQLCondition

  static let table = """
    CREATE TABLE vector (
      id PRIMARY KEY NOT NULL, section TEXT NOT NULL, key, value, hidden INTEGER NOT NULL)
    """

  var id: SortValue
  var section: String
  var key: SortValue
  var value: SortValue
  var hidden: Bool

  init(row: GRDB.Row) {
    id = row["id"]
    section = row["section"]
    key = row["key"]
    value = row["value"]
    hidden = row["hidden"]
  }

  init(_ row: VectorRow, _ options: VectorOptions) {
    let row = options.observed(row)
    (id, section, key, value, hidden) = (row.id, row.section, row.key, row.value, row.isHidden)
  }

  var vectorRow: VectorRow {
    VectorRow(id: id, section: section, key: key, value: value, isHidden: hidden)
  }

  func insert(_ db: Database, _ verb: String = "INSERT") throws {
    try db.execute(
      sql: "\(verb) INTO vector VALUES (?, ?, ?, ?, ?)",
      arguments: [id, section, key, value, hidden])
  }

  static func request(_ options: VectorOptions) -> ResultsRequest<VectorItem> {
    let sections: [SortKey<ResultsField<VectorItem>>] =
      options.isSectioned ? [SortKey(\.section, options.sectionOrder)] : []
    return ResultsRequest(
      filter: "NOT hidden", sortKeys: sections + [SortKey(\.key, options.keyOrder)],
      sectionField: options.isSectioned ? ResultsField(\.section) : nil, limit: options.limit,
      offset: options.offset, pageSize: 3)
  }
}
