import Testing

@testable import SectionedResults

@Suite("The list's viewport, selection and folds")
struct ListScreenTests {
  @Test("A viewport shows headers and rows, and a sticky header over the row at its top")
  func stickyHeader() {
    var list = SectionedList.sample([3, 2], height: 3)
    #expect(list.picture == ["= 0", "> 0.0", "  0.1"])
    list.moveSelection(by: 2)
    #expect(list.picture == ["^ 0", "  0.1", "> 0.2"])
    // The next header has pushed the sticky one away, and the last row is shown.
    list.moveSelection(by: 1)
    #expect(list.picture == ["  0.2", "= 1", "> 1.0"])
    list.moveSelection(by: 1)
    #expect(list.picture == ["= 1", "  1.0", "> 1.1"])
    list.moveSelection(by: -2)
    #expect(list.picture == ["> 0.2", "= 1", "  1.0"])
  }

  @Test("A viewport of one line shows what is selected, and one of none shows nothing")
  func tinyViewports() {
    var list = SectionedList.sample([2, 1], height: 1)
    #expect(list.picture == ["> 0.0"])
    list.selectLast()
    #expect(list.picture == ["> 1.0"])
    list.toggleFold(section: 1)
    #expect(list.picture == ["> 1 folded"])
    list.resize(height: 0)
    #expect(list.picture == [])
    list.resize(height: 2)
    #expect(list.picture == ["  0.1", "> 1 folded"])
  }

  @Test("Moving steps over headers and stops at the ends")
  func moving() {
    var list = SectionedList.sample([1, 0, 2], height: 10)
    list.moveSelection(by: 1)
    #expect(list.selection == .row(RowPath(2, 0)))
    list.moveSelection(by: .max)
    #expect(list.selection == .row(RowPath(2, 1)))
    list.moveSelection(by: .min)
    #expect(list.selection == .row(RowPath(0, 0)))
  }

  @Test("A margin may be set, and a place on the screen asked for; both as far as lines allow")
  func places() {
    var list = SectionedList.sample([40], height: 12)
    list.select(RowPath(0, 20))
    list.scrollSelection(to: .top)
    #expect(list.selectionScreenLine == 3)
    list.scrollSelection(to: .middle)
    #expect(list.selectionScreenLine == 6)
    list.scrollSelection(to: .bottom)
    #expect(list.selectionScreenLine == 9)
    list.scrollMargin = 0
    list.scrollSelection(to: .top)
    #expect(list.selectionScreenLine == 1)
    list.scrollMargin = 999
    list.moveSelection(by: 1)
    #expect([5, 6].contains(list.selectionScreenLine ?? 0))
    for height in 0...6 {
      for margin in [0, 2, 999] {
        for place in [ViewportPlace.top, .middle, .bottom] {
          list.resize(height: height)
          list.scrollMargin = margin
          list.scrollSelection(to: place)
          list.checkInvariants()
        }
      }
    }
  }

  @Test("The selection keeps two lines from the edges where there is room")
  func margin() {
    var list = SectionedList.sample([40], height: 12)
    list.moveSelection(by: 9)
    #expect(list.offset == 1)
    #expect(list.selectionScreenLine == 9)
    list.selectLast()
    #expect(list.selectionScreenLine == 11)
    list.moveSelection(by: -10)
    #expect(list.selectionScreenLine == 3)
  }

  @Test("Pages and half pages move the viewport and the selection alike")
  func paging() {
    var list = SectionedList.sample([50, 50], height: 12)
    list.moveSelection(by: 4)
    list.page(by: 1)
    #expect(list.offset == 10)
    #expect(list.selection == .row(RowPath(0, 14)))
    list.halfPage(by: -1)
    #expect(list.offset == 4)
    #expect(list.selection == .row(RowPath(0, 8)))
    list.page(by: .max)
    #expect(list.selection == .row(RowPath(1, 49)))
    list.page(by: .min)
    #expect(list.selection == .row(RowPath(0, 0)))
    #expect(list.offset == 0)
  }

  @Test("Going up by pages and by scrolling reaches the top at every height", arguments: 1...40)
  func upwardsNeverSticks(height: Int) {
    for move in [
      { (list: inout SectionedList) in list.page(by: -1) }, { $0.halfPage(by: -1) },
      { $0.scroll(by: -1) }, { $0.moveSelection(by: -1) },
    ] {
      var list = SectionedList.sample([1, 3, 1, 9, 2], height: height)
      list.selectLast()
      for _ in 0..<list.lineCount {
        move(&list)
        list.checkInvariants()
      }
      #expect(list.offset <= 1)
    }
  }

  @Test("Scrolling takes along a selection that would leave the screen")
  func scrolling() {
    var list = SectionedList.sample([10, 10], height: 5)
    list.scroll(by: 3)
    #expect(list.picture == ["^ 0", "> 0.3", "  0.4", "  0.5", "  0.6"])
    list.scroll(by: -2)
    #expect(list.picture == ["^ 0", "  0.1", "  0.2", "> 0.3", "  0.4"])
    list.scroll(by: 100)
    #expect(list.picture == ["^ 1", "> 1.6", "  1.7", "  1.8", "  1.9"])
  }

  @Test("Sections are stepped through by their first rows, headers of folded ones included")
  func sectionSteps() {
    var list = SectionedList.sample([3, 0, 2, 4], height: 20)
    list.toggleFold(section: 2)
    list.moveSelection(by: 1)
    list.selectSection(offset: 1)
    #expect(list.selection == .header(2))
    list.selectSection(offset: 1)
    #expect(list.selection == .row(RowPath(3, 0)))
    list.selectSection(offset: 1)
    #expect(list.selection == .row(RowPath(3, 3)))
    list.selectSection(offset: -2)
    #expect(list.selection == .row(RowPath(0, 0)))
    list.moveSelection(by: 2)
    list.selectSection(offset: -1)
    #expect(list.selection == .row(RowPath(0, 0)))
  }

  @Test("Folding hands the selection to the header and back, and the header keeps its line")
  func folding() {
    var list = SectionedList.sample([3, 4, 2], height: 6)
    list.select(RowPath(1, 2))
    #expect(list.picture == ["  0.2", "= 1", "  1.0", "  1.1", "> 1.2", "  1.3"])
    list.toggleFold(section: 1)
    #expect(
      list.picture == ["  0.1", "  0.2", "> 1 folded", "= 2", "  2.0", "  2.1"].sticky("^ 0"))
    list.toggleFold(section: 1)
    #expect(list.selection == .row(RowPath(1, 0)))
    list.foldAll()
    #expect(list.picture == ["  0 folded", "> 1 folded", "  2 folded"])
    #expect(list.foldedKeys == ["k0", "k1", "k2"])
    list.unfoldAll()
    #expect(list.foldedKeys == [])
    list.fold(keys: ["k2", "gone"])
    #expect(list.foldedKeys == ["k2"])
  }

  @Test("Selecting a row of a folded section selects its header; of no section, nothing")
  func selectingFolded() {
    var list = SectionedList.sample([3, 4], height: 6)
    list.toggleFold(section: 1)
    let found = list.select(RowPath(1, 3))
    #expect(found)
    #expect(list.selection == .header(1))
    for path in [RowPath(0, 3), RowPath(2, 0), RowPath(-1, 0), RowPath(0, -1)] {
      let found = list.select(path)
      #expect(!found)
    }
    let foundSections = [2, 0].map { list.select(section: $0) }
    #expect(foundSections == [false, true])
    #expect(list.selection == .row(RowPath(0, 0)))
  }

  @Test("An empty list and empty sections have nothing to select, and nothing traps")
  func empty() {
    for counts in [[], [0], [0, 0]] {
      var list = SectionedList.sample(counts, height: 4)
      list.moveSelection(by: 3)
      list.page(by: 1)
      list.scroll(by: 1)
      list.selectSection(offset: 1)
      list.selectLast()
      list.toggleFold(section: 9)
      list.checkInvariants()
      #expect(list.selection == nil)
      list.foldAll()
      list.checkInvariants()
    }
  }

  @Test("A million rows in thousands of sections are moved through line by line")
  func large() {
    var list = SectionedList.sample(Array(repeating: 288, count: 3_500), height: 50)
    #expect(list.rowCount == 1_008_000)
    for _ in 0..<1_000 { list.page(by: 1) }
    list.moveSelection(by: 500_000)
    list.selectLast()
    #expect(list.selection == .row(RowPath(3_499, 287)))
    list.checkInvariants()
  }
}

extension SectionedList {
  /// Sections of so many rows with the identities `k0`, `k1` and so on.
  static func sample(_ counts: [Int], height: Int) -> SectionedList {
    SectionedList(
      sections: counts.enumerated().map { SectionedList.Section(key: "k\($0)", count: $1) },
      height: height)
  }

  /// The viewport as text: `=` header, `^` sticky header, `>` selection.
  var picture: [String] {
    visibleLines().map { line in
      switch line {
      case .header(let section, let sticky):
        let mark = selection == .header(section) ? ">" : sticky ? "^" : "="
        return sections[section].folded
          ? "\(mark == "=" ? " " : mark) \(section) folded" : "\(mark) \(section)"
      case .row(let path):
        return "\(selection == .row(path) ? ">" : " ") \(path.section).\(path.row)"
      }
    }
  }
}

extension [String] {
  /// The same lines with a sticky header over the first one.
  fileprivate func sticky(_ header: String) -> [String] {
    [header] + dropFirst()
  }
}
