import Foundation
import GRDB
import SectionedResults
import SectionedResultsGRDB
import Testing

/// Caches and open lists over a file that somebody replaced by an older copy of itself.
///
/// The copy then got as many changes as the file had, of rows with the same identities, so that numbers and
/// log lines agree.
@Suite("Restored files")
struct RestoredFileTests {
  private struct Item: ResultsRow, Codable, FetchableRecord {
    var id: Int64
    var feed: String
  }

  /// How a file is restored.
  enum Restoring: CaseIterable {
    /// The bytes are copied into the file.
    case overwritten
    /// Another file gets its name.
    case renamed
  }

  private let database = TemporaryDatabase()
  private let request = ResultsRequest<Item>(sortKeys: [SortKey(\.feed)], sections: \.feed)
  private var directory: URL { URL(filePath: database.path).deletingLastPathComponent() }
  private var backup: String { directory.appending(path: "backup").path }

  init() throws {
    try database.queue().write { db in
      try db.execute(
        sql: """
          CREATE TABLE item (id INTEGER PRIMARY KEY, feed TEXT NOT NULL);
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900)
          INSERT INTO item SELECT i, 'feed ' || (i % 9) FROM n;
          """)
    }
  }

  private func shell(_ script: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-ec", script]
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }

  private func saveBackup() throws { try shell("cp '\(database.path)' '\(backup)'") }

  private func restore(_ restoring: Restoring) throws {
    switch restoring {
    case .overwritten: try shell("cp '\(backup)' '\(database.path)'")
    case .renamed: try shell("cp '\(backup)' '\(backup).2'; mv '\(backup).2' '\(database.path)'")
    }
  }

  private func inserts(_ count: Int, into feed: String) -> String {
    (0..<count).map { "INSERT INTO item VALUES (\(1_000 + $0), '\(feed)')" }
      .joined(separator: "; ")
  }

  /// A start of a program with a cache; the counts that it shows.
  private func start() throws -> [String: Int] {
    let store = try GRDBResultsStore<Item>(database.queue(), table: "item")
    let caches = ResultsCaches(
      storage: FileOutlineCache(directory: directory.appending(path: "caches")))
    let controller = try ResultsController(
      request: request, store: store, cacheName: "list", caches: caches)
    let token = try controller.observe { _ in }
    defer { withExtendedLifetime(token) {} }
    return counts(controller)
  }

  private func counts(_ controller: ResultsController<Item>) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: zip(controller.sectionKeys, controller.sectionCounts))
  }

  private func truth() throws -> [String: Int] {
    try database.queue().read { db in
      let rows = try GRDB.Row.fetchAll(
        db, sql: "SELECT feed, count(*) AS number FROM item GROUP BY feed")
      return Dictionary(uniqueKeysWithValues: rows.map { ($0["feed"], $0["number"]) })
    }
  }

  @Test(
    "a cache is not believed over a restored file with as many changes, or more",
    arguments: Restoring.allCases, [7, 10, 13])
  func cache(_ restoring: Restoring, _ changes: Int) throws {
    _ = try start()
    try saveBackup()
    try database.sqlite3(inserts(10, into: "feed 1"))
    #expect(try start() == truth())
    try restore(restoring)
    try database.sqlite3(inserts(changes, into: "feed 2"))
    let shown = try start()
    let expected = try truth()
    #expect(shown == expected && shown["feed 2"] == 100 + changes)
  }

  @Test(
    "an open list over a file that was overwritten fetches again", arguments: [0, 7, 10, 13])
  func openList(_ changes: Int) throws {
    let store = try GRDBResultsStore<Item>(database.queue(), table: "item")
    try saveBackup()
    let controller = try ResultsController(request: request, store: store)
    let listener = Listener()
    controller.delegate = listener
    try controller.performFetch()
    for number in 0..<10 {
      try store.write {
        try $0.execute(sql: "INSERT INTO item VALUES (\(1_000 + number), 'feed 1')")
      }
    }
    #expect(listener.changes == 10)
    try restore(.overwritten)
    // One transaction: SQLite's own counter of transactions must differ, or it keeps the pages in memory.
    if changes > 0 {
      try database.sqlite3("BEGIN; \(inserts(changes, into: "feed 2")); COMMIT")
    }
    #expect(try store.checkForChanges())
    #expect(listener.reloads == 1)
    #expect(counts(controller) == (try truth()))
    #expect(try controller.fetchedObjects()?.count == 900 + changes)
    // And it goes on.
    try store.write { try $0.execute(sql: "DELETE FROM item WHERE id = 1") }
    #expect(listener.changes == 11 && listener.reloads == 1)
    #expect(counts(controller) == (try truth()))
  }

  private final class Listener: ResultsErrorDelegate, ResultsDidChangeDelegate {
    typealias Row = Item
    var changes = 0
    var reloads = 0
    func controllerDidChangeContent(_ controller: any ResultsList<Item>) { changes += 1 }
    func controller(_ controller: any ResultsList<Item>, didFailWith error: any Error) {}
    func controllerNeedsReload(_ controller: any ResultsList<Item>) { reloads += 1 }
  }

  @Test("an open list over a file that another one took the name of says so")
  func renamed() throws {
    let store = try GRDBResultsStore<Item>(database.queue(), table: "item")
    try saveBackup()
    #expect(try !store.checkForChanges())
    try restore(.renamed)
    #expect(reason { try store.checkForChanges() }.contains("was replaced"))
  }
}
