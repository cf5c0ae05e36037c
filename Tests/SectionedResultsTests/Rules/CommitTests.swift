import ResultsTestSupport
import SectionedResults
import TestSupport
import Testing

/// Rules 23 to 30: the time and order of callbacks, and changes of sections.
@Suite("Commits and callbacks")
struct CommitTests {
  private let rows = [
    row(1, "a", 1), row(2, "a", 2), row(3, "b", 1), row(4, "b", 2, hidden: true), row(5, "c", 1),
  ]

  @Test(
    "rule 23: before the commit, and before it is noticed, paths and contents are the old ones",
    arguments: StoreKind.allCases)
  func changesAppearAtCommit(_ kind: StoreKind) throws {
    let bench = try RulesBench(rows, kind, listener: ClassicListener())
    try bench.store.memory.write {
      (transaction: inout MemoryResultsStore<VectorRow>.Transaction) throws in
      transaction.put(row(1, "a", 9, value: 1))
      transaction.delete(.integer(5))
      #expect(try bench.controller.path(1) == RowPath(0, 0))
      #expect(try bench.controller.path(5) == RowPath(2, 0))
      #expect(bench.listener.told.isEmpty)
    }
    #expect(try bench.controller.path(1) == RowPath(0, 1))
    bench.store.isQuiet = true
    bench.put(row(2, "b", 0, value: 1))
    #expect(try bench.controller.path(2) == RowPath(0, 0))
    #expect(try bench.controller.object(at: RowPath(0, 0)).value == .integer(0))
    #expect(try bench.controller.numbers() == [[2, 1], [3]])
    bench.store.tellCommits()
    #expect(try bench.controller.numbers() == [[1], [2, 3]])
  }

  @Test("hundreds of rows that come to one place and go again are all found there")
  func manyRowsAtOnePlace() throws {
    let bench = try RulesBench([row(0, "a")], listener: ClassicListener())
    var random = SeededGenerator(seed: SeededGenerator.runSeed)
    let seed: Comment = "RESULTS_SEED=\(SeededGenerator.runSeed)"
    let numbers = (1...900).shuffled(using: &random)
    for start in stride(from: 0, to: numbers.count, by: 9) {
      bench.write { transaction in
        for number in numbers[start..<start + 9] { transaction.put(row(number, "a", number)) }
      }
    }
    #expect(try bench.controller.numbers() == [Array(0...900)], seed)
    for number in numbers.prefix(300) { bench.put(row(number, "a", number, value: 1)) }
    for number in numbers.prefix(600) { bench.delete(number) }
    #expect(try bench.controller.numbers() == [[0] + numbers.dropFirst(600).sorted()], seed)
    #expect(!bench.listener.told.contains(.reload), seed)
  }

  @Test("rule 24: one transaction is one pair of callbacks, whatever it consists of")
  func oneTransactionOnePair() throws {
    let bench = try RulesBench(rows, listener: ClassicListener())
    bench.write { transaction in
      transaction.put(row(6, "a", 3))
      transaction.put(row(7, "d", 1))
      transaction.delete(.integer(2))
      transaction.put(row(3, "b", 1, value: 4))
    }
    let kinds = bench.listener.take().map(\.kind)
    #expect(kinds.filter { $0 == "will" }.count == 1)
    #expect(kinds.filter { $0 == "did" }.count == 1)
    bench.store.isQuiet = true
    for value in 1...3 { bench.put(row(5, "c", 1, value: value)) }
    bench.store.tellCommits()
    #expect(
      bench.listener.take().map(\.kind)
        == Array(repeating: ["will", "row", "did"], count: 3).flatMap(\.self),
      "commits noticed together stay apart")
  }

  @Test("rule 25: a transaction or savepoint that is rolled back reports nothing")
  func rollback() throws {
    struct Rollback: Error {}
    let bench = try RulesBench(rows, listener: ClassicListener())
    #expect(throws: Rollback.self) {
      try bench.store.memory.write { transaction in
        transaction.put(row(8, "a", 0))
        transaction.delete(.integer(1))
        throw Rollback()
      }
    }
    #expect(bench.listener.told.isEmpty)
    bench.write { transaction in
      let savepoint = transaction
      transaction.delete(.integer(1))
      transaction.put(row(9, "z", 0))
      transaction = savepoint
      transaction.put(row(2, "a", 2, value: 1))
    }
    #expect(
      bench.listener.told
        == [.will, .row(.update(from: RowPath(0, 1), to: RowPath(0, 1))), .did])
  }

  @Test(
    "rule 26: if nothing in the results changed nobody is called", arguments: StoreKind.allCases)
  func nothingChanged(_ kind: StoreKind) throws {
    let bench = try RulesBench(rows, kind, listener: BatchListener())
    let generation = bench.controller.generation
    bench.put(row(4, "b", 7, value: 3, hidden: true))
    bench.put(rows[0], rows[1])
    bench.put(row(10, "q", hidden: true))
    bench.delete(77)
    #expect(bench.listener.told.isEmpty)
    #expect(bench.controller.generation == generation)
    bench.put(row(6, "a", 3))
    #expect(bench.listener.batches.map(\.from) == [generation])
  }

  @Test("rule 27: the order is will, sections, rows, did")
  func order() throws {
    let bench = try RulesBench(rows, listener: ClassicListener())
    bench.write { transaction in
      transaction.delete(.integer(5))
      transaction.delete(.integer(3))
      transaction.put(row(6, "d", 1))
      transaction.put(row(7, "a", 0))
      transaction.put(row(1, "a", 5))
    }
    #expect(
      bench.listener.told == [
        .will, .section(.delete(at: 2)), .section(.delete(at: 1)), .section(.insert(at: 1)),
        .row(.delete(at: RowPath(1, 0))), .row(.delete(at: RowPath(2, 0))),
        .row(.insert(at: RowPath(0, 0))), .row(.insert(at: RowPath(1, 0))),
        .row(.move(from: RowPath(0, 0), to: RowPath(0, 2))), .did,
      ])
  }

  @Test(
    "rules 24, 27: the batch and the whole change are told once, between will and did",
    arguments: StoreKind.allCases)
  func wholeChange(_ kind: StoreKind) throws {
    let bench = try RulesBench(rows, kind, listener: HostListener())
    var expected: ResultsChange<VectorRow>?
    let observation = try bench.controller.observe { expected = $0 }
    bench.write { transaction in
      transaction.delete(.integer(5))
      transaction.put(row(6, "d", 1))
      transaction.put(row(1, "a", 5))
    }
    let change = try #require(expected)
    #expect(change.rows.count == 3)
    #expect(
      bench.listener.told == [.will, .batch(BatchLists(change.batch)), .content(change), .did])
    observation.cancel()
  }

  @Test(
    "rule 28: will shows the old results, every later callback the new ones",
    arguments: StoreKind.allCases)
  func oldAndNewResults(_ kind: StoreKind) throws {
    let bench = try RulesBench(rows, kind, listener: ClassicListener())
    _ = try bench.controller.fetchedObjects()
    let old = try bench.controller.shown()
    var seen: [Bool] = []
    bench.listener.hook = { event, controller in
      let shown = try controller.shown()
      seen.append(event == .will ? shown == old : shown == (try bench.fresh()))
      #expect(try controller.path(9) == (event == .will ? nil : RowPath(1, 0)))
    }
    bench.write { transaction in
      transaction.put(row(9, "aa"))
      transaction.put(row(1, "a", 1, value: 9))
      transaction.delete(.integer(5))
    }
    #expect(seen == Array(repeating: true, count: 7))
  }

  @Test("rule 30: sections are deleted at old indexes, highest first, and inserted at final ones")
  func sectionIndexes() throws {
    let bench = try RulesBench(rows, listener: SectionListener())
    bench.write { transaction in
      for id in [1, 2, 3] { transaction.delete(.integer(Int64(id))) }
      for (id, section) in [(6, "A"), (7, "d"), (8, "bb")] { transaction.put(row(id, section)) }
    }
    #expect(bench.controller.sectionKeys == ["A", "bb", "c", "d"])
    #expect(
      bench.listener.told == [
        .section(.delete(at: 1)), .section(.delete(at: 0)), .section(.insert(at: 0)),
        .section(.insert(at: 1)), .section(.insert(at: 3)),
      ])
  }
}
