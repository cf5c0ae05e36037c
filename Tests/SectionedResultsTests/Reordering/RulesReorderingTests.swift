import ResultsTestSupport
import SectionedResults
import Testing

/// Rows that the user drags.
@Suite("Reordering by the user")
struct RulesReorderingTests {
  private let rows = [
    row(1, "a", 10), row(2, "a", 20), row(3, "a", 30), row(4, "b", 10), row(5, "c", 10),
  ]

  @Test(
    "rule 71: the delegate is not told of the row that the user moved, all others are",
    arguments: StoreKind.allCases)
  func quiet(_ kind: StoreKind) throws {
    let bench = try ReorderingBench(rows, kind)
    let other = try ResultsController(request: bench.controller.request, store: bench.store)
    var others: [ResultsChange<VectorRow>] = []
    try other.observe { others.append($0) }
    try bench.drag(RowPath(0, 0), to: RowPath(0, 2)) { moved in
      #expect(moved == rows[0])
      bench.put(row(1, "a", 40))
    }
    #expect(bench.lists.told.isEmpty && bench.lists.changes.isEmpty)
    #expect(bench.numbers == [[2, 3, 1], [4], [5]])
    #expect(try bench.showsTheSame())
    let move = ResultsBatch.RowChange.move(from: RowPath(0, 0), to: RowPath(0, 2))
    #expect(bench.told.changes.map { $0.rows.map(\.kind) } == [[move]])
    #expect(others.map { $0.rows.map(\.kind) } == [[move]])
    bench.put(row(6, "a", 50))
    #expect(try bench.showsTheSame(), "the next batch fits")
  }

  @Test("rule 71: other rows of the same commit are told, at their paths in the moved list")
  func others() throws {
    let bench = try ReorderingBench(rows)
    try bench.drag(RowPath(0, 2), to: RowPath(0, 0)) { _ in
      bench.put(row(3, "a", 5), row(1, "a", 10, value: 7), row(4, "d", 1))
    }
    #expect(
      bench.lists.changes.map { $0.rows.map(\.kind) } == [
        [
          .move(from: RowPath(1, 0), to: RowPath(2, 0)),
          .update(from: RowPath(0, 1), to: RowPath(0, 1)),
        ]
      ])
    #expect(try bench.showsTheSame())
  }

  @Test("rule 71: all rows may get new numbers; each is told as an update, but for the moved one")
  func renumbered() throws {
    let bench = try ReorderingBench(rows)
    try bench.drag(RowPath(0, 0), to: RowPath(0, 1)) { _ in
      bench.put(row(2, "a", 1), row(1, "a", 2), row(3, "a", 3))
    }
    #expect(
      bench.lists.changes.map { $0.rows.map(\.kind) } == [
        [
          .update(from: RowPath(0, 0), to: RowPath(0, 0)),
          .update(from: RowPath(0, 2), to: RowPath(0, 2)),
        ]
      ])
    #expect(try bench.showsTheSame())
  }

  @Test("rule 71: a row that the commit puts elsewhere goes there from where it was dropped")
  func elsewhere() throws {
    let bench = try ReorderingBench(rows)
    try bench.drag(RowPath(0, 0), to: RowPath(0, 2)) { _ in bench.put(row(1, "b", 5)) }
    #expect(
      bench.lists.changes.map { $0.rows.map(\.kind) } == [
        [.move(from: RowPath(0, 2), to: RowPath(1, 0))]
      ])
    #expect(bench.lists.changes.map(\.batch.from) == [2])
    #expect(try bench.showsTheSame())
  }

  @Test("rule 71: a row leaves its section quietly; the section it leaves empty is told")
  func sections() throws {
    let bench = try ReorderingBench(rows)
    try bench.drag(RowPath(1, 0), to: RowPath(0, 1)) { _ in bench.put(row(4, "a", 15)) }
    #expect(bench.lists.changes.map(\.sections) == [[.delete(at: 1)]])
    #expect(bench.lists.changes.flatMap(\.rows).isEmpty)
    #expect(bench.numbers == [[1, 4, 2, 3], [5]])
    #expect(try bench.showsTheSame())
    try bench.drag(RowPath(0, 0), to: RowPath(1, 1)) { _ in bench.put(row(1, "c", 20)) }
    #expect(bench.lists.changes.count == 1, "both sections have rows")
    #expect(try bench.showsTheSame())
  }

  @Test("rule 71: when nothing was written, the list goes back, and nobody else is told")
  func failure() throws {
    struct Refused: Error {}
    let bench = try ReorderingBench(rows)
    #expect(throws: Refused.self) {
      try bench.drag(RowPath(0, 0), to: RowPath(1, 1)) { _ in throw Refused() }
    }
    #expect(bench.lists.changes.map(\.batch.from) == [2])
    #expect(bench.lists.changes.map(\.batch.to) == [1])
    #expect(try bench.showsTheSame())
    try bench.drag(RowPath(0, 2), to: RowPath(0, 0)) { _ in }
    try bench.drag(RowPath(0, 1), to: RowPath(0, 0)) { _ in bench.put(rows[0]) }
    #expect(bench.lists.changes.count == 3)
    #expect(try bench.showsTheSame())
    #expect(bench.told.changes.isEmpty)
    bench.put(row(9, "z"))
    #expect(try bench.showsTheSame(), "the next batch fits")
  }

  @Test("rule 71: after a commit of another program the row goes back, and then is told as usual")
  func foreignCommit() throws {
    let bench = try ReorderingBench(rows)
    bench.store.isQuiet = true
    bench.put(row(6, "a", 25))
    bench.store.isQuiet = false
    try bench.drag(RowPath(0, 0), to: RowPath(0, 2)) { _ in bench.put(row(1, "a", 40)) }
    #expect(
      bench.lists.changes.map { $0.rows.map(\.kind) } == [
        [
          .insert(at: RowPath(0, 2)),
          .move(from: RowPath(0, 2), to: RowPath(0, 0)),
        ],
        [.move(from: RowPath(0, 0), to: RowPath(0, 3))],
      ])
    #expect(try bench.showsTheSame())
  }

  @Test("rule 71: a commit that the store did not announce is looked for; a later one is told")
  func lateCommit() throws {
    let bench = try ReorderingBench(rows)
    bench.store.isQuiet = true
    try bench.drag(RowPath(0, 0), to: RowPath(0, 1)) { _ in bench.put(row(1, "a", 25)) }
    #expect(bench.lists.changes.isEmpty)
    #expect(try bench.showsTheSame())
    bench.store.isQuiet = false
    try bench.drag(RowPath(0, 0), to: RowPath(0, 1)) { _ in }
    bench.put(row(2, "a", 27))
    #expect(
      bench.lists.changes.map { $0.rows.map(\.kind) } == [
        [.move(from: RowPath(0, 1), to: RowPath(0, 0))],
        [.move(from: RowPath(0, 0), to: RowPath(0, 1))],
      ])
    #expect(try bench.showsTheSame())
  }

  @Test("the example of the article keeps the order that the user made, and the store has it")
  func example() throws {
    let store = MemoryResultsStore(rows: (1...4).map { ToDo(id: $0, rank: 0, title: "\($0)") })
    let screen = try ToDoScreen(store: store)
    store.write { for id in 1...4 { $0.put(ToDo(id: id, rank: Double(id), title: "\(id)")) } }
    try screen.userMoved(from: RowPath(0, 0), to: RowPath(0, 2))
    try screen.userMoved(from: RowPath(0, 3), to: RowPath(0, 0))
    try screen.userMoved(from: RowPath(0, 1), to: RowPath(0, 3))
    #expect(try screen.controller.objects(inSection: 0).map(\.id) == [4, 3, 1, 2])
    #expect(screen.list.generation == screen.controller.generation)
    let again = try ToDoScreen(store: store)
    #expect(try again.controller.objects(inSection: 0).map(\.id) == [4, 3, 1, 2])
  }

  @Test("rule 71: a row dropped where it was is an ordinary write")
  func samePath() throws {
    let bench = try ReorderingBench(rows)
    try bench.drag(RowPath(0, 1), to: RowPath(0, 1)) { _ in bench.put(row(2, "a", 21)) }
    try bench.drag(RowPath(0, 1), to: RowPath(0, 1)) { _ in }
    #expect(
      bench.lists.changes.map { $0.rows.map(\.kind) } == [
        [.update(from: RowPath(0, 1), to: RowPath(0, 1))]
      ])
    #expect(try bench.showsTheSame())
  }
}

/// Rows that the user drags, and what goes wrong.
@Suite("Reordering by the user that fails")
struct RulesReorderingFailureTests {
  private let rows = [row(1, "a", 10), row(2, "a", 20), row(3, "b", 30)]

  @Test(
    "rule 71: without such a row or place nothing is written, and the list is to be reloaded",
    arguments: [
      (RowPath(5, 0), RowPath(0, 0)), (RowPath(0, 0), RowPath(2, 0)),
      (RowPath(0, 0), RowPath(0, 2)), (RowPath(0, 0), RowPath(1, 2)),
      (RowPath(0, 0), RowPath(0, -1)),
    ])
  func missing(_ from: RowPath, _ target: RowPath) throws {
    let bench = try ReorderingBench(rows)
    #expect(throws: ResultsError.noSuchRow(from.section == 5 ? from : target)) {
      try bench.controller.performUserReordering(moving: from, to: target) { _ in
        Issue.record("nothing may be written")
      }
    }
    #expect(bench.lists.take() == [.reload])
  }

  @Test("rule 71: inside a callback, and inside another such write, nothing is written")
  func insideCallback() throws {
    let bench = try ReorderingBench(rows)
    let (from, target) = (RowPath(0, 0), RowPath(0, 1))
    let controller = bench.controller
    try controller.observe { _ in
      #expect(throws: ResultsError.reorderingInsideCallback) {
        try controller.performUserReordering(moving: from, to: target) { _ in }
      }
    }
    try bench.lists.redraw(controller)
    bench.put(row(4, "b", 40))
    #expect(throws: ResultsError.reorderingInsideCallback) {
      try controller.performUserReordering(moving: from, to: target) { _ in
        try controller.performUserReordering(moving: from, to: target) { _ in }
      }
    }
  }

  @Test("rule 71: a fetch inside the write drops the move; the list is reloaded as after any fetch")
  func fetchInside() throws {
    let bench = try ReorderingBench(rows)
    try bench.drag(RowPath(0, 0), to: RowPath(0, 1)) { _ in
      bench.put(row(3, "b", 31))
      try bench.controller.performFetch()
    }
    let changes = bench.lists.changes.count
    #expect(changes == 1, "the commit of another row takes the move back")
    try bench.drag(RowPath(0, 0), to: RowPath(0, 1)) { _ in try bench.controller.performFetch() }
    #expect(bench.lists.changes.count == 1)
  }

  @Test("rule 71: a store that cannot be read then takes the row back, and tells it later")
  func brokenStore() throws {
    let bench = try ReorderingBench(rows)
    try bench.drag(RowPath(0, 0), to: RowPath(0, 1)) { _ in
      bench.store.isBroken = true
      bench.put(row(1, "a", 25))
    }
    #expect(!bench.lists.errors.isEmpty)
    #expect(bench.numbers == [[1, 2], [3]])
    bench.store.isBroken = false
    bench.store.tellCommits()
    #expect(bench.numbers == [[2, 1], [3]])
    #expect(try bench.showsTheSame())
  }

  @Test("rule 71: a delegate that throws while the row goes back is asked to reload")
  func throwingDelegate() throws {
    struct Fault: Error {}
    let bench = try ReorderingBench(rows)
    bench.lists.hook = { _, _ in throw Fault() }
    try bench.drag(RowPath(0, 0), to: RowPath(0, 1)) { _ in }
    #expect(bench.lists.errors.count == 1)
    #expect(bench.lists.told.last == .reload)
  }

  @Test("rule 71: the classic callbacks, snapshots and differences keep quiet, too")
  func otherDelegates() throws {
    for listener in [ClassicListener(), SnapshotListener(), DifferenceListener()] {
      let bench = try RulesBench(
        [row(1, "", 1), row(2, "", 2), row(3, "", 3)], options: .flat, listener: listener)
      try bench.controller.performUserReordering(moving: RowPath(0, 0), to: RowPath(0, 2)) { _ in
        bench.put(row(1, "", 9))
      }
      #expect(listener.take().isEmpty)
      try bench.controller.performUserReordering(moving: RowPath(0, 0), to: RowPath(0, 2)) { _ in }
      let told = listener.take()
      switch listener {
      case let listener as SnapshotListener:
        #expect(told == [.snapshot])
        let now = try bench.controller.snapshot()
        #expect(listener.snapshots.last?.sections == now.sections)
        #expect(listener.snapshots.last?.reloaded == [2], "the row that went back")
      case let listener as DifferenceListener:
        #expect(told == [.difference])
        let moved: [SortValue] = [3, 1, 2]
        let back = try #require(listener.differences.last)
        #expect(moved.applying(back) == [2, 3, 1])
      default:
        #expect(
          told == [.will, .row(.move(from: RowPath(0, 2), to: RowPath(0, 0))), .did])
      }
    }
  }

  @Test("a list and arrays refuse a move that does not exist, and stay as they are")
  func refusedMoves() throws {
    let bench = try ReorderingBench(rows)
    var (list, array) = (bench.lists.list, bench.lists.array)
    for (from, target) in [(RowPath(9, 0), RowPath(0, 0)), (RowPath(0, 0), RowPath(9, 0))] {
      #expect(throws: ListUpdateError.self) { try list.reorderRow(at: from, to: target) }
      #expect(throws: ListUpdateError.self) { try array.reorderRow(at: from, to: target) }
    }
    #expect(throws: ListUpdateError.moveBeyondCount(.row(RowPath(0, 2)))) {
      try list.reorderRow(at: RowPath(0, 0), to: RowPath(0, 2))
    }
    #expect(throws: ListUpdateError.moveBeyondCount(.row(RowPath(0, 2)))) {
      try array.reorderRow(at: RowPath(0, 0), to: RowPath(0, 2))
    }
    #expect(list == bench.lists.list && array == bench.lists.array)
    list.beginUpdates()
    #expect(throws: ListUpdateError.batchInsideBlock) {
      try list.reorderRow(at: RowPath(0, 0), to: RowPath(0, 1))
    }
  }
}
