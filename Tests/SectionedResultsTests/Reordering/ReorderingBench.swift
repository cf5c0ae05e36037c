import ResultsTestSupport
import SectionedResults

/// A list and plain arrays that the user reorders, and that apply every batch they are told.
final class ReorderedLists: ErrorListener, ResultsBatchDelegate, ResultsContentDelegate {
  private(set) var list = SectionedList()
  private(set) var array: SectionedArray<VectorRow>
  private(set) var changes: [ResultsChange<VectorRow>] = []
  /// The sections and rows as the user left them.
  private(set) var before: ReferenceDiff<VectorRow>.Shown?

  init(_ controller: Controller) throws {
    array = try SectionedArray(controller)
    super.init()
    list = SectionedList(controller)
  }

  func controller(_ controller: List, didChangeContentWith batch: ResultsBatch) throws {
    try note(.batch(BatchLists(batch)), controller)
    try list.apply(batch)
  }

  func controller(
    _ controller: List, didChangeContentWith change: ResultsChange<VectorRow>
  ) throws {
    changes.append(change)
    try array.apply(change)
  }

  /// Shows what the user has done.
  func reorder(_ from: RowPath, _ target: RowPath) throws {
    try list.reorderRow(at: from, to: target)
    try array.reorderRow(at: from, to: target)
    before = shown
  }

  /// Reads everything again, also the row that was moved, and forgets the changes.
  func redraw(_ controller: Controller) throws {
    array = try SectionedArray(controller)
    changes = []
  }

  /// The sections and rows shown.
  var shown: ReferenceDiff<VectorRow>.Shown { array.sections.map { ($0.key, $0.rows) } }
}

/// A store, a controller and the lists of its delegate.
struct ReorderingBench {
  let store: SpyStore
  let controller: ResultsController<VectorRow>
  let lists: ReorderedLists
  /// What a closure is told.
  private(set) var told: Told

  final class Told {
    var changes: [ResultsChange<VectorRow>] = []
  }

  init(
    _ rows: [VectorRow], _ kind: StoreKind = .memory, options: VectorOptions = VectorOptions()
  ) throws {
    store = SpyStore(MemoryResultsStore(rows: rows) { row, _ in !row.isHidden }, kind)
    controller = try ResultsController(request: options.request, store: store)
    let told = Told()
    self.told = told
    try controller.observe { told.changes.append($0) }
    lists = try ReorderedLists(controller)
    controller.delegate = lists
  }

  /// The user drags a row, and the program writes.
  func drag(
    _ from: RowPath, to target: RowPath, write: (VectorRow) throws -> Void
  ) throws {
    try lists.reorder(from, target)
    try controller.performUserReordering(moving: from, to: target, write: write)
  }

  /// Writes rows in one transaction.
  func put(_ rows: VectorRow...) {
    store.memory.write { for row in rows { $0.put(row) } }
  }

  /// The numbers of the rows in the delegate's arrays, section by section.
  var numbers: [[Int]] { lists.array.sections.map { $0.rows.map(\.number) } }

  /// Whether the delegate's list and arrays show the sections and rows of the controller.
  func showsTheSame() throws -> Bool {
    try lists.list.generation == controller.generation
      && lists.array.generation == controller.generation
      && lists.list.sections.map(\.key) == controller.sectionKeys
      && lists.list.sections.map(\.count) == controller.sectionCounts
      && lists.array.sections.map(\.key) == controller.sectionKeys
      && numbers == controller.numbers()
  }
}
