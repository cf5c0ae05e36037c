import TestSupport
import Testing

@testable import SectionedResults

@Suite("What stays where it was when a list changes")
struct ListStabilityTests {
  @Test("The selected entry keeps its line on the screen when rows come above it")
  func keepsScreenLine() throws {
    var list = SectionedList.sample([20, 20], height: 8)
    list.select(RowPath(1, 5))
    let line = list.selectionScreenLine
    var batch = ResultsBatch(from: 0, to: 1, sectionCountsAfter: [23, 20])
    batch.insertedRows = [RowPath(0, 0), RowPath(0, 1), RowPath(0, 9)]
    try list.apply(batch)
    #expect(list.selection == .row(RowPath(1, 5)))
    #expect(list.selectionScreenLine == line)
  }

  @Test("A list at its very top stays there while the selection is visible, so new entries appear")
  func staysAtTop() throws {
    var list = SectionedList.sample([20], height: 8)
    list.moveSelection(by: 2)
    var batch = ResultsBatch(from: 0, to: 1, sectionCountsAfter: [1, 20])
    batch.insertedSections = [0]
    try list.apply(batch) { _ in "today" }
    #expect(list.offset == 0)
    #expect(list.selection == .row(RowPath(1, 2)))
    #expect(list.selectionScreenLine == 5)
    #expect(list.changedSections == [0])
    batch = ResultsBatch(from: 1, to: 2, sectionCountsAfter: [5, 20])
    batch.insertedRows = (0..<4).map { RowPath(0, $0) }
    try list.apply(batch)
    #expect(list.selectionScreenLine == 5, "it would have left the screen, so the list scrolled")
  }

  @Test("A moved selection follows its row")
  func followsMoves() throws {
    var list = SectionedList.sample([3, 3], height: 20)
    list.select(RowPath(0, 1))
    var batch = ResultsBatch(from: 0, to: 1, sectionCountsAfter: [2, 4])
    batch.moves = [.init(from: RowPath(0, 1), to: RowPath(1, 3))]
    try list.apply(batch)
    #expect(list.selection == .row(RowPath(1, 3)))
  }

  @Test("The selection stays with a row that leaves a dying section, enters a new one, or both")
  func carriedSelection() throws {
    let rows: [(sections: [ResultsBatch.SectionChange], to: RowPath, counts: [Int])] = [
      ([.delete(at: 0)], RowPath(0, 1), [3]),
      ([.insert(at: 0)], RowPath(0, 0), [1, 1, 2]),
      ([.delete(at: 0), .insert(at: 1)], RowPath(1, 0), [2, 1]),
    ]
    for (sections, target, counts) in rows {
      var list = SectionedList.sample(
        [sections.count == 1 && counts.count == 3 ? 2 : 1, 2], height: 20)
      list.select(RowPath(0, 0))
      let batch = ResultsBatch(
        sections: sections, rows: [.move(from: RowPath(0, 0), to: target)], from: 0,
        sectionCountsAfter: counts, sectionKey: { "new \($0)" })
      try list.apply(batch)
      #expect(list.selection == .row(target), "\(sections)")
    }
  }

  @Test("A deleted selection goes to the next row, else the one before, else a neighbour section")
  func nearestNeighbour() throws {
    var list = SectionedList.sample([3, 1, 2], height: 20)
    list.select(RowPath(0, 1))
    try list.delete([RowPath(0, 1)], counts: [2, 1, 2])
    #expect(list.selection == .row(RowPath(0, 1)), "the row that was next")
    try list.delete([RowPath(0, 1)], counts: [1, 1, 2])
    #expect(list.selection == .row(RowPath(0, 0)), "the row that was before")
    list.select(RowPath(1, 0))
    try list.delete(sections: [1], counts: [1, 2])
    #expect(list.selection == .row(RowPath(1, 0)), "the section that was next")
    list.selectLast()
    try list.delete(sections: [1], counts: [1])
    #expect(list.selection == .row(RowPath(0, 0)), "the section before")
    try list.delete(sections: [0], counts: [])
    #expect(list.selection == nil)
  }

  @Test("Folds stay with their sections, and a row moved into a folded one selects its header")
  func folds() throws {
    var list = SectionedList.sample([2, 2], height: 20)
    list.toggleFold(section: 1)
    var batch = ResultsBatch(from: 0, to: 1, sectionCountsAfter: [1, 1, 3])
    batch.insertedSections = [0]
    batch.moves = [.init(from: RowPath(0, 0), to: RowPath(2, 0))]
    try list.apply(batch) { "new \($0)" }
    #expect(list.sections.map(\.folded) == [false, false, true])
    #expect(list.sections.map(\.key) == ["new 0", "k0", "k1"])
    #expect(list.selection == .header(2))
  }

  /// Removes the first section in one update, and inserts one with this key in the next.
  private func replaceFirst(_ list: inout SectionedList, with key: String) throws {
    let counts = list.sections.map(\.count)
    var removal = ResultsBatch(
      from: list.generation, to: list.generation + 1, sectionCountsAfter: Array(counts.dropFirst()))
    removal.deletedSections = [0]
    try list.apply(removal) { _ in "" }
    var insertion = ResultsBatch(
      from: list.generation, to: list.generation + 1, sectionCountsAfter: counts)
    insertion.insertedSections = [0]
    try list.apply(insertion) { _ in key }
  }

  @Test("A folded section that is removed and comes back is folded, another in its place is not")
  func foldsThatComeBack() throws {
    var list = SectionedList.sample([2, 2], height: 20)
    list.toggleFold(section: 0)
    try replaceFirst(&list, with: "k0")
    #expect(list.sections.map(\.folded) == [true, false])
    try replaceFirst(&list, with: "other")
    #expect(list.sections.map(\.folded) == [false, false])
    // Folding one section forgets no other fold, unfolding all forgets every one.
    list.toggleFold(section: 1)
    try replaceFirst(&list, with: "k0")
    #expect(list.sections.map(\.folded) == [true, true])
    try replaceFirst(&list, with: "other")
    list.unfoldAll()
    try replaceFirst(&list, with: "k0")
    #expect(list.sections.map(\.folded) == [false, false])
  }

  @Test("A reload keeps folds and the selection by identity, and drops an open block")
  func reload() throws {
    var list = SectionedList.sample([2, 5, 2], height: 20)
    list.toggleFold(section: 2)
    list.select(RowPath(1, 4))
    list.beginUpdates()
    list.reload(
      sections: [
        SectionedList.Section(key: "k2", count: 1), SectionedList.Section(key: "x", count: 1),
        SectionedList.Section(key: "k1", count: 3),
      ], generation: 4)
    #expect(list.sections.map(\.folded) == [true, false, false])
    #expect(list.selection == .row(RowPath(2, 2)))
    #expect(throws: ListUpdateError.endWithoutBegin) { try list.endUpdates(counts: []) { _ in "" } }
  }

  @Test("Changes can be forgotten, and the next update forgets those before")
  func changes() throws {
    var list = SectionedList.sample([3], height: 5)
    var batch = ResultsBatch(from: 0, to: 1, sectionCountsAfter: [4])
    batch.insertedRows = [RowPath(0, 0)]
    batch.updates = [.init(from: RowPath(0, 2), to: RowPath(0, 3))]
    try list.apply(batch)
    #expect(list.changedRows == [RowPath(0, 0), RowPath(0, 3)])
    try list.delete([RowPath(0, 0)], counts: [3])
    #expect(list.changedRows == [])
    list.clearChanges()
    #expect(!list.isChanged(RowPath(0, 0)))
  }

  @Test(
    "After any operations the selection exists and is seen, and the offset is in range",
    arguments: [1, 2, 3, 5, 6, 9, 12, 24, 60, 200])
  func invariants(height: Int) throws {
    var random = SeededGenerator(seed: UInt64(height))
    for _ in 0..<40 {
      var list = ListScenario(using: &random, movesSections: false).list
      for _ in 0..<25 {
        list.resize(height: random.chance(percent: 10) ? random.below(height + 3) : height)
        let operation = random.below(11)
        list.perform(operation, random.below(31) - 15, using: &random)
        list.checkInvariants("operation \(operation)")
      }
    }
  }

  @Test(
    "A selection that survives a batch is on the same row afterwards",
    arguments: SeededGenerator.seeds(4))
  func selectionSurvives(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let scenario = ListScenario(using: &random, movesSections: true)
      var list = scenario.list
      list.resize(height: random.below(12))
      list.moveSelection(by: random.below(20))
      for section in list.sections.indices where random.chance(percent: 25) {
        list.toggleFold(section: section)
      }
      let selected = list.selection
      let folded = list.sections.map(\.folded)
      try list.perform(scenario.edits, counts: scenario.counts) { "new \($0)" }
      list.checkInvariants()
      let mapping = PathMapping(scenario.edits)
      for section in folded.indices {
        guard let target = mapping.map(section: section) else { continue }
        #expect(list.sections[target].folded == folded[section])
      }
      guard let path = selected?.path, let target = mapping.map(path).path else { continue }
      let isFolded = list.sections[target.section].folded
      #expect(list.selection == (isFolded ? .header(target.section) : .row(target)))
    }
  }
}

extension SectionedList {
  fileprivate mutating func delete(_ paths: [RowPath], counts: [Int]) throws {
    var batch = ResultsBatch(from: generation, to: generation + 1, sectionCountsAfter: counts)
    batch.deletedRows = paths
    try apply(batch) { _ in "" }
  }

  fileprivate mutating func delete(sections: [Int], counts: [Int]) throws {
    var batch = ResultsBatch(from: generation, to: generation + 1, sectionCountsAfter: counts)
    batch.deletedSections = sections
    try apply(batch) { _ in "" }
  }

  fileprivate mutating func perform(
    _ operation: Int, _ amount: Int, using random: inout SeededGenerator
  ) {
    switch operation {
    case 0: moveSelection(by: amount)
    case 1: page(by: amount / 8)
    case 2: halfPage(by: amount / 4)
    case 3: scroll(by: amount)
    case 4: selectSection(offset: amount / 5)
    case 5: toggleFold(section: amount)
    case 6: amount < 0 ? foldAll() : unfoldAll()
    case 7: select(RowPath(amount, random.below(5)))
    case 8: amount < 0 ? selectFirst() : selectLast()
    case 9:
      reload(
        sections: (0..<random.below(5)).map {
          SectionedList.Section(key: "old \($0)", count: random.below(6))
        },
        generation: 0)
    default: select(section: amount)
    }
  }
}
