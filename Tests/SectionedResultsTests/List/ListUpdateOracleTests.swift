import TestSupport
import Testing

@testable import SectionedResults

@Suite("List updates against slow oracles")
struct ListUpdateOracleTests {
  @Test("Rules 54 and 56: every small update of one section is taken if and only if it is valid")
  func exhaustiveRows() {
    for count in 0...3 {
      let old: Rows = [Array(1...max(1, count)).prefix(count).map(\.self)]
      for deleted in subsets(count) {
        for inserted in subsets(4) {
          for move in [nil] + pairs(count + 1, 4) {
            var edits = ListEdits()
            edits.rows.deleted = deleted.map { RowPath(0, $0) }
            edits.rows.inserted = inserted.map { RowPath(0, $0) }
            if let move {
              edits.rows.moved = [.init(from: RowPath(0, move.0), to: RowPath(0, move.1))]
            }
            for told in 0...5 { compare(edits, old, counts: [told]) }
          }
        }
      }
    }
  }

  @Test("Rules 54 and 56: every small update of sections is taken if and only if it is valid")
  func exhaustiveSections() {
    for count in 0...3 {
      let old: Rows = (0..<count).map { section in (0..<section).map { section * 10 + $0 } }
      for deleted in subsets(count) {
        for inserted in subsets(4) {
          for move in [nil] + pairs(count + 1, 4) {
            var edits = ListEdits()
            edits.sections.deleted = deleted
            edits.sections.inserted = inserted
            if let move { edits.sections.moved = [.init(from: move.0, to: move.1)] }
            for told in possibleCounts(edits, old) { compare(edits, old, counts: told) }
          }
        }
      }
    }
  }

  @Test(
    "Random valid updates: both oracles and the list agree", arguments: SeededGenerator.seeds(6))
  func randomValid(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for round in 0..<250 {
      let scenario = ListScenario(using: &random, movesSections: round % 2 == 0)
      let (old, edits, counts) = (scenario.old, scenario.edits, scenario.counts)
      let new = try #require(applySimultaneously(edits, to: old, counts: counts), "\(scenario)")
      if edits.sections.moved.isEmpty {
        #expect(applySequentially(edits, to: old, counts: counts) == new, "\(scenario)")
      }
      checkMapping(PathMapping(edits), old, new, edits)
      var list = scenario.list
      try list.perform(edits, counts: counts) { "new \($0)" }
      #expect(list.sections.map(\.count) == new.map(\.count))
      list.checkInvariants()
    }
  }

  @Test(
    "Random spoilt updates are refused as the oracle says, and change nothing",
    arguments: SeededGenerator.seeds(6))
  func randomInvalid(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for round in 0..<250 {
      var scenario = ListScenario(using: &random, movesSections: round % 2 == 0)
      for _ in 0...random.below(2) { scenario.spoil(using: &random) }
      compare(scenario.edits, scenario.old, counts: scenario.counts)
    }
  }

  @Test(
    "A batch, and a block of a delegate's changes in any order, do the same",
    arguments: SeededGenerator.seeds(3))
  func batchAndBlock(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<150 {
      let scenario = ListScenario(using: &random, movesSections: false)
      let batch = scenario.batch
      var byBatch = scenario.list
      try byBatch.apply(batch) { "new \($0)" }
      var byBlock = scenario.list
      byBlock.beginUpdates()
      try byBlock.reloadRows(batch.updates.map(\.from).reversed())
      let rows = scenario.edits.rows
      for move in rows.moved.reversed() { try byBlock.moveRow(at: move.from, to: move.to) }
      try byBlock.insertRows(rows.inserted.reversed())
      try byBlock.insertSections(batch.insertedSections.reversed())
      try byBlock.deleteRows(rows.deleted.reversed())
      try byBlock.deleteSections(batch.deletedSections.reversed())
      try byBlock.endUpdates(counts: batch.sectionCountsAfter) { "new \($0)" }
      #expect(byBatch == byBlock)
    }
  }

  private func compare(_ edits: ListEdits, _ old: Rows, counts: [Int]) {
    var list = SectionedList(
      sections: old.map { SectionedList.Section(key: "old", count: $0.count) }, height: 5)
    let before = list
    let expected = applySimultaneously(edits, to: old, counts: counts)
    do {
      try list.perform(edits, counts: counts) { _ in "new" }
      #expect(expected != nil, "taken: \(edits) of \(old) to \(counts)")
      #expect(list.sections.map(\.count) == counts)
      list.checkInvariants()
    } catch {
      #expect(expected == nil, "\(error): \(edits) of \(old) to \(counts)")
      #expect(list == before)
    }
  }

  private func checkMapping(_ mapping: PathMapping, _ old: Rows, _ new: Rows, _ edits: ListEdits) {
    for section in old.indices {
      for row in old[section].indices {
        let path = RowPath(section, row)
        let place = find(old[section][row], in: new)
        let isMoved = edits.rows.moved.contains { $0.from == path }
        let expected: MappedPath = place.map { isMoved ? .moved($0) : .stays($0) } ?? .deleted
        #expect(mapping.map(path) == expected)
      }
    }
  }

  private func find(_ row: Int, in rows: Rows) -> RowPath? {
    for section in rows.indices {
      if let index = rows[section].firstIndex(of: row) { return RowPath(section, index) }
    }
    return nil
  }

  private func subsets(_ count: Int) -> [[Int]] {
    (0..<(1 << count)).map { bits in (0..<count).filter { bits & (1 << $0) != 0 } }
  }

  private func pairs(_ first: Int, _ second: Int) -> [(Int, Int)?] {
    (0..<first).flatMap { from in (0..<second).map { (from, $0) } }
  }

  /// Possible counts of the new state: those that match the edits, and guesses.
  private func possibleCounts(_ edits: ListEdits, _ old: Rows) -> [[Int]] {
    let staying = old.indices.filter { !edits.sections.deleted.contains($0) }.map { old[$0].count }
    return [
      staying, staying + [1], [2] + staying, staying + [0, 2], staying.reversed(), [0, 1, 2], [],
    ]
  }
}

extension ListScenario {
  /// Makes one small change that is likely, but not sure, to make the update invalid.
  fileprivate mutating func spoil(using random: inout SeededGenerator) {
    let path = RowPath(random.below(8) - 1, random.below(8) - 1)
    switch random.below(12) {
    case 0: edits.rows.deleted.append(path)
    case 1: edits.rows.inserted.append(path)
    case 2: edits.rows.reloaded.append(path)
    case 3:
      let target = RowPath(random.below(6), random.below(6))
      edits.rows.moved.append(.init(from: path, to: target))
    case 4: edits.sections.deleted.append(random.below(7) - 1)
    case 5: edits.sections.inserted.append(random.below(7) - 1)
    case 6: edits.sections.reloaded.append(random.below(7) - 1)
    case 7: edits.sections.moved.append(.init(from: random.below(6), to: random.below(6)))
    case 8: counts.append(random.below(3))
    case 9: _ = counts.popLast()
    case 10: _ = edits.rows.inserted.popLast()
    default:
      if let index = counts.indices.randomElement(using: &random) {
        counts[index] += random.chance(percent: 50) ? 1 : -1
      }
    }
  }
}
