import GRDB
import ResultsTestSupport
import SectionedResults
import SectionedResultsGRDB
import TestSupport
import Testing

/// A note whose texts are searched.
struct SearchedNote: ResultsRow, FetchableRecord, Codable {
  typealias Filter = SQLCondition

  var id: Int64
  var number: Int64?
  var day: String?
  var title: String?
  var body: String?
  var archived: Bool?
}

/// Live lists of the rows that match a search.
@Suite("Full text")
struct FullTextTests {
  @Test(
    "random writes to rows and documents give the batch that a new search gives",
    arguments: SearchWorld.Shape.allCases)
  func randomTransactions(_ shape: SearchWorld.Shape) throws {
    let failure = try StressRun.run(
      transactions: StressRun.count(500), stepsPerWorld: 40, thoroughEach: 4
    ) { try SearchWorld(shape, isForeign: false, &$0) }
    #expect(failure == nil)
  }

  @Test(
    "random writes of other processes give the batch that a new search gives",
    arguments: SearchWorld.Shape.allCases)
  func otherProcesses(_ shape: SearchWorld.Shape) throws {
    let failure = try StressRun.run(
      transactions: StressRun.count(500) / 25, stepsPerWorld: 20, thoroughEach: 2
    ) { try SearchWorld(shape, isForeign: true, &$0) }
    #expect(failure == nil)
  }

  private func notes(_ count: Int, _ index: String) throws -> DatabaseQueue {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE note (
            id INTEGER PRIMARY KEY, number INTEGER, day TEXT, title TEXT, body TEXT, archived INTEGER);
          CREATE INDEX note_day ON note (day, id);
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
            INSERT INTO note SELECT i, i, 'd' || (i / 100), 'note ' || i, 'word' || (i % 10), 0 FROM n WHERE i <= \(count);
          \(index);
          """)
    }
    return queue
  }

  private static let linked = """
    CREATE VIRTUAL TABLE note_text USING fts5(title, body, content='note', content_rowid='id');
    INSERT INTO note_text(note_text) VALUES ('rebuild');
    CREATE TRIGGER note_ai AFTER INSERT ON note BEGIN
      INSERT INTO note_text(rowid, title, body) VALUES (new.id, new.title, new.body);
    END;
    CREATE TRIGGER note_au AFTER UPDATE ON note BEGIN
      INSERT INTO note_text(note_text, rowid, title, body) VALUES ('delete', old.id, old.title, old.body);
      INSERT INTO note_text(rowid, title, body) VALUES (new.id, new.title, new.body);
    END
    """

  /// The statements that a commit of one row costs.
  @Test("a commit asks whether the changed rows match, and searches for no others")
  func changedRowsAlone() throws {
    let queue = try notes(3_000, Self.linked)
    let store = try GRDBResultsStore<SearchedNote>(
      queue, table: "note", fullText: [FullTextTable("note_text")])
    let controller = try ResultsController(
      request: ResultsRequest<SearchedNote>(
        filter: .matching("note_text", "word3 OR word4"),
        sortKeys: [SortKey(\.day), SortKey(\.id)],
        sections: \.day), store: store)
    let token = try controller.observe { _ in }
    #expect(controller.numberOfRows == 600)
    var searches: [String] = []
    queue.inDatabase { db in
      db.trace { event in
        let sql = "\(event)"
        if sql.contains("MATCH"), !sql.hasPrefix("--") { searches.append(sql) }
      }
    }
    try store.write { db in
      try db.execute(sql: "UPDATE note SET body = 'word3' WHERE id IN (100, 200)")
      try db.execute(sql: "UPDATE note SET body = 'other' WHERE id = 103")
    }
    #expect(controller.numberOfRows == 601)
    #expect(!searches.isEmpty)
    #expect(
      searches.allSatisfy { $0.contains("EXISTS") && !$0.contains("SELECT rowid FROM") },
      "\(searches)")
    #expect(try controller.indexPath(for: 200) != nil)
    #expect(try controller.indexPath(for: 103) == nil)
    token.cancel()
  }

  @Test("a group of a long list of matches is read without another search")
  func longList() throws {
    let queue = try notes(12_000, Self.linked)
    let store = try GRDBResultsStore<SearchedNote>(
      queue, table: "note", fullText: [FullTextTable("note_text")])
    func request(_ filter: SQLCondition) -> ResultsRequest<SearchedNote> {
      ResultsRequest(filter: filter, sortKeys: [SortKey(\.day), SortKey(\.id)], sections: \.day)
    }
    for filter in [
      SQLCondition.matching("note_text", "note"), .matching("note_text", "note NOT 7"),
    ] {
      let controller = try ResultsController(request: request(filter), store: store)
      let token = try controller.observe { _ in }
      let rows = controller.numberOfRows
      #expect(rows > 11_000)
      let statements = Statements()
      queue.inDatabase { db in db.trace { statements.list.append("\($0)") } }
      try store.write { try $0.execute(sql: "UPDATE note SET title = 'x' WHERE id = 6000") }
      #expect(controller.numberOfRows == rows - 1)
      #expect(try controller.object(at: RowPath(20, 5)).title?.hasPrefix("note") == true)
      #expect(statements.list.contains { $0.contains("EXISTS") })
      #expect(!statements.list.contains { $0.contains("SELECT rowid FROM") })
      queue.inDatabase { db in db.trace() }
      try store.write { try $0.execute(sql: "UPDATE note SET title = 'note' WHERE id = 6000") }
      token.cancel()
    }
  }

  @Test(
    "a prefix is looked up in the table where it has an index of its length, and else in memory",
    arguments: [
      ("no*", "2 3", true), ("note*", "2 3", false), ("no* OR 1", "", false),
      ("\"no\" *", "2", true),
    ])
  func prefixes(_ pattern: String, _ lengths: String, isInTable: Bool) throws {
    let index = Self.linked.replacing(
      "content='note'",
      with: lengths.isEmpty ? "content='note'" : "prefix='\(lengths)', content='note'")
    let queue = try notes(300, index)
    let store = try GRDBResultsStore<SearchedNote>(
      queue, table: "note", fullText: [FullTextTable("note_text")])
    let controller = try ResultsController(
      request: ResultsRequest<SearchedNote>(
        filter: .matching("note_text", pattern), sortKeys: [SortKey(\.id)]), store: store)
    let token = try controller.observe { _ in }
    let statements = Statements()
    queue.inDatabase { db in db.trace { statements.list.append("\($0)") } }
    try store.write { try $0.execute(sql: "UPDATE note SET title = 'x' WHERE id = 60") }
    #expect(controller.numberOfRows == 299)
    #expect(
      statements.list.contains { $0.contains("EXISTS (SELECT 1 FROM \"note_text\"") } == isInTable)
    #expect(!statements.list.contains { $0.contains("SELECT rowid FROM") })
    queue.inDatabase { db in db.trace() }
    token.cancel()
  }

  /// `@unchecked`, because a queue calls it on one thread at a time.
  private final class Statements: @unchecked Sendable {
    var list: [String] = []
  }

  @Test("a tokenizer, prefixes and columns of the table decide about earlier rows, too")
  func definition() throws {
    let queue = try notes(
      0,
      """
      CREATE VIRTUAL TABLE note_text USING FTS5 (
        "title", body UNINDEXED, prefix = '2 3', content=[note], content_rowid = "id",
        tokenize="unicode61 remove_diacritics 0 tokenchars '-,('")
      """)
    try queue.write { db in
      for event in ["INSERT", "UPDATE", "DELETE"] {
        let old =
          "INSERT INTO note_text(note_text, rowid, title, body) VALUES ('delete', old.id, old.title, old.body);"
        let new = "INSERT INTO note_text(rowid, title, body) VALUES (new.id, new.title, new.body);"
        try db.execute(
          sql: """
            CREATE TRIGGER on_\(event) AFTER \(event) ON note BEGIN
              \(event == "INSERT" ? "" : old) \(event == "DELETE" ? "" : new)
            END
            """)
      }
      try db.execute(
        sql: """
          INSERT INTO note VALUES (1, 1, 'a', 'é-b,(', 'x', 0), (2, 2, 'a', 'e b', 'é', 0), (3, 3, 'b', 'É', 'x', 0)
          """)
    }
    let store = try GRDBResultsStore<SearchedNote>(
      queue, table: "note", fullText: [FullTextTable("NOTE_text")])
    for pattern in ["\"é-b,(\"", "e", "é*", "title : b", "body : é OR title : é"] {
      let controller = try ResultsController(
        request: ResultsRequest<SearchedNote>(
          filter: .matching("note_text", pattern), sortKeys: [SortKey(\.id)]), store: store)
      var kinds: [ResultsBatch.RowChange] = []
      let token = try controller.observe { kinds += $0.rows.map(\.kind) }
      let before = try #require(try controller.fetchedObjects())
      // One commit with several ends: what was and what is are both read from earlier rows.
      try queue.write { try $0.execute(sql: "UPDATE note SET day = 'z'") }
      try queue.write { try $0.execute(sql: "UPDATE note SET day = 'y'") }
      try store.checkForChanges()
      #expect(kinds.count == 2 * before.count, "\(pattern)")
      try store.write { try $0.execute(sql: "DELETE FROM note") }
      #expect(kinds.count == 3 * before.count, "\(pattern)")
      #expect(controller.numberOfRows == 0)
      token.cancel()
      try queue.write { db in for row in before { try Self.insert(row, db) } }
      try queue.write { db in
        for id in 1...3 where !before.contains(where: { $0.id == Int64(id) }) {
          let titles = ["é-b,(", "e b", "É"]
          try db.execute(
            sql: "INSERT INTO note VALUES (?, ?, 'a', ?, ?, 0)",
            arguments: [id, id, titles[id - 1], id == 2 ? "é" : "x"])
        }
      }
      try store.checkForChanges()
    }
  }

  private static func insert(_ note: SearchedNote, _ db: Database) throws {
    try db.execute(
      sql: "INSERT INTO note VALUES (?, ?, ?, ?, ?, ?)",
      arguments: [note.id, note.number, note.day, note.title, note.body, note.archived])
  }

  @Test("functions of the connection, WAL and a queue that only reads do not disturb a search")
  func configuration() throws {
    let database = TemporaryDatabase()
    var configuration = Configuration()
    configuration.journalMode = .wal
    configuration.prepareDatabase { db in
      db.add(
        function: DatabaseFunction("reversed", argumentCount: 1, pure: true) { values in
          String.fromDatabaseValue(values[0]).map { String($0.reversed()) }
        })
    }
    let queue = try DatabaseQueue(path: database.path, configuration: configuration)
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE note (
            id INTEGER PRIMARY KEY, number INTEGER, day TEXT, title TEXT, body TEXT, archived INTEGER);
          INSERT INTO note VALUES (1, 1, 'a', 'fish', 'abc', 0), (2, 2, 'b', 'cake', 'def', 0);
          \(Self.linked);
          """)
    }
    func store(_ queue: DatabaseQueue) throws -> GRDBResultsStore<SearchedNote> {
      try GRDBResultsStore<SearchedNote>(
        queue, table: "note",
        select: "SELECT id, number, day, title, reversed(body) AS body, archived FROM note",
        fullText: [FullTextTable("note_text")])
    }
    let own = try store(queue)
    configuration.readonly = true
    let reading = try store(DatabaseQueue(path: database.path, configuration: configuration))
    let lists = try [own, reading].map { store in
      try ResultsController(
        request: ResultsRequest<SearchedNote>(
          filter: .matching("note_text", "fish*"), sortKeys: [SortKey(\.body)]), store: store)
    }
    let tokens = try lists.map { try $0.observe { _ in } }
    for _ in 0..<2 {
      try own.write { db in
        try db.execute(sql: "UPDATE note SET body = body || 'x', title = 'fishes' WHERE id = 2")
      }
    }
    try own.write { try $0.execute(sql: "DELETE FROM note WHERE id = 1") }
    try reading.checkForChanges()
    for list in lists { #expect(try list.fetchedObjects()?.map(\.body) == ["xxfed"]) }
    for token in tokens { token.cancel() }
  }

  @Test("tables without what a live search needs are refused, each with its reason")
  func refusals() throws {
    let queue = try notes(
      1,
      """
      CREATE VIEW shown AS SELECT id, title FROM note;
      CREATE TABLE other (id TEXT PRIMARY KEY, title TEXT);
      CREATE VIRTUAL TABLE bare USING fts5(title, content='');
      CREATE VIRTUAL TABLE viewed USING fts5(title, content='shown', content_rowid='id');
      CREATE VIRTUAL TABLE named USING fts5(title, content='other');
      CREATE VIRTUAL TABLE four USING fts4(title);
      CREATE VIRTUAL TABLE plain USING fts5(title)
      """)
    func store(_ table: FullTextTable) throws -> GRDBResultsStore<SearchedNote> {
      try GRDBResultsStore<SearchedNote>(queue, table: "note", fullText: [table])
    }
    func reason(_ table: FullTextTable) -> String {
      do {
        _ = try store(table)
        return ""
      } catch {
        return "\(error)"
      }
    }
    #expect(reason(FullTextTable("bare")).contains("documents"))
    #expect(reason(FullTextTable("bare", documents: ["title", "body"])).contains("2 texts"))
    #expect(reason(FullTextTable("bare", documents: ["title"])) == "")
    #expect(reason(FullTextTable("viewed")).contains("view shown"))
    #expect(reason(FullTextTable("viewed", documents: ["title"])) == "")
    #expect(reason(FullTextTable("named")).contains("no column rowid"))
    #expect(reason(FullTextTable("four")).contains("FTS5"))
    #expect(reason(FullTextTable("nothing")).contains("no table nothing"))
    #expect(reason(FullTextTable("plain", equals: "title")).contains("integer"))
    #expect(reason(FullTextTable("plain", equals: "number")) == "")

    let plain = try store(FullTextTable("plain"))
    func fetch(_ filter: SQLCondition) throws {
      try ResultsController(
        request: ResultsRequest<SearchedNote>(filter: filter, sortKeys: [SortKey(\.id)]),
        store: plain
      ).performFetch()
    }
    try fetch(.matching("plain", "note"))
    try fetch("id IN (SELECT rowid FROM plain WHERE plain MATCH 'note') OR archived")
    #expect(throws: GRDBResultsError.undeclaredTable("bare")) {
      try fetch(.matching("bare", "note"))
    }
    #expect(throws: GRDBResultsError.undeclaredTable("bare")) {
      try fetch("id IN (SELECT rowid FROM bare WHERE bare MATCH 'note')")
    }
    for rank in ["rank < 0", "bm25(plain) < 0"] {
      let filter = SQLCondition(
        "id IN (SELECT rowid FROM plain WHERE plain MATCH 'note' AND \(rank))")
      #expect(throws: GRDBResultsError.self, "\(rank)") { try fetch(filter) }
    }
    #expect(throws: DatabaseError.self) { try fetch(.matching("plain", "\"")) }
  }

  @Test("ranked identities are those of bm25 at this moment, with weights and a limit")
  func ranked() throws {
    let queue = try notes(40, Self.linked)
    try queue.write { db in
      try db.execute(sql: "UPDATE note SET title = 'fish ' || title WHERE id % 3 = 0")
      try db.execute(sql: "UPDATE note SET body = body || ' fish fish' WHERE id % 4 = 0")
      try db.execute(sql: "UPDATE note SET archived = 1 WHERE id > 30")
    }
    let store = try GRDBResultsStore<SearchedNote>(
      queue, table: "note", fullText: [FullTextTable("note_text")])
    let request = ResultsRequest<SearchedNote>(
      filter: SQLCondition("NOT archived").matching("note_text", "fish"), sortKeys: [SortKey(\.id)])
    func wanted(_ rank: String) throws -> [Int64] {
      try queue.read { db in
        try Int64.fetchAll(
          db,
          sql: """
            SELECT note.id FROM note_text JOIN note ON note.id = note_text.rowid
            WHERE note_text MATCH 'fish' AND NOT archived ORDER BY \(rank), note.id
            """)
      }
    }
    #expect(try store.ranked(request) == wanted("rank"))
    #expect(try store.ranked(request, weights: [10, 1]) == wanted("bm25(note_text, 10, 1)"))
    #expect(try store.ranked(request) != store.ranked(request, weights: [10, 1]))
    #expect(try store.ranked(request, limit: 3) == Array(wanted("rank").prefix(3)))
    #expect(throws: GRDBResultsError.self) {
      try store.ranked(ResultsRequest<SearchedNote>(sortKeys: [SortKey(\.id)]))
    }
  }

  @Test("a filter with another pattern is another request, also for a cache")
  func identity() {
    let one = SQLCondition.matching("note_text", "a")
    #expect(one != .matching("note_text", "b"))
    #expect("\(one)" != "\(SQLCondition.matching("note_text", "b"))")
    #expect("\(one)" != "\(SQLCondition("1"))")
    #expect(FTS5Pattern(matchingAllTokensIn: "a").map { .matching("note_text", $0) } == one)
  }
}
