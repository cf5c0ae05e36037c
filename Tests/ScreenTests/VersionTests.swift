import Journal
import SectionedResults
import Testing

@testable import Screen

/// Looking through the versions of an entry.
struct VersionTests {
  /// A version of so many lines, as an 80 columns wide screen shows it.
  static func page(_ index: Int, of count: Int, lines: Int = 40) -> VersionPage {
    let text = (2..<lines).map { "line \($0)" }.joined(separator: "\n")
    var page = VersionPage(
      number: 7, index: index, count: count, written: Moment(seconds: 0, offset: 0), base: 99,
      difference: MarkedDifference(from: text, to: text))
    page.layOut(columns: 80)
    return page
  }

  @Test("H shows the newest version; h and J go back in time, l and K forward")
  func steps() {
    var store = TestStore([3])
    store.press("H", [.read(.versions(.row(RowPath(0, 0))))])
    store.send(.versions(.opened(Self.page(3, of: 3)))) {
      $0.pages.mode = .versions(Self.page(3, of: 3))
    }
    store.press("h", [.read(.version(7, 2))])
    store.send(.versions(.opened(Self.page(2, of: 3)))) {
      $0.pages.mode = .versions(Self.page(2, of: 3))
    }
    store.press("J", [.read(.version(7, 1))])
    store.press("l", [.read(.version(7, nil))])
    store.press("5h", [.read(.version(7, 1))])
    store.send(.versions(.opened(Self.page(1, of: 3)))) {
      $0.pages.mode = .versions(Self.page(1, of: 3))
    }
    store.press("h") { $0.status = .done("this is the first version") }
    store.press("2K", [.read(.version(7, nil))]) { $0.status = nil }
  }

  @Test("a version is scrolled, and keeps its place when the entry changes elsewhere")
  func scrolling() {
    var store = TestStore([3])
    store.state.pages.mode = .versions(Self.page(2, of: 3))
    var scrolled = Self.page(2, of: 3)
    scrolled.offset = 3
    store.press("3j") { $0.pages.mode = .versions(scrolled) }
    store.send(.journal(.changed), [.read(.version(7, 2))])
    var longer = Self.page(2, of: 4)
    store.send(.versions(.opened(longer))) {
      longer.offset = 3
      $0.pages.mode = .versions(longer)
    }
    store.send(.versions(.opened(Self.page(2, of: 4, lines: 10)))) {
      $0.pages.mode = .versions(Self.page(2, of: 4, lines: 10))
    }
  }

  @Test("r takes the shown version back, and what follows is the present text")
  func restoreVersion() {
    var store = TestStore([3])
    store.state.pages.mode = .versions(Self.page(2, of: 5))
    store.press("r", [.change(.restoreVersion(7, version: 2, expecting: 99))]) {
      $0.pages.mode = .versions(Self.page(5, of: 5))
    }
    store.press("r") { $0.status = .done("this is the current version; h shows the older one") }
    var trashed = Self.page(5, of: 5)
    trashed.isInTrash = true
    store.state.pages.mode = .versions(trashed)
    store.press("r", [.change(.restoreVersion(7, version: 5, expecting: 99))]) { $0.status = nil }
  }

  @Test("q, H and Enter go back to the list, or to the entry that was being read")
  func leaving() {
    for key in ["q", "H", "<Enter>", "<Esc>"] {
      var store = TestStore([3])
      store.state.pages.mode = .versions(Self.page(2, of: 3))
      store.press(KeySequence(key)) { $0.pages.mode = .list }
      store.send(.reader(.opened(TestStore.entry(7, "text"))), [.query(.findLinks(7))]) {
        $0.pages.mode = .reading
        $0.pane.reading = Reading(entry: TestStore.entry(7, "text"), columns: $0.layout.textColumns)
      }
      store.press("H", [.read(.versions(.entry(7)))])
      store.send(.versions(.opened(Self.page(2, of: 3)))) {
        ($0.pages.mode, $0.pages.covered) = (.versions(Self.page(2, of: 3)), [.reading])
      }
      store.press(KeySequence(key), [.read(.entry(.entry(7)))]) {
        ($0.pages.mode, $0.pages.covered) = (.reading, [])
      }
    }
  }

  @Test("an entry that was purged meanwhile leaves the page, and the status says so")
  func gone() {
    var store = TestStore([3])
    store.state.pages.mode = .versions(Self.page(2, of: 3))
    store.send(.reader(.gone(7))) {
      $0.pages.mode = .list
      $0.status = .failed("no entry has the number 7")
    }
  }
}
