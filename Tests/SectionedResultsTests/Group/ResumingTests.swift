import ResultsTestSupport
import SectionedResults
import TestSupport
import Testing

/// Fetching an earlier state, and following from there.
@Suite("Resuming")
struct ResumingTests {
  private static func randomRow(_ random: inout SeededGenerator) -> VectorRow {
    VectorRow(
      id: .integer(Int64.random(in: 0..<30, using: &random)),
      section: "s\(Int.random(in: 0..<5, using: &random))",
      key: .integer(Int64.random(in: 0..<8, using: &random)),
      value: .integer(Int64.random(in: 0..<3, using: &random)), isHidden: random.chance(0.15))
  }

  private static func options(_ random: inout SeededGenerator) -> VectorOptions {
    var options = VectorOptions()
    options.isSectioned = random.chance(0.8)
    if random.chance(0.3) { options.limit = Int.random(in: 0..<9, using: &random) }
    if random.chance(0.3) { options.offset = Int.random(in: 0..<6, using: &random) }
    return options
  }

  @Test(
    "rule 68: a list that is continued from a stamp is told what one is told that was open all along",
    arguments: StoreKind.allCases)
  func resume(_ kind: StoreKind) throws {
    for round in 0..<200 as Range<UInt64> {
      var random = SeededGenerator(seed: SeededGenerator.runSeed &+ round)
      let memory = MemoryResultsStore(rows: []) { (row: VectorRow, _) in !row.isHidden }
      let store = kind.store(over: memory)
      if random.chance(0.5) { (store as? CountingStore)?.excerptSize = 2 }
      if random.chance(0.5) { (store as? CountingStore)?.groupSize = 2 }
      let request = Self.options(&random).request
      func commit() {
        memory.write { transaction in
          for _ in 0..<Int.random(in: 1..<8, using: &random) {
            let row = Self.randomRow(&random)
            if random.chance(0.25) { transaction.delete(row.id) } else { transaction.put(row) }
          }
        }
      }
      for _ in 0..<3 { commit() }
      let old = try ResultsController(request: request, store: store)
      var told: [ResultsChange<VectorRow>] = []
      let token = try old.observe { told.append($0) }
      var array = try SectionedArray(old)
      let stamp = try #require(old.stamp)
      for _ in 0..<Int.random(in: 0..<6, using: &random) { commit() }

      let new = try ResultsController(request: request, store: store)
      let listener = ContentListener()
      var resumed: [ResultsChange<VectorRow>] {
        listener.told.compactMap { if case .content(let change) = $0 { change } else { nil } }
      }
      new.delegate = listener
      try new.performFetch(resumingFrom: stamp)
      #expect(new.stamp == stamp && resumed.isEmpty, "round \(round)")
      #expect(new.generation == old.generation - told.count, "round \(round)")
      if random.chance(0.5) {
        #expect(try SectionedArray(new) == array, "round \(round)")
      }
      new.processPendingChanges()
      (store as? CountingStore)?.tellCommits()
      #expect(resumed == told, "round \(round)")
      for change in resumed { try array.apply(change) }
      #expect(try array == SectionedArray(old) && array == SectionedArray(new), "round \(round)")
      // It goes on like any other list.
      commit()
      (store as? CountingStore)?.tellCommits()
      #expect(resumed == told, "round \(round)")
      withExtendedLifetime((token, listener, old, new)) {}
    }
  }

  @Test("rule 68: a stamp that the log does not reach throws, and the results stay")
  func lostHistory() throws {
    let bench = try RulesBench([row(1), row(2)], listener: ClassicListener())
    bench.put(row(3))
    bench.put(row(4))
    bench.store.historyStart = StoreStamp(sequence: 1)
    let token = try #require(bench.controller.stamp).token
    for stamp in [0, 7] as [Int64] {
      #expect(throws: ResultsError.historyLost) {
        try bench.controller.performFetch(resumingFrom: StoreStamp(sequence: stamp, token: token))
      }
      #expect(try bench.controller.numbers() == [[1, 2, 3, 4]])
    }
    _ = bench.listener.take()
    #expect(throws: ResultsError.historyLost, "of another store") {
      try bench.controller.performFetch(resumingFrom: StoreStamp(sequence: 1, token: token + 1))
    }
    try bench.controller.performFetch(resumingFrom: StoreStamp(sequence: 1, token: token))
    #expect(try bench.controller.numbers() == [[1, 2, 3]])
    bench.controller.processPendingChanges()
    #expect(try bench.controller.numbers() == [[1, 2, 3, 4]])
    #expect(bench.listener.takeRows().count == 1)
  }
}
