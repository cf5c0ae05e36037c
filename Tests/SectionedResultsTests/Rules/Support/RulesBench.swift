import ResultsTestSupport
import SectionedResults

/// A row of the rules' tests.
func row(
  _ id: Int, _ section: String = "", _ key: Int = 0, value: Int = 0, hidden: Bool = false
) -> VectorRow {
  VectorRow(
    id: .integer(Int64(id)), section: section, key: .integer(Int64(key)),
    value: .integer(Int64(value)), isHidden: hidden)
}

/// Rows in a store, and a controller that shows them to a listener.
final class RulesBench<Delegate: Listener> {
  typealias Options = VectorOptions

  let store: SpyStore
  let controller: ResultsController<VectorRow>
  let listener: Delegate

  /// Makes a bench that has fetched.
  init(
    _ rows: [VectorRow], _ kind: StoreKind = .memory, request: ResultsRequest<VectorRow>,
    listener: Delegate, cacheName: String? = nil, caches: ResultsCaches? = nil
  ) throws {
    let memory = MemoryResultsStore(rows: rows) { row, _ in !row.isHidden }
    store = SpyStore(memory, kind)
    self.listener = listener
    controller = try ResultsController(
      request: request, store: store, cacheName: cacheName, caches: caches)
    controller.delegate = listener
    try controller.performFetch()
  }

  /// Makes a bench with sections, or with the options given.
  convenience init(
    _ rows: [VectorRow], _ kind: StoreKind = .memory, options: VectorOptions = VectorOptions(),
    listener: Delegate
  ) throws {
    try self.init(rows, kind, request: options.request, listener: listener)
  }

  func write(_ body: (inout MemoryResultsStore<VectorRow>.Transaction) -> Void) {
    store.memory.write(body)
  }

  /// One transaction that puts these rows.
  func put(_ rows: VectorRow...) {
    write { for row in rows { $0.put(row) } }
  }

  /// One transaction that deletes these rows.
  func delete(_ ids: Int...) {
    write { for id in ids { $0.delete(.integer(Int64(id))) } }
  }

  /// The rows of a new controller that has fetched the same request.
  func fresh() throws -> [[VectorRow]] {
    let fresh = try ResultsController(request: controller.request, store: store.memory)
    try fresh.performFetch()
    return try fresh.shown()
  }
}

extension ResultsController where Row == VectorRow {
  /// The rows shown, section by section.
  func shown() throws -> [[VectorRow]] {
    try (0..<numberOfSections).map(objects(inSection:))
  }

  /// The numbers of the rows shown, section by section.
  func numbers() throws -> [[Int]] {
    try shown().map { $0.map(\.number) }
  }

  /// The sections and rows shown, as the slow comparison wants them.
  func contents() throws -> ReferenceDiff<VectorRow>.Shown {
    Array(zip(sectionKeys, try shown())).map { (key: $0.0, rows: $0.1) }
  }

  /// The path of the row with a number.
  func path(_ number: Int) throws -> RowPath? {
    try indexPath(for: .integer(Int64(number)))
  }
}

extension VectorRow {
  /// The number that the row's identity was made from.
  var number: Int {
    guard case .integer(let number) = id else { return -1 }
    return Int(number)
  }
}

extension VectorOptions {
  /// One list without sections.
  static var flat: VectorOptions {
    var options = VectorOptions()
    options.isSectioned = false
    return options
  }

  /// One list without sections, of which a part is shown.
  static func flat(offset: Int = 0, limit: Int?) -> VectorOptions {
    var options = flat
    options.offset = offset
    options.limit = limit
    return options
  }
}

/// A request whose sort does not know the sections, so that they can be split.
let splittable = ResultsRequest<VectorRow>(
  filter: .visible, sortKeys: [SortKey(.key)], sectionField: .section)

extension ResultsChange where Row == VectorRow {
  /// The changes of one transaction on a bench; `nil` without a callback.
  init?<Delegate>(
    _ bench: RulesBench<Delegate>,
    _ body: (inout MemoryResultsStore<VectorRow>.Transaction) -> Void
  ) throws {
    var changes: [ResultsChange<VectorRow>] = []
    let token = try bench.controller.observe { changes.append($0) }
    bench.write(body)
    token.cancel()
    guard let change = changes.first else { return nil }
    self = change
  }
}
