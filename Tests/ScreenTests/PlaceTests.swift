import Journal
import Screen
import SectionedResults
import Testing

/// Going back to where one was: jumps, marks, and the repetition of changes.
struct PlaceTests {
  private let filtered = ListScope(filter: "#x")

  @Test("^O goes back over jumps, ^N forward again, and the ends say so")
  func jumps() {
    var store = TestStore([100, 100])
    store.press("<C-o>") { $0.status = .done("no earlier place") }
    store.press("G", [.list(.findPlace(RowPath(0, 0), .jump))]) {
      $0.status = nil
      $0.list.widget.selectLast()
    }
    store.send(.list(.placeFound(1, .jump)))
    // The place before going back is stored too, to return to it.
    store.press("<C-o>", [.list(.findPlace(RowPath(1, 99), .present))])
    store.send(.list(.placeFound(200, .present)), [.list(.findEntry(1))])
    store.send(.list(.entryFound(RowPath(0, 0)))) { $0.list.widget.select(RowPath(0, 0)) }
    store.press("<C-o>") { $0.status = .done("no earlier place") }
    store.press("<C-n>", [.list(.findEntry(200))]) { $0.status = nil }
    store.send(.list(.entryFound(RowPath(1, 99)))) { $0.list.widget.select(RowPath(1, 99)) }
    store.send(.list(.entryFound(nil))) {
      $0.status = .failed("that entry is no longer in this list")
    }
  }

  @Test("another list is a jump; '' goes to the place before and back again")
  func lists() {
    var store = TestStore([3])
    show(filtered, leaving: 7, in: &store)
    store.press("'", []) { _ in }
    store.press("'", [.list(.findPlace(RowPath(0, 0), .present))])
    store.send(.list(.placeFound(5, .present)), [.query(.show(ListScope(), .entry(7)))])
    show(ListScope(), leaving: 5, in: &store)
    store.press("''", [.query(.show(filtered, .entry(5)))])
  }

  @Test(
    "a step to a place nearby does not hide the next jump, nor does a list that cannot be shown")
  func nearby() {
    var store = TestStore([100, 100])
    show(filtered, leaving: 7, in: &store)
    _ = update(&store.state, .list(.placeFound(2, .mark("a"))))
    store.press("'a", [.list(.findPlace(RowPath(0, 0), .jump)), .list(.findEntry(2))]) {
      $0.status = nil
    }
    _ = update(&store.state, .list(.entryFound(RowPath(0, 1))))
    #expect(store.state.list.widget.selection == .row(RowPath(0, 1)))
    var other = TestStore([100, 100])
    _ = update(&other.state, .list(.placeFound(2, .mark("a"))))
    other.state.list.scope = filtered
    _ = update(&other.state, .key("'"))
    _ = update(&other.state, .key("a"))
    _ = update(&other.state, .list(.notShown(ListScope(), "busy")))
    for var store in [store, other] {
      _ = update(
        &store.state,
        .list(.reloaded(TestStore.sections([100, 100]), generation: 3, selection: RowPath(0, 0))))
      let made = update(&store.state, .key("G"))
      #expect(made == [.list(.findPlace(RowPath(0, 0), .jump))])
      show(ListScope(order: .oldest), leaving: 9, in: &store)
      let back = update(&store.state, .key("<C-o>"))
      #expect(back == [.list(.findPlace(RowPath(0, 0), .present))])
    }
  }

  @Test("a count does not reach into or over a folded section, whose rows nobody sees")
  func foldedRows() {
    var store = TestStore([2, 50, 3])
    store.state.list.widget.toggleFold(section: 1)
    store.press(
      "9d", [.list(.markRows(RowPath(0, 0)...RowPath(0, 1), .add, then: .delete))])
  }

  @Test("m and a letter mark a place, ' and the letter go there, also from another list")
  func marks() {
    var store = TestStore([3])
    store.press("ma", [.list(.findPlace(RowPath(0, 0), .mark("a")))])
    store.send(.list(.placeFound(7, .mark("a")))) {
      $0.status = .done("mark a set; 'a comes back here")
    }
    show(filtered, leaving: 9, in: &store)
    store.press("'b") { $0.status = .failed("no mark b; mb sets it") }
    store.press("m1") { $0.status = .failed("a mark is a letter") }
    store.press("m<Esc>") { $0.status = nil }
    store.press(
      "'a",
      [.list(.findPlace(RowPath(0, 0), .jump)), .query(.show(ListScope(), .entry(7)))])
  }

  @Test(". repeats the last change, a prompt's answer too; a count replaces its count")
  func repeating() {
    var store = TestStore([9])
    store.press(".") { $0.status = .failed("nothing to repeat yet; . repeats the last change") }
    let row = Target.row(RowPath(0, 0))
    store.press("s", [.change(.star(row, .toggle))]) { $0.status = nil }
    store.press("j.", [.change(.star(.row(RowPath(0, 1)), .toggle))]) {
      $0.list.widget.moveSelection(by: 1)
    }
    _ = update(&store.state, .prompt(.opened(.tags, text: "")))
    _ = update(&store.state, .prompt(.submitted("home")))
    store.press("j.", [.change(.tag(.row(RowPath(0, 2)), "home"))]) {
      $0.list.widget.moveSelection(by: 1)
    }
    // Copying and piping change nothing.
    _ = update(&store.state, .key("y"))
    store.press("x", [.change(.tick(.row(RowPath(0, 2)), fromLine: 0, item: nil))])
    store.press("2.", [.change(.tick(.row(RowPath(0, 2)), fromLine: 0, item: 2))])
  }

  @Test("a count before an action takes so many entries, across sections, to the end of the list")
  func counts() {
    for (keys, last) in [("3d", RowPath(1, 0)), ("2s", RowPath(0, 1)), ("99y", RowPath(1, 3))] {
      var store = TestStore([2, 4])
      let action: Action = keys.hasSuffix("d") ? .delete : keys.hasSuffix("s") ? .star : .copy
      store.press(KeySequence(keys), [.list(.markRows(RowPath(0, 0)...last, .add, then: action))])
    }
    // . repeats the count, and the entries do not stay marked.
    var again = TestStore([2, 4])
    _ = update(&again.state, .key("2"))
    _ = update(&again.state, .key("s"))
    _ = update(&again.state, .list(.rowsMarked([1, 2], .add, then: .star)))
    #expect(again.state.marks.numbers == [])
    again.press(".", [.list(.markRows(RowPath(0, 0)...RowPath(0, 1), .add, then: .star))])
    var marked = TestStore([2, 4])
    marked.state.marks.numbers = [5]
    marked.press("3d", [.change(.delete(.entries([5])))]) { $0.marks.numbers = [] }
  }

  private func show(_ scope: ListScope, leaving number: Int64, in store: inout TestStore) {
    _ = update(
      &store.state,
      .list(
        .shown(
          scope, TestStore.sections([3]), generation: 2, selection: RowPath(0, 0),
          leaving: number)))
  }
}
