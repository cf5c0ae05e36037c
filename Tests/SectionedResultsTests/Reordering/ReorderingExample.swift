// The example of the article on reordering. A test checks that the article contains the lines between the
// markers unchanged.

import SectionedResults

// reordering:begin
struct ToDo: ResultsRow {
  var id: Int
  var rank: Double
  var title: String
}

final class ToDoScreen: ResultsBatchDelegate, ResultsErrorDelegate {
  typealias Row = ToDo

  private let store: MemoryResultsStore<ToDo>
  let controller: ResultsController<ToDo>
  private(set) var list = SectionedList()

  init(store: MemoryResultsStore<ToDo>) throws {
    self.store = store
    controller = try ResultsController(
      request: ResultsRequest(sortKeys: [SortKey(\.rank)]), store: store)
    controller.delegate = self
    try controller.performFetch()
    list.reload(from: controller)
  }

  /// The user has dropped a row.
  func userMoved(from: RowPath, to target: RowPath) throws {
    var rows = try controller.objects(inSection: 0)
    rows.remove(at: from.row)
    let above = target.row > 0 ? rows[target.row - 1].rank : nil
    let below = target.row < rows.count ? rows[target.row].rank : nil
    let rank = ((above ?? (below ?? 0) - 2) + (below ?? (above ?? 0) + 2)) / 2
    try list.reorderRow(at: from, to: target)
    try controller.performUserReordering(moving: from, to: target) { task in
      store.write { $0.put(ToDo(id: task.id, rank: rank, title: task.title)) }
    }
  }

  func controller(
    _ controller: any ResultsList<ToDo>, didChangeContentWith batch: ResultsBatch
  ) throws {
    try list.apply(batch)
  }

  func controller(_ controller: any ResultsList<ToDo>, didFailWith error: any Error) {}

  func controllerNeedsReload(_ controller: any ResultsList<ToDo>) {
    list.reload(from: controller)
  }
}
// reordering:end
