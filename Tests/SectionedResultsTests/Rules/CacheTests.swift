import ResultsTestSupport
import SectionedResults
import TestSupport
import Testing

/// Rules 17 to 21: named caches.
@Suite("Caches")
struct CacheTests {
  private let rows = [
    row(1, "a", 1), row(2, "a", 2), row(3, "b", 1), row(4, "b", 2, hidden: true), row(5, "c", 1),
  ]

  @Test(
    "rule 17: a start from a valid cache reads neither outline nor keys nor rows",
    arguments: StoreKind.allCases)
  func validCacheReadsNothing(_ kind: StoreKind) throws {
    let run = CacheRun(rows, kind)
    #expect(try run.start().outlines == 1)
    let second = try run.start()
    #expect(second == CacheRun.Start(outlines: 0, keys: 0, rows: 0, sections: [2, 1, 1]))
    try run.withController { (controller) throws in
      #expect(try controller.numbers() == [[1, 2], [3], [5]])
      #expect(try controller.path(5) == RowPath(2, 0))
    }
  }

  @Test(
    "rule 17: another filter, sort or section makes the cache invalid; limit and pages do not",
    arguments: [
      (ResultsRequest(sortKeys: [SortKey(.section), SortKey(.key)], sectionField: .section), 1),
      (
        ResultsRequest(
          filter: .visible, sortKeys: [SortKey(.section, .descending), SortKey(.key)],
          sectionField: .section), 1
      ),
      (ResultsRequest(filter: .visible, sortKeys: [SortKey(.section), SortKey(.key)]), 1),
      (
        ResultsRequest(
          filter: .visible, sortKeys: [SortKey(.section), SortKey(.key)], sectionField: .section,
          limit: 2, offset: 1, pageSize: 9), 0
      ),
    ] as [(ResultsRequest<VectorRow>, Int)])
  func signature(_ request: ResultsRequest<VectorRow>, _ outlines: Int) throws {
    let run = CacheRun(rows)
    _ = try run.start()
    #expect(try run.start(request).outlines == outlines)
    #expect(try run.start(request).outlines == 0, "it was overwritten")
    try run.withController(request) { (controller) throws in
      let fresh = try ResultsController(request: request, store: run.store.memory)
      try fresh.performFetch()
      #expect(try controller.shown() == (try fresh.shown()))
    }
  }

  @Test(
    "rule 17: a cache with a wrong count is computed anew, at once or after the first read",
    arguments: [false, true])
  func wrongCount(_ aggregates: Bool) throws {
    let store = MemoryResultsStore(rows: rows) { row, _ in !row.isHidden }
    let storage = MemoryOutlineCache()
    let caches = ResultsCaches(storage: storage)
    var request = VectorOptions().request
    request.aggregatedFields = aggregates ? [.key] : []
    func start() throws -> ResultsController<VectorRow> {
      let controller = try ResultsController(
        request: request, store: store, cacheName: "c", caches: caches)
      try controller.performFetch()
      return controller
    }
    _ = try start()
    var outline = try #require(storage.outline(named: "c"))
    outline.groups[0].count += 1
    storage.save(outline, named: "c")
    let controller = try start()
    if !aggregates {
      #expect(throws: ResultsError.self) { try controller.fetchedObjects() }
      try controller.performFetch()
    }
    #expect(controller.sectionCounts == [2, 1, 1])
    #expect(try controller.fetchedObjects()?.map(\.number) == [1, 2, 3, 5])
  }

  @Test("rule 17: a store that went on since brings the cache up to date by its log")
  func stamp() throws {
    let run = CacheRun(rows)
    _ = try run.start()
    run.store.memory.write { $0.put(row(6, "c", 2)) }
    let second = try run.start()
    #expect(second.outlines == 0)
    #expect(second.sections == [2, 1, 2])
    #expect(try run.start().outlines == 0)
  }

  @Test(
    "rule 17: a cache rolls forward over any commits to what a fetch shows, or is computed anew",
    arguments: StoreKind.allCases)
  func rollsForward(_ kind: StoreKind) throws {
    var random = SeededGenerator(seed: 17)
    let run = CacheRun((0..<300).map { row($0, ["a", "b", "c", "d"][$0 / 75], $0) }, kind)
    var rolled = 0
    for _ in 0..<60 {
      for _ in 0..<random.below(4) {
        run.store.memory.write { transaction in
          for _ in 0...random.below(6) {
            let number = random.below(320)
            if random.below(3) == 0 {
              transaction.delete(.integer(Int64(number)))
            } else {
              let section = ["a", "b", "c", "d", "e"][random.below(5)]
              transaction.put(row(number, section, random.below(400), hidden: random.below(9) == 0))
            }
          }
        }
      }
      let fresh = try ResultsController(request: VectorOptions().request, store: run.store.memory)
      try fresh.performFetch()
      try run.withController { (controller) throws in
        rolled += run.store.counts[.outline] == nil ? 1 : 0
        #expect(controller.sectionKeys == fresh.sectionKeys)
        #expect(try controller.shown() == (try fresh.shown()))
      }
    }
    #expect(rolled == 60 - 1, "only the first start needs an outline")
  }

  @Test("rule 17: after too many commits, or a lost log, the outline is read again")
  func longLog() throws {
    let run = CacheRun(rows)
    _ = try run.start()
    run.store.memory.write { transaction in
      for number in 100..<200 { transaction.put(row(number, "c", number)) }
    }
    #expect(try run.start().outlines == 1)
    #expect(try run.start().sections == [2, 1, 101])
  }

  @Test("rule 17: a cache of another store is not believed, though the numbers of commits agree")
  func otherStore() throws {
    let storage = MemoryOutlineCache()
    let first = CacheRun(rows, storage: storage)
    #expect(try first.start().sections == [2, 1, 1])
    let other = CacheRun([row(1, "a", 1), row(9, "z", 1)], storage: storage)
    #expect(try other.start().sections == [1, 1])
    #expect(try first.start().outlines == 1)
    // One of an earlier version has no token.
    var outline = try #require(storage.outline(named: "list"))
    outline.token = nil
    storage.save(outline, named: "list")
    #expect(try first.start().outlines == 1)
  }

  @Test("rule 17: another version of the entity makes the cache invalid")
  func entityVersion() throws {
    let caches = ResultsCaches(storage: MemoryOutlineCache())
    #expect(try outlineReads(of: VersionedRow<One>.self, caches) == 1)
    #expect(try outlineReads(of: VersionedRow<One>.self, caches) == 0)
    #expect(try outlineReads(of: VersionedRow<Two>.self, caches) == 1)
    #expect(try outlineReads(of: VersionedRow<Two>.self, caches) == 0)
    #expect(try outlineReads(of: VersionedRow<One>.self, caches) == 1)
  }

  @Test("rule 17: a cache that does not fit the store is dropped when that shows")
  func cacheThatLies() throws {
    let storage = MemoryOutlineCache()
    let run = CacheRun(rows, .lazy, storage: storage)
    _ = try run.start()
    var outline = try #require(storage.outline(named: "list"))
    outline.groups[0].count = 7
    storage.save(outline, named: "list")
    try run.withController { (controller) throws in
      #expect(controller.sectionCounts == [7, 1, 1])
      run.store.memory.write { $0.put(row(7, "a", 3)) }
      #expect(try controller.numbers() == [[1, 2, 7], [3], [5]])
    }
  }

  @Test("rule 17: rows that only a tie separates are cached so that they are found again")
  func tiesInCache() throws {
    let many = (0..<1_500).map { row($0, "a", $0 < 1_400 ? 1 : 2) } + [row(2_000, "b", 1)]
    let run = CacheRun(many)
    _ = try run.start()
    try run.withController { (controller) throws in
      #expect(run.store.counts[.outline] == nil)
      #expect(try controller.identity(at: RowPath(0, 1_399)) == .integer(1_399))
      #expect(try controller.numbers() == [Array(0..<1_500), [2_000]])
    }
  }

  @Test("rule 17: an outline in which only a tie separates two sections is not cached")
  func tieBetweenSections() throws {
    let run = CacheRun([row(1, "a", 1), row(2, "b", 1), row(3, "b", 2)])
    for _ in 0..<2 {
      #expect(try run.start(splittable).outlines == 1)
      try run.withController(splittable) { (controller) throws in
        #expect(try controller.numbers() == [[1], [2, 3]])
      }
    }
  }

  @Test("rule 18: a request cannot change while its cache exists")
  func requestIsFixedByCache() throws {
    let run = CacheRun(rows)
    try run.withController { (controller) throws in
      #expect(throws: ResultsError.cacheNotDeleted("list")) {
        try controller.setRequest(splittable)
      }
      #expect(controller.request == VectorOptions().request)
      try controller.setRequest(VectorOptions().request)
      try run.caches.deleteCache(withName: "list")
      try controller.setRequest(splittable)
      #expect(controller.request == splittable)
    }
  }

  @Test("rule 19: deleting the cache named nil deletes all caches, another name only its own")
  func deleteCaches() throws {
    let run = CacheRun(rows)
    for name in ["one", "two", "three"] { _ = try run.start(name: name) }
    try run.caches.deleteCache(withName: "two")
    #expect(run.caches.contains("one") && !run.caches.contains("two"))
    try run.caches.deleteCache(withName: nil)
    #expect(!run.caches.contains("one") && !run.caches.contains("three"))
    #expect(try run.start(name: "one").outlines == 1)
  }

  @Test("rule 20: two controllers may not share a cache name; it is free again when one goes")
  func namesAreExclusive() throws {
    let run = CacheRun(rows)
    try run.withController { (_) throws in
      #expect(throws: ResultsError.cacheInUse("list")) { try run.start() }
      #expect(throws: ResultsError.cacheInUse("list"), "the failed one does not free the name") {
        try run.start()
      }
      #expect(try run.start(name: "other").outlines == 1)
    }
    #expect(try run.start().outlines == 0)
  }

  @Test(
    "rule 21: commits update the cache, also those that change nothing that is shown",
    arguments: StoreKind.allCases)
  func commitsUpdateCache(_ kind: StoreKind) throws {
    let run = CacheRun(rows, kind)
    var expected: [[Int]] = []
    try run.withController { (controller) throws in
      run.store.memory.write { $0.put(row(3, "d", 1)) }
      run.store.memory.write { $0.put(row(4, "b", 7, hidden: true)) }
      expected = try controller.numbers()
    }
    #expect(try run.start().outlines == 0)
    try run.withController { (controller) throws in
      #expect(try controller.numbers() == expected)
    }
  }

  @Test("rule 21: results without their invalidated rows are not cached")
  func invalidRowsAreNotCached() throws {
    let run = CacheRun(rows)
    try run.withController { (controller) throws in
      controller.invalidate([.integer(1)])
      #expect(controller.sectionCounts == [1, 1, 1])
      run.store.memory.write { $0.put(row(6, "c", 2)) }
    }
    try run.withController { (controller) throws in
      #expect(try controller.numbers() == [[1, 2], [3], [5, 6]])
    }
  }

  private func outlineReads<Version: EntityVersion>(
    of type: VersionedRow<Version>.Type, _ caches: ResultsCaches
  ) throws -> Int {
    var matched = 0
    let rows = [VersionedRow<Version>(id: 1), VersionedRow<Version>(id: 2)]
    let store = MemoryResultsStore(rows: rows) { _, _ in
      matched += 1
      return true
    }
    // As if the stores were one.
    store.token = 1
    let controller = try ResultsController(
      request: ResultsRequest(filter: true, sortKeys: [SortKey(true)]), store: store,
      cacheName: "list", caches: caches)
    let token = try controller.observe { _ in }
    token.cancel()
    // The memory store looks at each row once for an outline, and at none otherwise.
    return matched / rows.count
  }
}
