import Journal
import Screen
import SectionedResults
import Testing

/// The reading pane beside the list and in its place.
struct PaneTests {
  @Test("on a wide screen the pane follows the selection, and asks once for each")
  func follows() {
    var store = wide()
    store.send(.key("j"), [.read(.preview(.row(RowPath(0, 1))))]) {
      $0.list.widget.moveSelection(by: 1)
      $0.pane.source = PreviewSource(generation: 1, selection: .row(RowPath(0, 1)))
    }
    let entry = TestStore.entry(7, "text")
    store.send(.reader(.previewed(entry)), [.query(.findLinks(7))]) {
      $0.pane.reading = Reading(entry: entry, columns: $0.layout.textColumns)
    }
    store.send(.key("5")) { $0.pressed.pending.count = 5 }
  }

  @Test("a commit asks again for the same selection, and the text keeps its place")
  func commit() {
    var store = wide()
    _ = update(&store.state, .reader(.previewed(TestStore.entry(7, lines: 60))))
    store.state.pane.reading?.offset = 9
    var batch = ResultsBatch(from: 1, to: 2, sectionCountsAfter: [3])
    batch.updates = [ResultsBatch.Move(from: RowPath(0, 0), to: RowPath(0, 0))]
    let effects = update(&store.state, .list(.batchArrived(batch)))
    #expect(effects == [.list(.armHighlightTimer), .read(.preview(.row(RowPath(0, 0))))])
    let other = TestStore.entry(7, lines: 50)
    _ = update(&store.state, .reader(.previewed(other)))
    #expect(store.state.pane.reading?.offset == 9)
    #expect(store.state.pane.reading?.entry.text == other.text)
  }

  @Test("an entry read again with the same text shows its new fields and the lines it had")
  func sameText() {
    var store = wide()
    var entry = TestStore.entry(7, lines: 60)
    _ = update(&store.state, .reader(.previewed(entry)))
    store.state.pane.reading?.offset = 9
    store.state.pane.reading?.isGone = true
    entry.starred = true
    _ = update(&store.state, .reader(.previewed(entry)))
    let fresh = Reading(entry: entry, columns: store.state.layout.textColumns, offset: 9)
    #expect(store.state.pane.reading == fresh)
    #expect(store.state.pane.reading?.entry.starred == true)
    #expect(store.state.pane.reading?.lines == fresh.lines)
    for line in 0..<fresh.lines {
      #expect(store.state.pane.reading?.textLine(line) == fresh.textLine(line))
    }
  }

  @Test("two readings are equal by their bytes, whenever they were read")
  func equality() {
    let first = Reading(entry: TestStore.entry(7, "caf\u{E9}"), columns: 40)
    #expect(first == Reading(entry: TestStore.entry(7, "caf\u{E9}"), columns: 40))
    #expect(first != Reading(entry: TestStore.entry(7, "cafe\u{301}"), columns: 40))
    #expect(first != Reading(entry: TestStore.entry(8, "caf\u{E9}"), columns: 40))
    var scrolled = first
    #expect(scrolled == first)
    scrolled.offset = 1
    #expect(scrolled != first)
  }

  @Test("what the pane asked for is wanted only while that row is selected")
  func overtaken() {
    var store = wide()
    let effects = update(&store.state, .key("j"))
    #expect(effects == [.read(.preview(.row(RowPath(0, 1))))])
    #expect(store.state.wants(effects[0]))
    _ = update(&store.state, .key("k"))
    #expect(!store.state.wants(effects[0]))
    store.state.pane.source = nil
    #expect(!store.state.wants(.read(.preview(.row(RowPath(0, 0))))))
  }

  @Test("another list is asked for its entry, also under an equal path and generation")
  func otherList() {
    var store = wide()
    _ = update(&store.state, .reader(.previewed(TestStore.entry(7, "text"))))
    let effects = update(
      &store.state,
      .list(
        .shown(
          ListScope(filter: "#t"), TestStore.sections([2]),
          generation: store.state.list.widget.generation,
          selection: RowPath(0, 0))))
    #expect(effects == [.read(.preview(.row(RowPath(0, 0))))])
  }

  @Test("after reading an entry that is not the selected one, the pane asks for the selected one")
  func afterReadingAnother() {
    var store = wide()
    _ = update(&store.state, .reader(.opened(TestStore.entry(9, "text"))))
    #expect(update(&store.state, .key("h")) == [.read(.preview(.row(RowPath(0, 0))))])
  }

  @Test("an entry gone from under the pane empties it")
  func gone() {
    var store = wide()
    _ = update(&store.state, .reader(.previewed(TestStore.entry(7, "text"))))
    store.send(.reader(.previewed(nil))) { $0.pane.reading = nil }
  }

  @Test("Enter and l give the pane the keys, q and h take them back")
  func focus() {
    var store = wide()
    let row = Target.row(RowPath(0, 0))
    store.press("l", [.read(.entry(row))])
    store.press("<Enter>", [.read(.entry(row))])
    let entry = TestStore.entry(7, lines: 90)
    store.send(.reader(.opened(entry)), [.query(.findLinks(7))]) {
      $0.pages.mode = .reading
      $0.pane.reading = Reading(entry: entry, columns: $0.layout.textColumns)
    }
    let height = store.state.layout.main.count
    store.press("G") { $0.pane.reading?.offset = 90 - height }
    _ = update(&store.state, .key("h"))
    #expect(store.state.pages.mode == .list)
    #expect(store.state.pane.reading?.entry == entry)
  }

  @Test("p shows and hides the pane where there is room, and says where there is none")
  func toggle() {
    var narrow = TestStore([3], columns: 50, lines: 14)
    narrow.press("p") {
      $0.status = .failed("too small for two panes; Enter reads the entry")
    }
    var middle = TestStore([3], columns: 80)
    #expect(!middle.state.layout.isSplit)
    #expect(update(&middle.state, .key("p")) == [.read(.preview(.row(RowPath(0, 0))))])
    #expect(middle.state.layout.isSplit)
    _ = update(&middle.state, .key("p"))
    #expect(!middle.state.layout.isSplit)
    #expect(middle.state.pane.reading == nil)
  }

  @Test("J and K read the neighbours, and stop at the ends")
  func neighbours() {
    var store = reading()
    store.send(.key("J"), [.read(.entry(.row(RowPath(0, 1))))]) {
      $0.list.widget.moveSelection(by: 1)
    }
    store.send(.key("K"), [.read(.entry(.row(RowPath(0, 0))))]) {
      $0.list.widget.moveSelection(by: -1)
    }
    store.send(.key("K")) { $0.status = .done("no entry before this one") }
    store.state.list.widget.selectLast()
    store.send(.key("J")) { $0.status = .done("no entry after this one") }
  }

  @Test("deleting the entry that is read leads back to the list")
  func delete() {
    var store = reading()
    store.send(.key("d"), [.change(.delete(.entry(7)))]) {
      $0.pages.mode = .list
      $0.pane.reading = nil
    }
  }

  @Test("x ticks from the top of the screen on, with a count any item; c carries over")
  func tasks() {
    var store = reading()
    store.press("x", [.change(.tick(.entry(7), fromLine: 0, item: nil))])
    store.press("3x", [.change(.tick(.entry(7), fromLine: 0, item: 3))])
    store.press("c", [.prompt(.carryOver)])
    store.state.pane.reading?.isGone = true
    store.press("x") { $0.status = .failed("the entry was deleted; u restores it") }
  }

  private func wide() -> TestStore {
    var store = TestStore([3], columns: 130, lines: 30)
    let effects = update(
      &store.state, .list(.reloaded(TestStore.sections([3]), generation: 1)))
    #expect(effects == [.read(.preview(.row(RowPath(0, 0))))])
    return store
  }

  private func reading() -> TestStore {
    var store = TestStore([3, 2])
    _ = update(&store.state, .reader(.opened(TestStore.entry(7, lines: 4))))
    return store
  }
}
