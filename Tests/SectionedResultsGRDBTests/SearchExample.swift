// The examples of the article on searches. A test checks that the article contains the lines between the
// markers unchanged.

import GRDB
import SectionedResults
import SectionedResultsGRDB

// search:begin
struct Message: ResultsRow, Codable, FetchableRecord {
  typealias Filter = SQLCondition

  var id: Int64
  var day: String
  var subject: String
  var body: String

  static func migrate(_ db: Database) throws {
    try db.create(table: "message") { table in
      table.autoIncrementedPrimaryKey("id")
      table.column("day", .text).notNull()
      table.column("subject", .text).notNull()
      table.column("body", .text).notNull()
    }
    try db.create(index: "message_day", on: "message", columns: ["day", "id"])
    try db.create(virtualTable: "message_text", using: FTS5()) { table in
      table.synchronize(withTable: "message")
      table.tokenizer = .porter()
      table.column("subject")
      table.column("body")
    }
  }

  static func request(_ pattern: FTS5Pattern?) -> ResultsRequest<Message> {
    ResultsRequest(
      filter: pattern.map { .matching("message_text", $0) },
      sortKeys: [SortKey(\.day, .descending), SortKey(\.id)], sections: \.day)
  }
}

/// The messages that match what the user types, in sections by day.
final class MessageSearch {
  let store: GRDBResultsStore<Message>
  let controller: ResultsController<Message>

  init(_ database: any DatabaseWriter) throws {
    store = try GRDBResultsStore(
      database, table: "message", fullText: [FullTextTable("message_text")])
    controller = try ResultsController(request: Message.request(nil), store: store)
    try controller.performFetch()
  }

  func search(_ text: String) throws {
    try controller.setRequest(Message.request(FTS5Pattern(matchingAllPrefixesIn: text)))
    try controller.performFetch(notifyingChanges: true)
  }
}
// search:end

// ranked:begin
/// The best matches first, as they were ranked when the user searched.
final class BestMatches: ResultsContentDelegate {
  typealias Row = Message

  private let controller: ResultsController<Message>
  private var source = SnapshotSource<Int64>()
  private(set) var list = SectionedList()

  init(_ pattern: FTS5Pattern, _ store: GRDBResultsStore<Message>) throws {
    controller = try ResultsController(request: Message.request(pattern), store: store)
    controller.delegate = self
    try controller.performFetch()
    var ranked = SectionedSnapshot<Int64>()
    try ranked.appendSections(["best"])
    try ranked.appendRows(store.ranked(controller.request), toSection: "best")
    try show(ranked)
  }

  var identities: [Int64] { source.snapshot.sections[0].rows }

  func controller(
    _ controller: any ResultsList<Message>, didChangeContentWith change: ResultsChange<Message>
  ) throws {
    var next = source.snapshot
    for change in change.rows {
      switch change.kind {
      case .insert: try next.appendRows([change.row.id], toSection: "best")
      case .delete: try next.deleteRows([change.row.id])
      case .move, .update: try next.reloadRows([change.row.id])
      }
    }
    try show(next)
  }

  private func show(_ snapshot: SectionedSnapshot<Int64>) throws {
    if let batch = source.apply(snapshot) { try list.apply(batch) }
  }
}
// ranked:end
