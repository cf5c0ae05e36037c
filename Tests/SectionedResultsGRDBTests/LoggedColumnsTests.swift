import Foundation
import GRDB
import SectionedResults
import TestSupport
import Testing

@testable import SectionedResultsGRDB

/// The log contains the columns that rows are made of, and nothing else of a wide table.
@Suite("Logged columns")
struct LoggedColumnsTests {
  private struct Head: ResultsRow, FetchableRecord, Codable {
    typealias Filter = SQLCondition

    var id: Int64
    var title: String?
    var rank: SortValue
  }

  private struct Note: ResultsRow, FetchableRecord, Codable {
    var id: Int64
    var body: String?
  }

  private static let request = ResultsRequest<Head>(sortKeys: [SortKey(\.rank), SortKey(\.title)])
  private static let table = """
    CREATE TABLE note (id INTEGER PRIMARY KEY, title TEXT UNIQUE, body TEXT, rank);
    INSERT INTO note VALUES (1, 'a', 'long', 1), (2, 'b', 'long', 2), (3, 'c', 'long', 3);
    """
  private let database = TemporaryDatabase()

  private func heads(_ queue: DatabaseQueue) throws -> GRDBResultsStore<Head> {
    try GRDBResultsStore(queue, table: "note", select: "SELECT id, title, rank FROM note")
  }

  private func columns(_ queue: DatabaseQueue) throws -> [String] {
    try queue.read { db in
      try db.columns(in: "grdb_results_log_note").map(\.name).filter { !$0.hasPrefix("results_") }
    }
  }

  private func lines(_ queue: DatabaseQueue) throws -> Int {
    try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM grdb_results_log_note") ?? 0 }
  }

  private func images(
    _ store: GRDBResultsStore<Head>, since stamp: StoreStamp
  ) throws -> [[String]] {
    try store.read { try $0.commits(after: stamp, for: Self.request) }.map { commit in
      commit.changes.map {
        "\($0.id) \($0.before?.title ?? "-")\($0.before?.rank.description ?? "")"
          + ">\($0.after?.title ?? "-")\($0.after?.rank.description ?? "")"
      }
    }
  }

  @Test("a SELECT of some columns logs those, and no update of others")
  func narrow() throws {
    let queue = try database.queue()
    try queue.write { try $0.execute(sql: Self.table) }
    let store = try heads(queue)
    #expect(try columns(queue) == ["id", "title", "rank"])
    let start = try store.read { try $0.stamp() }
    try database.sqlite3("UPDATE note SET body = body || '!'")
    #expect(try lines(queue) == 0)
    #expect(try store.read { try $0.stamp() } == start)
    // 1 and 1.0 are equal, and are different sections.
    try database.sqlite3("UPDATE note SET rank = 1.0, body = 'x' WHERE id = 1")
    #expect(try lines(queue) == 1)
    let stamp = try store.read { try $0.stamp() }
    try database.sqlite3(
      """
      REPLACE INTO note VALUES (9, 'b', 'y', 7); UPDATE note SET title = NULL WHERE id = 3;
      DELETE FROM note WHERE id = 1
      """
    )
    #expect(
      try images(store, since: stamp) == [["1 a1.0>-", "2 b2>-", "3 c3>-3", "9 ->b7"]])
  }

  @Test("a store of more columns widens the log, which serves both from then on")
  func widened() throws {
    let queue = try database.queue()
    try queue.write { try $0.execute(sql: Self.table) }
    let store = try heads(queue)
    let controller = try ResultsController(request: Self.request, store: store)
    let token = try controller.observe { _ in }
    defer { token.cancel() }
    let notes = try GRDBResultsStore<Note>(queue, table: "note")
    #expect(try columns(queue) == ["id", "title", "body", "rank"])
    let list = try ResultsController(
      request: ResultsRequest<Note>(sortKeys: [SortKey(\.body)]), store: notes)
    var updates = 0
    let other = try list.observe { updates += $0.updates.count + $0.moves.count }
    defer { other.cancel() }
    try database.sqlite3(
      "UPDATE note SET body = 'z' WHERE id = 2; UPDATE note SET rank = 9 WHERE id = 1")
    try notes.checkForChanges()
    try store.checkForChanges()
    #expect(updates == 1)
    #expect(try controller.fetchedObjects()?.map(\.id) == [2, 3, 1])
    // A narrow store that is opened later leaves it wide.
    _ = try heads(queue)
    #expect(try columns(queue).count == 4)
  }

  @Test("random writes are followed by a narrow log as by a requery")
  func random() throws {
    var random = SeededGenerator(seed: SeededGenerator.runSeed)
    let queue = try database.queue()
    try queue.write { try $0.execute(sql: Self.table) }
    let store = try heads(queue)
    let controller = try ResultsController(request: Self.request, store: store)
    var shown = SectionedArray<Head>()
    let token = try controller.observe { change in try? shown.apply(change) }
    defer { token.cancel() }
    shown = try SectionedArray(controller)
    for _ in 0..<150 {
      let statements = (0..<1 + random.below(3)).map { _ in
        let id = random.below(9)
        let rank = "\(random.below(4))\(random.chance(0.3) ? ".0" : "")"
        let values = "(\(id), 't\(random.below(9))', 'b', \(rank))"
        return switch random.below(5) {
        case 0: "DELETE FROM note WHERE id = \(id)"
        case 1: "UPDATE OR REPLACE note SET id = \(random.below(9)), body = 'q' WHERE id = \(id)"
        case 2: "UPDATE OR IGNORE note SET title = 't\(random.below(9))' WHERE id = \(id)"
        case 3: "UPDATE note SET body = body || '.'"
        default: "REPLACE INTO note VALUES \(values)"
        }
      }
      try store.write { try $0.run(statements) }
      let expected = try queue.read {
        try Head.fetchAll(
          $0, sql: "SELECT id, title, rank FROM note ORDER BY rank, title COLLATE BINARY, id")
      }
      #expect(shown.sections.flatMap(\.rows) == expected, "\(statements)")
    }
  }

  @Test("dates are fields in the form that GRDB stores")
  func dates() {
    var random = SeededGenerator(seed: SeededGenerator.runSeed)
    for _ in 0..<2_000 {
      let seconds = Double(random.below(8_000_000_000)) - 4_000_000_000
      let date = Date(timeIntervalSince1970: seconds + Double(random.below(100_000)) / 100_000)
      #expect(date.sortValue == SortValue(databaseValue: date.databaseValue), "\(date)")
    }
  }
}
