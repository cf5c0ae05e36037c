import Journal
import Screen
import SectionedResults
import Testing

/// Events from the store, the clock and the terminal.
struct StoreEventTests {
  @Test("a batch moves the list to the batch's state")
  func batch() {
    var store = TestStore([2])
    var batch = ResultsBatch(from: 1, to: 2, sectionCountsAfter: [1, 3])
    batch.insertedSections = [0]
    batch.insertedSectionKeys = ["new"]
    batch.insertedRows = [RowPath(1, 0)]
    store.send(.list(.batchArrived(batch)), [.list(.armHighlightTimer)]) {
      state in
      #expect(throws: Never.self) { try state.list.widget.apply(batch) }
    }
    #expect(store.state.list.widget.sections.map(\.key) == ["new", "k0"])
  }

  @Test("a batch that does not fit is reported once and the list fetched anew")
  func wrongBatch() {
    var store = TestStore([2])
    store.send(
      .list(.batchArrived(ResultsBatch(from: 7, to: 8, sectionCountsAfter: [2]))),
      [.list(.reload)]
    ) {
      $0.status = .failed(
        "invalid list update: the batch starts from state 7, the list shows state 1; "
          + "reload the list")
    }
    store.send(.list(.reloaded(TestStore.sections([4]), generation: 8))) {
      $0.list.widget.reload(sections: TestStore.sections([4]), generation: 8)
    }
  }

  @Test("a list that is fetched again highlights its own filter, or nothing without one")
  func reloadedFilter() {
    var store = TestStore([2])
    let query = Query.word("bread")
    store.send(.list(.reloaded(TestStore.sections([2]), generation: 8, query: query))) {
      $0.list.widget.reload(sections: TestStore.sections([2]), generation: 8)
      $0.list.query = query
    }
    #expect(store.state.highlight == query)
    store.send(.list(.reloaded(TestStore.sections([2]), generation: 9))) {
      $0.list.widget.reload(sections: TestStore.sections([2]), generation: 9)
      $0.list.query = nil
    }
  }

  @Test("a batch leaves the trash of an empty list to the report of the change that follows")
  func trashOfEmptyList() {
    var store = TestStore([1])
    var batch = ResultsBatch(from: 1, to: 2)
    batch.deletedSections = [0]
    store.send(.list(.batchArrived(batch)), []) { state in
      #expect(throws: Never.self) { try state.list.widget.apply(batch) }
    }
    store.send(.journal(.saved(Saved("starred entry 1"))), [.list(.countTrash)]) {
      $0.status = .done("starred entry 1")
    }
  }

  @Test("a saved change is told and its entry selected")
  func saved() {
    var store = TestStore([2, 2])
    store.send(.journal(.saved(Saved("added 5", at: RowPath(1, 1))))) {
      $0.status = .done("added 5")
      $0.list.widget.select(RowPath(1, 1))
    }
    store.send(.journal(.failed("disk full"))) { $0.status = .failed("disk full") }
  }

  @Test("a message of success ends after a while, an error stays")
  func messageExpires() {
    var store = TestStore([2])
    store.state.status = .done("starred entry 1")
    store.send(.terminal(.messageExpired)) { $0.status = nil }
    store.state.status = .failed("disk full")
    store.send(.terminal(.messageExpired))
  }

  @Test("an entry is read, scrolled, measured again, refreshed and left")
  func reading() {
    var store = TestStore([2], lines: 12)
    let entry = TestStore.entry(5, lines: 30)
    store.send(.reader(.opened(entry)), [.query(.findLinks(5))]) {
      $0.pages.mode = .reading
      $0.pane.reading = Reading(entry: entry, columns: 78)
    }
    store.press("G") { $0.pane.reading?.offset = 20 }
    store.send(.list(.reloaded(TestStore.sections([1]), generation: 2)), [.read(.entry(.entry(5)))])
    {
      $0.list.widget.reload(sections: TestStore.sections([1]), generation: 2)
    }
    let edited = TestStore.entry(5, lines: 15)
    store.send(.reader(.opened(edited)), [.query(.findLinks(5))]) {
      $0.pane.reading = Reading(entry: edited, columns: 78, offset: 5)
    }
    store.send(.terminal(.resized(Size(columns: 80, lines: 14)))) {
      $0.environment.size.lines = 14
      $0.list.widget.resize(height: 12)
      $0.pane.reading?.offset = 3
    }
    let shorter = TestStore.entry(5, lines: 8)
    store.send(.reader(.opened(shorter)), [.query(.findLinks(5))]) {
      $0.pane.reading = Reading(entry: shorter, columns: 78)
    }
    store.press("q") {
      $0.pages.mode = .list
      $0.pane.reading = nil
    }
  }

  @Test("an entry that others delete while it is read stays to be read, and says so")
  func gone() {
    var store = TestStore([2])
    store.state.pages.mode = .reading
    store.state.pane.reading = Reading(entry: TestStore.entry(5, "text"), columns: 78)
    store.send(.reader(.gone(5))) {
      $0.pane.reading?.isGone = true
      $0.status = .done("entry 5 was deleted; its last text is shown")
    }
    store.send(.reader(.gone(9))) { $0.status = .failed("no entry has the number 9") }
  }

  @Test("a date that was found is selected; none is said")
  func days() {
    var store = TestStore([2, 2])
    store.send(.list(.dayFound(RowPath(1, 0)))) { $0.list.widget.showAtTop(section: 1) }
    store.send(.list(.dayFound(RowPath(0, 1)))) { $0.list.widget.select(RowPath(0, 1)) }
    store.send(.list(.dayFound(RowPath(1, 0), note: "no entry on Monday; showing the nearest one")))
    {
      $0.list.widget.showAtTop(section: 1)
      $0.status = .done("no entry on Monday; showing the nearest one")
    }
    store.send(.list(.dayFound(nil))) {
      $0.status = .failed("no such date in this list; order the list by date")
    }
  }

  @Test("midnight changes only what is called today")
  func midnight() {
    var store = TestStore([2])
    store.send(.journal(.dayChanged(Day(daysSinceEpoch: 20_779)))) {
      $0.journal.today = Day(daysSinceEpoch: 20_779)
    }
  }
}
