import ResultsTestSupport
import SectionedResults
import TestSupport
import Testing

/// The index beside a list.
@Suite("Index titles")
struct IndexTitleTests {
  private final class Titles: Listener, ResultsIndexTitleDelegate {
    /// The titles of sections; others have their first letter.
    var titles: [String: String] = [:]

    func controller(_ controller: List, indexTitleForSectionKey key: String) -> String? {
      titles[key]
    }
  }

  @Test("rule 12: every title, also one that is gone, leads where a slow search does")
  func randomTitles() throws {
    var random = SeededGenerator(seed: SeededGenerator.runSeed)
    let names = ["anna", "arne", "bo", "Åsa", "bea", "é", "e\u{301}a", "ÿ", "日記", "-"]
    for _ in 0..<300 {
      let keys = names.filter { _ in random.chance(0.5) }
      let store = MemoryResultsStore(rows: keys.enumerated().map { row($0.offset, $0.element) }) {
        _, _ in true
      }
      let controller = try ResultsController(request: VectorOptions().request, store: store)
      let delegate = Titles()
      for name in names where random.chance(0.3) {
        delegate.titles[name] = ["A", "X", "Y"].randomElement(using: &random)
      }
      controller.delegate = delegate
      try controller.performFetch()
      let ofSections = controller.sectionKeys.map { key in
        delegate.titles[key] ?? String(key.prefix(1)).uppercased()
      }
      var titles: [String] = []
      for title in ofSections where !titles.contains(title) { titles.append(title) }
      #expect(controller.sectionIndexTitles == titles)
      for (place, title) in titles.enumerated() {
        let section = try #require(controller.section(forSectionIndexTitle: title, at: place))
        #expect(section == ofSections.firstIndex(of: title))
        // The index shows titles of a moment ago.
        let gone = controller.section(forSectionIndexTitle: "gone", at: place)
        #expect(gone == section)
      }
      let beyond = controller.section(forSectionIndexTitle: "gone", at: titles.count + 3)
      #expect(beyond == titles.last.flatMap { ofSections.firstIndex(of: $0) })
      #expect(controller.section(forSectionIndexTitle: "gone") == nil)
    }
  }

  @Test("rule 12: a composite list has an index, too: of own keys, or of prefixes without a key")
  func composite() throws {
    let store = MemoryResultsStore(rows: [row(1, "alpha"), row(2, "beta"), row(3, "bravo")]) {
      _, _ in true
    }
    let list = try CompositeResults(
      [
        .init(VectorOptions.flat.request, keyPrefix: "starred"),
        .init(VectorOptions().request, keyPrefix: "day ", anchors: ["charlie"]),
      ], store: store)
    #expect(list.sectionIndexTitles.isEmpty)
    try list.fetch()
    #expect(list.sectionIndexTitles == ["S", "A", "B", "C"])
    #expect(list.section(forSectionIndexTitle: "B") == 2)
    #expect(list.section(forSectionIndexTitle: "C", at: 3) == 4, "an empty section")
    #expect(list.section(forSectionIndexTitle: "gone", at: 2) == 2)
    #expect(list.section(forSectionIndexTitle: "gone") == nil)
    let delegate = Titles()
    delegate.titles = ["day beta": "β"]
    list.delegate = delegate
    #expect(list.sectionIndexTitles == ["S", "A", "β", "B", "C"])
  }
}
