import SectionedResults

// The example of the article for users of NSFetchedResultsController, which the tests run.

// shared:begin
struct Person: ResultsRow {
  var id: Int
  var name: String
}

struct Car: ResultsRow {
  var id: Int
  var owner: String
  var model: String
}

/// A screen with two lists, whose rows are of different types.
final class Garage: SharedResultsRowDelegate {
  let people: ResultsController<Person>
  let cars: ResultsController<Car>
  private(set) var lists = [SectionedList(), SectionedList()]

  init(people: any ResultsStore<Person>, cars: any ResultsStore<Car>) throws {
    self.people = try ResultsController(
      request: ResultsRequest(sortKeys: [SortKey(\.name)]), store: people)
    self.cars = try ResultsController(
      request: ResultsRequest(sortKeys: [SortKey(\.owner), SortKey(\.model)], sections: \.owner),
      store: cars)
    self.people.sharedDelegate = self
    self.cars.sharedDelegate = self
    try self.people.performFetch()
    try self.cars.performFetch()
    lists[0].reload(from: self.people)
    lists[1].reload(from: self.cars)
  }

  /// The list of a controller.
  private func list(of controller: AnyObject) -> Int { controller === people ? 0 : 1 }

  func controllerWillChangeContent<Row: ResultsRow>(_ controller: any ResultsList<Row>) {
    lists[list(of: controller)].beginUpdates()
  }

  func controller<Row: ResultsRow>(
    _ controller: any ResultsList<Row>, didChangeSection change: ResultsBatch.SectionChange
  ) throws {
    let list = list(of: controller)
    switch change {
    case .insert(let section): try lists[list].insertSections([section])
    case .delete(let section): try lists[list].deleteSections([section])
    }
  }

  func controller<Row: ResultsRow>(
    _ controller: any ResultsList<Row>, didChangeRow change: ResultsRowChange<Row>
  ) throws {
    let list = list(of: controller)
    switch change.kind {
    case .insert(let new): try lists[list].insertRows([new])
    case .delete(let old): try lists[list].deleteRows([old])
    case .update(let old, _): try lists[list].reloadRows([old])
    case .move(let old, let new): try lists[list].moveRow(at: old, to: new)
    }
  }

  func controllerDidChangeContent<Row: ResultsRow>(_ controller: any ResultsList<Row>) throws {
    try lists[list(of: controller)].endUpdates(
      counts: controller.sectionCounts, generation: controller.generation
    ) { controller.sectionKeys[$0] }
  }

  func controller<Row: ResultsRow>(
    _ controller: any ResultsList<Row>, didFailWith error: any Error
  ) {}

  func controllerNeedsReload<Row: ResultsRow>(_ controller: any ResultsList<Row>) {
    lists[list(of: controller)].reload(from: controller)
  }
}
// shared:end
