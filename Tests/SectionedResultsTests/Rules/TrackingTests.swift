import ResultsTestSupport
import SectionedResults
import Testing

/// Rules 14 to 16: who makes a controller follow commits.
@Suite("Tracking modes")
struct TrackingTests {
  private let rows = [row(1, "a", 1), row(2, "a", 2)]

  @Test("rule 14: without a delegate results stay as fetched", arguments: StoreKind.allCases)
  func nobodyListens(_ kind: StoreKind) throws {
    let bench = try RulesBench(rows, kind, listener: Listener())
    bench.controller.delegate = nil
    #expect(bench.controller.trackingMode == .none)
    bench.put(row(1, "a", 9, value: 5), row(3, "b"))
    bench.delete(2)
    bench.controller.processPendingChanges()
    #expect(try bench.controller.shown() == [rows])
    #expect(try bench.controller.path(1) == RowPath(0, 0))
    try bench.controller.performFetch()
    #expect(try bench.controller.numbers() == [[1], [3]])
  }

  @Test("rule 14: a controller does not keep its delegate alive, and stops when it goes")
  func delegateIsWeak() throws {
    let store = MemoryResultsStore(rows: rows) { row, _ in !row.isHidden }
    let controller = try ResultsController(request: VectorOptions().request, store: store)
    try controller.performFetch()
    var listener: ClassicListener? = ClassicListener()
    controller.delegate = listener
    #expect(controller.trackingMode == .memoryOnly)
    listener = nil
    #expect(controller.trackingMode == .none)
    store.write { $0.put(row(3, "b")) }
    #expect(try controller.numbers() == [[1, 2]])
  }

  @Test("rule 14: a delegate set later is told what changed since the fetch")
  func lateDelegate() throws {
    let bench = try RulesBench(rows, listener: ClassicListener())
    bench.controller.delegate = nil
    bench.put(row(3, "b"))
    bench.controller.delegate = bench.listener
    bench.controller.processPendingChanges()
    #expect(bench.listener.take().map(\.kind) == ["will", "section", "row", "did"])
  }

  @Test("rule 14: a delegate taken away inside a callback ends the tracking there")
  func delegateLeavesInCallback() throws {
    let bench = try RulesBench(rows, listener: ClassicListener())
    bench.listener.hook = { event, controller in
      guard event == .did else { return }
      controller.delegate = nil
      bench.put(row(4, "d"))
    }
    bench.put(row(3, "b"))
    #expect(try bench.controller.numbers() == [[1, 2], [3]])
    #expect(bench.listener.told.last == .did)
  }

  @Test(
    "rule 15: a delegate with none of the change abilities switches tracking off",
    arguments: Ability.passive)
  func noAbility(_ ability: Ability) throws {
    let listener = ability.listener
    let bench = try RulesBench(rows, listener: listener)
    #expect(bench.controller.trackingMode == .none)
    bench.put(row(3, "b"))
    #expect(try bench.controller.numbers() == [[1, 2]])
    #expect(listener.told.isEmpty)
  }

  @Test(
    "rule 15: each change ability alone switches tracking on, and only it is called",
    arguments: Ability.active)
  func singleAbility(_ ability: Ability) throws {
    let listener = ability.listener
    let bench = try RulesBench(rows, listener: listener)
    #expect(bench.controller.trackingMode == .memoryOnly)
    bench.put(row(3, "b"))
    #expect(listener.told.map(\.kind) == ability.told)
    #expect(try bench.controller.numbers() == [[1, 2], [3]])
  }

  @Test("rule 15: a delegate for rows alone is enough where there are no sections")
  func rowsAlone() throws {
    let bench = try RulesBench(rows, options: .flat, listener: RowListener())
    #expect(bench.controller.trackingMode == .memoryOnly)
    bench.put(row(3, "", 0))
    #expect(bench.listener.told == [.row(.insert(at: RowPath(0, 0)))])
  }

  @Test("rule 16: the mode follows from delegate and cache name")
  func modes() throws {
    let store = MemoryResultsStore(rows: rows) { row, _ in !row.isHidden }
    let caches = ResultsCaches(storage: MemoryOutlineCache())
    let listener = DidListener()
    for (name, mode) in [(nil, .memoryOnly), ("list", .fullPersistent)]
      as [(String?, TrackingMode)]
    {
      let controller = try ResultsController(
        request: VectorOptions().request, store: store, cacheName: name, caches: caches)
      try controller.performFetch()
      #expect(controller.trackingMode == .none)
      #expect(caches.contains("list") == (name != nil), "a fetch is kept also for nobody")
      try caches.deleteCache(withName: nil)
      controller.delegate = listener
      #expect(controller.trackingMode == mode)
      #expect(caches.contains("list") == (name != nil), "the cache is kept from now on")
      controller.delegate = nil
      #expect(controller.trackingMode == .none)
    }
  }

  @Test("rule 16: a name without a storage is an error, not a cache that keeps nothing")
  func noStorage() throws {
    let store = MemoryResultsStore(rows: rows) { row, _ in !row.isHidden }
    #expect(throws: ResultsError.noCacheStorage("list")) {
      try ResultsController(request: VectorOptions().request, store: store, cacheName: "list")
    }
  }

  @Test("rule 16: a closure is a listener too, and its fetch is kept in the cache")
  func closuresTrack() throws {
    let store = MemoryResultsStore(rows: rows) { row, _ in !row.isHidden }
    let caches = ResultsCaches(storage: MemoryOutlineCache())
    let controller = try ResultsController(
      request: VectorOptions().request, store: store, cacheName: "list", caches: caches)
    let token = try controller.observe { _ in }
    #expect(controller.trackingMode == .fullPersistent)
    #expect(caches.contains("list"))
    token.cancel()
    #expect(controller.trackingMode == .none)
  }
}
