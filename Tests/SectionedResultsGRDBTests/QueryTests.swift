import GRDB
import ResultsTestSupport
import SectionedResults
import SectionedResultsGRDB
import TestSupport
import Testing

/// A record with an association.
struct Player: ResultsRow, Codable, FetchableRecord, PersistableRecord {
  typealias Filter = SQLCondition
  static let databaseTableName = "player"
  static let club = belongsTo(Club.self, using: ForeignKey(["clubID"]))
  static let rival = belongsTo(Club.self, key: "rival", using: ForeignKey(["rivalID"]))

  var id: Int64
  var name: String?
  var score: Int?
  var clubID: Int64?
  var rivalID: Int64?
}

/// A record that players belong to.
struct Club: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "club"
  static let town = belongsTo(Town.self, using: ForeignKey(["townID"]))
  static let players = hasMany(Player.self, using: ForeignKey(["clubID"]))

  var id: Int64
  var title: String?
  var townID: Int64?
}

/// A record that clubs belong to.
struct Town: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "town"

  var id: Int64
  var label: String?
}

/// A player with columns of his club, its town, and his rival.
struct Member: ResultsRow, Codable, FetchableRecord, TableRecord {
  typealias Filter = SQLCondition
  static let databaseTableName = "player"

  var id: Int64
  var name: String?
  var score: Int?
  var clubTitle: String?
  var townLabel: String?
  var rivalTitle: String?
}

/// Requests of GRDB's query interface as rows of a store, and as lists.
@Suite("The query interface")
struct QueryTests {
  static let tables = """
    CREATE TABLE town (id INTEGER PRIMARY KEY, label TEXT);
    CREATE TABLE club (id INTEGER PRIMARY KEY, title TEXT, townID INTEGER);
    CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT, score INTEGER, clubID INTEGER, rivalID INTEGER);
    CREATE INDEX player_club ON player (clubID);
    """

  /// Players with columns along associations.
  static func members(_ isRequired: Bool) -> QueryInterfaceRequest<Member> {
    let title = Column("title")
    let club = isRequired ? Player.club.filter(title != "b") : Player.club
    let request = Player.all().annotated(
      withOptional: Player.rival.select(title.forKey("rivalTitle")))
    let joined =
      isRequired
      ? request.annotated(withRequired: club.select(title.forKey("clubTitle")))
        .annotated(
          withOptional: Player.club.filter(title != "b").joining(
            optional: Club.town.select(Column("label").forKey("townLabel"))))
      : request.annotated(withOptional: club.select(title.forKey("clubTitle")))
    return joined.asRequest(of: Member.self)
  }

  @Test("a filter, an order and a limit of GRDB make the list that GRDB fetches")
  func list() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(sql: Self.tables)
      for id in Int64(1)...20 {
        try Player(
          id: id, name: ["a", "é", nil, "it's"][Int(id) % 4], score: Int(id) % 7, clubID: id % 3
        ).insert(db)
      }
    }
    let store = try GRDBResultsStore<Player>(queue, table: "player")
    let (score, name) = (Column("score"), Column("name"))
    let requests: [QueryInterfaceRequest<Player>] = [
      Player.order(name, Column("id")),
      Player.filter(score > 2).order(score.desc, Column("id")),
      Player.filter(score > 2 && name == "it's").filter(Column("clubID") != nil).order(
        name.desc, score.asc),
      Player.filter([1, 3, 5, 40].contains(Column("id"))).order(name),
      Player.filter(sql: "name = '? WHERE' OR score = ?", arguments: [3]).order(Column("id").desc),
      Player.filter(score > 1.5).order(score, name).limit(5, offset: 2),
      Player.filter(
        (0..<2_500).contains(Column("score")) && Array(Int64(3)..<2_600).contains(Column("id"))
      )
      .order(score),
      Player.filter(key: 4).orderByPrimaryKey(), Player.none().order(score),
    ]
    for request in requests {
      let wanted = try queue.read { try request.fetchAll($0) }
      let list = try queue.read { try ResultsRequest(request, in: $0) }
      let controller = try ResultsController(request: list, store: store)
      try controller.performFetch()
      let fetched = try controller.fetchedObjects() ?? []
      #expect(
        fetched.map(\.score) == wanted.map(\.score) && fetched.map(\.name) == wanted.map(\.name))
      #expect(Set(fetched.map(\.id)) == Set(wanted.map(\.id)))
    }
    let sections = try queue.read {
      try ResultsRequest(Player.order(name), in: $0, sections: ResultsField(\.name), pageSize: 2)
    }
    #expect(sections.sectionField == ResultsField(\.name) && sections.pageSize == 2)
  }

  @Test(
    "random writes give the batch that GRDB's own fetch gives",
    arguments: QueryWorld.Shape.allCases, [false, true])
  func randomTransactions(_ shape: QueryWorld.Shape, isForeign: Bool) throws {
    let failure = try StressRun.run(usual: 400, isForeign: isForeign) {
      try QueryWorld(shape, isForeign: isForeign, &$0)
    }
    #expect(failure == nil)
  }

  @Test("what cannot be live is refused by name, in the rows of a store and in a list")
  func refusals() throws {
    let queue = try DatabaseQueue()
    try queue.write { try $0.execute(sql: Self.tables) }
    let (score, name) = (Column("score"), Column("name"))
    func rows(_ request: QueryInterfaceRequest<Player>) -> String {
      reason { _ = try GRDBResultsStore<Player>(queue, rows: request) }
    }
    func list(_ request: QueryInterfaceRequest<Player>) -> String {
      reason { _ = try queue.read { try ResultsRequest(request, in: $0) } }
    }
    #expect(rows(Player.filter(score > 1)) == "")
    #expect(list(Player.filter(score > 1)) == "")
    for (request, word) in [
      (Player.select(Column("id"), max(score)).group(name), "GROUP BY"),
      (Player.all().distinct(), "DISTINCT"),
      (
        Player.annotated(
          with: Player.hasMany(Club.self, using: ForeignKey(["id"], to: ["id"])).count), "GROUP BY"
      ),
      (Player.with(CommonTableExpression(named: "other", sql: "SELECT 1")), "common table"),
    ] {
      #expect(rows(request).contains(word), "\(word)")
      #expect(list(request).contains(word), "\(word)")
    }
    #expect(rows(Player.including(optional: Player.club)).contains("annotated("))
    #expect(rows(Player.order(score)).contains("ORDER BY"))
    #expect(rows(Player.limit(3)).contains("LIMIT"))
    #expect(rows(Player.filter(sql: "id IN (SELECT id FROM club UNION SELECT 1)")) == "")
    for request in [
      Player.joining(required: Player.club), Player.including(optional: Player.club),
      Player.select(Column("id"), name),
      Player.all().aliased(TableAlias(name: "p")),
    ] {
      #expect(list(request).contains("belong to the rows of its store"))
    }
    for order in [score + 1, abs(score)] {
      #expect(list(Player.order(order)).contains("sorted by columns"))
    }
    #expect(list(Player.order(name.collating(.nocase))).contains("sorted by columns"))
    #expect(list(Player.order(name.ascNullsLast)).contains("sorted by columns"))
    #expect(list(Player.order(sql: "score")).contains("sorted by columns"))
    // A subquery over a table that nobody named.
    let hidden = Player.filter(sql: "clubID IN (SELECT id FROM club)")
    let request = ResultsRequest<Player>(sortKeys: [SortKey(\.id)])
    let blind = try GRDBResultsStore<Player>(queue, rows: hidden)
    #expect(throws: GRDBResultsError.undeclaredTable("club")) {
      try ResultsController(request: request, store: blind).performFetch()
    }
    let told = try GRDBResultsStore<Player>(
      queue, rows: hidden, related: [RelatedTable("club", "id", equals: "clubID", of: "player")])
    try ResultsController(request: request, store: told).performFetch()
  }
}

/// Players, clubs and towns, written at random.
struct QueryWorld: StressWorld {
  /// The request that makes the rows of the store.
  enum Shape: CaseIterable {
    /// Associations that may lead to nothing.
    case optional
    /// Associations with filters, one over another.
    case required
  }

  let request: ResultsRequest<Member>
  let store: any ResultsStore<Member>
  let isTold: Bool
  private let isForeign: Bool
  private let rows: QueryInterfaceRequest<Member>
  private let filter: ((Member) -> Bool)?
  private let results: GRDBResultsStore<Member>
  private let database = TemporaryDatabase()
  private let other: DatabaseQueue

  init(_ shape: Shape, isForeign: Bool, _ random: inout SeededGenerator) throws {
    self.isForeign = isForeign
    // Commits of another process are told apart only if the store looks between them.
    isTold = !isForeign && random.chance(0.5)
    other = try database.queue()
    try other.write { try $0.execute(sql: QueryTests.tables) }
    rows = QueryTests.members(shape == .required)
    let writer: any DatabaseWriter = try random.chance(0.5) ? database.pool() : database.queue()
    results = try GRDBResultsStore(writer, rows: rows)
    store = results
    let isFiltered = random.chance(0.5)
    filter = isFiltered ? { $0.clubTitle != nil && ($0.score ?? 0) > 2 } : nil
    request = ResultsRequest(
      filter: isFiltered ? "clubTitle IS NOT NULL AND score > 2" : nil,
      sortKeys: [
        SortKey(\.clubTitle, random.chance(0.5) ? .ascending : .descending), SortKey(\.score),
      ],
      sectionField: random.chance(0.7) ? ResultsField(\.clubTitle) : nil,
      limit: random.chance(0.2) ? Int.random(in: 1..<6, using: &random) : nil, pageSize: 3)
    for _ in 0..<12 { try commit(&random) }
  }

  func visibleRows() throws -> [Member] {
    try other.read { try rows.fetchAll($0) }.filter { filter?($0) ?? true }
  }

  func tellCommits() throws { try results.checkForChanges() }

  mutating func commit(_ random: inout SeededGenerator) throws {
    let statements = (0..<Int.random(in: 1...3, using: &random)).map { _ in Self.sql(&random) }
    if isForeign {
      return try database.commitElsewhere(statements, &random)
    }
    let writer: any DatabaseWriter = isTold || random.chance(0.6) ? results.writer : other
    try writer.write { db in for sql in statements { try db.execute(sql: sql) } }
  }

  private static func sql(_ random: inout SeededGenerator) -> String {
    func id(_ random: inout SeededGenerator) -> Int { Int.random(in: 1...5, using: &random) }
    let name = ["'a'", "'b'", "'c'", "NULL"].randomElement(using: &random) ?? ""
    let (one, two, three) = (id(&random), id(&random), id(&random))
    return [
      "REPLACE INTO player VALUES (\(one), \(name), \(two), \(two), \(three))",
      "REPLACE INTO player VALUES (\(one + 5), \(name), \(two), \(three), NULL)",
      "REPLACE INTO club VALUES (\(one), \(name), \(two))",
      "REPLACE INTO town VALUES (\(one), \(name))",
      "UPDATE club SET title = \(name) WHERE id = \(one)",
      "UPDATE club SET townID = \(two) WHERE id = \(one)",
      "UPDATE player SET clubID = \(two) WHERE id = \(one)",
      "UPDATE player SET score = \(two) WHERE id = \(one)",
      "UPDATE town SET label = label || 'x' WHERE id = \(one)",
      "UPDATE OR REPLACE club SET id = \(two) WHERE id = \(one)",
      "DELETE FROM club WHERE id = \(one)", "DELETE FROM player WHERE id = \(one)",
      "DELETE FROM town WHERE id = \(one)",
    ].randomElement(using: &random) ?? ""
  }
}
