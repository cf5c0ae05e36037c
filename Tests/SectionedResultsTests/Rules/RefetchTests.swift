import ResultsTestSupport
import SectionedResults
import TestSupport
import Testing

/// Rule 22: changing the request, and fetching again with the difference as a change.
@Suite("Refetches")
struct RefetchTests {
  private let rows = [
    row(1, "a", 1), row(2, "a", 2), row(3, "b", 1), row(4, "b", 2, hidden: true), row(5, "c", 1),
  ]

  @Test("rule 22: a changed request shows with the next fetch, without callbacks")
  func changedRequest() throws {
    let bench = try RulesBench(rows, listener: ClassicListener())
    var request = bench.controller.request
    request.filter = nil
    try bench.controller.setRequest(request)
    #expect(try bench.controller.numbers() == [[1, 2], [3], [5]])
    bench.put(row(6, "c", 2))
    #expect(
      try bench.controller.numbers() == [[1, 2], [3], [5, 6]], "commits follow the old one")
    bench.listener.told = []
    try bench.controller.performFetch()
    #expect(try bench.controller.numbers() == [[1, 2], [3, 4], [5, 6]])
    #expect(bench.listener.told.isEmpty)
  }

  @Test("rule 22: a refetch that notifies tells a changed filter, sort and section as one change")
  func notifyingRefetch() throws {
    let bench = try RulesBench(rows, listener: ClassicListener())
    try refetch(bench) { $0.filter = nil }
    #expect(bench.listener.take() == [.will, .row(.insert(at: RowPath(1, 1))), .did])
    try refetch(bench) { $0.sortKeys[1].order = .descending }
    #expect(
      bench.listener.take() == [
        .will, .row(.move(from: RowPath(0, 1), to: RowPath(0, 0))),
        .row(.move(from: RowPath(1, 1), to: RowPath(1, 0))), .did,
      ])
    try refetch(bench) { $0.sortKeys[0].order = .descending }
    #expect(
      bench.listener.take().map(\.kind)
        == ["will", "section", "section", "section", "section"]
        + ["row", "row", "row"] + ["did"], "two of three sections go and come back")
    try refetch(bench) { $0.sectionField = nil }
    #expect(
      bench.listener.take().map(\.kind)
        == ["will"] + Array(repeating: "section", count: 4) + Array(repeating: "row", count: 5)
        + ["did"])
    #expect(bench.controller.sectionCounts == [5])
  }

  @Test("rule 22: a refetch that notifies and finds nothing new calls nobody")
  func refetchWithoutChange() throws {
    let bench = try RulesBench(rows, listener: ClassicListener())
    let generation = bench.controller.generation
    try refetch(bench) { $0.pageSize = 7 }
    #expect(bench.listener.told.isEmpty)
    #expect(bench.controller.generation == generation)
  }

  @Test("rule 22: callbacks of a refetch read new contents, also of rows read before")
  func refetchShowsNewContents() throws {
    let bench = try RulesBench(rows, listener: ClassicListener())
    bench.store.isQuiet = true
    _ = try bench.controller.fetchedObjects()
    bench.put(row(1, "a", 1, value: 7))
    var seen: [SortValue] = []
    bench.listener.hook = { _, controller in
      seen.append(try controller.object(at: RowPath(0, 0)).value)
    }
    try refetch(bench) { $0.filter = nil }
    #expect(seen == [.integer(0)] + Array(repeating: .integer(7), count: 3))
  }

  @Test("rule 22: a refetch that fails tells nobody and keeps the results")
  func refetchFails() throws {
    let bench = try RulesBench(rows, listener: ClassicListener())
    bench.store.isBroken = true
    #expect(throws: SpyStore.Fault.self) { try refetch(bench) { $0.filter = nil } }
    bench.store.isBroken = false
    #expect(bench.listener.told.isEmpty)
    #expect(try bench.controller.numbers() == [[1, 2], [3], [5]])
  }

  @Test("rule 22: without a listener a refetch that notifies is a plain fetch")
  func refetchForNobody() throws {
    let bench = try RulesBench(rows, listener: Listener())
    try refetch(bench) { $0.filter = nil }
    #expect(try bench.controller.numbers() == [[1, 2], [3, 4], [5]])
  }

  @Test("rule 22: commits that a refetch's callbacks make are told after it")
  func commitInsideRefetch() throws {
    let bench = try RulesBench(rows, listener: ClassicListener())
    bench.listener.hook = { event, _ in
      guard event == .did else { return }
      bench.listener.hook = nil
      bench.put(row(9, "z"))
    }
    try refetch(bench) { $0.filter = nil }
    #expect(
      bench.listener.take().map(\.kind)
        == ["will", "row", "did", "will", "section", "row", "did"])
  }

  @Test(
    "rule 22: at random, the batch of a refetch turns the old list into the new one",
    arguments: StoreKind.allCases)
  func randomRefetches(_ kind: StoreKind) throws {
    var random = SeededGenerator(seed: 22)
    for _ in 0..<60 {
      let rows = (0..<Int.random(in: 0..<16, using: &random)).map { randomRow($0, &random) }
      let bench = try RulesBench(
        rows, kind, request: randomRequest(&random), listener: BatchListener())
      bench.store.isQuiet = true
      var list = SectionedList(bench.controller)
      for _ in 0..<8 {
        for _ in 0..<Int.random(in: 0..<3, using: &random) {
          bench.put(randomRow(Int.random(in: 0..<18, using: &random), &random))
        }
        let old = try bench.controller.contents()
        try bench.controller.setRequest(randomRequest(&random))
        try bench.controller.performFetch(notifyingChanges: true)
        let new = try bench.controller.contents()
        #expect(new.map(\.rows) == (try bench.fresh()))
        let batch = bench.listener.batches.popLast()
        guard let batch else {
          #expect(old.elementsEqual(new) { $0.key == $1.key && $0.rows == $1.rows })
          continue
        }
        #expect(batch.applied(to: old, giving: new))
        try list.apply(batch)
        #expect(list.sections == SectionedList(bench.controller).sections)
      }
    }
  }

  private func refetch(
    _ bench: RulesBench<some Listener>, _ change: (inout ResultsRequest<VectorRow>) -> Void
  ) throws {
    var request = bench.controller.request
    change(&request)
    try bench.controller.setRequest(request)
    try bench.controller.performFetch(notifyingChanges: true)
  }

  private func randomRow(_ id: Int, _ random: inout SeededGenerator) -> VectorRow {
    row(
      id, "s\(Int.random(in: 0..<5, using: &random))", Int.random(in: 0..<6, using: &random),
      value: Int.random(in: 0..<2, using: &random), hidden: random.chance(0.2))
  }

  private func randomRequest(_ random: inout SeededGenerator) -> ResultsRequest<VectorRow> {
    var options = VectorOptions()
    options.isSectioned = random.chance(0.8)
    options.sectionOrder = random.chance(0.5) ? .ascending : .descending
    options.keyOrder = random.chance(0.5) ? .ascending : .descending
    if random.chance(0.3) { options.limit = Int.random(in: 0..<10, using: &random) }
    if random.chance(0.3) { options.offset = Int.random(in: 0..<5, using: &random) }
    var request = options.request
    if random.chance(0.5) { request.filter = nil }
    return request
  }
}
