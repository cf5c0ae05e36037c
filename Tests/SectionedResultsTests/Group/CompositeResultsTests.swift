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
      list.didFail = { Issue.record($0) }
      try list.fetch()
      var array = try SectionedArray(list)
      var counts = SectionedList()
      try counts.apply(list.currentBatch())
      var changes = 0
      list.didChange = { change in
        #expect(throws: Never.self, "round \(round)") {
          try array.apply(change)
          try counts.apply(change.batch)
        }
        changes += 1
      }
      list.didReload = {
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
    list.didChange = { batches.append($0.batch) }
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
    list.didChange = { change in #expect(throws: Never.self) { try array.apply(change) } }
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
    var told: [String] = []
    list.didChange = { _ in told.append("change") }
    list.didReload = { told.append("reload") }
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
    #expect(told == ["change", "reload", "reload", "change"])
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
    list.didChange = { change in
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
    var told: [String] = []
    list.didChange = { _ in told.append("change") }
    list.didReload = { told.append("reload") }
    list.didFail = { _ in told.append("failure") }
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
      told == [
        "reload", "failure", "change", "change", "failure", "reload", "change",
      ])
  }
}
