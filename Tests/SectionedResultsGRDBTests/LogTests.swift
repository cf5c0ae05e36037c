import Foundation
import GRDB
import SectionedResults
import Testing

@testable import SectionedResultsGRDB

/// The change log: foreign writers, several stores, pruning, changes of the schema.
@Suite("The change log")
struct LogTests {
  private struct Item: ResultsRow, FetchableRecord, Codable {
    typealias Filter = SQLCondition

    var id: Int64
    var name: String?
  }

  private static let request = ResultsRequest<Item>(sortKeys: [SortKey(\.name)])
  private static let table = """
    CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT UNIQUE, size INTEGER NOT NULL DEFAULT 3,
      twice INTEGER GENERATED ALWAYS AS (size * 2) VIRTUAL, part INTEGER);
    CREATE UNIQUE INDEX sizes ON item (twice) WHERE part = 1;
    CREATE TABLE child (id INTEGER PRIMARY KEY, item REFERENCES item ON DELETE CASCADE);
    """

  private let database = TemporaryDatabase()

  private func images(
    _ store: GRDBResultsStore<Item>, since stamp: StoreStamp
  ) throws -> [[String]] {
    try store.read { try $0.commits(after: stamp, for: Self.request) }.map { commit in
      commit.changes.map { "\($0.id) \($0.before?.name ?? "-")>\($0.after?.name ?? "-")" }
    }
  }

  private static let statements: [(sql: String, images: [String])] = [
    ("INSERT INTO item (name) VALUES ('new')", ["4 ->new"]),
    ("INSERT OR REPLACE INTO item (id, name) VALUES (1, 'x')", ["1 a>x"]),
    ("INSERT OR REPLACE INTO item (name) VALUES ('a')", ["1 a>-", "4 ->a"]),
    ("REPLACE INTO item (id, name) VALUES (1, 'b')", ["1 a>b", "2 b>-"]),
    ("REPLACE INTO item (name, size, part) VALUES ('q', 9, 1)", ["3 c>-", "4 ->q"]),
    (
      "INSERT OR REPLACE INTO item (id, name, size, part) VALUES (7, 'n', 9, 1)",
      ["3 c>-", "7 ->n"]
    ),
    ("INSERT OR IGNORE INTO item (name) VALUES ('a')", []),
    (
      "INSERT INTO item (name) VALUES ('a') ON CONFLICT (name) DO UPDATE SET name = 'up'",
      ["1 a>up"]
    ),
    ("UPDATE OR REPLACE item SET name = 'b' WHERE id = 1", ["1 a>b", "2 b>-"]),
    ("UPDATE OR REPLACE item SET id = 2 WHERE id = 1", ["1 a>-", "2 b>a"]),
    ("UPDATE OR REPLACE item SET part = 1, size = 9 WHERE id = 1", ["3 c>-"]),
    ("UPDATE OR REPLACE item SET rowid = 3 WHERE id = 2", ["2 b>-", "3 c>b"]),
    ("UPDATE item SET id = id + 10", ["1 a>-", "2 b>-", "3 c>-", "11 ->a", "12 ->b", "13 ->c"]),
    ("DELETE FROM item", ["1 a>-", "2 b>-", "3 c>-"]),
    (
      "BEGIN; DELETE FROM item WHERE id = 1; INSERT INTO item (id, name) VALUES (1, 'a'); COMMIT",
      []
    ),
    ("BEGIN; INSERT INTO item VALUES (8, 'z', 1, 0); DELETE FROM item WHERE id = 8; COMMIT", []),
    ("BEGIN; DELETE FROM item; ROLLBACK", []),
    (
      "BEGIN; SAVEPOINT s; DELETE FROM item; ROLLBACK TO s; UPDATE item SET name = 'k' WHERE id = 3;"
        + "COMMIT", ["3 c>k"]
    ),
  ]

  @Test(
    "every statement of a foreign program is logged, with and without recursive triggers",
    arguments: 0..<statements.count, [false, true])
  func foreign(index: Int, isRecursive: Bool) throws {
    let (sql, expected) = Self.statements[index]
    let queue = try database.queue()
    try queue.write { db in
      try db.execute(
        sql: Self.table + """
          INSERT INTO item (id, name, size, part) VALUES (1, 'a', 1, 0), (2, 'b', 2, 0), (3, 'c', 9, 1)
          """)
    }
    let store = try GRDBResultsStore<Item>(queue, table: "item")
    let stamp = try store.read { try $0.stamp() }
    let recursive = "PRAGMA recursive_triggers = \(isRecursive ? 1 : 0);"
    try index % 2 == 0 ? database.sqlite3(recursive + sql) : database.python(recursive + sql)
    let seen = try images(store, since: stamp)
    #expect(seen.allSatisfy { $0 == expected } && seen.count <= 1, "\(sql): \(seen)")
    #expect(expected.isEmpty || seen.count == 1, "\(sql)")
  }

  @Test("a NULL that REPLACE turns into the default evicts the row with the default")
  func replacedDefault() throws {
    let queue = try database.queue()
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT 'd' UNIQUE);
          INSERT INTO item VALUES (1, 'd'), (2, 'x')
          """)
    }
    let store = try GRDBResultsStore<Item>(queue, table: "item")
    let stamp = try store.read { try $0.stamp() }
    try database.sqlite3("INSERT OR REPLACE INTO item VALUES (3, NULL)")
    #expect(try images(store, since: stamp) == [["1 d>-", "3 ->d"]])
    try database.sqlite3("UPDATE OR REPLACE item SET name = NULL WHERE id = 2")
    #expect(try images(store, since: stamp).last == ["2 x>d", "3 d>-"])
  }

  @Test("the condition of a partial index is found behind its columns")
  func partialConditions() {
    let sql = """
      CREATE UNIQUE INDEX "a ( where" ON [item (] (coalesce(a, ')'), "where") WHERE b = 'WHERE (' AND c
      """
    #expect(TrackedTable.condition(ofIndex: sql) == " b = 'WHERE (' AND c")
    #expect(TrackedTable.condition(ofIndex: "CREATE UNIQUE INDEX i ON t (a)") == nil)
  }

  @Test("a trigger of the user that changes the new row does not hide that it is new")
  func userTriggers() throws {
    let queue = try database.queue()
    try queue.write { try $0.execute(sql: Self.table) }
    _ = try GRDBResultsStore<Item>(queue, table: "item")
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TRIGGER mine AFTER INSERT ON item
          BEGIN UPDATE item SET name = upper(NEW.name) WHERE id = NEW.id; END
          """)
    }
    let store = try GRDBResultsStore<Item>(queue, table: "item")
    let stamp = try store.read { try $0.stamp() }
    try database.sqlite3("INSERT INTO item (name) VALUES ('a')")
    #expect(try images(store, since: stamp) == [["1 ->A"]])
  }

  @Test("commits of this process are separate; those of others are, if noticed one by one")
  func separateCommits() throws {
    let queue = try database.queue()
    try queue.write { try $0.execute(sql: Self.table) }
    let store = try GRDBResultsStore<Item>(queue, table: "item")
    let stamp = try store.read { try $0.stamp() }
    try queue.write { try $0.execute(sql: "INSERT INTO item (name) VALUES ('a')") }
    try queue.write { try $0.execute(sql: "INSERT INTO item (name) VALUES ('b')") }
    #expect(try images(store, since: stamp) == [["1 ->a"], ["2 ->b"]])
    let later = try store.read { try $0.stamp() }
    try database.python("INSERT INTO item (name) VALUES ('c')")
    try store.checkForChanges()
    try database.python(
      "INSERT INTO item (name) VALUES ('d'); UPDATE item SET name = 'C' WHERE id = 3")
    #expect(try images(store, since: later) == [["3 ->c"], ["3 c>C", "4 ->d"]])
    let last = try store.read { try $0.stamp() }
    try database.python("INSERT INTO item (name) VALUES ('e')")
    try store.write { try $0.execute(sql: "INSERT INTO item (name) VALUES ('f')") }
    #expect(try images(store, since: last) == [["5 ->e"], ["6 ->f"]])
  }

  @Test("pruning keeps what another open store needs, and a pruned history is lost, then fetched")
  func pruning() throws {
    let queue = try database.queue()
    try queue.write { try $0.execute(sql: Self.table) }
    let store = try GRDBResultsStore<Item>(queue, table: "item")
    store.keptChanges = 10
    let controller = try ResultsController(request: Self.request, store: store)
    let token = try controller.observe { _ in }
    let stamp = try store.read { try $0.stamp() }
    var slow: GRDBResultsStore<Item>? = try GRDBResultsStore(database.queue(), table: "item")
    for number in 0..<100 {
      try store.write {
        try $0.execute(sql: "INSERT INTO item (name) VALUES (?)", arguments: [number])
      }
    }
    func lines() throws -> Int {
      try queue.read {
        try Int.fetchOne($0, sql: "SELECT count(*) FROM grdb_results_log_item") ?? 0
      }
    }
    let kept = try lines()
    #expect(kept == 100)
    #expect(try images(#require(slow), since: stamp).count >= 1)
    slow = nil
    try store.write { try $0.execute(sql: "DELETE FROM item WHERE id = 1") }
    let left = try lines()
    #expect(left <= 20)
    #expect(throws: ResultsError.historyLost) { try images(store, since: stamp) }
    #expect(controller.numberOfRows == 99)
    token.cancel()
  }

  @Test("several controllers and stores of one file show every commit, also a store opened later")
  func several() throws {
    let queue = try database.queue()
    try queue.write { try $0.execute(sql: Self.table) }
    var stores: [GRDBResultsStore<Item>] = []
    var controllers: [ResultsController<Item>] = []
    for round in 0..<4 {
      // The first two share a queue, the others have one each.
      let store = try GRDBResultsStore<Item>(
        round < 2 ? queue : database.queue(), table: "item")
      stores.append(store)
      for order in [SortValue.Order.ascending, .descending] {
        let controller = try ResultsController(
          request: ResultsRequest<Item>(sortKeys: [SortKey(\.name, order)]), store: store)
        try controller.observe { _ in }
        controllers.append(controller)
      }
      for (number, store) in stores.enumerated() {
        try store.write {
          try $0.execute(
            sql: "REPLACE INTO item (id, name) VALUES (?, ?)",
            arguments: [round * 3 + number, "\(round)"])
        }
      }
      for store in stores { try store.checkForChanges() }
      let names = try queue.read {
        try String.fetchAll($0, sql: "SELECT name FROM item ORDER BY name")
      }
      for (number, controller) in controllers.enumerated() {
        let shown = try controller.fetchedObjects()?.map { $0.name ?? "" }
        #expect(shown == (number % 2 == 0 ? names : names.reversed()))
      }
    }
  }

  @Test("a controller whose history another process pruned fetches again")
  func recovery() throws {
    let queue = try database.queue()
    try queue.write { try $0.execute(sql: Self.table) }
    let store = try GRDBResultsStore<Item>(queue, table: "item")
    let listener = Listener()
    let controller = try ResultsController(request: Self.request, store: store)
    controller.delegate = listener
    try controller.performFetch()
    try database.sqlite3(
      """
      INSERT INTO item (name) VALUES ('a'); DELETE FROM grdb_results_log_item;
      UPDATE grdb_results_table SET floor = (SELECT max(seq) FROM grdb_results_clock)
      """)
    try store.checkForChanges()
    #expect(listener.reloads == 1)
    #expect(try controller.object(at: RowPath(0, 0)).name == "a")
  }

  private final class Listener: ResultsErrorDelegate, ResultsDidChangeDelegate {
    typealias Row = Item
    var reloads = 0
    func controllerNeedsReload(_ controller: any ResultsList<Item>) { reloads += 1 }
    func controller(_ controller: any ResultsList<Item>, didFailWith error: any Error) {}
    func controllerDidChangeContent(_ controller: any ResultsList<Item>) {}
  }

  @Test("a new column, or a table made again, renews the log; the old history is lost")
  func migration() throws {
    let queue = try database.queue()
    try queue.write { try $0.execute(sql: Self.table) }
    let store = try GRDBResultsStore<Item>(queue, table: "item")
    let stamp = try store.read { try $0.stamp() }
    for (name, change) in [
      ("e", "ALTER TABLE item ADD COLUMN more TEXT"),
      (
        "f",
        """
        CREATE TABLE new (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO new SELECT id, name FROM item;
        DROP TABLE item; ALTER TABLE new RENAME TO item
        """
      ),
    ] {
      try database.sqlite3(change)
      #expect(throws: ResultsError.historyLost) { try images(store, since: stamp) }
      let now = try store.read { try $0.stamp() }
      try database.sqlite3("DELETE FROM item; INSERT INTO item (id, name) VALUES (9, '\(name)')")
      #expect(try images(store, since: now).last?.last?.hasSuffix(">\(name)") == true)
    }
    try queue.write { try GRDBResultsStore<Item>.removeLogs(from: $0) }
    #expect(
      try queue.read {
        try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'results%'")
      } == 0)
  }

  @Test("a table whose REPLACE cannot be followed, and one without a key, are refused")
  func refused() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT);
          CREATE UNIQUE INDEX lower ON item (lower(name));
          CREATE TABLE bare (id, name); CREATE VIEW view AS SELECT * FROM item;
          CREATE TABLE pair (id, name, PRIMARY KEY (id, name));
          CREATE TABLE folded (id TEXT COLLATE NOCASE PRIMARY KEY, name)
          """)
    }
    for table in ["item", "bare", "view", "pair", "folded", "missing"] {
      #expect(throws: GRDBResultsError.self, "\(table)") {
        _ = try GRDBResultsStore<Item>(queue, table: table)
      }
    }
  }

  @Test("a write on another thread wakes the owner, who then learns of it")
  func wakeUp() async throws {
    let pool = try database.pool()
    try await pool.write { try $0.execute(sql: Self.table) }
    let (wakes, continuation) = AsyncStream.makeStream(of: Void.self)
    let store = try GRDBResultsStore<Item>(pool, table: "item", checkEvery: .milliseconds(5)) {
      continuation.yield()
    }
    var told = 0
    let observation = store.observeCommits { told += 1 }
    var iterator = wakes.makeAsyncIterator()
    try await Task.detached {
      try await pool.write { try $0.execute(sql: "INSERT INTO item (name) VALUES ('a')") }
    }.value
    await iterator.next()
    #expect(try store.checkForChanges())
    #expect(try !store.checkForChanges())
    try database.python("INSERT INTO item (name) VALUES ('b')")
    await iterator.next()
    #expect(try store.checkForChanges())
    #expect(told == 2)
    observation.cancel()
  }
}
