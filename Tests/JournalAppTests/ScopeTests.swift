import Journal
import SectionedResults
import Testing

@testable import Screen

/// Filter, search, order, sections and the trash.
struct ScopeTests {
  @Test("a filter acts with each character, Enter keeps it and Esc takes it back")
  func filter() {
    var store = TestStore([3])
    store.press("f", [.openPrompt(.filter)])
    store.send(.promptOpened(.filter, text: "")) {
      $0.prompt = PromptState(kind: .filter)
      $0.filtering = FilterEditing(scope: ListScope(), list: $0.list)
    }
    type("br", .filter, [.show(ListScope(filter: "br", takesPrefix: true))], &store)
    var kept = store
    let shown = ListScope(filter: "br", takesPrefix: true)
    kept.send(.promptSubmitted("br"), [.show(shown)]) { $0.prompt = nil }
    let sections = TestStore.sections([1])
    kept.send(.listShown(shown, sections, generation: 1, selection: nil, leaving: 7)) {
      $0.scope = shown
      $0.filtering = nil
      $0.coveredLists = [CoveredList(scope: ListScope(), entry: 7, list: $0.list)]
      $0.list.reload(sections: sections, generation: 1)
    }
    store.send(.promptCancelled("br"), [.show(ListScope())]) { $0.prompt = nil }
  }

  @Test(
    "while a filter is typed, each text looks from the entry that was selected before the first")
  func filterKeepsItsOrigin() {
    var store = TestStore([3])
    _ = reduce(&store.state, .promptOpened(.filter, text: ""))
    let sections = TestStore.sections([2])
    for text in ["b", "br"] {
      let scope = ListScope(filter: text, takesPrefix: true)
      let landing: Landing = text == "b" ? .nearest : .entry(7)
      let typed = Intent.promptChanged(label: "", text: text, point: text.utf8.count, lines: 1)
      #expect(reduce(&store.state, typed) == [.show(scope, landing)])
      _ = reduce(
        &store.state,
        .listShown(
          scope, sections, generation: 1, selection: nil, leaving: text == "b" ? 7 : 4))
    }
    #expect(reduce(&store.state, .promptCancelled("br")) == [.show(ListScope(), .entry(7))])
  }

  @Test("Esc leads from a filter to where one was, but to the nearest entry after a move")
  func backFromFilter() {
    var store = TestStore([3])
    let scope = ListScope(filter: "#home")
    let sections = TestStore.sections([2, 2])
    _ = reduce(
      &store.state,
      .listShown(scope, sections, generation: 1, selection: RowPath(0, 0), leaving: 7))
    var moved = store
    store.send(.keyPressed("<Esc>"), [.show(ListScope(), .entry(7))])
    _ = reduce(&moved.state, .keyPressed("j"))
    moved.send(.keyPressed("<Esc>"), [.show(ListScope())])
  }

  @Test("a commit that carries the selection is no move of the user's")
  func backAfterCommit() {
    var store = TestStore([3])
    let scope = ListScope(filter: "#home")
    _ = reduce(
      &store.state,
      .listShown(
        scope, TestStore.sections([3]), generation: 1, selection: RowPath(0, 0), leaving: 7))
    var batch = ResultsBatch(from: 1, to: 2, sectionCountsAfter: [4])
    batch.insertedRows = [RowPath(0, 0)]
    _ = reduce(&store.state, .batchArrived(batch, sectionKeys: []))
    #expect(store.state.list.selection == .row(RowPath(0, 1)))
    #expect(reduce(&store.state, .keyPressed("<Esc>")) == [.show(ListScope(), .entry(7))])
  }

  @Test("views, tags and this day in other years are read from their top")
  func topOfViews() {
    for line in ["view work", "list #home", "onthisday"] {
      var store = TestStore([3])
      store.state.views = [SavedView(name: "work", query: "#work")]
      store.state.prompt = PromptState(kind: .command)
      let effects = reduce(&store.state, .promptSubmitted(line))
      guard case .show(_, .top)? = effects.first else {
        Issue.record("\(line): \(effects)")
        continue
      }
    }
  }

  @Test("a filter that cannot be read is offered again to a person; a script has the old list")
  func wrongFilter() {
    for isTyped in [true, false] {
      var store = TestStore([3])
      store.state.keysAreTyped = isTyped
      _ = reduce(&store.state, .promptOpened(.filter, text: ""))
      let scope = ListScope(filter: "\"br", takesPrefix: true)
      store.send(.listNotShown(scope, "column 1: no end")) {
        $0.status = .failed("column 1: no end")
      }
      _ = reduce(&store.state, .promptSubmitted("\"br"))
      let effects = reduce(&store.state, .listNotShown(scope, "column 1: no end"))
      #expect(
        effects == (isTyped ? [.openPrompt(.filter, text: "\"br")] : [.show(ListScope())]))
      #expect(store.state.status == .failed("column 1: no end"))
      guard !isTyped else { continue }
      // The old list cannot be shown either: there is nothing more to try.
      #expect(reduce(&store.state, .listNotShown(ListScope(), "no")) == [])
    }
  }

  @Test("what is shown takes over scope and sections, and keeps the selected entry")
  func shown() {
    var store = TestStore([3])
    let scope = ListScope(filter: "#home")
    let sections = TestStore.sections([1, 4])
    store.send(.listShown(scope, sections, generation: 1, selection: RowPath(1, 2))) {
      $0.scope = scope
      $0.coveredLists = [CoveredList(scope: ListScope(), entry: nil, list: $0.list)]
      $0.list.reload(sections: sections, generation: 1)
      $0.list.select(RowPath(1, 2))
    }
    #expect(scope.summary == "#home")
    store.send(.keyPressed("<Esc>"), [.show(ListScope())])
  }

  @Test("a search looks from where it began, and going back on it leads there again")
  func search() {
    var store = TestStore([9])
    store.press("3j") { $0.list.moveSelection(by: 3) }
    let origin = ListPosition.row(RowPath(0, 3))
    store.press("/", [.openPrompt(.search)]) { $0.search = Search(text: "", origin: origin) }
    open(.search, &store)
    type("x", .search, [.find("x", from: origin, .here)], &store) { $0.search?.text = "x" }
    store.send(.matchFound("x", RowPath(0, 7))) {
      $0.search?.found = "x"
      $0.list.select(RowPath(0, 7))
    }
    var given = store
    given.send(.promptCancelled("x")) {
      $0.prompt = nil
      $0.search = nil
      $0.list.select(RowPath(0, 3))
    }
    store.send(.promptSubmitted("x"), [.countMatches("x", at: RowPath(0, 7))]) { $0.prompt = nil }
    let here = ListPosition.row(RowPath(0, 7))
    store.press("n", [.find("x", from: here, .forward)])
    store.press("N", [.find("x", from: here, .backward)])
    store.send(.keyPressed("<Esc>")) { $0.search = nil }
  }

  @Test("a search that goes round the end says so, and where one is among the matches")
  func wrapping() {
    var store = TestStore([9])
    store.state.search = Search(text: "x")
    let path = RowPath(0, 2)
    store.send(.matchFound("x", path), [.countMatches("x", at: path)]) {
      $0.search?.found = "x"
      $0.list.select(path)
    }
    let place = MatchPlace(index: 2, count: 5, path: path, generation: 1)
    store.send(.matchesCounted("x", place)) { $0.search?.place = place }
    store.send(.matchesCounted("y", place))
    for (direction, words) in [
      (SearchDirection.forward, "search hit bottom, continuing at the top"),
      (.backward, "search hit top, continuing at the bottom"),
    ] {
      let path = RowPath(0, direction == .forward ? 0 : 8)
      _ = reduce(&store.state, .matchFound("x", path, wrapping: direction))
      #expect(store.state.status == .done(words))
      #expect(store.state.list.selection == .row(path))
    }
    _ = reduce(&store.state, .matchFound("x", RowPath(0, 8), wrapping: .forward))
    #expect(store.state.status == .done("this is the only match"))
  }

  @Test("a search that went round the end while it was typed says so when it is settled")
  func wrappingWhileTyped() {
    var store = TestStore([9])
    _ = reduce(&store.state, .keyPressed("/"))
    open(.search, &store)
    _ = reduce(&store.state, .promptChanged(label: "/", text: "x", point: 1, lines: 1))
    _ = reduce(&store.state, .matchFound("x", RowPath(0, 4), wrapping: .forward))
    #expect(store.state.status == nil)
    _ = reduce(&store.state, .promptSubmitted("x"))
    #expect(store.state.status == .done("search hit bottom, continuing at the top"))
  }

  @Test("the answer to an older search is not taken for that of a newer one")
  func lateAnswer() {
    var store = TestStore([9])
    store.state.search = Search(text: "xy", origin: nil)
    store.send(.matchFound("x", RowPath(0, 7)))
    store.send(.matchFound("xy", nil)) { $0.status = .failed("nothing matches xy") }
  }

  @Test("n without a search says what to do")
  func nothingSearched() {
    var store = TestStore([2])
    store.press("n") { $0.status = .failed("nothing searched for yet; / searches") }
  }

  @Test("while reading, n goes through the matching lines before it goes on to other entries")
  func matchesWhileReading() {
    var store = TestStore([2], lines: 12)
    _ = reduce(&store.state, .entryOpened(TestStore.entry(5, "text"), lines: 40))
    store.state.search = Search(text: "x")
    store.send(.linesMatched([4, 20])) { $0.pane?.matches = [4, 20] }
    store.press("n") { $0.pane?.offset = 4 }
    store.press("n") { $0.pane?.offset = 20 }
    store.press("n", [.find("x", from: .row(RowPath(0, 0)), .forward)])
    store.press("N") { $0.pane?.offset = 4 }
    let path = RowPath(0, 1)
    store.send(.matchFound("x", path), [.read(.row(path)), .countMatches("x", at: path)]) {
      $0.search?.found = "x"
      $0.list.select(RowPath(0, 1))
    }
  }

  @Test(
    "o and a letter order the list or make other sections, anything that is shown already does not")
  func order() {
    var store = TestStore([2])
    store.press("o") { $0.mode = .order }
    store.press("m", [.show(ListScope(sectioning: .month))]) { $0.mode = .list }
    store.press("o") { $0.mode = .order }
    store.press("n") { $0.mode = .list }
    store.press("o") { $0.mode = .order }
    store.press("<Esc>") { $0.mode = .list }
  }

  @Test("the trash is another list; q and T lead back")
  func trash() {
    var store = TestStore([2])
    store.press("T", [.show(ListScope(isTrash: true))])
    store.state.scope.isTrash = true
    store.press("r", [.restore(.row(RowPath(0, 0)))])
    store.press("q", [.show(ListScope())])
    store.press("T", [.show(ListScope())])
  }

  private func open(_ kind: PromptPurpose, _ store: inout TestStore) {
    store.send(.promptOpened(kind, text: "")) { $0.prompt = PromptState(kind: kind) }
  }

  private func type(
    _ text: String, _ kind: PromptPurpose, _ effects: [Effect], _ store: inout TestStore,
    change: (inout State) -> Void = { _ in }
  ) {
    let intent = Intent.promptChanged(
      label: kind.label, text: text, point: text.utf8.count, lines: 1)
    store.send(intent, effects) {
      $0.prompt?.text = text
      $0.prompt?.point = text.utf8.count
      $0.prompt?.unsaved = text.utf8.count
      change(&$0)
    }
  }
}
