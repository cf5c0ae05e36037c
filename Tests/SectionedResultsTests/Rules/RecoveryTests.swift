import ResultsTestSupport
import SectionedResults
import Testing

/// Rule 52: stores that cannot be read.
@Suite("Recovery")
struct RecoveryTests {
  private let rows = [row(1, "a", 1), row(2, "a", 2), row(3, "b", 1), row(4, "c", 1)]

  @Test(
    "rule 52: a read that fails at any call while a commit is taken in is told, and is made up for",
    arguments: StoreKind.allCases)
  func failingCommit(_ kind: StoreKind) throws {
    var call = 0
    var isDone = false
    while !isDone {
      call += 1
      let bench = try RulesBench(rows, kind, listener: BatchListener())
      let old = try bench.controller.contents()
      bench.store.reset()
      bench.store.failingCall = call
      bench.put(row(2, "b", 0), row(5, "d"))
      isDone = bench.store.calls < call
      bench.store.failingCall = nil
      guard !isDone else { break }
      #expect(bench.listener.errors as? [SpyStore.Fault] == [SpyStore.Fault(call: call)])
      #expect(bench.listener.take().map(\.kind).filter { $0 == "batch" }.count <= 1)
      bench.delete(3)
      #expect(try bench.controller.shown() == (try bench.fresh()))
      #expect(bench.listener.batches.map(\.from) == Array(1...2))
      #expect(old.count == 3)
    }
    #expect(call > 3)
  }

  @Test(
    "rule 52: a fetch that fails at any call throws the store's error and keeps the results",
    arguments: StoreKind.allCases)
  func failingFetch(_ kind: StoreKind) throws {
    let bench = try RulesBench(rows, kind, listener: BatchListener())
    bench.store.isQuiet = true
    let old = try bench.controller.shown()
    let generation = bench.controller.generation
    bench.put(row(5, "d"))
    for notifies in [false, true] {
      var call = 0
      while true {
        call += 1
        bench.store.reset()
        bench.store.failingCall = call
        defer { bench.store.failingCall = nil }
        do {
          try bench.controller.performFetch(notifyingChanges: notifies)
          break
        } catch let fault as SpyStore.Fault {
          #expect(fault == SpyStore.Fault(call: call))
        }
        bench.store.failingCall = nil
        #expect(bench.listener.told.isEmpty)
        if !notifies {
          #expect(bench.controller.generation == generation)
          #expect(try bench.controller.shown() == old)
        }
      }
      #expect(call > 1)
      #expect(bench.controller.sectionKeys.last == "d")
    }
  }

  @Test(
    "rule 52: a read that fails while rows are looked at throws and harms nothing",
    arguments: StoreKind.allCases)
  func failingLookups(_ kind: StoreKind) throws {
    var call = 0
    var failures = 0
    repeat {
      call += 1
      let bench = try RulesBench(rows, kind, listener: BatchListener())
      bench.store.reset()
      bench.store.failingCall = call
      failures = 0
      for _ in 0..<2 {
        do {
          #expect(try bench.controller.path(3) == RowPath(1, 0))
          #expect(try bench.controller.numbers() == [[1, 2], [3], [4]])
          _ = try bench.controller.snapshot()
        } catch let fault as SpyStore.Fault {
          #expect(fault == SpyStore.Fault(call: call))
          failures += 1
        }
      }
      bench.store.failingCall = nil
      #expect(failures <= 1)
      bench.put(row(5, "d"))
      #expect(try bench.controller.shown() == (try bench.fresh()))
    } while failures > 0
    #expect(call > 3)
  }

  @Test("rule 52: while the store cannot be read each commit is an error, and none is lost")
  func brokenStore() throws {
    let bench = try RulesBench(rows, listener: BatchListener())
    bench.store.isBroken = true
    for id in 5...7 { bench.put(row(id, "d", id)) }
    #expect(bench.listener.take().map(\.kind) == ["failed", "failed", "failed"])
    bench.store.isBroken = false
    #expect(try bench.controller.numbers() == [[1, 2], [3], [4]])
    bench.put(row(8, "d", 8))
    #expect(bench.listener.take().map(\.kind) == Array(repeating: "batch", count: 4))
    #expect(try bench.controller.numbers() == [[1, 2], [3], [4], [5, 6, 7, 8]])
  }

  @Test("rule 52: a history that was lost is told, results are fetched anew, and commits follow")
  func historyLost() throws {
    let bench = try RulesBench(rows, listener: BatchListener())
    bench.store.isQuiet = true
    for id in 5...7 { bench.put(row(id, "d", id)) }
    bench.store.historyStart = StoreStamp(sequence: 2)
    #expect(throws: ResultsError.historyLost) { try bench.controller.path(1) }
    bench.store.tellCommits()
    #expect(
      bench.listener.take() == [.failed("\(ResultsError.historyLost)"), .reload])
    #expect(try bench.controller.numbers() == [[1, 2], [3], [4], [5, 6, 7]])
    let generation = bench.controller.generation
    bench.store.isQuiet = false
    bench.put(row(8, "e"))
    #expect(bench.listener.batches.map(\.from) == [generation])
  }

  @Test("rule 52: if even that fetch fails there is one error, no reload, and the next try helps")
  func historyLostAndBroken() throws {
    let bench = try RulesBench(rows, listener: BatchListener())
    bench.store.isQuiet = true
    bench.put(row(5, "d"))
    bench.store.historyStart = StoreStamp(sequence: 1)
    bench.store.reset()
    bench.store.failingCall = 5
    bench.store.tellCommits()
    #expect(bench.listener.take() == [.failed("\(SpyStore.Fault(call: 5))")])
    bench.store.tellCommits()
    #expect(bench.listener.take().map(\.kind) == ["failed", "reload"])
    #expect(bench.controller.sectionKeys == ["a", "b", "c", "d"])
  }
}
