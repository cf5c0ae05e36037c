import Testing

@testable import SectionedResults

@Suite("List updates: rules 54 to 62")
struct ListUpdateRuleTests {
  /// Three sections, `a` with 3 rows, `b` with 2 and `c` with 1.
  private static let sections = [
    SectionedList.Section(key: "a", count: 3), SectionedList.Section(key: "b", count: 2),
    SectionedList.Section(key: "c", count: 1),
  ]

  private var list = SectionedList(sections: Self.sections, generation: 7, height: 20)

  @Test("Rule 54: deletes and sources are old paths, inserts and targets final ones, in any order")
  mutating func rule54() throws {
    try update([4, 2, 1]) { list throws(ListUpdateError) in
      try list.insertRows([RowPath(0, 3), RowPath(0, 0)])
      try list.deleteRows([RowPath(0, 1)])
    }
    #expect(list.sections.map(\.count) == [4, 2, 1])
    #expect(list.changedRows == [RowPath(0, 0), RowPath(0, 3)])
    #expect(list.selection == .row(RowPath(0, 1)), "the first row now stands behind a new one")
  }

  @Test("Rule 55: blocks nest, and only the outermost end applies")
  mutating func rule55() throws {
    list.beginUpdates()
    list.beginUpdates()
    try list.deleteRows([RowPath(0, 0)])
    try list.endUpdates(counts: [99]) { _ in "ignored" }
    #expect(list.sections == Self.sections)
    try list.deleteRows([RowPath(0, 1)])
    try list.endUpdates(counts: [1, 2, 1]) { _ in "ignored" }
    #expect(list.sections.map(\.count) == [1, 2, 1])
    #expect(list.generation == 8)
  }

  @Test("Rule 55: an end without a begin and an edit outside a block are errors")
  mutating func rule55Unpaired() {
    #expect(throws: ListUpdateError.endWithoutBegin) {
      try list.endUpdates(counts: [3, 2, 1]) { _ in "" }
    }
    let path = RowPath(0, 0)
    #expect(throws: ListUpdateError.editOutsideBlock) { try list.insertRows([path]) }
    #expect(throws: ListUpdateError.editOutsideBlock) { try list.deleteRows([path]) }
    #expect(throws: ListUpdateError.editOutsideBlock) { try list.reloadRows([path]) }
    #expect(throws: ListUpdateError.editOutsideBlock) { try list.moveRow(at: path, to: path) }
    #expect(throws: ListUpdateError.editOutsideBlock) { try list.insertSections([0]) }
    #expect(throws: ListUpdateError.editOutsideBlock) { try list.deleteSections([0]) }
    #expect(throws: ListUpdateError.editOutsideBlock) { try list.reloadSections([0]) }
    #expect(throws: ListUpdateError.editOutsideBlock) { try list.moveSection(at: 0, to: 1) }
  }

  @Test("Rule 56: the rows of a section must follow from the edits")
  mutating func rule56Rows() {
    refuses(.wrongRowCount(section: 1, expected: 3, told: 2), [3, 2, 1]) {
      list throws(ListUpdateError) in try list.insertRows([RowPath(1, 0)])
    }
  }

  @Test("Rule 56: the number of sections must follow from the edits")
  mutating func rule56Sections() {
    refuses(.wrongSectionCount(expected: 3, told: 2), [3, 2]) { _ throws(ListUpdateError) in }
    refuses(.wrongSectionCount(expected: 2, told: 3), [3, 2, 1]) {
      list throws(ListUpdateError) in try list.deleteSections([0])
    }
  }

  @Test("Rule 56: a section cannot have less than no rows, not even a new one")
  mutating func rule56Negative() {
    refuses(.impossibleRowCount(section: 3, told: -1), [3, 2, 1, -1]) {
      list throws(ListUpdateError) in try list.insertSections([3])
    }
  }

  @Test("Rule 57: delete, reload or move of what did not exist")
  mutating func rule57Missing() {
    refuses(.deleteMissing(.row(RowPath(0, 3)))) { list throws(ListUpdateError) in
      try list.deleteRows([RowPath(0, 3)])
    }
    refuses(.deleteMissing(.section(3))) { list throws(ListUpdateError) in
      try list.deleteSections([3])
    }
    refuses(.reloadMissing(.row(RowPath(3, 0)))) { list throws(ListUpdateError) in
      try list.reloadRows([RowPath(3, 0)])
    }
    refuses(.reloadMissing(.section(-1))) { list throws(ListUpdateError) in
      try list.reloadSections([-1])
    }
    refuses(.moveMissing(.row(RowPath(1, 2)))) { list throws(ListUpdateError) in
      try list.moveRow(at: RowPath(1, 2), to: RowPath(0, 0))
    }
    refuses(.moveMissing(.section(5))) { list throws(ListUpdateError) in
      try list.moveSection(at: 5, to: 0)
    }
  }

  @Test("Rule 57: insert or move beyond the new count")
  mutating func rule57Beyond() {
    refuses(.insertBeyondCount(.row(RowPath(0, 4))), [4, 2, 1]) { list throws(ListUpdateError) in
      try list.insertRows([RowPath(0, 4)])
    }
    refuses(.insertBeyondCount(.section(4)), [3, 2, 1, 1]) { list throws(ListUpdateError) in
      try list.insertSections([4])
    }
    refuses(.moveBeyondCount(.row(RowPath(0, 3)))) { list throws(ListUpdateError) in
      try list.moveRow(at: RowPath(0, 0), to: RowPath(0, 3))
    }
    refuses(.moveBeyondCount(.section(3))) { list throws(ListUpdateError) in
      try list.moveSection(at: 0, to: 3)
    }
  }

  @Test("Rule 57: one place twice in one family")
  mutating func rule57Twice() {
    refuses(.deletedTwice(.row(RowPath(0, 1)))) { list throws(ListUpdateError) in
      try list.deleteRows([RowPath(0, 1), RowPath(0, 1)])
    }
    refuses(.deletedTwice(.section(1))) { list throws(ListUpdateError) in
      try list.deleteSections([1, 0, 1])
    }
    refuses(.insertedTwice(.row(RowPath(0, 1)))) { list throws(ListUpdateError) in
      try list.insertRows([RowPath(0, 1), RowPath(0, 1)])
    }
    refuses(.insertedTwice(.section(0))) { list throws(ListUpdateError) in
      try list.insertSections([0, 0])
    }
    refuses(.reloadedTwice(.row(RowPath(0, 1)))) { list throws(ListUpdateError) in
      try list.reloadRows([RowPath(0, 1), RowPath(0, 1)])
    }
    refuses(.reloadedTwice(.section(2))) { list throws(ListUpdateError) in
      try list.reloadSections([2, 2])
    }
  }

  @Test("Rule 57: one source to two targets, two sources to one target")
  mutating func rule57Moves() {
    refuses(.movedFromTwice(.row(RowPath(0, 0)))) { list throws(ListUpdateError) in
      try list.moveRow(at: RowPath(0, 0), to: RowPath(0, 1))
      try list.moveRow(at: RowPath(0, 0), to: RowPath(0, 2))
    }
    refuses(.movedFromTwice(.section(0))) { list throws(ListUpdateError) in
      try list.moveSection(at: 0, to: 1)
      try list.moveSection(at: 0, to: 2)
    }
    refuses(.movedToTwice(.row(RowPath(0, 0)))) { list throws(ListUpdateError) in
      try list.moveRow(at: RowPath(0, 1), to: RowPath(0, 0))
      try list.moveRow(at: RowPath(0, 2), to: RowPath(0, 0))
    }
    refuses(.movedToTwice(.section(0))) { list throws(ListUpdateError) in
      try list.moveSection(at: 1, to: 0)
      try list.moveSection(at: 2, to: 0)
    }
  }

  @Test("Rule 57: delete and reload of one path")
  mutating func rule57DeleteReload() {
    refuses(.deletedAndReloaded(.row(RowPath(0, 1)))) { list throws(ListUpdateError) in
      try list.reloadRows([RowPath(0, 1)])
      try list.deleteRows([RowPath(0, 1)])
    }
    refuses(.deletedAndReloaded(.section(1))) { list throws(ListUpdateError) in
      try list.reloadSections([1])
      try list.deleteSections([1])
    }
    refuses(.reloadedInDeletedSection(RowPath(1, 1)), [3, 1]) { list throws(ListUpdateError) in
      try list.reloadRows([RowPath(1, 1)])
      try list.deleteSections([1])
    }
  }

  @Test("Rule 57: delete and move of one path")
  mutating func rule57DeleteMove() {
    refuses(.deletedAndMoved(.row(RowPath(0, 1)))) { list throws(ListUpdateError) in
      try list.moveRow(at: RowPath(0, 1), to: RowPath(0, 0))
      try list.deleteRows([RowPath(0, 1)])
    }
    refuses(.deletedAndMoved(.section(1))) { list throws(ListUpdateError) in
      try list.moveSection(at: 1, to: 0)
      try list.deleteSections([1])
    }
  }

  @Test("Rule 57: move and reload of one path")
  mutating func rule57MoveReload() {
    refuses(.movedAndReloaded(.row(RowPath(0, 1)))) { list throws(ListUpdateError) in
      try list.moveRow(at: RowPath(0, 1), to: RowPath(0, 0))
      try list.reloadRows([RowPath(0, 1)])
    }
    refuses(.movedAndReloaded(.section(1))) { list throws(ListUpdateError) in
      try list.moveSection(at: 1, to: 0)
      try list.reloadSections([1])
    }
  }

  @Test("Rule 57: insert and move to one path")
  mutating func rule57InsertMove() {
    refuses(.insertedAndMovedTo(.row(RowPath(0, 0)))) { list throws(ListUpdateError) in
      try list.moveRow(at: RowPath(0, 1), to: RowPath(0, 0))
      try list.insertRows([RowPath(0, 0)])
    }
    refuses(.insertedAndMovedTo(.section(0))) { list throws(ListUpdateError) in
      try list.moveSection(at: 1, to: 0)
      try list.insertSections([0])
    }
  }

  @Test(
    "Rule 58: a row moves out of a deleted section and into an inserted one, with its selection")
  mutating func rule58Moves() throws {
    try update([2, 2, 1, 1]) { list throws(ListUpdateError) in
      try list.moveRow(at: RowPath(0, 0), to: RowPath(3, 0))
      try list.insertSections([3])
    }
    #expect(list.selection == .row(RowPath(3, 0)))
    #expect(list.changedRows == [] && list.changedSections == [3])
    try update([2, 3, 1]) { list throws(ListUpdateError) in
      try list.deleteSections([3])
      try list.moveRow(at: RowPath(3, 0), to: RowPath(1, 0))
    }
    #expect(list.selection == .row(RowPath(1, 0)))
    #expect(list.changedRows == [RowPath(1, 0)])
    // From a dying section into a new one.
    try update([2, 1, 1]) { list throws(ListUpdateError) in
      try list.deleteSections([1])
      try list.insertSections([1])
      try list.moveRow(at: RowPath(1, 0), to: RowPath(1, 0))
    }
    #expect(list.selection == .row(RowPath(1, 0)))
  }

  @Test("Rule 58: a move out of a deleted section counts where it arrives")
  mutating func rule58Counts() {
    refuses(.wrongRowCount(section: 0, expected: 4, told: 3), [3, 1]) {
      list throws(ListUpdateError) in
      try list.deleteSections([1])
      try list.moveRow(at: RowPath(1, 0), to: RowPath(0, 0))
    }
  }

  @Test("Rule 57: no two violations have the same message, and each asks to reload")
  func rule57Messages() {
    let path = RowPath(2, 5)
    var errors: [ListUpdateError] = [
      .editOutsideBlock, .endWithoutBegin, .batchInsideBlock,
      .wrongGeneration(shown: 1, from: 2), .wrongSectionCount(expected: 1, told: 2),
      .wrongRowCount(section: 0, expected: 1, told: 2), .impossibleRowCount(section: 0, told: -1),
      .updateChangesPlace(from: path, expected: path, told: path),
      .reloadedInDeletedSection(path),
    ]
    for item in [ListUpdateError.Item.section(2), .row(path)] {
      errors += [
        .deleteMissing(item), .reloadMissing(item), .moveMissing(item), .insertBeyondCount(item),
        .moveBeyondCount(item), .deletedTwice(item), .reloadedTwice(item), .insertedTwice(item),
        .movedFromTwice(item), .movedToTwice(item), .deletedAndReloaded(item),
        .deletedAndMoved(item), .movedAndReloaded(item), .insertedAndMovedTo(item),
      ]
    }
    #expect(Set(errors.map(\.description)).count == errors.count)
    #expect(errors.allSatisfy { $0.description.hasSuffix("; reload the list") })
    #expect(errors.allSatisfy { !$0.description.contains("unknown") })
  }

  @Test("Rule 58: sections swallow the inserts and deletes of their rows")
  mutating func rule58() throws {
    try update([2, 2, 1]) { list throws(ListUpdateError) in
      try list.deleteSections([0])
      try list.deleteRows([RowPath(0, 0), RowPath(0, 2)])
      try list.insertSections([0])
      try list.insertRows([RowPath(0, 1)])
    }
    #expect(list.sections.map(\.key) == ["new 0", "b", "c"])
    #expect(list.sections.map(\.count) == [2, 2, 1])
  }

  @Test("Rule 59: a row may be moved to its own place")
  mutating func rule59() throws {
    try update([3, 2, 1]) { list throws(ListUpdateError) in
      try list.moveRow(at: RowPath(0, 1), to: RowPath(0, 1))
    }
    #expect(list.sections == Self.sections)
  }

  @Test("Rule 60: a moved row counts as changed, so that it is drawn anew")
  mutating func rule60() throws {
    try update([2, 3, 1]) { list throws(ListUpdateError) in
      try list.moveRow(at: RowPath(0, 1), to: RowPath(1, 2))
    }
    #expect(list.changedRows == [RowPath(1, 2)])
    #expect(list.isChanged(RowPath(1, 2)))
  }

  @Test("Rule 61: a reload keeps identity, selection and place, also with moves around it")
  mutating func rule61() throws {
    list.select(RowPath(0, 1))
    try update([3, 2, 1]) { list throws(ListUpdateError) in
      try list.reloadRows([RowPath(0, 1)])
      try list.moveRow(at: RowPath(0, 0), to: RowPath(0, 2))
      try list.reloadSections([2])
    }
    #expect(list.selection == .row(RowPath(0, 0)))
    #expect(list.changedRows == [RowPath(0, 0), RowPath(0, 2)])
    #expect(list.changedSections == [2])
  }

  @Test("Rule 62: a refused batch leaves the list as it was, and a reload goes on from there")
  mutating func rule62() throws {
    let before = list
    var batch = ResultsBatch(from: 7, to: 8, sectionCountsAfter: [3, 2, 2])
    batch.insertedRows = [RowPath(1, 0)]
    #expect(throws: ListUpdateError.wrongRowCount(section: 1, expected: 3, told: 2)) {
      try list.apply(batch)
    }
    #expect(list == before)
    list.reload(sections: [SectionedList.Section(key: "a", count: 1)], generation: 9)
    #expect(list.sections.map(\.count) == [1])
    #expect(list.generation == 9)
  }

  @Test("A batch must start from the state shown, outside a block, with updates in place")
  mutating func batches() {
    var batch = ResultsBatch(from: 6, to: 8, sectionCountsAfter: [3, 2, 1])
    #expect(throws: ListUpdateError.wrongGeneration(shown: 7, from: 6)) {
      try list.apply(batch)
    }
    batch.from = 7
    batch.updates = [.init(from: RowPath(0, 0), to: RowPath(0, 1))]
    let moved = ListUpdateError.updateChangesPlace(
      from: RowPath(0, 0), expected: RowPath(0, 0), told: RowPath(0, 1))
    #expect(throws: moved) { try list.apply(batch) }
    list.beginUpdates()
    #expect(throws: ListUpdateError.batchInsideBlock) { try list.apply(batch) }
  }

  private mutating func update(
    _ counts: [Int], _ edits: (inout SectionedList) throws(ListUpdateError) -> Void
  ) throws {
    list.beginUpdates()
    try edits(&list)
    try list.endUpdates(counts: counts) { "new \($0)" }
    list.checkInvariants()
  }

  /// Expects one error and an unchanged list.
  private mutating func refuses(
    _ error: ListUpdateError, _ counts: [Int] = [3, 2, 1],
    _ location: SourceLocation = #_sourceLocation,
    _ edits: (inout SectionedList) throws(ListUpdateError) -> Void
  ) {
    let before = list
    #expect(throws: error, sourceLocation: location) { try update(counts, edits) }
    #expect(list == before, sourceLocation: location)
  }
}
