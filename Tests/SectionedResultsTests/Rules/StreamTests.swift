import ResultsTestSupport
import SectionedResults
import Testing

/// Closures and asynchronous sequences, which follow a controller as a delegate does.
@Suite("Closures and sequences of batches")
struct StreamTests {
  private let rows = [row(1, "a", 1), row(2, "a", 2), row(3, "b", 1)]

  @Test("rule 24: a closure is called once for each commit that shows, until it is cancelled")
  func closure() throws {
    let bench = try RulesBench(rows, listener: Listener())
    var changes: [ResultsChange<VectorRow>] = []
    let token = try bench.controller.observe { changes.append($0) }
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

  @Test(
    "rule 14: a closure ends when its token is cancelled, not when the token goes; others go on")
  func tokens() throws {
    let bench = try RulesBench(rows, listener: Listener())
    var first = 0
    var second = 0
    var token: ResultsObservation? = try bench.controller.observe { _ in first += 1 }
    let other = try bench.controller.observe { _ in second += 1 }
    bench.put(row(4, "c"))
    token?.cancel()
    bench.put(row(5, "d"))
    #expect([first, second] == [1, 2])
    token = nil
    var kept = 0
    try bench.controller.observe { _ in kept += 1 }
    bench.put(row(6, "d"))
    #expect([first, second, kept] == [1, 3, 1])
    other.cancel()
  }

  @Test("rule 3: a closure whose fetch fails is not kept")
  func closureOfFailedFetch() throws {
    let bench = try RulesBench(rows, listener: Listener())
    bench.store.isBroken = true
    var calls = 0
    #expect(throws: SpyStore.Fault.self) {
      _ = try bench.controller.observe { _ in calls += 1 }
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
    token = try controller?.observe { _ in
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
    let first = try #require(try await iterator.next())
    #expect(first.insertedSections == [0, 1] && first.sectionCountsAfter == [2, 1])
    #expect(first == bench.controller.currentBatch())
    try list.apply(first)
    bench.put(row(4, "c"))
    bench.delete(1)
    bench.put(row(2, "b", 0))
    for _ in 0..<2 { try list.apply(try #require(try await iterator.next())) }
    let last = try #require(try await iterator.next())
    try list.apply(last)
    #expect(list.sections == SectionedList(bench.controller).sections)
    #expect(list.generation == bench.controller.generation)
  }

  @Test("a sequence of batches over nothing begins with an empty batch")
  func emptyBatches() async throws {
    let bench = try RulesBench([], listener: Listener())
    var iterator = try bench.controller.batches().makeAsyncIterator()
    let first = try #require(try await iterator.next())
    #expect(first.isEmpty && first.sectionCountsAfter == [])
    bench.put(row(1, "a"))
    #expect(try await iterator.next()?.insertedSections == [0])
  }

  @Test("a sequence of batches ends when the controller goes, after what was still to be read")
  func batchesEnd() async throws {
    let memory = MemoryResultsStore(rows: rows) { row, _ in !row.isHidden }
    let stream = try startBatches(memory)
    var count = 0
    for try await _ in stream { count += 1 }
    #expect(count == 2)
  }

  private func startBatches(
    _ memory: MemoryResultsStore<VectorRow>
  ) throws -> ResultsStream<ResultsBatch> {
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
      for try await _ in stream { count += 1 }
      return count
    }
    reader.cancel()
    _ = try await reader.value
    bench.put(row(4, "c"))
    #expect(bench.controller.trackingMode == .none)
    bench.put(row(5, "d"))
    #expect(bench.controller.sectionKeys == ["a", "b", "c"])
  }

  @Test("a controller stops following commits when nobody holds the sequence of its batches")
  func droppedStream() throws {
    let bench = try RulesBench(rows, listener: Listener())
    var stream: ResultsStream<ResultsBatch>? = try bench.controller.batches()
    #expect(stream != nil)
    bench.put(row(4, "c"))
    #expect(bench.controller.trackingMode == .memoryOnly)
    stream = nil
    bench.put(row(5, "d"))
    #expect(bench.controller.trackingMode == .none)
  }

  @Test("a consumer that falls behind gets the whole state, and its list is right")
  func overflow() async throws {
    let bench = try RulesBench(rows, listener: Listener())
    let stream = try bench.controller.batches(capacity: 4)
    var iterator = stream.makeAsyncIterator()
    var list = SectionedList()
    for round in 0..<50 {
      for _ in 0..<(round % 9) {
        bench.put(row(.random(in: 1...20), ["a", "b", "c"].randomElement()!))
      }
      let isBehind = round > 0 && bench.controller.generation - list.generation > 4
      var isFirst = true
      while list.generation != bench.controller.generation {
        let batch = try #require(try await iterator.next())
        #expect(!(isBehind && isFirst) || batch.isWhole)
        isFirst = false
        try list.apply(batch)
      }
      #expect(list.sections == SectionedList(bench.controller).sections)
    }
  }

  @Test("a batch names its new sections itself: the list is right also two commits later")
  func behindByTwo() async throws {
    let bench = try RulesBench([row(1, "m")], listener: Listener())
    var iterator = try bench.controller.batches().makeAsyncIterator()
    bench.put(row(2, "z"))
    bench.put(row(3, "a"))
    var list = SectionedList()
    var keys: [[String]] = []
    for _ in 0..<3 {
      try list.apply(try #require(try await iterator.next()))
      keys.append(list.sections.map(\.key))
    }
    #expect(keys == [["m"], ["m", "z"], ["a", "m", "z"]])
  }

  @Test("a fetch by somebody else sends the whole state, and a failing store ends the sequence")
  func fetchAndFailure() async throws {
    let bench = try RulesBench(rows, listener: Listener())
    var iterator = try bench.controller.changes().makeAsyncIterator()
    _ = try await iterator.next()
    bench.put(row(4, "c"))
    try bench.controller.performFetch()
    let whole = try #require(try await iterator.next())
    #expect(whole.batch.isWhole && whole.batch.insertedSectionKeys == ["a", "b", "c"])
    bench.put(row(5, "c"))
    #expect(try await iterator.next()?.rows.map(\.row.number) == [5])
    bench.store.isBroken = true
    bench.put(row(6, "c"))
    await #expect(throws: SpyStore.Fault.self) { try await iterator.next() }
    #expect(try await iterator.next() == nil)
    bench.store.isBroken = false
    let again = try bench.controller.batches()
    var second = again.makeAsyncIterator()
    #expect(try await second.next()?.sectionCountsAfter == [2, 1, 3])
  }

  @Test("a consumer in another isolation gets every commit")
  func otherIsolation() async throws {
    let bench = try RulesBench([], listener: Listener())
    let stream = try bench.controller.batches(capacity: 8)
    let reader = Task.detached {
      var list = SectionedList()
      for try await batch in stream {
        try list.apply(batch)
        if list.rowCount == 300 { break }
      }
      return list.sections.map(\.count)
    }
    for number in 0..<300 {
      bench.put(row(number, ["a", "b"][number % 2]))
      if number % 7 == 0 { await Task.yield() }
    }
    #expect(try await reader.value == [150, 150])
  }
}
