import GRDB
import ResultsTestSupport
import SectionedResults
import SectionedResultsGRDB
import TestSupport
import Testing

/// A car with columns of its owner and of the owner's city.
struct Car: ResultsRow, FetchableRecord {
  typealias Filter = SQLCondition

  static let tables = """
    CREATE TABLE city (id INTEGER PRIMARY KEY, title TEXT NOT NULL UNIQUE);
    CREATE TABLE owner (id INTEGER PRIMARY KEY, name TEXT, cityID INTEGER);
    CREATE TABLE car (id INTEGER PRIMARY KEY, plate TEXT UNIQUE, ownerID INTEGER, sold INTEGER);
    CREATE TABLE setting (id INTEGER PRIMARY KEY, prefix TEXT NOT NULL);
    CREATE INDEX cars ON car (ownerID); CREATE INDEX owners ON owner (cityID);
    INSERT INTO setting VALUES (1, '');
    """
  static let select: SQLCondition = """
    SELECT car.*, o.name AS owner, city.title AS city
    FROM car LEFT JOIN owner AS o ON o.id = car.ownerID LEFT JOIN city ON city.id = o.cityID
    """
  static let related = [
    RelatedTable("owner", "id", equals: "ownerID", of: "car"),
    RelatedTable("city", "id", equals: "cityID", of: "owner"),
  ]

  var id: Int64
  var plate: String?
  var owner: String?
  var city: String?
  var sold: Bool?

  init(row: GRDB.Row) {
    (id, plate, owner, city) = (row["id"], row["plate"], row["owner"], row["city"])
    sold = row["sold"]
  }
}

@Suite("Rows of several tables")
struct JoinTests {
  @Test("rule 43: the owner's new name moves the car")
  func ownerMovesCar() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: Car.tables + """
          INSERT INTO owner VALUES (1, 'Ada', NULL), (2, 'Bob', NULL);
          INSERT INTO car VALUES (1, 'A', 1, 0), (2, 'B', 2, 0), (3, 'C', 1, 0)
          """)
    }
    let store = try GRDBResultsStore<Car>(
      queue, table: "car", select: Car.select, related: Car.related)
    let controller = try ResultsController(
      request: ResultsRequest<Car>(
        sortKeys: [SortKey(\.owner), SortKey(\.plate)], sections: \.owner), store: store)
    var changes: [ResultsChange<Car>] = []
    let token = try controller.observe { changes.append($0) }
    try store.write { try $0.execute(sql: "UPDATE owner SET name = 'Zoe' WHERE id = 1") }
    #expect(controller.sectionKeys == ["Bob", "Zoe"])
    #expect(changes.map { $0.rows.map(\.row.plate) } == [["A", "C"]])
    try store.write { try $0.execute(sql: "UPDATE city SET title = 'x'") }
    #expect(changes.count == 1)
    token.cancel()
  }

  private struct Ticket: ResultsRow, FetchableRecord, Codable {
    var id: Int64
    var owner: String?
    var reviewer: String?
  }

  @Test("two joins to one table: a change of either person changes the ticket")
  func twoLinks() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT);
          CREATE TABLE ticket (id INTEGER PRIMARY KEY, ownerID INTEGER, reviewerID INTEGER);
          INSERT INTO person VALUES (1, 'Ada'), (2, 'Bob');
          INSERT INTO ticket VALUES (1, 1, 2), (2, 2, 1), (3, 1, 1)
          """)
    }
    let store = try GRDBResultsStore<Ticket>(
      queue, table: "ticket",
      select: """
        SELECT ticket.id, o.name AS owner, r.name AS reviewer FROM ticket
        LEFT JOIN person AS o ON o.id = ownerID LEFT JOIN person AS r ON r.id = reviewerID
        """,
      related: [
        RelatedTable("person", "id", equals: "ownerID", of: "ticket"),
        RelatedTable("person", "id", equals: "reviewerID", of: "ticket"),
      ])
    let controller = try ResultsController(
      request: ResultsRequest<Ticket>(sortKeys: [SortKey(\.owner), SortKey(\.reviewer)]),
      store: store)
    var changes: [ResultsChange<Ticket>] = []
    let token = try controller.observe { changes.append($0) }
    try store.write { try $0.execute(sql: "UPDATE person SET name = 'Zoe' WHERE id = 2") }
    #expect(changes.map { $0.rows.map(\.row.id).sorted() } == [[1, 2]])
    #expect(try controller.fetchedObjects()?.map(\.id) == [3, 1, 2])
    try store.write { try $0.execute(sql: "UPDATE ticket SET reviewerID = 2 WHERE id = 3") }
    #expect(try controller.fetchedObjects()?.last { $0.id == 3 }?.reviewer == "Zoe")
    token.cancel()
  }

  @Test(
    "joins by a column without case, with NULL, or with both are followed",
    arguments: [
      "o TEXT|name TEXT COLLATE NOCASE|person.name = ticket.o",
      "o TEXT COLLATE NOCASE|name TEXT|ticket.o = person.name",
      "o TEXT|name TEXT|person.name IS ticket.o",
      "o TEXT COLLATE NOCASE|name TEXT COLLATE NOCASE|person.name IS ticket.o",
    ])
  func collations(_ shape: String) throws {
    let parts = shape.split(separator: "|")
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE person (id INTEGER PRIMARY KEY, \(parts[1]), color TEXT);
          CREATE TABLE ticket (id INTEGER PRIMARY KEY, \(parts[0]));
          INSERT INTO person VALUES (1, 'ada', 'red'), (2, NULL, 'grey'), (3, 'bob', 'blue');
          INSERT INTO ticket VALUES (1, 'ADA'), (2, NULL), (3, 'bob '), (4, 'bob'), (5, 'x')
          """)
    }
    let store = try GRDBResultsStore<Ticket>(
      queue, table: "ticket",
      select: SQLCondition(
        """
        SELECT ticket.id, color AS owner, '' AS reviewer FROM ticket LEFT JOIN person ON \(parts[2])
        """),
      related: [RelatedTable("person", "name", equals: "o", of: "ticket")])
    let request = ResultsRequest<Ticket>(sortKeys: [SortKey(\.owner)], sections: \.owner)
    let controller = try ResultsController(request: request, store: store)
    let token = try controller.observe { _ in }
    for statement in [
      "UPDATE person SET color = color || '!'", "UPDATE ticket SET o = 'Ada' WHERE id = 5",
      "UPDATE person SET color = 'pink' WHERE id = 2", "UPDATE ticket SET id = id + 10",
      "DELETE FROM person",
    ] {
      try store.write { try $0.execute(sql: statement) }
      let fresh = try ResultsController(request: request, store: store)
      try fresh.performFetch()
      #expect(controller.sectionKeys == fresh.sectionKeys, "\(statement)")
      let (shown, stored) = (try controller.fetchedObjects(), try fresh.fetchedObjects())
      #expect(shown == stored, "\(statement)")
    }
    token.cancel()
  }

  @Test("a SELECT or filter that reads a table the store does not know is refused")
  func undeclared() throws {
    let queue = try DatabaseQueue()
    try queue.write {
      try $0.execute(sql: Car.tables + "CREATE VIRTUAL TABLE words USING fts5(word)")
    }
    func fetch(_ store: GRDBResultsStore<Car>, _ filter: SQLCondition? = nil) throws {
      try ResultsController(
        request: ResultsRequest<Car>(filter: filter, sortKeys: [SortKey(\.id)]), store: store
      ).performFetch()
    }
    let partial = try GRDBResultsStore<Car>(
      queue, table: "car", select: Car.select, related: [Car.related[0]])
    #expect(throws: GRDBResultsError.self) { try fetch(partial) }
    let full = try GRDBResultsStore<Car>(
      queue, table: "car", select: Car.select, related: Car.related)
    try fetch(full)
    try fetch(full, "plate IN (SELECT value FROM json_each('[1]'))")
    for filter: SQLCondition in [
      "id IN (SELECT id FROM setting)", "ownerID IN (SELECT id FROM main.owner)",
      "id = (SELECT max(id) FROM car)", "plate IN (SELECT word FROM words)",
    ] {
      #expect(throws: GRDBResultsError.self, "\(filter)") { try fetch(full, filter) }
    }
  }

  @Test("a SELECT that returns a row twice is an error when the row changes")
  func repeated() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: Car.tables
          + "INSERT INTO car VALUES (1, 'A', 1, 0); INSERT INTO setting VALUES (2, '')")
    }
    let store = try GRDBResultsStore<Car>(
      queue, table: "car", select: "SELECT car.*, '' AS owner, '' AS city FROM car JOIN setting",
      related: [RelatedTable(anyRowOf: "setting")])
    let stamp = try store.read { try $0.stamp() }
    try store.write { try $0.execute(sql: "UPDATE car SET plate = 'B'") }
    #expect(throws: GRDBResultsError.repeatedRow("1")) {
      try store.read {
        try $0.commits(after: stamp, for: ResultsRequest<Car>(sortKeys: [SortKey(\.id)]))
      }
    }
  }

  @Test(
    "random writes to all tables give the batch that a slow comparison gives",
    arguments: CarWorld.Shape.allCases)
  func randomTransactions(_ shape: CarWorld.Shape) throws {
    let failure = try StressRun.run(
      transactions: StressRun.count(600), stepsPerWorld: 40, thoroughEach: 4
    ) { try CarWorld(shape, &$0) }
    #expect(failure == nil)
  }
}

/// Cars, owners and cities, written at random.
struct CarWorld: StressWorld {
  /// How the rows depend on the tables.
  enum Shape: CaseIterable {
    /// Joins along declared columns.
    case joined
    /// A filter with a subquery over a declared table.
    case subquery
    /// A table of which any row matters.
    case anyRow
  }

  let request: ResultsRequest<Car>
  let store: any ResultsStore<Car>
  let isTold: Bool
  private let results: GRDBResultsStore<Car>
  private let select: SQLCondition
  private let database = TemporaryDatabase()
  private let other: DatabaseQueue

  init(_ shape: Shape, _ random: inout SeededGenerator) throws {
    isTold = random.chance(0.5)
    other = try database.queue()
    try other.write { try $0.execute(sql: Car.tables) }
    var filter: SQLCondition? = random.chance(0.5) ? "sold IS NOT 1" : nil
    var select = Car.select
    var related = Car.related
    switch shape {
    case .joined:
      if random.chance(0.4) { filter = SQLCondition("owner <> ? OR city IS NULL", ["b"]) }
    case .subquery:
      filter = SQLCondition(
        "EXISTS (SELECT 1 FROM owner WHERE owner.id = ownerID AND name > ?)", ["a"])
    case .anyRow:
      select = """
        SELECT car.*, (SELECT max(prefix) FROM setting) || o.name AS owner, NULL AS city
        FROM car LEFT JOIN owner AS o ON o.id = car.ownerID
        """
      related = [Car.related[0], RelatedTable(anyRowOf: "setting")]
    }
    self.select = select
    let isByCity = shape != .anyRow && random.chance(0.4)
    let field: ResultsField<Car> = isByCity ? ResultsField(\.city) : ResultsField(\.owner)
    let order: SortValue.Order = random.chance(0.5) ? .ascending : .descending
    request = ResultsRequest(
      filter: filter, sortKeys: [SortKey(field, order), SortKey(\.plate)],
      sectionField: random.chance(0.7) ? field : nil,
      limit: random.chance(0.2) ? Int.random(in: 1..<6, using: &random) : nil, pageSize: 3)
    let writer: any DatabaseWriter = try random.chance(0.5) ? database.pool() : database.queue()
    results = try GRDBResultsStore(writer, table: "car", select: select, related: related)
    store = results
    for _ in 0..<10 { try commit(&random) }
  }

  func visibleRows() throws -> [Car] {
    let condition = request.filter.map { "(\($0.sql))" } ?? "1"
    return try other.read { db in
      try Car.fetchAll(
        db, sql: "SELECT * FROM (\(select.sql)) WHERE \(condition)",
        arguments: StatementArguments(request.filter?.arguments ?? []))
    }
  }

  func tellCommits() throws { try results.checkForChanges() }

  mutating func commit(_ random: inout SeededGenerator) throws {
    let statements = (0..<Int.random(in: 1...3, using: &random)).map { _ in Self.sql(&random) }
    let writer: any DatabaseWriter = isTold || random.chance(0.6) ? results.writer : other
    try writer.commit(statements)
  }

  private static func sql(_ random: inout SeededGenerator) -> String {
    func id(_ random: inout SeededGenerator) -> Int { Int.random(in: 1...5, using: &random) }
    let name = ["'a'", "'b'", "'c'", "NULL"].randomElement(using: &random) ?? ""
    let (one, two) = (id(&random), id(&random))
    return [
      "INSERT OR REPLACE INTO car VALUES (\(one), 'p\(two)', \(id(&random)), \(one % 2))",
      "REPLACE INTO owner VALUES (\(one), \(name), \(two))",
      "REPLACE INTO city VALUES (\(one), 't\(two)')",
      "UPDATE owner SET name = \(name) WHERE id = \(one)",
      "UPDATE owner SET cityID = \(two) WHERE id = \(one)",
      "UPDATE car SET ownerID = \(two) WHERE id = \(one)",
      "UPDATE car SET plate = 'q' || id WHERE ownerID = \(one)",
      "UPDATE city SET title = title || 'x' WHERE id = \(one)",
      "DELETE FROM owner WHERE id = \(one)", "DELETE FROM car WHERE id = \(one)",
      "DELETE FROM city WHERE id = \(one)",
      "UPDATE OR REPLACE owner SET id = \(two) WHERE id = \(one)",
      "UPDATE setting SET prefix = \(name == "NULL" ? "''" : name)",
      "INSERT OR REPLACE INTO setting VALUES (2, 'b')", "DELETE FROM setting WHERE id = 2",
    ].randomElement(using: &random) ?? ""
  }
}
