import ResultsTestSupport
import SectionedResults
import Testing

/// Rule 7: sections that the sort does not keep together.
@Suite("Split sections")
struct SplitSectionTests {
  private let whole = [row(1, "a", 1), row(2, "a", 2), row(3, "b", 5), row(4, "b", 6)]

  @Test("rule 7: a fetch that finds a split section throws, naming its first row and the section")
  func fetchRefusesSplit() throws {
    let rows = whole + [row(5, "a", 7), row(6, "a", 8)]
    let store = MemoryResultsStore(rows: rows) { row, _ in !row.isHidden }
    let controller = try ResultsController(request: splittable, store: store)
    #expect(throws: ResultsError.splitSection(row: "5", section: "a")) {
      try controller.performFetch()
    }
    #expect(controller.sections == nil)
  }

  @Test("rule 7: a fetch that fails keeps the last good results")
  func failedFetchKeepsResults() throws {
    let bench = try RulesBench(whole, request: splittable, listener: ClassicListener())
    bench.store.isQuiet = true
    bench.put(row(5, "a", 7))
    #expect(throws: ResultsError.splitSection(row: "5", section: "a")) {
      try bench.controller.performFetch()
    }
    #expect(try bench.controller.numbers() == [[1, 2], [3, 4]])
  }

  @Test(
    "rule 7: a commit that splits a section is told as an error and leaves the results",
    arguments: [
      ("behind another section", row(9, "a", 7), "a"),
      ("inside another section", row(9, "a", 5), "b"),
      ("a new section inside another", row(9, "c", 5), "b"),
      ("before another section", row(9, "b", 0), "b"),
    ])
  func commitRefusesSplit(_ name: String, _ added: VectorRow, _ section: String) throws {
    // The keys 5 and 6 of `b` leave room for 5 with a larger identity.
    let bench = try RulesBench(whole, request: splittable, listener: ClassicListener())
    bench.put(added)
    #expect(
      bench.listener.take()
        == [.failed("\(ResultsError.splitSection(row: "9", section: section))")])
    #expect(try bench.controller.numbers() == [[1, 2], [3, 4]])
    #expect(try bench.controller.path(9) == nil)
  }

  @Test("rule 52: after a split the next good commit is compared with the last good results")
  func splitIsHealed() throws {
    let bench = try RulesBench(whole, request: splittable, listener: ClassicListener())
    bench.put(row(9, "a", 7), row(1, "a", 0))
    bench.put(row(3, "b", 5, value: 1))
    #expect(bench.listener.take().map(\.kind) == ["failed", "failed"])
    #expect(try bench.controller.numbers() == [[1, 2], [3, 4]])
    #expect(try bench.controller.object(at: RowPath(1, 0)).value == .integer(0))
    bench.put(row(9, "c", 7))
    #expect(
      bench.listener.take() == [
        .will, .section(.insert(at: 2)), .row(.insert(at: RowPath(2, 0))),
        .row(.update(from: RowPath(0, 0), to: RowPath(0, 0))),
        .row(.update(from: RowPath(1, 0), to: RowPath(1, 0))), .did,
      ])
    #expect(try bench.controller.numbers() == [[1, 2], [3, 4], [9]])
    #expect(try bench.controller.shown() == (try bench.fresh()))
    bench.delete(9)
    #expect(bench.listener.take().map(\.kind) == ["will", "section", "row", "did"])
  }

  @Test("rule 52: a good commit noticed together with a split one is told, and so is the recovery")
  func goodCommitBeforeSplit() throws {
    let bench = try RulesBench(whole, request: splittable, listener: BatchListener())
    bench.store.isQuiet = true
    bench.put(row(5, "b", 8))
    bench.put(row(9, "a", 7))
    bench.store.tellCommits()
    #expect(bench.listener.take().map(\.kind) == ["batch", "failed"])
    #expect(try bench.controller.numbers() == [[1, 2], [3, 4, 5]])
    for round in 0..<40 { bench.put(row(4, "b", 6, value: round)) }
    bench.delete(9)
    bench.put(row(6, "c", 9))
    bench.store.tellCommits()
    #expect(bench.listener.take().map(\.kind) == ["batch", "batch"])
    #expect(try bench.controller.shown() == (try bench.fresh()))
  }
}
