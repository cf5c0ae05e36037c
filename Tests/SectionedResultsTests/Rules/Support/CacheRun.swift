import ResultsTestSupport
import SectionedResults

/// A store with caches, in which controllers with the same cache name follow one another.
final class CacheRun {
  /// The reads of a start, and the sections that it found.
  struct Start: Equatable {
    var outlines: Int
    var keys: Int
    var rows: Int
    var sections: [Int]
  }

  let store: SpyStore
  let caches: ResultsCaches

  init(
    _ rows: [VectorRow], _ kind: StoreKind = .memory, storage: MemoryOutlineCache = .init()
  ) {
    store = SpyStore(MemoryResultsStore(rows: rows) { row, _ in !row.isHidden }, kind)
    caches = ResultsCaches(storage: storage)
  }

  /// Makes a controller that fetches and goes.
  func start(
    _ request: ResultsRequest<VectorRow> = VectorOptions().request, name: String = "list"
  ) throws -> Start {
    try withController(request, name: name) { controller in
      Start(
        outlines: store.counts[.outline] ?? 0, keys: store.counts[.keys] ?? 0,
        rows: store.counts[.rows] ?? 0, sections: controller.sectionCounts)
    }
  }

  /// Makes a controller that has fetched and follows commits as long as `body` runs.
  func withController<Value>(
    _ request: ResultsRequest<VectorRow> = VectorOptions().request, name: String = "list",
    _ body: (ResultsController<VectorRow>) throws -> Value
  ) throws -> Value {
    let listener = ClassicListener()
    let controller = try ResultsController(
      request: request, store: store, cacheName: name, caches: caches)
    controller.delegate = listener
    store.reset()
    try controller.performFetch()
    return try withExtendedLifetime(listener) { try body(controller) }
  }
}

/// The version of an entity, as a type.
protocol EntityVersion: Equatable, Sendable {
  static var number: Int { get }
}

enum One: EntityVersion {
  static var number: Int { 1 }
}

enum Two: EntityVersion {
  static var number: Int { 2 }
}

/// The same entity in different versions.
struct VersionedRow<Version: EntityVersion>: ResultsRow {
  static var entityName: String { "VersionedRow" }
  static var entityVersion: Int { Version.number }

  var id: Int

  func sortValue(for field: Bool) -> SortValue { .integer(Int64(id)) }

  func sectionKey(for field: Bool) -> String { "" }

  typealias Filter = Bool
}
