import ResultsTestSupport
import SectionedResults
import SectionedResultsTesting
import Testing

/// The check that authors of stores run, over right stores and wrong ones.
@Suite("Checking stores")
struct StoreConformanceTests {
  private static var conformance: StoreConformance<VectorRow> {
    var requests = [VectorOptions().request, VectorOptions.flat(offset: 2, limit: 4).request]
    requests[0].aggregatedFields = [.key]
    for index in requests.indices {
      var other = requests[index]
      other.filter = nil
      other.sortKeys[0].order = .descending
      requests.append(other)
    }
    return StoreConformance(
      requests: requests, matches: { row, _ in !row.isHidden },
      randomRow: { random in
        row(
          .random(in: 0..<20, using: &random), "s\(Int.random(in: 0..<3, using: &random))",
          .random(in: 0..<4, using: &random), value: .random(in: 0..<3, using: &random),
          hidden: Int.random(in: 0..<5, using: &random) == 0)
      })
  }

  private static func write(
    _ writes: [StoreConformance<VectorRow>.Write], to memory: MemoryResultsStore<VectorRow>
  ) {
    memory.write { transaction in
      for write in writes {
        switch write {
        case .put(let row): transaction.put(row)
        case .delete(let id): transaction.delete(id)
        }
      }
    }
  }

  @Test("right stores pass, whatever they answer in parts", arguments: StoreKind.allCases)
  func rightStores(_ kind: StoreKind) throws {
    let memory = MemoryResultsStore<VectorRow>(rows: []) { row, _ in !row.isHidden }
    let store = kind.store(over: memory)
    if kind == .late { (store as? CountingStore)?.excerptSize = 2 }
    try Self.conformance.check(store) { Self.write($0, to: memory) }
  }

  @Test("every wrong answer of a store is found, with its seed", arguments: WrongAnswer.allCases)
  func wrongStores(_ lie: WrongAnswer) throws {
    for seed in [1, 2, 3] as [UInt64] {
      let store = WrongStore(lie)
      let failure = #expect(throws: StoreConformanceFailure.self) {
        try Self.conformance.check(store, seed: seed) { Self.write($0, to: store.memory) }
      }
      #expect(failure?.seed == seed)
      #expect(failure?.description.contains("seed \(seed), transaction") == true)
    }
  }

  @Test("the edits of a right store pass")
  func rightEdits() throws {
    let memory = MemoryResultsStore<VectorRow>(rows: []) { row, _ in !row.isHidden }
    try Self.conformance.checkEdits(memory)
  }

  @Test("every broken promise of edits is found", arguments: BrokenPromise.allCases)
  func wrongEdits(_ promise: BrokenPromise) throws {
    for seed in [1, 2, 3] as [UInt64] {
      let failure = #expect(throws: StoreConformanceFailure.self) {
        try Self.conformance.checkEdits(WrongEditor(promise), seed: seed)
      }
      #expect(failure?.seed == seed)
    }
  }

  @Test("an error of the write ends the check")
  func failingWrite() {
    struct Fault: Error {}
    #expect(throws: Fault.self) {
      try Self.conformance.check(WrongStore(.stampStays)) { _ in throw Fault() }
    }
  }
}

/// A broken promise of edits.
enum BrokenPromise: CaseIterable {
  case replacesRows, createsRows, deletesNothing, keepsFirstEdits, callsNobody, callsAfterRefusal
  case wrongOrder, otherError
}

/// A store over memory that breaks one promise of edits.
private final class WrongEditor: EditableResultsStore {
  typealias Row = VectorRow
  private let memory = MemoryResultsStore<VectorRow>(rows: []) { row, _ in !row.isHidden }
  let commitObservers = CommitObservers<VectorRow>()
  private let promise: BrokenPromise

  init(_ promise: BrokenPromise) { self.promise = promise }

  func read<Value>(_ body: (any ResultsSnapshot<VectorRow>) throws -> Value) throws -> Value {
    try memory.read(body)
  }

  func commit(_ edits: [ResultsEdit<VectorRow, VectorRow>]) throws {
    do {
      switch promise {
      case .replacesRows, .createsRows, .deletesNothing: try commitLoosely(edits)
      case .keepsFirstEdits: for edit in edits { try memory.commit([edit]) }
      case .wrongOrder: try memory.commit(edits.reversed())
      default: try memory.commit(edits)
      }
      if promise != .callsNobody { commitObservers.notify() }
    } catch {
      if promise == .callsAfterRefusal { commitObservers.notify() }
      throw promise == .otherError ? ResultsError.historyLost : error
    }
  }

  /// Makes edits of the promise's kind also where they must be refused.
  private func commitLoosely(_ edits: [ResultsEdit<VectorRow, VectorRow>]) throws {
    for edit in edits {
      do {
        try memory.commit([edit])
      } catch {
        memory.write { transaction in
          switch (edit, promise) {
          case (.insert(let row), .replacesRows), (.update(_, let row), .createsRows):
            transaction.put(row)
          default: break
          }
        }
      }
    }
  }
}

/// A wrong answer of a store.
enum WrongAnswer: CaseIterable {
  case hiddenRows, missingRow, longGroup, reversedKeys, longCount, shortExcerpt, forgottenChange
  case repeatedChange, noImageBefore, stampStays, uncountedValue, foreignSection
}

/// A store over memory that gives one kind of wrong answer.
private final class WrongStore: ResultsStore {
  typealias Row = VectorRow
  let memory = MemoryResultsStore<VectorRow>(rows: []) { row, _ in !row.isHidden }
  var commitObservers: CommitObservers<VectorRow> { memory.commitObservers }
  private let lie: WrongAnswer

  init(_ lie: WrongAnswer) { self.lie = lie }

  func read<Value>(_ body: (any ResultsSnapshot<VectorRow>) throws -> Value) throws -> Value {
    try memory.read { try body(Snapshot(base: $0, lie: lie)) }
  }

  private struct Snapshot: ResultsSnapshot {
    typealias Row = VectorRow
    let base: any ResultsSnapshot<VectorRow>
    let lie: WrongAnswer

    func stamp() throws -> StoreStamp {
      var stamp = try base.stamp()
      if lie == .stampStays { stamp.sequence = 0 }
      return stamp
    }

    func outline(of request: ResultsRequest<VectorRow>) throws -> [OutlineGroup<SortValue>] {
      var groups = try base.outline(of: request)
      guard !groups.isEmpty else { return groups }
      if lie == .longGroup {
        groups[0].count += 1
        groups[0].keys = nil
      }
      if lie == .foreignSection { groups[groups.count - 1].section += "\u{301}" }
      return groups
    }

    func keys(
      of request: ResultsRequest<VectorRow>, in range: ResultsKeyRange
    ) throws -> [ResultsKey<SortValue>] {
      let keys = try base.keys(of: request, in: range)
      return lie == .reversedKeys ? keys.reversed() : keys
    }

    func count(of request: ResultsRequest<VectorRow>, in range: ResultsKeyRange) throws -> Int {
      try base.count(of: request, in: range) + (lie == .longCount ? 1 : 0)
    }

    var excerptSize: Int? { lie == .shortExcerpt ? 2 : nil }

    func keys(
      of request: ResultsRequest<VectorRow>, in range: ResultsKeyRange, limit: Int
    ) throws -> [ResultsKey<SortValue>]? {
      try Array(base.keys(of: request, in: range).prefix(limit - 1))
    }

    func rows(of request: ResultsRequest<VectorRow>, ids: [SortValue]) throws -> [VectorRow] {
      var request = request
      if lie == .hiddenRows { request.filter = nil }
      let rows = try base.rows(of: request, ids: ids)
      return lie == .missingRow ? Array(rows.dropLast()) : rows
    }

    func valueCounts(of request: ResultsRequest<VectorRow>) throws -> [ResultsValueCount]? {
      lie == .uncountedValue && !request.aggregatedFields.isEmpty ? [] : nil
    }

    func commits(
      after stamp: StoreStamp, for request: ResultsRequest<VectorRow>
    ) throws -> [StoreCommit<VectorRow>] {
      try base.commits(after: stamp, for: request).map { commit in
        var commit = commit
        switch lie {
        case .forgottenChange: commit.changes = Array(commit.changes.dropLast())
        case .repeatedChange: commit.changes += commit.changes.prefix(1)
        case .noImageBefore:
          for index in commit.changes.indices { commit.changes[index].before = nil }
        default: break
        }
        return commit
      }
    }
  }
}
