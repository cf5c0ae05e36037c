import Foundation
import GRDB
import SectionedResults
import SectionedResultsGRDB

/// Starred articles, and below them the unread ones by feed: one live list over one table.
@MainActor
final class Inbox {
  /// The key of the section of starred articles; no feed has it.
  static let starred = "*"

  let list: CompositeResults<Item>
  private let store: GRDBResultsStore<Item>
  private let wakes: AsyncStream<Void>

  /// Opens or makes the file.
  init(path: String) throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    let database = try DatabaseQueue(path: path, configuration: configuration)
    try database.write(Item.createTable)
    let (wakes, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.wakes = wakes
    store = try GRDBResultsStore(database, table: "item", checkEvery: .milliseconds(200)) {
      continuation.yield()
    }
    list = try CompositeResults(
      [
        .init(
          ResultsRequest(filter: .starred, sortKeys: [SortKey(\.published, .descending)]),
          keyPrefix: Self.starred, anchors: [""]),
        .init(
          ResultsRequest(
            filter: .unread, sortKeys: [SortKey(\.feed), SortKey(\.published, .descending)],
            sections: \.feed)),
      ], store: store)
  }

  /// Adds the articles that the inbox does not have.
  ///
  /// - Returns: their number.
  func add(_ items: [NewItem]) throws -> Int {
    try store.write { db in
      let before = try Item.fetchCount(db)
      for item in items { try item.insert(db) }
      return try Item.fetchCount(db) - before
    }
  }

  /// Changes the articles with these numbers; a number that does not exist is an error, and nothing
  /// changes.
  func update(_ ids: [Int64], _ change: (inout Item) -> Void) throws {
    try store.write { db in
      for id in ids {
        guard var item = try Item.filter(key: id).fetchOne(db) else {
          throw FeedParser.Failure(description: "there is no article \(id)")
        }
        change(&item)
        try item.update(db)
      }
    }
  }

  /// Follows the changes of every program until the task is cancelled.
  func follow() async throws {
    for await _ in wakes { try store.checkForChanges() }
  }
}
