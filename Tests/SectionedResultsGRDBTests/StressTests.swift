import GRDB
import ResultsTestSupport
import SectionedResults
import SectionedResultsGRDB
import TestSupport
import Testing

/// Random transactions over a table, by this store, other connections and other processes.
///
/// `RESULTS_STRESS` sets the number of transactions, `RESULTS_SEED` the seed of a failure.
@Suite("Stress over GRDB")
struct GRDBStressTests {
  @Test(
    "random transactions of any writer give the batch that a slow comparison gives",
    arguments: TableWorld.Writers.allCases)
  func randomTransactions(_ writers: TableWorld.Writers) throws {
    // A process per transaction takes most of the time.
    let count =
      writers == .processes ? StressRun.count(800) / 20 : StressRun.count(800)
    let failure = try StressRun.run(transactions: count, stepsPerWorld: 40, thoroughEach: 4) {
      try TableWorld(writers, &$0)
    }
    #expect(failure == nil)
  }
}

/// A row of a table with every kind of column.
struct AnyItem: ResultsRow, FetchableRecord {
  typealias Filter = SQLCondition

  var id: SortValue
  var section: String?
  var key: SortValue
  var rank: Double
  var code: String?
  var hidden: Bool

  init(row: GRDB.Row) {
    id = row["id"]
    section = row["section"]
    key = row["key"]
    rank = row["rank"]
    code = row["code"]
    hidden = row["hidden"]
  }
}

/// A small table with a random schema, shown by a random request.
struct TableWorld: StressWorld {
  typealias Row = AnyItem

  /// The programs that write.
  enum Writers: CaseIterable {
    /// The store's database, noticed at once.
    case own
    /// The store's database, several commits noticed together.
    case ownTold
    /// Another connection with plain SQL.
    case connection
    /// Python and the program `sqlite3`.
    case processes
  }

  let request: ResultsRequest<AnyItem>
  let store: any ResultsStore<AnyItem>
  let isTold: Bool
  private let writers: Writers
  private let results: GRDBResultsStore<AnyItem>
  private let database = TemporaryDatabase()
  private let other: DatabaseQueue
  private let statements: RandomStatements

  init(_ writers: Writers, _ random: inout SeededGenerator) throws {
    self.writers = writers
    isTold = writers == .ownTold
    let recursive = random.chance(0.3)
    other = try database.queue("PRAGMA recursive_triggers = \(recursive ? 1 : 0)")
    statements = RandomStatements(kind: Int.random(in: 0..<3, using: &random))
    request = Self.request(&random)
    let index = random.chance(0.6) ? Self.index(request) : ""
    let setUp = statements.table + ";" + index
    try other.write { try $0.execute(sql: setUp) }
    for _ in 0..<12 { try other.commit(statements.transaction(&random)) }
    let isPool = random.chance(0.5)
    let writer: any DatabaseWriter = isPool ? try database.pool() : try database.queue()
    results = try GRDBResultsStore(writer, table: "item")
    store = results
  }

  private static func request(_ random: inout SeededGenerator) -> ResultsRequest<AnyItem> {
    func order(_ random: inout SeededGenerator) -> SortValue.Order {
      random.chance(0.5) ? .ascending : .descending
    }
    let isSectioned = random.chance(0.7)
    var keys: [SortKey<ResultsField<AnyItem>>] =
      isSectioned ? [SortKey(\.section, order(&random))] : []
    if random.chance(0.7) { keys.append(SortKey(\.key, order(&random))) }
    if keys.isEmpty || random.chance(0.5) { keys.append(SortKey(\.rank, order(&random))) }
    if random.chance(0.3) { keys.append(SortKey(\.code, order(&random))) }
    return ResultsRequest(
      filter: random.chance(0.6) ? SQLCondition("hidden = ?", [false]) : nil, sortKeys: keys,
      sectionField: isSectioned ? ResultsField(\.section) : nil,
      limit: random.chance(0.25) ? Int.random(in: 0..<9, using: &random) : nil,
      offset: random.chance(0.15) ? Int.random(in: 0..<6, using: &random) : 0, pageSize: 4)
  }

  private static func index(_ request: ResultsRequest<AnyItem>) -> String {
    let keys = request.sortKeys.map { key in
      "\(key.field.name) COLLATE BINARY\(key.order == .descending ? " DESC" : "")"
    }
    return "CREATE INDEX fitting ON item (\(keys.joined(separator: ", ")))"
  }

  func visibleRows() throws -> [AnyItem] {
    try other.read { try AnyItem.fetchAll($0, sql: "SELECT * FROM item") }
      .filter { request.filter == nil || !$0.hidden }
  }

  func tellCommits() throws {
    try results.checkForChanges()
  }

  mutating func commit(_ random: inout SeededGenerator) throws {
    let transaction = statements.transaction(&random)
    switch writers {
    case .own where random.chance(0.5):
      try results.write { try $0.run(transaction) }
    case .own, .ownTold: try results.writer.commit(transaction)
    case .connection: try other.commit(transaction)
    case .processes: try database.commitElsewhere(transaction, &random)
    }
    if random.chance(0.05) { try rollBack() }
  }

  private func rollBack() throws {
    struct Rollback: Error {}
    #expect(throws: Rollback.self) {
      try results.writer.write { db in
        try db.execute(sql: "DELETE FROM item")
        throw Rollback()
      }
    }
  }
}
