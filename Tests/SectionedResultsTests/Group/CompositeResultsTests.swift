import ResultsTestSupport
import SectionedResults
import TestSupport
import Testing

/// Several requests as one list, and sections that are shown although they are empty.
@Suite("Composite lists")
struct CompositeResultsTests {
  private typealias Part = CompositeResults<VectorRow>.Part
  private let memory = MemoryResultsStore<VectorRow>(rows: []) { row, _ in !row.isHidden }

  @Test(
    "rule 69: the changes of a composite list lead to what its requests fetch, one for each commit",
    arguments: StoreKind.allCases)
  func randomLists(_ kind: StoreKind) throws {
    for round in 0..<150 as Range<UInt64> {
      var random = SeededGenerator(seed: SeededGenerator.runSeed &+ round)
      let memory = MemoryResultsStore<VectorRow>(rows: []) { row, _ in !row.isHidden }
      let store = kind.store(over: memory)
      (store as? CountingStore)?.isQuiet = kind == .late
      func commit() {
        memory.write { transaction in
          for _ in 0..<Int.random(in: 1..<7, using: &random) {
            let row = Self.randomRow(&random)
            if random.chance(0.4) { transaction.delete(row.id) } else { transaction.put(row) }
          }
        }
      }
      commit()
      var parts = (0..<Int.random(in: 1..<4, using: &random)).map { index in
        Part(
          Self.options(&random).request, keyPrefix: "\(index) ",
          anchors: Self.anchors(&random), place: Self.place(before: index, &random))
      }
      let list = try CompositeResults(parts, store: store)
      let follower = ListFollower()
      list.delegate = follower
      follower.failed = { Issue.record($0) }
      try list.fetch()
      var array = try SectionedArray(list)
      var counts = SectionedList()
      try counts.apply(list.currentBatch())
      var changes = 0
      follower.changed = { change in
        #expect(throws: Never.self, "round \(round)") {
          try array.apply(change)
          try counts.apply(change.batch)
        }
        changes += 1
      }
      follower.reloaded = {
        #expect(throws: Never.self, "round \(round)") { array = try SectionedArray(list) }
        counts = SectionedList()
        #expect(throws: Never.self, "round \(round)") { try counts.apply(list.currentBatch()) }
        changes += 1
      }
      for _ in 0..<8 {
        if random.chance(0.3) {
          let part = random.below(parts.count)
          if random.chance(0.5) { parts[part].anchors = Self.anchors(&random) }
          if random.chance(0.5) { parts[part].place = Self.place(before: part, &random) }
          if random.chance(0.5) { parts[part].request = Self.options(&random).request }
          try list.setPart(part, to: parts[part])
        } else {
          let before = changes
          for _ in 0..<(kind == .late ? 3 : 1) { commit() }
          (store as? CountingStore)?.tellCommits()
          #expect(changes - before <= (kind == .late ? 3 : 1), "round \(round)")
        }
        let expected = try Self.expected(parts, memory)
        #expect(array == (try SectionedArray(list)), "round \(round)")
        #expect(array.sections.map(\.key) == expected.map(\.key), "round \(round)")
        #expect(array.sections.map(\.rows) == expected.map(\.rows), "round \(round)")
        #expect(counts.sections.map(\.count) == expected.map(\.rows.count), "round \(round)")
      }
      #expect(follower.disorder == [], "round \(round)")
    }
  }

  private static func randomRow(_ random: inout SeededGenerator) -> VectorRow {
    row(
      random.below(14), "s\(random.below(4))", random.below(6), value: random.below(3),
      hidden: random.chance(0.15))
  }

  private static func anchors(_ random: inout SeededGenerator) -> [String] {
    ([""] + (0..<6).map { "s\($0)" }).filter { _ in random.chance(0.3) }
  }

  private static func place(before part: Int, _ random: inout SeededGenerator) -> Part.Place? {
    guard part > 0, random.chance(0.4) else { return nil }
    return Part.Place(afterSection: "s\(random.below(6))", ofPart: random.below(part))
  }

  private static func options(_ random: inout SeededGenerator) -> VectorOptions {
    var options = VectorOptions()
    options.isSectioned = random.chance(0.8)
    options.sectionOrder = random.chance(0.5) ? .ascending : .descending
    if random.chance(0.3) { options.limit = random.below(9) }
    if random.chance(0.3) { options.offset = random.below(4) }
    return options
  }

  /// The sections of each request, fetched anew, with the anchors sorted among them, at their places.
  private static func expected(
    _ parts: [Part], _ memory: MemoryResultsStore<VectorRow>
  ) throws -> [(key: String, rows: [VectorRow])] {
    try parts.reduce(into: []) { list, part in
      let fresh = try ResultsController(request: part.request, store: memory)
      try fresh.performFetch()
      var sections: [String: [VectorRow]] = [:]
      for anchor in part.anchors { sections[anchor] = [] }
      for (index, key) in fresh.sectionKeys.enumerated()
      where fresh.numberOfRows(inSection: index) > 0 {
        sections[key] = try fresh.objects(inSection: index)
      }
      let isDescending = part.request.sortKeys[0].order == .descending
      let own = sections.sorted { ($0.key < $1.key) != isDescending }
        .map { (key: part.keyPrefix + $0.key, rows: $0.value) }
      let before = part.place.map { parts[$0.part].keyPrefix + $0.section }
      let start = list.firstIndex { $0.key == before }.map { $0 + 1 }
      list.insert(contentsOf: own, at: start ?? list.count)
    }
  }

  @Test("rule 70: an anchored section stays when its last row goes, and gets its rows as inserts")
  func anchored() throws {
    memory.write { $0.put(row(1, "b")) }
    let list = try CompositeResults(
      [Part(VectorOptions().request, anchors: ["a", "c"])], store: memory)
    try list.fetch()
    var batches: [ResultsBatch] = []
    let follower = ListFollower()
    list.delegate = follower
    follower.changed = { batches.append($0.batch) }
    #expect(list.sectionKeys == ["a", "b", "c"])
    #expect(list.sectionCounts == [0, 1, 0])
    #expect(throws: ResultsError.noSuchRow(RowPath(0, 0))) { try list.object(at: RowPath(0, 0)) }
    memory.write { $0.put(row(2, "c")) }
    memory.write { $0.put(row(2, "a")) }
    memory.write { $0.delete(.integer(2)) }
    memory.write { $0.delete(.integer(1)) }
    #expect(batches.map(\.insertedRows) == [[RowPath(2, 0)], [], [], []])
    #expect(
      batches.map(\.moves) == [[], [.init(from: RowPath(2, 0), to: RowPath(0, 0))], [], []])
    #expect(batches.map(\.deletedRows) == [[], [], [RowPath(0, 0)], []])
    #expect(batches.map(\.deletedSections) == [[], [], [], [1]])
    #expect(batches.allSatisfy { $0.insertedSections.isEmpty })
    #expect(list.sectionKeys == ["a", "c"])
    try list.setPart(0, to: Part(VectorOptions().request, anchors: ["b", "c"]))
    #expect(batches.last?.deletedSections == [0] && batches.last?.insertedSections == [0])
    #expect(batches.last?.insertedSectionKeys == ["b"])
    #expect(list.generation == 6)
  }

  @Test("rule 70: an anchored section that moves among the others is deleted and inserted")
  func unorderedAnchors() throws {
    // Sorted by key alone, so that no section is where its name would belong.
    let request = ResultsRequest<VectorRow>(sortKeys: [SortKey(.key)], sectionField: .section)
    memory.write { transaction in
      for (id, section) in ["z", "m", "c"].enumerated() { transaction.put(row(id, section, id)) }
    }
    let list = try CompositeResults([Part(request, anchors: ["y", "a"])], store: memory)
    try list.fetch()
    var array = try SectionedArray(list)
    let follower = ListFollower()
    list.delegate = follower
    follower.changed = { change in #expect(throws: Never.self) { try array.apply(change) } }
    #expect(list.sectionKeys == ["a", "y", "z", "m", "c"])
    memory.write { $0.put(row(8, "y", 8)) }
    memory.write { $0.put(row(9, "a", 9)) }
    #expect(list.sectionKeys == ["z", "m", "c", "y", "a"])
    #expect(try array == SectionedArray(list))
    memory.write { $0.delete(.integer(8)) }
    memory.write { $0.delete(.integer(9)) }
    #expect(list.sectionKeys == ["a", "y", "z", "m", "c"])
    #expect(try array == SectionedArray(list))
  }

  @Test("rule 70: a part stands after the section that is its place, and follows it as a reload")
  func places() throws {
    memory.write { for (id, key) in ["a", "c"].enumerated() { $0.put(row(id, key)) } }
    var flat = VectorOptions()
    flat.isSectioned = false
    func second(after section: String) -> Part {
      Part(
        flat.request, keyPrefix: "all", place: Part.Place(afterSection: section, ofPart: 0))
    }
    let list = try CompositeResults(
      [Part(VectorOptions().request, anchors: ["b"]), second(after: "b")], store: memory)
    try list.fetch()
    let follower = ListFollower()
    list.delegate = follower
    #expect(list.sectionKeys == ["a", "b", "all", "c"])
    #expect(list.sectionCounts == [1, 0, 2, 1])
    #expect(try list.indexPaths(for: 1) == [RowPath(3, 0), RowPath(2, 1)])
    memory.write { $0.put(row(2, "b")) }
    #expect(list.sectionCounts == [1, 1, 3, 1])
    for part in [-1, 3] {
      #expect(throws: ResultsError.self) { try list.setPart(part, to: second(after: "a")) }
    }
    try list.setPart(1, to: second(after: "a"))
    #expect(list.sectionKeys == ["a", "all", "b", "c"])
    memory.write { $0.delete(.integer(0)) }
    #expect(list.sectionKeys == ["b", "c", "all"])
    try list.setPart(1, to: second(after: "nowhere"))
    #expect(list.sectionCounts == [1, 1, 2])
    flat.limit = 1
    try list.setPart(1, to: second(after: "nowhere"))
    #expect(list.sectionCounts == [1, 1, 1])
    #expect(follower.ends == ["change", "reload", "reload", "change"])
    #expect(follower.disorder == [])
  }

  @Test("rule 63: a commit of several requests is one change, and no listener sees half of it")
  func oneChange() throws {
    memory.write { $0.put(row(1, "a")) }
    var flat = VectorOptions()
    flat.isSectioned = false
    let other = try ResultsController(request: VectorOptions().request, store: memory)
    let list = try CompositeResults(
      [Part(flat.request, keyPrefix: "all"), Part(VectorOptions().request)], store: memory)
    var seen: [String] = []
    try other.observe { _ in seen.append("other: \(list.sectionCounts)") }
    try list.fetch()
    let follower = ListFollower()
    list.delegate = follower
    follower.changed = { change in
      seen.append("list: \(change.rows.count) \(list.sectionCounts)")
      if list.numberOfSections == 3 { memory.write { $0.delete(.integer(1)) } }
    }
    memory.write { $0.put(row(2, "b")) }
    #expect(list.sectionKeys == ["all", "b"])
    #expect(
      seen == [
        "other: [2, 1, 1]", "list: 2 [2, 1, 1]", "other: [1, 1]", "list: 2 [1, 1]",
      ])
    #expect(try list.indexPaths(for: 2) == [RowPath(0, 0), RowPath(1, 0)])
    #expect(try list.indexPaths(for: 1).isEmpty)
    #expect(list.part(ofSection: 1) == 1 && list.part(ofSection: 2) == nil)
    #expect(try list.object(at: RowPath(1, 0)) == row(2, "b"))
    #expect(try list.identity(at: RowPath(0, 0)) == 2)
    withExtendedLifetime(other) {}
  }

  @Test("rule 52: a store that fails is told; a fetch is a reload, another request a change")
  func failuresAndReloads() throws {
    let store = SpyStore(memory)
    try store.insert(row(1, "a"))
    let list = try CompositeResults([Part(VectorOptions().request)], store: store)
    let follower = ListFollower()
    list.delegate = follower
    store.isBroken = true
    #expect(throws: SpyStore.Fault.self) { try list.fetch() }
    #expect(list.numberOfSections == 0 && list.generation == 0)
    store.isBroken = false
    try list.fetch()
    store.isBroken = true
    try store.insert(row(2, "b"))
    #expect(list.sectionKeys == ["a"])
    #expect(throws: SpyStore.Fault.self) {
      try list.setPart(0, to: Part(VectorOptions.flat(limit: 1).request))
    }
    store.isBroken = false
    try store.insert(row(3, "c"))
    #expect(list.sectionKeys == ["a", "b", "c"])
    store.isQuiet = true
    try store.insert(row(4, "d"))
    try store.insert(row(5, "d"))
    store.historyStart = StoreStamp(sequence: 5)
    store.tellCommits()
    #expect(list.sectionCounts == [1, 1, 1, 2])
    try list.setPart(0, to: Part(VectorOptions.flat(limit: 2).request))
    #expect(list.sectionCounts == [2])
    #expect(
      follower.ends == ["failure", "change", "change", "failure", "reload", "change"])
  }

  /// The calls of a delegate for two inserted rows and a deleted one.
  private func calls<Delegate: Listener>(
    _ list: CompositeResults<VectorRow>, _ delegate: Delegate
  ) -> [String] {
    list.delegate = delegate
    memory.write { $0.put(row(2, "b")) }
    memory.write { transaction in
      transaction.put(row(3, "b"))
      transaction.delete(.integer(2))
    }
    return delegate.take().map(\.kind)
  }

  @Test("rule 50: each kind of delegate of a composite list gets the calls of its kind")
  func everyKind() throws {
    memory.write { $0.put(row(1, "a")) }
    func list() throws -> CompositeResults<VectorRow> {
      memory.write { transaction in for id in [2, 3] { transaction.delete(.integer(Int64(id))) } }
      let list = try CompositeResults(
        [Part(VectorOptions().request, anchors: ["b"])], store: memory)
      try list.fetch()
      return list
    }
    #expect(
      try calls(list(), ClassicListener()) == [
        "will", "row", "did", "will", "row", "row", "did",
      ])
    #expect(try calls(list(), BatchListener()) == ["batch", "batch"])
    #expect(try calls(list(), ContentListener()) == ["content", "content"])
    #expect(
      try calls(list(), HostListener()) == [
        "will", "batch", "content", "did", "will", "batch", "content", "did",
      ])
    let snapshots = SnapshotListener()
    #expect(try calls(list(), snapshots) == ["snapshot", "snapshot"])
    #expect(
      snapshots.snapshots.map { $0.sections.map(\.rows) } == [[[1], [2]], [[1], [3]]])
  }

  @Test("rule 49: what a delegate throws is reported to it, and a reload follows")
  func throwingDelegate() throws {
    final class Thrower: ErrorListener, ResultsWillChangeDelegate, ResultsBatchDelegate {
      struct Fault: Error {}
      var throwsBefore = false
      func controllerWillChangeContent(_ controller: List) throws {
        if throwsBefore { throw Fault() }
      }
      func controller(_ controller: List, didChangeContentWith batch: ResultsBatch) throws {
        throw Fault()
      }
    }
    let list = try CompositeResults([Part(VectorOptions().request)], store: memory)
    try list.fetch()
    let thrower = Thrower()
    list.delegate = thrower
    for throwsBefore in [false, true] {
      thrower.throwsBefore = throwsBefore
      memory.write { $0.put(row(throwsBefore ? 2 : 1, "a")) }
      #expect(thrower.take() == [.failed("Fault()"), .reload])
    }
    #expect(list.sectionCounts == [2])
  }

  @Test("rule 53: a fetch inside a callback cancels the rest of the callbacks of the commit")
  func fetchInside() throws {
    let list = try CompositeResults([Part(VectorOptions().request)], store: memory)
    try list.fetch()
    final class Fetcher: Listener, ResultsWillChangeDelegate, ResultsContentDelegate,
      ResultsDidChangeDelegate
    {
      var fetchesAt = Told.will
      func controllerWillChangeContent(_ controller: List) throws { try at(.will, controller) }
      func controller(
        _ controller: List, didChangeContentWith change: ResultsChange<VectorRow>
      ) throws { try at(.batch(BatchLists(change.batch)), controller) }
      func controllerDidChangeContent(_ controller: List) throws { try at(.did, controller) }
      private func at(_ event: Told, _ list: List) throws {
        try note(event, list)
        if event.kind == fetchesAt.kind { try (list as? CompositeResults<VectorRow>)?.fetch() }
      }
    }
    let fetcher = Fetcher()
    list.delegate = fetcher
    for (id, place, expected) in [
      (1, Told.will, ["will"]),
      (
        2, .batch(BatchLists(ResultsBatch(from: 0, to: 0, sectionCountsAfter: []))),
        ["will", "batch"]
      ),
      (3, .did, ["will", "batch", "did"]),
    ] {
      fetcher.fetchesAt = place
      memory.write { $0.put(row(id, "a")) }
      #expect(fetcher.take().map(\.kind) == expected)
      #expect(list.sectionCounts == [id])
    }
  }

  @Test("rule 24: a list that resumes at a stamp delivers each commit since then")
  func resumed() throws {
    memory.write { $0.put(row(1, "a")) }
    let first = try CompositeResults([Part(VectorOptions().request)], store: memory)
    try first.fetch()
    let stamp = try #require(first.stamp)
    for id in 2...4 { memory.write { $0.put(row(id, "b")) } }
    let list = try CompositeResults(
      [Part(VectorOptions().request, anchors: ["c"])], store: memory)
    let follower = ListFollower()
    list.delegate = follower
    try list.fetch(resumingFrom: stamp)
    #expect(list.sectionKeys == ["a", "c"])
    list.processPendingChanges()
    #expect(list.sectionCounts == [1, 3, 0])
    #expect(follower.ends == ["change", "change", "change"] && follower.disorder == [])
  }
}
