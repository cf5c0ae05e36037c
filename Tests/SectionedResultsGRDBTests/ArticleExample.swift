// example:begin
import Foundation
import GRDB
import SectionedResults
import SectionedResultsGRDB

struct Item: ResultsRow, Codable, FetchableRecord {
  var id: Int64
  var feed: String
  var published: Date
}

final class Inbox {
  let store: GRDBResultsStore<Item>
  let controller: ResultsController<Item>
  private(set) var log: [String] = []

  init(_ database: DatabaseQueue) throws {
    store = try GRDBResultsStore(database, table: "item")
    controller = try ResultsController(
      request: ResultsRequest(
        sortKeys: [SortKey(\.feed), SortKey(\.published, .descending)], sections: \.feed),
      store: store)
    try controller.observe { [unowned self] change in
      log += change.rows.map { "\($0.kind)" }
    }
  }
}
// example:end
