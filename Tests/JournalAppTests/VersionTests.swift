import Journal
import Screen
import SectionedResults
import Testing

/// Looking through the versions of an entry.
struct VersionTests {
  static func page(_ index: Int, of count: Int, lines: Int = 40) -> VersionPage {
    VersionPage(
      number: 7, index: index, count: count, written: Moment(seconds: 0, offset: 0), base: 99,
      difference: MarkedDifference(from: "old", to: "new"), lines: lines)
  }

  @Test("H shows the newest version; h and J go back in time, l and K forward")
  func steps() {
    var store = TestStore([3])
    store.press("H", [.showVersions(.row(RowPath(0, 0)))])
    store.send(.versionOpened(Self.page(3, of: 3))) { $0.mode = .versions(Self.page(3, of: 3)) }
    store.press("h", [.showVersion(7, 2)])
    store.send(.versionOpened(Self.page(2, of: 3))) { $0.mode = .versions(Self.page(2, of: 3)) }
    store.press("J", [.showVersion(7, 1)])
    store.press("l", [.showVersion(7, nil)])
    store.press("5h", [.showVersion(7, 1)])
    store.send(.versionOpened(Self.page(1, of: 3))) { $0.mode = .versions(Self.page(1, of: 3)) }
    store.press("h") { $0.status = .done("this is the first version") }
    store.press("2K", [.showVersion(7, nil)]) { $0.status = nil }
  }

  @Test("a version is scrolled, and keeps its place when the entry changes elsewhere")
  func scrolling() {
    var store = TestStore([3])
    store.state.mode = .versions(Self.page(2, of: 3))
    var scrolled = Self.page(2, of: 3)
    scrolled.offset = 3
    store.press("3j") { $0.mode = .versions(scrolled) }
    store.send(.listReloaded(TestStore.sections([3]), generation: 2), [.showVersion(7, 2)]) {
      $0.list.reload(sections: TestStore.sections([3]), generation: 2)
    }
    var longer = Self.page(2, of: 4)
    store.send(.versionOpened(longer)) {
      longer.offset = 3
      $0.mode = .versions(longer)
    }
    store.send(.measured(entryLines: 10, promptLines: 0)) {
      (longer.lines, longer.offset) = (10, 0)
      $0.mode = .versions(longer)
    }
  }

  @Test("r takes the shown version back, and what follows is the present text")
  func takeBack() {
    var store = TestStore([3])
    store.state.mode = .versions(Self.page(2, of: 5))
    store.press("r", [.takeBack(7, version: 2, expecting: 99)]) {
      $0.mode = .versions(Self.page(5, of: 5))
    }
    store.press("r") { $0.status = .done("this is the present text; h shows what it was before") }
    var trashed = Self.page(5, of: 5)
    trashed.isInTrash = true
    store.state.mode = .versions(trashed)
    store.press("r", [.takeBack(7, version: 5, expecting: 99)]) { $0.status = nil }
  }

  @Test("q, H and Enter go back to the list, or to the entry that was being read")
  func leaving() {
    for key in ["q", "H", "<Enter>", "<Esc>"] {
      var store = TestStore([3])
      store.state.mode = .versions(Self.page(2, of: 3))
      store.press(KeySequence(key)) { $0.mode = .list }
      store.send(.entryOpened(TestStore.entry(7, "text"), lines: 3)) {
        $0.mode = .reading
        $0.pane = Reading(entry: TestStore.entry(7, "text"), lines: 3)
      }
      store.press("H", [.showVersions(.entry(7))])
      store.send(.versionOpened(Self.page(2, of: 3))) { $0.mode = .versions(Self.page(2, of: 3)) }
      store.press(KeySequence(key), [.read(.entry(7))]) { $0.mode = .reading }
    }
  }

  @Test("an entry that was purged meanwhile leaves the page, and the status says so")
  func gone() {
    var store = TestStore([3])
    store.state.mode = .versions(Self.page(2, of: 3))
    store.send(.entryGone(7)) {
      $0.mode = .list
      $0.status = .failed("no entry has the number 7")
    }
  }
}
