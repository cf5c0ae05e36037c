import ResultsTestSupport
import SectionedResults
import Testing

/// Closures and asynchronous sequences, which follow a controller as a delegate does.
@Suite("Rules: closures and sequences of batches")
struct RulesStreamTests {
  private let rows = [row(1, "a", 1), row(2, "a", 2), row(3, "b", 1)]

  @Test("rule 24: a closure is called once for each commit that shows, until it is cancelled")
  func closure() throws {
    let bench = try RulesBench(rows, listener: Listener())
    var changes: [ResultsChange<VectorRow>] = []
    let token = try bench.controller.fetch { changes.append($0) }
    #expect(changes.isEmpty, "the fetch itself is silent")
    bench.put(row(4, "c"))
    bench.put(rows[0])
    bench.delete(4)
    #expect(changes.map(\.sections) == [[.insert(at: 2)], [.delete(at: 2)]])
    token.cancel()
    token.cancel()
    bench.put(row(5, "d"))
    #expect(changes.count == 2)
    #expect(bench.controller.trackingMode == .none)
  }

  @Test("rule 14: a closure ends with its token, others go on")
  func tokens() throws {
    let bench = try RulesBench(rows, listener: Listener())
    var first = 0
    var second = 0
    var token: ResultsObservation? = try bench.controller.fetch { _ in first += 1 }
    let other = try bench.controller.fetch { _ in second += 1 }
    bench.put(row(4, "c"))
    #expect(token != nil)
    token = nil
    bench.put(row(5, "d"))
    #expect([first, second] == [1, 2])
    other.cancel()
  }

  @Test("rule 3: a closure whose fetch fails is not kept")
  func closureOfFailedFetch() throws {
    let bench = try RulesBench(rows, listener: Listener())
    bench.store.isBroken = true
    var calls = 0
    #expect(throws: SpyStore.Fault.self) {
      _ = try bench.controller.fetch { _ in calls += 1 }
    }
    bench.store.isBroken = false
    #expect(bench.controller.trackingMode == .none)
    try bench.controller.performFetch()
    bench.put(row(4, "c"))
    #expect(calls == 0)
  }

  @Test("rule 24: a token may outlive its controller, and a closure may cancel itself")
  func tokenLifetimes() throws {
    let memory = MemoryResultsStore(rows: rows) { row, _ in !row.isHidden }
    var controller: ResultsController<VectorRow>? = try ResultsController(
      request: VectorOptions().request, store: memory)
    var token: ResultsObservation?
    var calls = 0
    token = try controller?.fetch { _ in
      calls += 1
      token?.cancel()
    }
    memory.write { $0.put(row(4, "c")) }
    memory.write { $0.put(row(5, "d")) }
    #expect(calls == 1)
    controller = nil
    token?.cancel()
    memory.write { $0.put(row(6, "e")) }
    #expect(calls == 1)
  }

  @Test("a sequence of batches begins with everything, and builds the list commit by commit")
  func batches() async throws {
    let bench = try RulesBench(rows, listener: Listener())
    var iterator = try bench.controller.batches().makeAsyncIterator()
    var list = SectionedList()
    let first = try #require(await iterator.next())
    #expect(first.insertedSections == [0, 1] && first.sectionCountsAfter == [2, 1])
    #expect(first == bench.controller.currentBatch())
    try list.apply(first)
    bench.put(row(4, "c"))
    bench.delete(1)
    bench.put(row(2, "b", 0))
    for _ in 0..<2 { try list.apply(try #require(await iterator.next())) }
    let last = try #require(await iterator.next())
    try list.apply(last)
    #expect(list.sections == SectionedList(bench.controller).sections)
    #expect(list.generation == bench.controller.generation)
  }

  @Test("a sequence of batches over nothing begins with an empty batch")
  func emptyBatches() async throws {
    let bench = try RulesBench([], listener: Listener())
    var iterator = try bench.controller.batches().makeAsyncIterator()
    let first = try #require(await iterator.next())
    #expect(first.isEmpty && first.sectionCountsAfter == [])
    bench.put(row(1, "a"))
    #expect(await iterator.next()?.insertedSections == [0])
  }

  @Test("a sequence of batches ends when the controller goes, after what was still to be read")
  func batchesEnd() async throws {
    let memory = MemoryResultsStore(rows: rows) { row, _ in !row.isHidden }
    let stream = try startBatches(memory)
    var count = 0
    for await _ in stream { count += 1 }
    #expect(count == 2)
  }

  private func startBatches(
    _ memory: MemoryResultsStore<VectorRow>
  ) throws -> AsyncStream<ResultsBatch> {
    let controller = try ResultsController(request: VectorOptions().request, store: memory)
    let stream = try controller.batches()
    memory.write { $0.put(row(4, "c")) }
    return stream
  }

  @Test("a controller stops following commits when the reader of its batches was cancelled")
  func cancelledReader() async throws {
    let bench = try RulesBench(rows, listener: Listener())
    let stream = try bench.controller.batches()
    let reader = Task {
      var count = 0
      for await _ in stream { count += 1 }
      return count
    }
    reader.cancel()
    _ = await reader.value
    bench.put(row(4, "c"))
    #expect(bench.controller.trackingMode == .none)
    bench.put(row(5, "d"))
    #expect(bench.controller.sectionKeys == ["a", "b", "c"])
  }

  @Test("a controller stops following commits when nobody holds the sequence of its batches")
  func droppedStream() throws {
    let bench = try RulesBench(rows, listener: Listener())
    var stream: AsyncStream<ResultsBatch>? = try bench.controller.batches()
    #expect(stream != nil)
    bench.put(row(4, "c"))
    #expect(bench.controller.trackingMode == .memoryOnly)
    stream = nil
    bench.put(row(5, "d"))
    #expect(bench.controller.trackingMode == .none)
  }
}
