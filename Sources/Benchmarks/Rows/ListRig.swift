import Journal
import JournalStore
import SectionedResults

/// A journal with a results controller over it and a list that follows, as on the screen, and the
/// times at which commits had returned and the list was up to date.
///
/// A store tells its observers one after the other when the COMMIT has returned: the first one reads
/// the clock, the second is the controller, which tells the list, the third reads the clock again, for changes that the list does not show.
final class ListRig: ResultsBatchDelegate, ResultsErrorDelegate {
  typealias Row = EntryRow

  let store: SQLiteEntryStore
  private let controller: ResultsController<EntryRow>
  private(set) var list = SectionedList()
  private(set) var batches = 0
  private var failure: (any Error)?
  private var observations: [CommitObservation] = []
  private var committed: UInt64 = 0
  private var applied: UInt64 = 0
  private var looked: UInt64 = 0

  /// Opens a journal and shows a request.
  init(_ path: String, _ request: EntryRequest = .entries()) throws {
    let store = try SQLiteEntryStore.open(path, mode: .readWrite)
    self.store = store
    controller = try ResultsController(request: request, store: store)
    observations.append(store.observeCommits { [weak self] in self?.committed = Monotonic.now() })
    try controller.setDelegate(self)
    try controller.performFetch()
    observations.append(store.observeCommits { [weak self] in self?.looked = Monotonic.now() })
    list = SectionedList(height: 21)
    reload()
  }

  /// The number of rows the list shows.
  var rowCount: Int { list.rowCount }

  func controller(
    _ controller: ResultsController<EntryRow>, didChangeContentWith batch: ResultsBatch
  ) throws {
    try list.apply(batch) { controller.sectionKey(at: $0) }
    applied = Monotonic.now()
    batches += 1
  }

  func controller(_ controller: ResultsController<EntryRow>, didFailWith error: any Error) {
    failure = error
  }

  func controllerNeedsReload(_ controller: ResultsController<EntryRow>) {
    reload()
  }

  private func reload() {
    let sections = zip(controller.sectionKeys, controller.sectionCounts)
      .map { ListSection(key: $0, count: $1) }
    list.reload(sections: sections, generation: controller.generation)
  }

  /// Runs a change.
  ///
  /// - Returns: how long after its commit the list showed it, in milliseconds.
  /// - Throws: what the change or the delivery threw; a measurement of a failure is worth nothing.
  func delay(of change: (SQLiteEntryStore) throws -> Void) throws -> Double {
    committed = 0
    applied = 0
    looked = 0
    try change(store)
    if let failure { throw failure }
    guard committed > 0, looked >= committed else {
      throw BenchError("a measured change committed nothing")
    }
    return Monotonic.milliseconds(from: committed, to: applied > 0 ? applied : looked)
  }
}
