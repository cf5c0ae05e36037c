import ResultsTestSupport
import SectionedResults
import Testing

/// Rules 49 to 52: delegates and stores that fail.
@Suite("Failures")
struct FailureTests {
  private struct Refusal: Error {}
  private let rows = [row(1, "a", 1), row(2, "a", 2), row(3, "b", 1)]

  @Test(
    "rule 49: what a callback throws leaves the save, is told once, and asks for one reload",
    arguments: ["will", "section", "row", "did"])
  func throwingCallback(_ kind: String) throws {
    try check(ClassicListener(), kind)
  }

  @Test("rule 49: the same for batches, snapshots and differences")
  func throwingForms() throws {
    try check(BatchListener(), "batch")
    try check(SnapshotListener(), "snapshot")
    try check(DifferenceListener(), "difference", options: .flat)
  }

  private func check(
    _ listener: ErrorListener, _ kind: String, options: VectorOptions = VectorOptions()
  ) throws {
    let bench = try RulesBench(rows, options: options, listener: listener)
    var closures: [Int] = []
    let token = try bench.controller.observe { closures.append($0.batch.to) }
    listener.hook = { event, _ in
      if event.kind == kind { throw Refusal() }
    }
    bench.put(row(4, "c", 4))
    #expect(listener.take().suffix(3).map(\.kind) == [kind, "failed", "reload"])
    #expect(listener.errors.count == 1 && listener.errors.first is Refusal)
    #expect(try bench.controller.fetchedObjects()?.count == 4, "saved and shown")
    #expect(closures.count == 1, "closures are told nevertheless")
    listener.hook = nil
    bench.put(row(5, "d", 5))
    #expect(!listener.take().map(\.kind).contains("failed"))
    #expect(try bench.controller.fetchedObjects()?.count == 5)
    #expect(closures == [bench.controller.generation - 1, bench.controller.generation])
    token.cancel()
  }

  @Test("rule 49: of commits noticed together those behind the one that failed are delivered")
  func laterCommitsAreDelivered() throws {
    let bench = try RulesBench(rows, listener: BatchListener())
    bench.store.isQuiet = true
    bench.listener.hook = { _, _ in
      if bench.listener.batches.count == 1 { throw Refusal() }
    }
    for id in 4...6 { bench.put(row(id, "c", id)) }
    bench.store.tellCommits()
    #expect(
      bench.listener.told.map(\.kind) == ["batch", "failed", "reload", "batch", "batch"])
  }

  @Test("rule 49: a delegate without an ear for errors breaks nothing either")
  func noErrorDelegate() throws {
    let bench = try RulesBench(rows, listener: DidListener())
    bench.listener.hook = { _, _ in throw Refusal() }
    bench.put(row(4, "c"))
    bench.put(row(5, "d"))
    #expect(bench.listener.told == [.did, .did])
    #expect(bench.controller.sectionKeys == ["a", "b", "c", "d"])
  }

  @Test("rule 50: with the snapshot callback only it is called, and it names changed rows")
  func snapshotOnly() throws {
    let bench = try RulesBench(rows, listener: SnapshotListener())
    bench.put(row(4, "c"), row(1, "a", 5), row(3, "b", 1, value: 1))
    #expect(bench.listener.take() == [.snapshot])
    let snapshot = try #require(bench.listener.snapshots.last)
    #expect(snapshot.sectionKeys == ["a", "b", "c"])
    #expect(snapshot.sections.map { $0.rows.count } == [2, 1, 1])
    #expect(snapshot.rowIDs == [2, 1, 3, 4].map { .integer($0) })
    #expect(Set(snapshot.reloaded) == [.integer(1), .integer(3)])
    bench.delete(4)
    #expect(bench.listener.take() == [.snapshot])
    #expect(bench.listener.snapshots.last == (try bench.controller.snapshot()))
  }

  @Test("rule 50: the difference callback is for requests without sections; else the classic four")
  func differenceOnly() throws {
    let flat = try RulesBench(rows, options: .flat, listener: DifferenceListener())
    let old = try flat.controller.snapshot().rowIDs
    flat.put(row(4, "", 0), row(1, "", 9), row(3, "", 1, value: 1))
    flat.delete(2)
    #expect(flat.listener.take() == [.difference, .difference])
    var ids = old
    for difference in flat.listener.differences {
      ids = try #require(ids.applying(difference))
    }
    #expect(ids == (try flat.controller.snapshot().rowIDs))
    let sectioned = try RulesBench(rows, listener: DifferenceListener())
    sectioned.put(row(4, "c"))
    #expect(sectioned.listener.take().map(\.kind) == ["will", "section", "row", "did"])
  }

  @Test("rule 51: an invalidated row is a delete until it is written or fetched again")
  func invalidation() throws {
    let bench = try RulesBench(rows, listener: ClassicListener())
    bench.controller.invalidate([.integer(1), .integer(3), .integer(99)])
    #expect(
      bench.listener.take() == [
        .will, .section(.delete(at: 1)), .row(.delete(at: RowPath(0, 0))),
        .row(.delete(at: RowPath(1, 0))), .did,
      ])
    #expect(try bench.controller.numbers() == [[2]])
    #expect(try bench.controller.path(1) == nil)
    bench.controller.invalidate([.integer(1)])
    #expect(bench.listener.told.isEmpty, "it is gone already")
    bench.put(row(2, "a", 0))
    #expect(bench.listener.takeRows() == [.update(from: RowPath(0, 0), to: RowPath(0, 0))])
    bench.put(row(1, "a", 1, value: 1))
    #expect(bench.listener.takeRows() == [.insert(at: RowPath(0, 1))])
    bench.delete(3)
    #expect(bench.listener.told.isEmpty, "nobody saw it")
    try bench.controller.performFetch()
    #expect(try bench.controller.numbers() == [[2, 1]])
  }

  @Test("rule 51: a commit that a callback of an invalidation makes is told")
  func writeDuringInvalidation() throws {
    let bench = try RulesBench(rows, listener: ClassicListener())
    bench.listener.hook = { event, _ in
      guard event == .did else { return }
      bench.listener.hook = nil
      bench.put(row(9, "z"))
    }
    bench.controller.invalidate([.integer(1)])
    #expect(bench.controller.sectionKeys == ["a", "b", "z"])
  }

  @Test("rule 51: total invalidation tells no rows, asks for a reload and needs a fetch")
  func totalInvalidation() throws {
    let bench = try RulesBench(rows, listener: ClassicListener())
    bench.put(row(4, "c"))
    let generation = bench.controller.generation
    bench.listener.told = []
    bench.controller.invalidateAll()
    #expect(bench.listener.take() == [.reload])
    #expect(bench.controller.sections == nil)
    bench.put(row(5, "d"))
    #expect(bench.listener.take().isEmpty)
    #expect(throws: ResultsError.notFetched) {
      try bench.controller.object(at: RowPath(0, 0))
    }
    try bench.controller.performFetch()
    #expect(bench.controller.generation > generation, "old batches cannot be taken for new ones")
    #expect(bench.controller.sectionKeys == ["a", "b", "c", "d"])
    bench.put(row(6, "e"))
    #expect(bench.listener.take().map(\.kind) == ["will", "section", "row", "did"])
  }
}
