import Foundation
import GRDB
import SectionedResults
import SectionedResultsGRDB
import SectionedResultsTesting
import Testing

/// The public check of stores, over a table.
@Suite("GRDB conforms")
struct GRDBConformanceTests {
  private struct Note: ResultsRow, Codable, FetchableRecord, PersistableRecord {
    typealias Filter = SQLCondition
    static let databaseTableName = "note"

    var id: Int64
    var place: String
    var rank: Double?
    var isHidden: Bool
  }

  enum Writer: CaseIterable {
    /// The store.
    case own
    /// The store, with edits.
    case edits
    /// Another connection, with `REPLACE`.
    case foreign
  }

  @Test("a table's store answers as the model does, whoever writes", arguments: Writer.allCases)
  func table(_ writer: Writer) throws {
    let directory = FileManager.default.temporaryDirectory
      .appending(path: "conformance-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let path = directory.appending(path: "db.sqlite").path
    let queue = try DatabaseQueue(path: path)
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE note (
            id INTEGER PRIMARY KEY, place TEXT NOT NULL, rank REAL, isHidden BOOLEAN NOT NULL)
          """)
    }
    let store = try GRDBResultsStore<Note>(queue, table: "note")
    let other = try DatabaseQueue(path: path)
    var conformance = StoreConformance<Note>(
      requests: [
        ResultsRequest(
          filter: "NOT isHidden", sortKeys: [SortKey(\.place), SortKey(\.rank, .descending)],
          sections: \.place, aggregating: [ResultsField(\.rank)]),
        ResultsRequest(sortKeys: [SortKey(\.rank)], limit: 6, offset: 1),
      ], matches: { note, _ in !note.isHidden },
      randomRow: { random in
        Note(
          id: .random(in: 1..<20, using: &random),
          place: ["a", "é", "e\u{301}", "日"].randomElement(using: &random) ?? "",
          rank: [nil, -0.5, 0, 1.25].randomElement(using: &random) ?? nil,
          isHidden: Int.random(in: 0..<4, using: &random) == 0)
      })
    conformance.transactions = 120
    if writer == .edits { return try conformance.checkEdits(store) }
    try conformance.check(store) { writes in
      switch writer {
      case .edits: break
      case .own: try store.write { try Self.apply(writes, $0) }
      case .foreign:
        try other.write { try Self.apply(writes, $0) }
        try store.checkForChanges()
      }
    }
  }

  private static func apply(
    _ writes: [StoreConformance<Note>.Write], _ db: Database
  ) throws {
    for write in writes {
      switch write {
      case .put(let note): try note.insert(db, onConflict: .replace)
      case .delete(let id): _ = try Note.deleteOne(db, key: id)
      }
    }
  }
}
