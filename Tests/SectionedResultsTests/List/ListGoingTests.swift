import SectionedResults
import Testing

/// Going to a section.
struct ListGoingTests {
  @Test("a section is shown from the top on, the last ones as high as the list allows")
  func top() {
    let sections = (0..<9).map { SectionedList.Section(key: "k\($0)", count: 4) }
    var list = SectionedList(sections: sections, generation: 1, height: 10)
    list.showAtTop(section: 3)
    #expect(list.visibleLines().first == .header(3, sticky: false))
    #expect(list.selection == .row(RowPath(3, 0)))
    list.showAtTop(section: 8)
    #expect(list.visibleLines().last == .row(RowPath(8, 3)))
    #expect(list.selection == .row(RowPath(8, 0)))
    let hasShown = list.showAtTop(section: 9)
    #expect(!hasShown)
    list.foldAll()
    list.showAtTop(section: 2)
    #expect(list.selection == .header(2))
  }
}
