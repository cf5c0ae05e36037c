import ResultsTestSupport
import SectionedResults

/// A store over the memory store that counts its calls, fails on demand, drops its history, and
/// announces commits on demand.
final class SpyStore: ResultsStore {
  typealias Row = VectorRow

  /// The error of the store when it fails on demand.
  struct Fault: Error, Equatable {
    let call: Int
  }

  /// The calls of a store.
  enum Call: CaseIterable {
    case read
    case stamp
    case outline
    case keys
    case rows
    case commits
  }

  let memory: MemoryResultsStore<VectorRow>
  private let base: any ResultsStore<VectorRow>
  private(set) var counts: [Call: Int] = [:]
  /// The call that fails, counted from 1 since ``reset()``.
  var failingCall: Int?
  /// Whether every read fails.
  var isBroken = false
  /// Commits after an older stamp than this are forgotten.
  var historyStart = StoreStamp(sequence: 0)
  /// Whether only ``tellCommits()`` announces commits, as for those of another process.
  var isQuiet = false
  let commitObservers = CommitObservers<VectorRow>()
  private var observation: ResultsObservation?
  private var total = 0

  init(_ memory: MemoryResultsStore<VectorRow>, _ kind: StoreKind = .memory) {
    self.memory = memory
    base = kind.store(over: memory)
    observation = base.observeCommits { [weak self] in
      guard let self, !isQuiet else { return }
      commitObservers.notify()
    }
  }

  /// How many calls there were.
  var calls: Int { total }

  /// Resets the counts.
  func reset() {
    counts = [:]
    total = 0
  }

  func read<Value>(_ body: (any ResultsSnapshot<VectorRow>) throws -> Value) throws -> Value {
    try count(.read)
    return try base.read { try body(Snapshot(base: $0, store: self)) }
  }

  /// Tells the commits made while the store was quiet.
  func tellCommits() { commitObservers.notify() }

  private func count(_ call: Call) throws {
    total += 1
    counts[call, default: 0] += 1
    if isBroken || total == failingCall { throw Fault(call: total) }
  }

  private struct Snapshot: ResultsSnapshot {
    typealias Row = VectorRow

    let base: any ResultsSnapshot<VectorRow>
    let store: SpyStore

    func stamp() throws -> StoreStamp {
      try store.count(.stamp)
      return try base.stamp()
    }

    func outline(of request: ResultsRequest<VectorRow>) throws -> [OutlineGroup<SortValue>] {
      try store.count(.outline)
      return try base.outline(of: request)
    }

    func keys(
      of request: ResultsRequest<VectorRow>, in range: ResultsKeyRange
    ) throws -> [ResultsKey<SortValue>] {
      try store.count(.keys)
      return try base.keys(of: request, in: range)
    }

    func rows(of request: ResultsRequest<VectorRow>, ids: [SortValue]) throws -> [VectorRow] {
      try store.count(.rows)
      return try base.rows(of: request, ids: ids)
    }

    func commits(
      after stamp: StoreStamp, for request: ResultsRequest<VectorRow>
    ) throws -> [StoreCommit<VectorRow>] {
      try store.count(.commits)
      guard stamp >= store.historyStart else { throw ResultsError.historyLost }
      return try base.commits(after: stamp, for: request)
    }
  }
}

extension SpyStore: EditableResultsStore {
  func commit(_ edits: [ResultsEdit<VectorRow, VectorRow>]) throws { try memory.commit(edits) }
}
