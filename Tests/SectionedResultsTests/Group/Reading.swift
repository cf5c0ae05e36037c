import SectionedResults
import TestSupport

/// A reading of a gauge: a row type whose filters have interests, as far as the filter says.
struct Reading: ResultsRow {
  enum Filter: Equatable, Sendable {
    case gauge(Int64, hasInterest: Bool)
    case values(ClosedRange<Int64>, hasInterest: Bool)

    /// The same condition without an interest.
    var withoutInterest: Filter {
      switch self {
      case .gauge(let gauge, _): .gauge(gauge, hasInterest: false)
      case .values(let values, _): .values(values, hasInterest: false)
      }
    }
  }

  var id: Int
  var gauge: Int64
  var value: Int64
  var note = 0
  var level: Double?

  func matches(_ filter: Filter) -> Bool {
    switch filter {
    case .gauge(let gauge, _): self.gauge == gauge
    case .values(let values, _): values.contains(value)
    }
  }

  static func interest(of filter: Filter) -> ResultsInterest<Reading>? {
    switch filter {
    case .gauge(let gauge, true): ResultsInterest(\.gauge, gauge)
    case .values(let values, true): ResultsInterest(\.value, in: values)
    case .gauge, .values: nil
    }
  }
}

/// A store of readings that counts what is asked of it.
final class GaugeStore: ResultsStore {
  typealias Row = Reading

  let memory: MemoryResultsStore<Reading>
  let commitObservers = CommitObservers<Reading>()
  /// The number of reads.
  private(set) var reads = 0
  /// The number of requests whose commits were read.
  private(set) var askedCommits = 0
  /// The number of rows read.
  private(set) var readRows = 0
  /// Whether the store counts values itself.
  var countsValues = false
  /// Counts that no rows have.
  var extraCounts: [ResultsValueCount] = []
  /// Whether only ``tellCommits()`` announces commits, as for those of another process.
  var isQuiet = false
  /// The request whose commits cannot be read.
  var failing: ResultsRequest<Reading>?
  private var observation: ResultsObservation?

  struct Fault: Error {}

  init(_ rows: [Reading] = []) {
    memory = MemoryResultsStore(rows: rows) { $0.matches($1) }
    observation = memory.observeCommits { [weak self] in
      if let self, !isQuiet { commitObservers.notify() }
    }
  }

  func read<Value>(_ body: (any ResultsSnapshot<Reading>) throws -> Value) throws -> Value {
    reads += 1
    return try memory.read { try body(Snapshot(base: $0, store: self)) }
  }

  func tellCommits() { commitObservers.notify() }

  func reset() {
    reads = 0
    askedCommits = 0
    readRows = 0
  }

  /// Makes a controller that has fetched.
  func controller(
    _ filter: Reading.Filter, sortKeys: [SortKey<Reading.SortField>] = [SortKey(\.value)]
  ) throws -> ResultsController<Reading> {
    let controller = try ResultsController(
      request: ResultsRequest(filter: filter, sortKeys: sortKeys), store: self)
    try controller.performFetch()
    return controller
  }

  private struct Snapshot: ResultsSnapshot {
    typealias Row = Reading

    let base: any ResultsSnapshot<Reading>
    let store: GaugeStore

    func stamp() throws -> StoreStamp { try base.stamp() }

    func outline(of request: ResultsRequest<Reading>) throws -> [OutlineGroup<Int>] {
      try base.outline(of: request)
    }

    func keys(
      of request: ResultsRequest<Reading>, in range: ResultsKeyRange
    ) throws -> [ResultsKey<Int>] {
      try base.keys(of: request, in: range)
    }

    func rows(of request: ResultsRequest<Reading>, ids: [Int]) throws -> [Reading] {
      store.readRows += ids.count
      return try base.rows(of: request, ids: ids)
    }

    func valueCounts(of request: ResultsRequest<Reading>) throws -> [ResultsValueCount]? {
      guard store.countsValues else { return nil }
      let keys = try base.keys(of: request, in: ResultsKeyRange(lower: nil, upper: nil))
      let rows = try base.rows(of: request, ids: keys.map(\.id))
      var counts = store.extraCounts
      for (index, field) in request.aggregatedFields.enumerated() {
        let bySection = Dictionary(grouping: rows) { request.key(of: $0).section }
        for (section, rows) in bySection {
          let byValue = Dictionary(grouping: rows) { $0.sortValue(for: field) }
          counts += byValue.map {
            ResultsValueCount(section: section, field: index, value: $0.key, count: $0.value.count)
          }
        }
      }
      return counts
    }

    func commits(
      after stamp: StoreStamp, for request: ResultsRequest<Reading>
    ) throws -> [StoreCommit<Reading>] {
      store.askedCommits += 1
      if request == store.failing { throw Fault() }
      return try base.commits(after: stamp, for: request)
    }
  }
}
