import TestSupport
import Testing

@testable import SectionedResults

/// A block of updates by the list's own calls, as a delegate makes them: `beginUpdates`, section and row
/// updates in any order, `endUpdates`.
@Suite("Update blocks")
struct ListBlockTests {
  @Test(
    "Random blocks, whole and spoilt, are taken exactly when the slow oracle can",
    arguments: SeededGenerator.seeds(6)
  )
  func random(seed: UInt64) {
    var random = SeededGenerator(seed: seed &+ 400)
    var (taken, refused) = (0, 0)
    for round in 0..<250 {
      var scenario = ListScenario(using: &random, movesSections: round % 2 == 0)
      // The calls of a block do not say where reloaded rows end up.
      scenario.edits.reloadTargets = []
      if round % 3 > 0 { scenario.spoilBlock(using: &random) }
      let expected = applySimultaneously(
        scenario.edits, to: scenario.old, counts: scenario.counts)
      var list = scenario.list
      let before = list
      do {
        let places = try list.take(scenario.edits, counts: scenario.counts, using: &random)
        #expect(expected?.map(\.count) == scenario.counts, "taken: \(scenario)")
        #expect(list.sections.map(\.count) == scenario.counts)
        #expect(list.generation == before.generation + 1)
        #expect(places != nil)
        list.checkInvariants()
        taken += 1
      } catch {
        #expect(expected == nil, "\(error): \(scenario)")
        #expect(list == before, "a refused block changes nothing")
        refused += 1
      }
    }
    #expect(taken > 80 && refused > 20)
  }

  @Test(
    "the places that a block returns are those of the rows", arguments: SeededGenerator.seeds(3))
  func places(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &+ 800)
    for _ in 0..<100 {
      let scenario = ListScenario(using: &random, movesSections: false)
      var (byBlock, byBatch) = (scenario.list, scenario.list)
      var edits = scenario.edits
      edits.reloadTargets = []
      let places = try #require(
        try byBlock.take(edits, counts: scenario.counts, using: &random))
      let batchPlaces = try #require(try byBatch.apply(scenario.batch) { "new \($0)" })
      #expect(byBlock == byBatch)
      for (section, rows) in scenario.old.enumerated() {
        for row in rows.indices {
          let path = RowPath(section, row)
          #expect(places.map(path) == batchPlaces.map(path))
          #expect(places.map(path) == scenario.batch.map(path))
        }
      }
    }
  }

  @Test("an inner block and a refused one return no places, and the next block begins afresh")
  func nested() throws {
    var list = SectionedList(sections: [SectionedList.Section(key: "a", count: 2)], height: 5)
    list.beginUpdates()
    list.beginUpdates()
    try list.deleteRows([RowPath(0, 0)])
    let inner = try list.endUpdates(counts: [1]) { _ in "" }
    #expect(inner.map { _ in 1 } == nil)
    #expect(throws: ListUpdateError.wrongRowCount(section: 0, expected: 1, told: 2)) {
      try list.endUpdates(counts: [2]) { _ in "" }
    }
    #expect(list.sections.map(\.count) == [2])
    list.beginUpdates()
    try list.insertRows([RowPath(0, 2)])
    let places = try #require(try list.endUpdates(counts: [3]) { _ in "" })
    #expect(places.map(RowPath(0, 1)) == .stays(RowPath(0, 1)))
    #expect(list.sections.map(\.count) == [3])
  }

  /// With a step for each row and each other row this would take hours.
  @Test("a block of a hundred thousand rows is one pass over them")
  func many() throws {
    let count = 100_000
    var list = SectionedList(
      sections: [SectionedList.Section(key: "a", count: 2 * count)], height: 5)
    var batch = ResultsBatch(from: 0, to: 1, sectionCountsAfter: [2 * count])
    batch.deletedRows = (0..<count).map { RowPath(0, 2 * $0) }
    batch.insertedRows = (0..<count).map { RowPath(0, 2 * $0 + 1) }
    try list.apply(batch)
    #expect(list.changedRows.count == count)
    #expect(list.selection == .row(RowPath(0, 0)))
  }
}

extension SectionedList {
  /// Takes edits by the calls of a block, in a random order and in blocks inside each other.
  fileprivate mutating func take(
    _ edits: ListEdits, counts: [Int], using random: inout SeededGenerator
  ) throws -> PathMapping? {
    var calls: [(inout SectionedList) throws -> Void] = []
    for index in edits.sections.deleted { calls.append { try $0.deleteSections([index]) } }
    for index in edits.sections.inserted { calls.append { try $0.insertSections([index]) } }
    for index in edits.sections.reloaded { calls.append { try $0.reloadSections([index]) } }
    for move in edits.sections.moved {
      calls.append { try $0.moveSection(at: move.from, to: move.to) }
    }
    for path in edits.rows.deleted { calls.append { try $0.deleteRows([path]) } }
    for path in edits.rows.inserted { calls.append { try $0.insertRows([path]) } }
    for path in edits.rows.reloaded { calls.append { try $0.reloadRows([path]) } }
    for move in edits.rows.moved { calls.append { try $0.moveRow(at: move.from, to: move.to) } }
    beginUpdates()
    for call in calls.shuffled(using: &random) {
      let isNested = random.chance(percent: 20)
      if isNested { beginUpdates() }
      try call(&self)
      if isNested { try endUpdates(counts: []) { _ in "inner" } }
    }
    return try endUpdates(counts: counts) { "new \($0)" }
  }
}

extension ListScenario {
  /// Makes one small change that is likely, but not sure, to make the block invalid.
  fileprivate mutating func spoilBlock(using random: inout SeededGenerator) {
    let path = RowPath(random.below(8) - 1, random.below(8) - 1)
    switch random.below(8) {
    case 0: edits.rows.deleted.append(path)
    case 1: edits.rows.inserted.append(path)
    case 2: edits.rows.reloaded.append(path)
    case 3:
      edits.rows.moved.append(.init(from: path, to: RowPath(random.below(6), random.below(6))))
    case 4: edits.sections.deleted.append(random.below(7) - 1)
    case 5: edits.sections.inserted.append(random.below(7) - 1)
    case 6: counts.append(random.below(3))
    default:
      guard let index = counts.indices.randomElement(using: &random) else { return }
      counts[index] += random.chance(percent: 50) ? 1 : -1
    }
  }
}
