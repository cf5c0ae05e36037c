import SectionedResults

/// A store over another that never gives keys with its outline, only a group a section with the
/// section as its bound: what a store does that keeps counts as data.
package final class CountingStore: ResultsStore {
  package typealias Row = VectorRow

  private let base: MemoryResultsStore<VectorRow>
  /// How often keys were read.
  package private(set) var keyReads = 0
  /// How many keys were read.
  package private(set) var keysRead = 0
  /// The number of rows into which longer groups are divided; `nil` for groups that are read whole.
  package var groupSize: Int?
  /// How many keys a long group gives at a time; `nil` for whole groups.
  package var excerptSize: Int?
  package let commitObservers = CommitObservers<VectorRow>()
  private var observation: ResultsObservation?
  private var isLate = false
  /// Whether only ``tellCommits()`` announces commits, as for those of another process.
  package var isQuiet = false

  package init(_ base: MemoryResultsStore<VectorRow>) {
    self.base = base
    observation = base.observeCommits { [weak self] in
      guard let self else { return }
      if isQuiet { isLate = true } else { commitObservers.notify() }
    }
  }

  package func read<Value>(
    _ body: (any ResultsSnapshot<VectorRow>) throws -> Value
  ) throws -> Value {
    try base.read { try body(Snapshot(base: $0, store: self)) }
  }

  /// Tells the commits made while the store was quiet.
  package func tellCommits() {
    guard isLate else { return }
    isLate = false
    commitObservers.notify()
  }

  private struct Snapshot: ResultsSnapshot {
    typealias Row = VectorRow

    let base: any ResultsSnapshot<VectorRow>
    let store: CountingStore

    var excerptSize: Int? { store.excerptSize }

    func stamp() throws -> StoreStamp { try base.stamp() }

    func outline(of request: ResultsRequest<VectorRow>) throws -> [OutlineGroup<SortValue>] {
      try base.outline(of: request).map { group in
        guard request.sectionField != nil else { return group }
        return OutlineGroup(
          section: group.section, bound: Array(group.bound.prefix(1)), count: group.count)
      }
    }

    func keys(
      of request: ResultsRequest<VectorRow>, in range: ResultsKeyRange
    ) throws -> [ResultsKey<SortValue>] {
      store.keyReads += 1
      let keys = try base.keys(of: request, in: range)
      store.keysRead += keys.count
      return keys
    }

    func outline(
      of request: ResultsRequest<VectorRow>, in range: ResultsKeyRange, count: Int
    ) throws -> [OutlineGroup<SortValue>]? {
      guard let size = store.groupSize, count > size else { return nil }
      var groups: [OutlineGroup<SortValue>] = []
      var last: [SortValue]?
      for key in try base.keys(of: request, in: range) {
        // A group never begins inside a run of equal sort values.
        if let open = groups.last, open.count < size || key.values == last {
          groups[groups.count - 1].count += 1
        } else {
          groups.append(OutlineGroup(section: key.section, bound: key.values, count: 1))
        }
        last = key.values
      }
      return groups
    }

    func rows(of request: ResultsRequest<VectorRow>, ids: [SortValue]) throws -> [VectorRow] {
      try base.rows(of: request, ids: ids)
    }

    func commits(
      after stamp: StoreStamp, for request: ResultsRequest<VectorRow>
    ) throws -> [StoreCommit<VectorRow>] {
      try base.commits(after: stamp, for: request)
    }
  }
}
