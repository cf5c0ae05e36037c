import ResultsTestSupport
import SectionedResults
import Testing

/// A store that contradicts itself is an error that is thrown or told; it never traps, and the next
/// fetch of a store that tells the truth shows the truth.
@Suite("Lying stores")
struct LyingStoreTests {
  /// An outline, changed before it is answered.
  struct Lie: Sendable, CustomStringConvertible {
    let description: String
    let outline: @Sendable (inout [OutlineGroup<SortValue>]) -> Void
  }

  static let outlineLies: [Lie] = [
    Lie(description: "no keys for three rows") { $0[0].keys = [] },
    Lie(description: "more rows than keys") { $0[0].count += 1 },
    Lie(description: "rows without an end") { $0[0] = $0[0].with(count: .max) },
    Lie(description: "two groups that overflow together") {
      $0[0] = $0[0].with(count: 1 << 40)
      $0[1] = $0[1].with(count: 1 << 40)
    },
    Lie(description: "an empty group") { $0[0] = $0[0].with(count: 0) },
    Lie(description: "a negative count") { $0[1] = $0[1].with(count: -3) },
    Lie(description: "groups in another order") { $0.swapAt(0, 1) },
    Lie(description: "one group twice") { $0.append($0[1]) },
    Lie(description: "one bound for two groups of a section") {
      $0[1] = OutlineGroup(section: $0[0].section, bound: $0[0].bound, count: 1)
    },
    Lie(description: "one bound for two sections") {
      $0[1] = OutlineGroup(section: $0[1].section, bound: $0[0].bound, count: $0[1].count)
    },
  ]

  private let rows = [row(1, "a", 1), row(2, "a", 2), row(3, "b", 1), row(4, "b", 2)]

  private func store() -> LyingStore {
    LyingStore(MemoryResultsStore(rows: rows) { row, _ in !row.isHidden })
  }

  @Test(
    "every lie about the outline is thrown by the fetch, and the results stay",
    arguments: outlineLies)
  func lyingOutline(_ lie: Lie) throws {
    let store = store()
    let controller = try ResultsController(request: VectorOptions().request, store: store)
    try controller.performFetch()
    store.outline = lie.outline
    #expect(throws: ResultsError.self) { try controller.performFetch() }
    #expect(controller.sectionCounts == [2, 2])
    store.outline = { _ in }
    try controller.performFetch()
    #expect(try controller.fetchedObjects()?.map(\.number) == [1, 2, 3, 4])
  }

  static let commitLies: [(String, @Sendable (inout StoreCommit<VectorRow>) -> Void)] = [
    ("one row twice", { $0.changes += $0.changes }),
    ("an insert of a row that was there", { $0.changes[0].before = nil }),
    ("the image of another row", { $0.changes[0].after = row(77, "a", 5) }),
    ("a row that was never there", { $0.changes[0].before = row(1, "zz", 5) }),
  ]

  @Test("every lie about a commit is told, and the results are the store's again", arguments: 0..<4)
  func lyingCommit(_ index: Int) throws {
    let store = store()
    let listener = BatchListener()
    let controller = try ResultsController(request: VectorOptions().request, store: store)
    controller.delegate = listener
    try controller.performFetch()
    _ = try controller.fetchedObjects()
    store.commit = Self.commitLies[index].1
    store.memory.write { $0.put(row(1, "a", 1, value: 5)) }
    store.commit = { _ in }
    try controller.performFetch()
    #expect(
      try controller.fetchedObjects() == [row(1, "a", 1, value: 5)] + rows[1...],
      "\(Self.commitLies[index].0)")
    #expect(listener.batches.isEmpty, "\(Self.commitLies[index].0)")
  }

  @Test(
    "keys in a wrong order, or one key twice, are thrown when they are read", arguments: [0, 1])
  func lyingKeys(_ index: Int) throws {
    let store = store()
    let controller = try ResultsController(request: VectorOptions().request, store: store)
    store.outline = { groups in groups = groups.map { $0.with(count: $0.count) } }
    store.keys = index == 0 ? { $0.reverse() } : { $0 = $0.map { [first = $0[0]] _ in first } }
    try controller.performFetch()
    #expect(throws: ResultsError.self) { try controller.fetchedObjects() }
    store.keys = { _ in }
    #expect(try controller.fetchedObjects()?.map(\.number) == [1, 2, 3, 4])
  }

  @Test(
    "any size of excerpts, and any count of rows, is an error or right",
    arguments: [-1, 0, 1, 1_000, .max], [0, .min, .max])
  func excerpts(_ size: Int, _ lie: Int) throws {
    let many = (1...400).map { row($0, "a", $0) }
    let store = LyingStore(MemoryResultsStore(rows: many) { row, _ in !row.isHidden })
    store.outline = { groups in groups = groups.map { $0.with(count: $0.count) } }
    store.excerptSize = size
    let controller = try ResultsController(request: VectorOptions().request, store: store)
    var told = 0
    let token = try controller.observe { _ in told += 1 }
    try controller.performFetch()
    store.countLie = lie
    store.memory.write { $0.put(row(200, "a", 200, value: 5)) }
    store.countLie = 0
    try controller.performFetch()
    #expect(try controller.fetchedObjects()?.count == 400)
    #expect(told == 1 || lie != 0)
    token.cancel()
  }

  @Test("the parts of a group are those that were counted, in order, or an error", arguments: 0..<5)
  func parts(_ lie: Int) throws {
    let many = (1...40).map { row($0, "a", $0) }
    let store = LyingStore(MemoryResultsStore(rows: many) { row, _ in !row.isHidden })
    store.outline = { groups in groups = groups.map { $0.with(count: $0.count) } }
    store.parts = { groups in
      switch lie {
      case 0: groups[1].count += 1
      case 1: groups.reverse()
      case 2: groups[1].section = "b"
      case 3: groups[0] = OutlineGroup(section: "a", bound: groups[0].bound, count: 0)
      default: groups[1].bound = groups[0].bound
      }
    }
    let controller = try ResultsController(request: VectorOptions().request, store: store)
    try controller.performFetch()
    #expect(throws: ResultsError.self) { try controller.object(at: RowPath(0, 3)) }
    store.parts = { _ in }
    #expect(try controller.object(at: RowPath(0, 3)).number == 4)
    #expect(try controller.fetchedObjects()?.count == 40)
  }

  @Test("no limit but an offset is a limit without an end", arguments: [0, 1, 4, .max])
  func noLimit(_ offset: Int) throws {
    var request = VectorOptions().request
    (request.limit, request.offset) = (.max, offset)
    let controller = try ResultsController(request: request, store: store())
    try controller.performFetch()
    #expect(controller.numberOfRows == max(0, 4 - min(offset, 4)))
  }

  @Test("a stamp of another store is a lost history")
  func foreignStamp() throws {
    let memory = store().memory
    for sequence in [Int64(-1), 5, .max] {
      #expect(throws: ResultsError.historyLost) {
        try memory.read {
          try $0.commits(after: StoreStamp(sequence: sequence), for: VectorOptions().request)
        }
      }
    }
  }

  @Test("every error says what happened")
  func descriptions() {
    let errors: [ResultsError] = [
      .noSortKey, .invalidRange("x"), .splitSection(row: "1", section: "a"), .noCacheStorage("c"),
      .cacheInUse("c"), .cacheNotDeleted("c"), .notFetched, .rowIsGone("1"),
      .noSuchRow(RowPath(0, 0)), .historyLost, .inconsistentStore("x"),
    ]
    #expect(Set(errors.map { "\($0)" }).count == errors.count)
    #expect(errors.allSatisfy { "\($0)".contains(" ") })
  }
}

extension OutlineGroup {
  /// The group with another number of rows and without keys.
  fileprivate func with(count: Int) -> OutlineGroup {
    OutlineGroup(section: section, bound: bound, count: count)
  }
}

/// A memory store whose answers can be changed.
final class LyingStore: ResultsStore {
  let memory: MemoryResultsStore<VectorRow>
  var outline: (inout [OutlineGroup<SortValue>]) -> Void = { _ in }
  var commit: (inout StoreCommit<VectorRow>) -> Void = { _ in }
  var keys: (inout [ResultsKey<SortValue>]) -> Void = { _ in }
  var excerptSize: Int?
  var countLie = 0
  /// Changes the parts of a group, of which each has ten rows; `nil` for groups that are not divided.
  var parts: ((inout [OutlineGroup<SortValue>]) -> Void)?

  init(_ memory: MemoryResultsStore<VectorRow>) {
    self.memory = memory
  }

  func read<Value>(_ body: (any ResultsSnapshot<VectorRow>) throws -> Value) throws -> Value {
    try memory.read { try body(Snapshot(store: self, true: $0)) }
  }

  var commitObservers: CommitObservers<VectorRow> { memory.commitObservers }

  private struct Snapshot: ResultsSnapshot {
    let store: LyingStore
    let `true`: any ResultsSnapshot<VectorRow>

    func stamp() throws -> StoreStamp { try `true`.stamp() }

    func outline(of request: ResultsRequest<VectorRow>) throws -> [OutlineGroup<SortValue>] {
      var groups = try `true`.outline(of: request)
      store.outline(&groups)
      return groups
    }

    func keys(
      of request: ResultsRequest<VectorRow>, in range: ResultsKeyRange
    ) throws -> [ResultsKey<SortValue>] {
      var keys = try `true`.keys(of: request, in: range)
      store.keys(&keys)
      return keys
    }

    var excerptSize: Int? { store.excerptSize }

    func outline(
      of request: ResultsRequest<VectorRow>, in range: ResultsKeyRange, count: Int
    ) throws -> [OutlineGroup<SortValue>]? {
      guard let change = store.parts, count > 10 else { return nil }
      let keys = try `true`.keys(of: request, in: range)
      var groups = stride(from: 0, to: keys.count, by: 10).map {
        OutlineGroup<SortValue>(
          section: keys[$0].section, bound: keys[$0].values, count: min(10, keys.count - $0))
      }
      change(&groups)
      return groups
    }

    func keys(
      of request: ResultsRequest<VectorRow>, in range: ResultsKeyRange, limit: Int
    ) throws -> [ResultsKey<SortValue>]? {
      Array(try `true`.keys(of: request, in: range).prefix(limit))
    }

    func count(of request: ResultsRequest<VectorRow>, in range: ResultsKeyRange) throws -> Int {
      store.countLie == 0 ? try `true`.count(of: request, in: range) : store.countLie
    }

    func rows(of request: ResultsRequest<VectorRow>, ids: [SortValue]) throws -> [VectorRow] {
      try `true`.rows(of: request, ids: ids)
    }

    func commits(
      after stamp: StoreStamp, for request: ResultsRequest<VectorRow>
    ) throws -> [StoreCommit<VectorRow>] {
      try `true`.commits(after: stamp, for: request).map { commit in
        var commit = commit
        store.commit(&commit)
        return commit
      }
    }
  }
}
