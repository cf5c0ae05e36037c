// The example of the article of SectionedResultsFoundation, which the tests run.

// json:begin
import Foundation
import SectionedResults
import SectionedResultsFoundation

struct Purchase: ResultsRow, Codable {
  var id: UUID
  var shop: String
  var bought: Date
}

final class ShoppingList: ResultsBatchDelegate, ResultsErrorDelegate {
  typealias Row = Purchase

  private let purchases: any EditableResultsStore<Purchase, Purchase>
  private let controller: ResultsController<Purchase>
  private(set) var list = SectionedList()

  /// - Parameter purchases: a JSON file, an array in memory, or a table of SQLite.
  init(_ purchases: any EditableResultsStore<Purchase, Purchase>) throws {
    self.purchases = purchases
    controller = try ResultsController(
      request: ResultsRequest(
        sortKeys: [SortKey(\.shop), SortKey(\.bought, .descending)], sections: \.shop),
      store: purchases)
    controller.delegate = self
    try controller.performFetch()
    list.reload(from: controller)
  }

  func add(_ shop: String, at date: Date) throws {
    try purchases.insert(Purchase(id: UUID(), shop: shop, bought: date))
  }

  func delete(_ path: IndexPath) throws {
    guard let path = RowPath(path) else { return }
    try purchases.delete(controller.identity(at: path))
  }

  func controller(
    _ controller: any ResultsList<Purchase>, didChangeContentWith batch: ResultsBatch
  ) throws {
    try list.apply(batch)
  }

  func controller(_ controller: any ResultsList<Purchase>, didFailWith error: any Error) {}

  func controllerNeedsReload(_ controller: any ResultsList<Purchase>) {
    list.reload(from: controller)
  }
}
// json:end
