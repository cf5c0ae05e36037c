import Foundation
import GRDB
import SectionedResults
import Testing

@testable import SectionedResultsGRDB

/// The names of the log's tables and triggers: GRDB's migrator does not see them, and files of earlier
/// versions open.
@Suite("The names of the change log")
struct LogNamesTests {
  private struct Item: ResultsRow, FetchableRecord, Codable {
    typealias Filter = SQLCondition

    var id: Int64
    var name: String?
  }

  private static let request = ResultsRequest<Item>(sortKeys: [SortKey(\.name)])

  private let database = TemporaryDatabase()

  private func images(
    _ store: GRDBResultsStore<Item>, since stamp: StoreStamp
  ) throws -> [[String]] {
    try store.read { try $0.commits(after: stamp, for: Self.request) }.map { commit in
      commit.changes.map { "\($0.id) \($0.before?.name ?? "-")>\($0.after?.name ?? "-")" }
    }
  }

  private func names(_ queue: DatabaseQueue) throws -> Set<String> {
    try queue.read { try String.fetchSet($0, sql: "SELECT name FROM sqlite_schema") }
  }

  @Test("a migrator that erases the database after changes of the schema erases nothing")
  func erasing() throws {
    var migrator = DatabaseMigrator()
    migrator.eraseDatabaseOnSchemaChange = true
    migrator.registerMigration("items") { db in
      try db.execute(sql: "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT UNIQUE)")
    }
    for start in 1...3 {
      let queue = try database.queue()
      #expect(try start == 1 || !queue.read(migrator.hasSchemaChanges))
      try migrator.migrate(queue)
      let store = try GRDBResultsStore<Item>(queue, table: "item")
      try store.write { try $0.execute(sql: "INSERT INTO item (name) VALUES (\(start))") }
      #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM item") } == start)
      #expect(try !queue.read(migrator.hasSchemaChanges))
    }
  }

  /// What an earlier version made for two tables, with changes since.
  private func former(_ queue: DatabaseQueue, _ prefix: String = "results_") throws {
    try queue.write { db in
      // The columns `results_seq` and `results_existed` had these names always.
      var sql = Self.formerSQL
      for name in ["clock", "table", "log", "item"] {
        sql = sql.replacingOccurrences(of: "results_\(name)", with: "\(prefix)\(name)")
      }
      try db.execute(sql: sql)
      try db.execute(
        sql: """
          INSERT INTO item VALUES (1, 'a'), (2, 'b');
          UPDATE item SET name = 'c' WHERE id = 2;
          INSERT INTO other VALUES (5);
          """)
    }
  }

  /// A table, its log and its triggers; `other` has a log whose triggers are not complete.
  private static let formerSQL = """
    CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE other (id INTEGER PRIMARY KEY);
    CREATE TABLE IF NOT EXISTS results_clock (
      id INTEGER PRIMARY KEY CHECK (id = 1), seq INTEGER NOT NULL);
    INSERT INTO results_clock (id, seq) SELECT 1, 1 WHERE NOT EXISTS (SELECT 1 FROM results_clock);
    CREATE TABLE IF NOT EXISTS results_table (
      name TEXT PRIMARY KEY NOT NULL, floor INTEGER NOT NULL);
    UPDATE results_clock SET seq = seq + 1;
    CREATE TABLE "results_log_item" (results_seq INTEGER NOT NULL, results_existed INTEGER NOT NULL, "id" INTEGER COLLATE BINARY, "name" TEXT COLLATE BINARY);
    CREATE INDEX "results_log_item_seq" ON "results_log_item" (results_seq);
    CREATE INDEX "results_log_item_key" ON "results_log_item" ("id", results_seq);
    CREATE TRIGGER "results_item_inserting" BEFORE INSERT ON "item" WHEN EXISTS (SELECT 1 FROM "item" WHERE (("item"."id" COLLATE BINARY = NEW."id")))
    BEGIN
      UPDATE results_clock SET seq = seq + 1;
      INSERT INTO "results_log_item" (results_seq, results_existed, "id", "name")
      SELECT (SELECT seq FROM results_clock), 1, "id", "name" FROM "item" WHERE (("item"."id" COLLATE BINARY = NEW."id"));
    END;
    CREATE TRIGGER "results_item_inserted" AFTER INSERT ON "item"
    BEGIN
      UPDATE results_clock SET seq = seq + 1;
      INSERT INTO "results_log_item" (results_seq, results_existed, "id")
      SELECT seq, 0, NEW."id" FROM results_clock;
    END;
    CREATE TRIGGER "results_item_updating" BEFORE UPDATE ON "item"
    BEGIN
      UPDATE results_clock SET seq = seq + 1;
      INSERT INTO "results_log_item" (results_seq, results_existed, "id", "name")
      SELECT seq, 1, OLD."id", OLD."name" FROM results_clock;
    END;
    CREATE TRIGGER "results_item_replacing" BEFORE UPDATE ON "item" WHEN (NEW."id" IS NOT OLD."id" COLLATE BINARY) AND EXISTS (SELECT 1 FROM "item" WHERE (("item"."id" COLLATE BINARY = NEW."id")) AND NOT ("item"."id" IS OLD."id"))
    BEGIN
      UPDATE results_clock SET seq = seq + 1;
      INSERT INTO "results_log_item" (results_seq, results_existed, "id", "name")
      SELECT (SELECT seq FROM results_clock), 1, "id", "name" FROM "item" WHERE (("item"."id" COLLATE BINARY = NEW."id")) AND NOT ("item"."id" IS OLD."id");
    END;
    CREATE TRIGGER "results_item_moved" AFTER UPDATE ON "item" WHEN NEW."id" IS NOT OLD."id"
    BEGIN
      UPDATE results_clock SET seq = seq + 1;
      INSERT INTO "results_log_item" (results_seq, results_existed, "id")
      SELECT seq, 0, NEW."id" FROM results_clock;
    END;
    CREATE TRIGGER "results_item_deleting" BEFORE DELETE ON "item"
    BEGIN
      UPDATE results_clock SET seq = seq + 1;
      INSERT INTO "results_log_item" (results_seq, results_existed, "id", "name")
      SELECT seq, 1, OLD."id", OLD."name" FROM results_clock;
    END;
    INSERT INTO results_table (name, floor) SELECT 'item', seq FROM results_clock;
    CREATE TABLE "results_log_other" (results_seq INTEGER NOT NULL, results_existed INTEGER NOT NULL, "id" INTEGER COLLATE BINARY);
    INSERT INTO results_table (name, floor) SELECT 'other', seq FROM results_clock;
    CREATE VIEW broken AS SELECT * FROM missing;
    """

  @Test(
    "a file with a log of an earlier version opens, and its log is made again",
    arguments: ["results_", "grdb_results_"])
  func converted(_ prefix: String) throws {
    let queue = try database.queue()
    try former(queue, prefix)
    let old = try queue.read { db in
      StoreStamp(
        sequence: try Int64.fetchOne(db, sql: "SELECT floor FROM \(prefix)table LIMIT 1") ?? 0)
    }
    let store = try GRDBResultsStore<Item>(queue, table: "item")
    #expect(try names(queue).allSatisfy { !$0.hasPrefix("results_") })
    // A stamp of its time has no token, so it could be that of a copy.
    #expect(throws: ResultsError.historyLost) { try images(store, since: old) }
    let stamp = try store.read { try $0.stamp() }
    try database.sqlite3("DELETE FROM item WHERE id = 1; REPLACE INTO item VALUES (2, 'd')")
    #expect(try images(store, since: stamp) == [["1 a>-", "2 c>d"]])
    // The log of another table is made when it is needed.
    #expect(try !names(queue).contains("grdb_results_log_other"))
    struct Other: ResultsRow, FetchableRecord, Codable {
      typealias Filter = SQLCondition
      var id: Int64
    }
    _ = try GRDBResultsStore<Other>(queue, table: "other")
    #expect(try names(queue).contains("grdb_results_log_other"))
    #expect(try images(store, since: stamp).flatMap(\.self) == ["1 a>-", "2 c>d"])
    try queue.write(GRDBResultsStore<Item>.removeLogs)
    #expect(try names(queue) == ["item", "other", "broken"])
  }

  @Test("a database that is open for reading only says that it must be opened for writing")
  func readOnly() throws {
    try former(try database.queue())
    var configuration = Configuration()
    configuration.readonly = true
    let reader = try DatabaseQueue(path: database.path, configuration: configuration)
    #expect(throws: GRDBResultsError.logNeedsWriting) {
      try GRDBResultsStore<Item>(reader, table: "item")
    }
    _ = try GRDBResultsStore<Item>(try database.queue(), table: "item")
    let store = try GRDBResultsStore<Item>(reader, table: "item")
    #expect(try store.read { try $0.stamp() } != StoreStamp(sequence: 0))
  }

  @Test("tables of an app that have the former names are left alone")
  func foreignNames() throws {
    let queue = try database.queue()
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT);
          CREATE TABLE results_table (name TEXT, points INTEGER);
          CREATE TABLE results_clock (seq INTEGER);
          INSERT INTO results_table VALUES ('item', 3);
          """)
    }
    _ = try GRDBResultsStore<Item>(queue, table: "item")
    try queue.write(GRDBResultsStore<Item>.removeLogs)
    #expect(try names(queue) == ["item", "results_table", "results_clock"])
    #expect(
      try queue.read { try Int.fetchOne($0, sql: "SELECT points FROM results_table") } == 3)
  }
}
