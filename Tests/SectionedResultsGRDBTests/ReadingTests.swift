import Foundation
import GRDB
import SectionedResults
import SectionedResultsGRDB
import Testing

/// How a store reads a `DatabaseQueue`.
struct ReadingTests {
  private struct Item: ResultsRow, FetchableRecord, Codable {
    var id: Int64
    var name: String
  }

  /// `@unchecked`, because a queue calls it on one thread at a time.
  private final class Events: TransactionObserver, @unchecked Sendable {
    var statements: [String] = []
    var commits = 0

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ db: Database) { commits += 1 }
    func databaseDidRollback(_ db: Database) { commits += 1 }
  }

  @Test("a read neither expires the cached statements nor counts as a transaction for observers")
  func readsLeaveNoTrace() throws {
    let database = TemporaryDatabase()
    let queue = try database.queue()
    try queue.write {
      try $0.execute(sql: "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
    }
    let store = try GRDBResultsStore<Item>(queue, table: "item")
    let controller = try ResultsController(
      request: ResultsRequest<Item>(sortKeys: [SortKey(\.name)]), store: store)
    var batches = 0
    try controller.observe { _ in batches += 1 }
    let events = Events()
    queue.add(transactionObserver: events)
    queue.inDatabase { db in db.trace { events.statements.append("\($0)") } }
    try store.write { try $0.execute(sql: "INSERT INTO item VALUES (1, 'a')") }
    #expect(try controller.fetchedObjects()?.map(\.name) == ["a"])
    #expect(try !store.checkForChanges())
    #expect(batches == 1)
    #expect(events.commits == 1)
    #expect(!events.statements.isEmpty)
    #expect(!events.statements.contains { $0.lowercased().contains("query_only") })
  }

  @Test("a store read inside its own write is an error of a queue, and read by a pool")
  func readInsideWrite() throws {
    let database = TemporaryDatabase()
    let table = "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL)"
    let queue = try database.queue(table)
    let store = try GRDBResultsStore<Item>(queue, table: "item")
    #expect(throws: GRDBResultsError.readInsideWrite) {
      try store.write { db in
        try db.execute(sql: "INSERT INTO item VALUES (1, 'a')")
        _ = try store.read { try $0.stamp() }
      }
    }
    let request = ResultsRequest<Item>(sortKeys: [SortKey(\.name)])
    #expect(try store.read { try $0.outline(of: request) }.isEmpty)
    try store.write { try $0.execute(sql: "INSERT INTO item VALUES (1, 'a')") }
    #expect(try store.read { try $0.outline(of: request) }.map(\.count) == [1])
  }

  @Test("names with quotes, extreme settings and extreme stamps", arguments: [Int64.max, 0, -5])
  func extremes(_ kept: Int64) throws {
    let database = TemporaryDatabase()
    let queue = try database.queue(
      #"CREATE TABLE "my ""items""" (id INTEGER PRIMARY KEY, name TEXT, "a""b" INT)"#)
    let store = try GRDBResultsStore<Item>(queue, table: #"my "items""#)
    store.keptChanges = kept
    let controller = try ResultsController(
      request: ResultsRequest<Item>(sortKeys: [SortKey(\.name)]), store: store)
    let token = try controller.observe { _ in }
    for number in 1...3 {
      try store.write {
        try $0.execute(sql: #"INSERT INTO "my ""items""" VALUES (\#(number), 'a', 1)"#)
      }
    }
    #expect(try controller.fetchedObjects()?.map(\.id) == [1, 2, 3])
    for sequence in [Int64.min, -1, 99, .max] {
      #expect(throws: ResultsError.historyLost) {
        try controller.performFetch(resumingFrom: StoreStamp(sequence: sequence))
      }
    }
    token.cancel()
  }

  @Test("a read that throws ends its transaction")
  func failedRead() throws {
    let database = TemporaryDatabase()
    let queue = try database.queue("PRAGMA journal_mode = WAL")
    try queue.write {
      try $0.execute(sql: "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
    }
    let store = try GRDBResultsStore<Item>(queue, table: "item")
    #expect(throws: CocoaError.self) {
      try store.read { snapshot in
        _ = try snapshot.stamp()
        throw CocoaError(.fileNoSuchFile)
      }
    }
    #expect(queue.inDatabase { !$0.isInsideTransaction })
    try store.write { try $0.execute(sql: "INSERT INTO item VALUES (1, 'a')") }
    #expect(try store.checkForChanges() == false)
  }
}
