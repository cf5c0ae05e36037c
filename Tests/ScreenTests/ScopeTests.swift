import Journal
import SectionedResults
import Testing
import TextLayout

@testable import Screen

/// Filter, search, order, sections and the trash.
struct ScopeTests {
  @Test("a filter acts with each character, Enter keeps it and Esc takes it back")
  func filter() {
    var store = TestStore([3])
    store.press("f", [.prompt(.open(.filter)), .query(.prepareSearch)])
    store.send(.prompt(.opened(.filter, text: ""))) {
      $0.prompt.open = OpenPrompt(kind: .filter)
      $0.list.filtering = FilterEditing(scope: ListScope(), list: $0.list.widget)
    }
    type("br", .filter, [.query(.show(ListScope(filter: "br", takesPrefix: true)))], &store)
    var kept = store
    let shown = ListScope(filter: "br", takesPrefix: true)
    kept.send(.prompt(.submitted("br")), [.query(.show(shown))]) { $0.prompt.open = nil }
    let sections = TestStore.sections([1])
    kept.send(.list(.shown(shown, sections, generation: 1, selection: nil, leaving: 7))) {
      $0.list.scope = shown
      $0.list.filtering = nil
      $0.list.covered = [CoveredList(scope: ListScope(), entry: 7, list: $0.list.widget)]
      $0.list.widget.reload(sections: sections, generation: 1)
    }
    store.send(.prompt(.cancelled("br")), [.query(.show(ListScope()))]) { $0.prompt.open = nil }
  }

  @Test(
    "while a filter is typed, each text looks from the entry that was selected before the first")
  func filterKeepsItsOrigin() {
    var store = TestStore([3])
    _ = update(&store.state, .prompt(.opened(.filter, text: "")))
    let sections = TestStore.sections([2])
    for text in ["b", "br"] {
      let scope = ListScope(filter: text, takesPrefix: true)
      let landing: Landing = text == "b" ? .nearest : .entry(7)
      let typed = Event.prompt(.changed(label: "", text: text, point: text.utf8.count))
      #expect(update(&store.state, typed) == [.query(.show(scope, landing))])
      _ = update(
        &store.state,
        .list(
          .shown(
            scope, sections, generation: 1, selection: nil, leaving: text == "b" ? 7 : 4)))
    }
    #expect(
      update(&store.state, .prompt(.cancelled("br"))) == [.query(.show(ListScope(), .entry(7)))])
  }

  @Test("Esc leads from a filter to where one was, but to the nearest entry after a move")
  func backFromFilter() {
    var store = TestStore([3])
    let scope = ListScope(filter: "#home")
    let sections = TestStore.sections([2, 2])
    _ = update(
      &store.state,
      .list(.shown(scope, sections, generation: 1, selection: RowPath(0, 0), leaving: 7)))
    var moved = store
    store.send(.key("<Esc>"), [.query(.show(ListScope(), .entry(7)))])
    _ = update(&moved.state, .key("j"))
    moved.send(.key("<Esc>"), [.query(.show(ListScope()))])
  }

  @Test("a commit that carries the selection is no move of the user's")
  func backAfterCommit() {
    var store = TestStore([3])
    let scope = ListScope(filter: "#home")
    _ = update(
      &store.state,
      .list(
        .shown(
          scope, TestStore.sections([3]), generation: 1, selection: RowPath(0, 0), leaving: 7)))
    var batch = ResultsBatch(from: 1, to: 2, sectionCountsAfter: [4])
    batch.insertedRows = [RowPath(0, 0)]
    _ = update(&store.state, .list(.batchArrived(batch)))
    #expect(store.state.list.widget.selection == .row(RowPath(0, 1)))
    #expect(update(&store.state, .key("<Esc>")) == [.query(.show(ListScope(), .entry(7)))])
  }

  @Test("views, tags and this day in other years are read from their top")
  func topOfViews() {
    for line in ["view work", "list #home", "onthisday"] {
      var store = TestStore([3])
      store.state.views = [SavedView(name: "work", query: "#work")]
      store.state.prompt.open = OpenPrompt(kind: .command)
      let effects = update(&store.state, .prompt(.submitted(line)))
      guard case .query(.show(_, .top))? = effects.first else {
        Issue.record("\(line): \(effects)")
        continue
      }
    }
  }

  @Test("a filter that cannot be read is offered again to a person; a script has the old list")
  func wrongFilter() {
    for isTyped in [true, false] {
      var store = TestStore([3])
      store.state.environment.keysAreTyped = isTyped
      _ = update(&store.state, .prompt(.opened(.filter, text: "")))
      let scope = ListScope(filter: "\"br", takesPrefix: true)
      store.send(.list(.notShown(scope, "column 1: no end"))) {
        $0.status = .failed("column 1: no end")
      }
      _ = update(&store.state, .prompt(.submitted("\"br")))
      let effects = update(&store.state, .list(.notShown(scope, "column 1: no end")))
      #expect(
        effects
          == (isTyped ? [.prompt(.open(.filter, text: "\"br"))] : [.query(.show(ListScope()))]))
      #expect(store.state.status == .failed("column 1: no end"))
      guard !isTyped else { continue }
      // The old list cannot be shown either: there is nothing more to try.
      #expect(update(&store.state, .list(.notShown(ListScope(), "no"))) == [])
    }
  }

  @Test("what is shown takes over scope and sections, and keeps the selected entry")
  func shown() {
    var store = TestStore([3])
    let scope = ListScope(filter: "#home")
    let sections = TestStore.sections([1, 4])
    store.send(.list(.shown(scope, sections, generation: 1, selection: RowPath(1, 2)))) {
      $0.list.scope = scope
      $0.list.covered = [CoveredList(scope: ListScope(), entry: nil, list: $0.list.widget)]
      $0.list.widget.reload(sections: sections, generation: 1)
      $0.list.widget.select(RowPath(1, 2))
    }
    #expect(scope.summary == "#home")
    store.send(.key("<Esc>"), [.query(.show(ListScope()))])
  }

  @Test("a search looks from where it began, and going back on it leads there again")
  func search() {
    var store = TestStore([9])
    store.press("3j") { $0.list.widget.moveSelection(by: 3) }
    let origin = ListWidget.Position.row(RowPath(0, 3))
    store.press("/", [.prompt(.open(.search)), .query(.prepareSearch)]) {
      $0.search = Search(text: "", origin: origin)
    }
    open(.search, &store)
    type("x", .search, [.query(.find("x", from: origin, .here))], &store) { $0.search?.text = "x" }
    store.send(.list(.matchFound("x", RowPath(0, 7)))) {
      $0.search?.found = "x"
      $0.list.widget.select(RowPath(0, 7))
    }
    var given = store
    given.send(.prompt(.cancelled("x"))) {
      $0.prompt.open = nil
      $0.search = nil
      $0.list.widget.select(RowPath(0, 3))
    }
    store.send(.prompt(.submitted("x")), [.query(.countMatches("x", at: RowPath(0, 7)))]) {
      $0.prompt.open = nil
    }
    let here = ListWidget.Position.row(RowPath(0, 7))
    store.press("n", [.query(.find("x", from: here, .forward))])
    store.press("N", [.query(.find("x", from: here, .backward))])
    store.send(.key("<Esc>")) { $0.search = nil }
  }

  @Test("a search that goes round the end says so, and where one is among the matches")
  func wrapping() {
    var store = TestStore([9])
    store.state.search = Search(text: "x")
    let path = RowPath(0, 2)
    store.send(.list(.matchFound("x", path)), [.query(.countMatches("x", at: path))]) {
      $0.search?.found = "x"
      $0.list.widget.select(path)
    }
    let place = MatchPlace(index: 2, count: 5, path: path, generation: 1)
    store.send(.list(.matchesCounted("x", place))) { $0.search?.place = place }
    store.send(.list(.matchesCounted("y", place)))
    for (direction, words) in [
      (SearchDirection.forward, "search hit bottom, continuing at the top"),
      (.backward, "search hit top, continuing at the bottom"),
    ] {
      let path = RowPath(0, direction == .forward ? 0 : 8)
      _ = update(&store.state, .list(.matchFound("x", path, wrapping: direction)))
      #expect(store.state.status == .done(words))
      #expect(store.state.list.widget.selection == .row(path))
    }
    _ = update(&store.state, .list(.matchFound("x", RowPath(0, 8), wrapping: .forward)))
    #expect(store.state.status == .done("this is the only match"))
  }

  @Test("a search that went round the end while it was typed says so when it is settled")
  func wrappingWhileTyped() {
    var store = TestStore([9])
    _ = update(&store.state, .key("/"))
    open(.search, &store)
    _ = update(&store.state, .prompt(.changed(label: "/", text: "x", point: 1)))
    _ = update(&store.state, .list(.matchFound("x", RowPath(0, 4), wrapping: .forward)))
    #expect(store.state.status == nil)
    _ = update(&store.state, .prompt(.submitted("x")))
    #expect(store.state.status == .done("search hit bottom, continuing at the top"))
  }

  @Test("the answer to an older search is not taken for that of a newer one")
  func lateAnswer() {
    var store = TestStore([9])
    store.state.search = Search(text: "xy", origin: nil)
    store.send(.list(.matchFound("x", RowPath(0, 7))))
    store.send(.list(.matchFound("xy", nil))) { $0.status = .failed("nothing matches xy") }
  }

  @Test("n without a search says what to do")
  func nothingSearched() {
    var store = TestStore([2])
    store.press("n") { $0.status = .failed("no search yet; / searches") }
  }

  @Test("while reading, n goes through the matching lines before it goes on to other entries")
  func matchesWhileReading() throws {
    var store = TestStore([2], lines: 12)
    // The text begins below the bar and a blank line.
    let lines = (2..<40).map { [4, 20].contains($0) ? "x" : "line \($0)" }
    let entry = TestStore.entry(5, lines.joined(separator: "\n"))
    _ = update(&store.state, .reader(.opened(entry)))
    store.state.search = Search(text: "x")
    let clock = WallClock.fixed(seconds: 0, offset: 0)
    let query = try Query.parse("x", now: clock.moment(), clock: clock, rule: DayRule())
    _ = update(&store.state, .list(.searchParsed("x", query)))
    #expect(store.state.pane.reading?.matches == [4, 20])
    // The bar covers the line at the offset.
    store.press("n") { $0.pane.reading?.offset = 3 }
    store.press("n") { $0.pane.reading?.offset = 19 }
    store.press("n", [.query(.find("x", from: .row(RowPath(0, 0)), .forward))])
    store.press("N") { $0.pane.reading?.offset = 3 }
    let path = RowPath(0, 1)
    store.send(
      .list(.matchFound("x", path)),
      [.read(.entry(.row(path))), .query(.countMatches("x", at: path))]
    ) {
      $0.search?.found = "x"
      $0.list.widget.select(RowPath(0, 1))
    }
  }

  @Test(
    "o and a letter order the list or make other sections, anything that is shown already does not")
  func order() {
    var store = TestStore([2])
    store.press("o") { $0.pages.mode = .order }
    store.press("m", [.query(.show(ListScope(grouping: .month)))]) { $0.pages.mode = .list }
    store.press("o") { $0.pages.mode = .order }
    store.press("n") { $0.pages.mode = .list }
    store.press("o") { $0.pages.mode = .order }
    store.press("<Esc>") { $0.pages.mode = .list }
  }

  @Test("the menu of orders marks those that the list has")
  func marked() {
    var store = TestStore([2])
    store.state.list.scope = ListScope(order: .title, grouping: .month)
    _ = update(&store.state, .key("o"))
    let lines = ScreenRenderer { _ in nil }.frame(of: store.state).canvas.plainText()
    #expect(lines.contains("a title ✓  ") && lines.contains("m month ✓  "))
    #expect(lines.count { $0 == "✓" } == 2)
  }

  @Test("the trash is another list; q and T lead back")
  func trash() {
    var store = TestStore([2])
    store.press("T", [.query(.show(ListScope(isTrash: true)))])
    store.state.list.scope.isTrash = true
    store.press("r", [.change(.restore(.row(RowPath(0, 0))))])
    store.press("q", [.query(.show(ListScope()))])
    store.press("T", [.query(.show(ListScope()))])
  }

  private func open(_ kind: PromptPurpose, _ store: inout TestStore) {
    store.send(.prompt(.opened(kind, text: ""))) { $0.prompt.open = OpenPrompt(kind: kind) }
  }

  private func type(
    _ text: String, _ kind: PromptPurpose, _ effects: [Effect], _ store: inout TestStore,
    change: (inout State) -> Void = { _ in }
  ) {
    let event = Event.prompt(
      .changed(
        label: kind.label, text: text, point: text.utf8.count))
    store.send(event, effects) {
      $0.prompt.open?.text = text
      $0.prompt.open?.point = text.utf8.count
      $0.prompt.open?.unsaved = text.utf8.count
      change(&$0)
    }
  }
}
