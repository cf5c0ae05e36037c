import ResultsTestSupport
import SectionedResults
import Testing

/// Snapshots that a program edits.
@Suite("Snapshots: edits")
struct SnapshotEditTests {
  private func snapshot() throws -> SectionedSnapshot<Int> {
    var snapshot = SectionedSnapshot<Int>()
    try snapshot.appendSections(["a", "b"])
    try snapshot.appendRows([1, 2, 3], toSection: "a")
    try snapshot.appendRows([4, 5])
    return snapshot
  }

  private func shown(_ snapshot: SectionedSnapshot<Int>) -> [[Int]] {
    snapshot.sections.map(\.rows)
  }

  @Test("sections are appended, inserted, moved with their rows, and deleted")
  func sections() throws {
    var snapshot = try snapshot()
    try snapshot.insertSections(["x", "y"], before: "a")
    try snapshot.insertSections(["z"], after: "b")
    #expect(snapshot.sectionKeys == ["x", "y", "a", "b", "z"])
    try snapshot.moveSection("a", before: "x")
    try snapshot.moveSection("y", after: "z")
    try snapshot.moveSection("b", after: "b")
    try snapshot.moveSection("b", before: "b")
    #expect(snapshot.sectionKeys == ["a", "x", "b", "z", "y"])
    #expect(shown(snapshot) == [[1, 2, 3], [], [4, 5], [], []])
    try snapshot.deleteSections(["x", "a"])
    #expect(snapshot.sectionKeys == ["b", "z", "y"] && snapshot.sectionCounts == [2, 0, 0])
    #expect(snapshot.index(ofSection: "z") == 1 && snapshot.index(ofSection: "a") == nil)
    snapshot.deleteAll()
    #expect(snapshot == SectionedSnapshot())
  }

  @Test("rows are appended, inserted, moved within and between sections, and deleted")
  func rows() throws {
    var snapshot = try snapshot()
    try snapshot.insertRows([6, 7], before: 1)
    try snapshot.insertRows([8], after: 5)
    #expect(shown(snapshot) == [[6, 7, 1, 2, 3], [4, 5, 8]])
    try snapshot.moveRow(6, after: 2)
    try snapshot.moveRow(3, before: 7)
    try snapshot.moveRow(8, before: 8)
    try snapshot.moveRow(4, after: 4)
    #expect(shown(snapshot) == [[3, 7, 1, 2, 6], [4, 5, 8]])
    try snapshot.moveRow(1, before: 8)
    try snapshot.moveRow(4, toEndOfSection: "a")
    #expect(shown(snapshot) == [[3, 7, 2, 6, 4], [5, 1, 8]])
    try snapshot.deleteRows([5, 8, 1])
    try snapshot.moveRow(3, toEndOfSection: "b")
    #expect(shown(snapshot) == [[7, 2, 6, 4], [3]])
    #expect(snapshot.path(of: 6) == RowPath(0, 2) && snapshot.path(of: 5) == nil)
    #expect(snapshot.rowIDs == [7, 2, 6, 4, 3])
  }

  @Test("rows to draw again are named once, and forgotten when they are deleted")
  func reloads() throws {
    var snapshot = try snapshot()
    try snapshot.reloadRows([2, 5, 2])
    try snapshot.reloadSections(["b"])
    #expect(snapshot.reloaded == [2, 5, 4])
    try snapshot.deleteRows([5])
    try snapshot.deleteSections(["a"])
    #expect(snapshot.reloaded == [4])
  }

  @Test("an edit of something that is missing, or there already, is refused and changes nothing")
  func refusals() throws {
    let before = try snapshot()
    func refused(
      _ error: SnapshotError, _ edit: (inout SectionedSnapshot<Int>) throws -> Void
    ) throws {
      var snapshot = before
      #expect(throws: error) { try edit(&snapshot) }
      #expect(snapshot == before, "\(error)")
      #expect(!error.description.isEmpty)
    }
    try refused(.sectionExists("a")) { try $0.appendSections(["c", "a"]) }
    try refused(.sectionExists("c")) { try $0.insertSections(["c", "c"], before: "a") }
    try refused(.noSuchSection("c")) { try $0.insertSections(["d"], after: "c") }
    try refused(.noSuchSection("c")) { try $0.deleteSections(["a", "c"]) }
    try refused(.noSuchSection("a")) { try $0.deleteSections(["a", "a"]) }
    try refused(.noSuchSection("c")) { try $0.moveSection("a", before: "c") }
    try refused(.noSuchSection("c")) { try $0.reloadSections(["a", "c"]) }
    try refused(.rowExists("4")) { try $0.appendRows([9, 4], toSection: "a") }
    try refused(.rowExists("9")) { try $0.insertRows([9, 9], after: 1) }
    try refused(.noSuchSection("c")) { try $0.appendRows([9], toSection: "c") }
    try refused(.noSuchRow("9")) { try $0.insertRows([8], before: 9) }
    try refused(.noSuchRow("9")) { try $0.deleteRows([1, 9]) }
    try refused(.noSuchRow("1")) { try $0.deleteRows([1, 1]) }
    try refused(.noSuchRow("9")) { try $0.moveRow(1, after: 9) }
    try refused(.noSuchSection("c")) { try $0.moveRow(1, toEndOfSection: "c") }
    try refused(.noSuchRow("9")) { try $0.reloadRows([1, 9]) }
    var empty = SectionedSnapshot<Int>()
    #expect(throws: SnapshotError.noSuchSection("")) { try empty.appendRows([1]) }
  }

  @Test("sections and rows are compared by bytes")
  func bytes() throws {
    var snapshot = SectionedSnapshot<String>()
    try snapshot.appendSections(["\u{e9}", "e\u{301}"])
    try snapshot.appendRows(["\u{e9}", "e\u{301}"])
    #expect(snapshot.index(ofSection: "e\u{301}") == 1)
    #expect(snapshot.path(of: "e\u{301}") == RowPath(1, 1))
    var source = SnapshotSource<String>()
    _ = source.apply(snapshot)
    try snapshot.deleteRows(["\u{e9}"])
    let batch = source.apply(snapshot)
    #expect(batch?.deletedRows == [RowPath(1, 0)])
  }
}

/// Snapshots that are applied to lists.
@Suite("Snapshots: applied")
struct SnapshotSourceTests {
  @Test("rule 72: a source tells a list the difference, and nothing if there is none")
  func source() throws {
    var source = SnapshotSource<Int>()
    var list = SectionedList()
    let none = source.apply(SectionedSnapshot())
    #expect(none == nil)
    var next = source.snapshot
    try next.appendSections(["a", "b"])
    try next.appendRows([1, 2, 3], toSection: "a")
    let first = source.apply(next)
    try list.apply(try #require(first))
    #expect(list.sections.map(\.key) == ["a", "b"] && list.sections.map(\.count) == [3, 0])
    try next.moveRow(3, before: 1)
    try next.reloadRows([2])
    try next.appendRows([4])
    let second = source.apply(next)
    let batch = try #require(second)
    #expect(batch.moves == [ResultsBatch.Move(from: RowPath(0, 2), to: RowPath(0, 0))])
    #expect(batch.updates == [ResultsBatch.Update(from: RowPath(0, 1), to: RowPath(0, 2))])
    #expect(batch.insertedRows == [RowPath(1, 0)])
    try list.apply(batch)
    #expect(list.generation == source.generation && source.generation == 2)
    #expect(source.snapshot.reloaded.isEmpty)
    let again = source.apply(source.snapshot)
    #expect(again == nil, "what was drawn is not drawn again")
    #expect(source.numberOfSections == 2 && source.numberOfRows(inSection: 0) == 3)
    #expect(source.numberOfRows(inSection: 2) == 0)
    #expect(try source.object(at: RowPath(0, 0)) == 3)
    #expect(throws: ResultsError.noSuchRow(RowPath(1, 1))) { try source.object(at: RowPath(1, 1)) }
  }

  @Test("rule 72: a controller's snapshots lead a list as its batches do")
  func controllerSnapshots() throws {
    let bench = try RulesBench(
      [row(1, "a", 1), row(2, "a", 2), row(3, "b", 1)], listener: SnapshotListener())
    var source = SnapshotSource<SortValue>()
    var list = SectionedList()
    let first = source.apply(try bench.controller.snapshot())
    try list.apply(try #require(first))
    for change in 0..<3 {
      switch change {
      case 0: bench.put(row(1, "b", 0), row(3, "b", 1, value: 5))
      case 1: bench.put(row(2, "c", 9), row(4, "a", 1))
      default: bench.delete(1, 4)
      }
      let snapshot = try #require(bench.listener.snapshots.last)
      let batch = source.apply(snapshot)
      try list.apply(try #require(batch))
      #expect(list.sections.map(\.key) == bench.controller.sectionKeys)
      #expect(list.sections.map(\.count) == bench.controller.sectionCounts)
    }
  }

  @Test("the example of the article shows what it says")
  func example() throws {
    let chooser = try TagChooser()
    try chooser.use("travel")
    try chooser.add("food")
    #expect(chooser.lines == ["used", "  travel", "all", "  work", "  home", "  food"])
    try chooser.use("food")
    #expect(chooser.lines == ["used", "  food", "  travel", "all", "  work", "  home"])
    #expect(chooser.list.sections.map(\.count) == [2, 2])
    #expect(throws: SnapshotError.self) { try chooser.add("home") }
  }
}
