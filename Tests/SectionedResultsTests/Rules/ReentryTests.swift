import ResultsTestSupport
import SectionedResults
import Testing

/// Rules 48 and 53: what callbacks may do.
@Suite("Reads, writes and fetches inside callbacks")
struct ReentryTests {
  private let rows = [row(1, "a", 1), row(2, "a", 2), row(3, "b", 1)]
  private static let kinds = ["will", "section", "row", "did"]

  @Test("rule 48: a write inside a callback is told after the first did", arguments: kinds)
  func writeInsideCallback(_ kind: String) throws {
    let bench = try RulesBench(rows, listener: ClassicListener())
    bench.listener.hook = { event, _ in
      guard event.kind == kind else { return }
      bench.listener.hook = nil
      bench.put(row(9, "z"))
      let path = try bench.controller.path(9)
      #expect(path == nil, "the commit waits")
    }
    bench.put(row(4, "c"))
    let pair = ["will", "section", "row", "did"]
    #expect(bench.listener.take().map(\.kind) == pair + pair)
    #expect(try bench.controller.numbers() == [[1, 2], [3], [4], [9]])
  }

  @Test("rule 48: writes inside the callbacks of each other's commits are told one after another")
  func chainOfWrites() throws {
    let bench = try RulesBench(rows, listener: BatchListener())
    bench.listener.hook = { _, _ in
      let count = bench.listener.batches.count
      if count < 6 { bench.put(row(10 + count, "a", 10 + count)) }
    }
    bench.put(row(10, "a", 10))
    #expect(bench.listener.batches.count == 6)
    let generations = bench.listener.batches.map(\.from)
    #expect(generations == Array(1...6))
    #expect(bench.listener.batches.map(\.to) == Array(2...7))
  }

  @Test("rule 48: a write inside a closure's call is told after the delegate's callbacks")
  func writeInsideClosure() throws {
    let bench = try RulesBench(rows, listener: ClassicListener())
    var changes = 0
    let token = try bench.controller.observe { _ in
      changes += 1
      if changes == 1 { bench.put(row(9, "z")) }
    }
    bench.put(row(4, "c"))
    #expect(changes == 2)
    #expect(
      bench.listener.told.map(\.kind)
        == ["will", "section", "row", "did", "will", "section", "row", "did"])
    token.cancel()
  }

  @Test(
    "rule 53: callbacks that a fetch inside one of them has overtaken are dropped", arguments: kinds
  )
  func fetchInsideCallback(_ kind: String) throws {
    let bench = try RulesBench(rows, listener: ClassicListener())
    bench.listener.hook = { event, controller in
      guard event.kind == kind else { return }
      bench.listener.hook = nil
      try controller.performFetch()
    }
    bench.put(row(4, "c"), row(5, "d"), row(6, "d", 2))
    let all = ["will", "section", "section", "row", "row", "row", "did"]
    let last = all.firstIndex(of: kind) ?? 0
    #expect(bench.listener.take().map(\.kind) == Array(all[...last]))
    #expect(try bench.controller.numbers() == [[1, 2], [3], [4], [5, 6]])
    bench.delete(4)
    #expect(bench.listener.take().map(\.kind) == ["will", "section", "row", "did"])
  }

  @Test("rule 53: a fetch by a closure drops the batch, snapshot or difference that was to come")
  func fetchInsideClosure() throws {
    for listener in [BatchListener(), SnapshotListener(), DifferenceListener()] {
      let bench = try RulesBench(
        rows, options: .flat, listener: listener as Listener)
      var isFirst = true
      let token = try bench.controller.observe { _ in
        guard isFirst else { return }
        isFirst = false
        #expect(throws: Never.self) { try bench.controller.performFetch() }
      }
      bench.put(row(4, "c"))
      #expect(listener.told.filter { $0 != .will }.isEmpty)
      bench.put(row(5, "d"))
      #expect(listener.told.count == 1)
      token.cancel()
    }
  }

  @Test("rule 53: commits noticed together are dropped where a fetch has overtaken them")
  func fetchOvertakesCommits() throws {
    let bench = try RulesBench(rows, listener: ClassicListener())
    bench.store.isQuiet = true
    bench.listener.hook = { event, controller in
      if event == .did { try controller.performFetch() }
    }
    bench.put(row(4, "c"))
    bench.put(row(5, "d"))
    bench.store.tellCommits()
    #expect(bench.listener.take().filter { $0 == .did }.count == 1)
    #expect(bench.controller.sectionKeys == ["a", "b", "c", "d"])
  }

  @Test("rule 53: what a fetch has shown stays, where it overtook commits noticed together")
  func fetchBeforeCommits() throws {
    let bench = try RulesBench(rows, listener: ClassicListener())
    bench.store.isQuiet = true
    var shown: Int?
    bench.listener.hook = { event, controller in
      guard event == .will else { return }
      try controller.performFetch()
      shown = controller.generation
    }
    bench.put(row(4, "c"))
    bench.put(row(5, "d"))
    bench.store.tellCommits()
    #expect(bench.controller.generation == shown)
    #expect(bench.controller.sectionKeys == ["a", "b", "c", "d"])
  }

  @Test("rule 48: a refetch that notifies is a plain fetch inside a callback")
  func notifyingRefetchInsideCallback() throws {
    let bench = try RulesBench(rows, listener: ClassicListener())
    bench.listener.hook = { event, controller in
      if event == .will { try controller.performFetch(notifyingChanges: true) }
    }
    bench.put(row(4, "c"))
    #expect(bench.listener.told == [.will])
    #expect(bench.controller.sectionKeys == ["a", "b", "c"])
  }

  @Test("rule 48: rows invalidated inside a callback go after the did")
  func invalidateInsideCallback() throws {
    let bench = try RulesBench(rows, listener: ClassicListener())
    bench.listener.hook = { event, controller in
      guard event == .will else { return }
      bench.listener.hook = nil
      controller.invalidate([.integer(1)])
    }
    bench.put(row(3, "b", 1, value: 1))
    #expect(
      bench.listener.told == [
        .will, .row(.update(from: RowPath(1, 0), to: RowPath(1, 0))), .did,
        .will, .row(.delete(at: RowPath(0, 0))), .did,
      ])
  }
}
