import Screen
import SectionedResults
import Testing

/// The effects of keys in the list.
struct ListKeyTests {
  @Test("movement keys move the selection, with counts")
  func movement() {
    var store = TestStore([3, 5, 40])
    store.press("j") { $0.list.widget.moveSelection(by: 1) }
    store.press("<Down>") { $0.list.widget.moveSelection(by: 1) }
    store.press("k") { $0.list.widget.moveSelection(by: -1) }
    store.press("12j") { $0.list.widget.moveSelection(by: 12) }
    store.press("<C-d>") { $0.list.widget.halfPage(by: 1) }
    store.press("<C-u>") { $0.list.widget.halfPage(by: -1) }
    store.press("<PageDown>") { $0.list.widget.page(by: 1) }
    store.press("<C-b>") { $0.list.widget.page(by: -1) }
    store.press("G", jump(from: RowPath(2, 5))) { $0.list.widget.selectLast() }
    store.press("gg", jump(from: RowPath(2, 39))) { $0.list.widget.selectFirst() }
    store.press("}") { $0.list.widget.selectSection(offset: 1) }
    store.press("{") { $0.list.widget.selectSection(offset: -1) }
    store.press("10G") { $0.list.widget.moveSelection(by: 9) }
    #expect(store.state.list.widget.selection == .row(RowPath(2, 1)))
  }

  /// A movement by more than a screen can be gone back on.
  private func jump(from path: RowPath) -> [Effect] { [.list(.findPlace(path, .jump))] }

  @Test("a count waits for its key and shows that it waits")
  func counts() {
    var store = TestStore([30])
    store.send(.key("1")) { $0.pressed.pending.count = 1 }
    store.send(.key("0")) { $0.pressed.pending.count = 10 }
    store.send(.key("g")) { $0.pressed.pending.sequence = "g" }
    store.send(.key("g")) {
      $0.pressed.pending = PendingKeys()
      $0.list.widget.moveSelection(by: 9)
    }
  }

  @Test("a count cannot overflow, however many digits are typed")
  func hugeCount() {
    var store = TestStore([30])
    store.press(
      KeySequence(keys: Array(repeating: "9", count: 50) + ["j"]), jump(from: RowPath(0, 0))
    ) {
      $0.list.widget.selectLast()
    }
  }

  @Test("folds: one section, all, none; Enter on a folded one opens it")
  func folds() {
    var store = TestStore([3, 5])
    store.press("za") { $0.list.widget.toggleFold(section: 0) }
    #expect(store.state.list.widget.selection == .header(0))
    store.press("<Enter>") { $0.list.widget.toggleFold(section: 0) }
    store.press("zM") { $0.list.widget.foldAll() }
    store.press("zR") { $0.list.widget.unfoldAll() }
  }

  @Test("keys that act on the selected entry ask the world for it")
  func actions() {
    var store = TestStore([3])
    let row = Target.row(RowPath(0, 0))
    store.press("a", [.prompt(.open(.newEntry))])
    store.press("i", [.prompt(.open(.newEntry))])
    store.press("A", [.editor(.newEntry())])
    store.press("e", [.prompt(.edit(row))])
    store.press("E", [.editor(.edit(row))])
    store.press("d", [.change(.delete(row))])
    store.send(.list(.deletionSettled))
    store.press("<Del>", [.change(.delete(row))])
    store.press("s", [.change(.star(row, .toggle))])
    store.press("<Enter>", [.read(.entry(row))])
    store.press("u", [.change(.undo)])
    store.press("<C-r>", [.change(.redo)])
    store.press("gd", [.prompt(.open(.date))])
    store.press("gt", [.list(.findDay("today"))])
    store.press(":", [.prompt(.open(.command))])
    store.press("<C-l>", [.terminal(.redraw)])
    store.press("<C-z>", [.terminal(.suspend)])
    store.press("q", [.terminal(.quit(0))])
    store.press("Q", [.terminal(.quit(0))])
  }

  @Test("x ticks in the list too: the first open item of the selected entry, with a count any")
  func tick() {
    var store = TestStore([3])
    store.press("j") { $0.list.widget.moveSelection(by: 1) }
    store.press("x", [.change(.tick(.row(RowPath(0, 1)), fromLine: 0, item: nil))])
    store.press("2x", [.change(.tick(.row(RowPath(0, 1)), fromLine: 0, item: 2))])
    store.press("za") { $0.list.widget.toggleFold(section: 0) }
    store.press("x") { $0.status = .failed("no entry selected") }
    store = TestStore([3])
    store.state.list.scope.isTrash = true
    store.press("x") { $0.status = .failed("the entry is in the trash; restore it first") }
  }

  @Test("deletions with no other key between them are counted, so that dd is noticed")
  func deletions() {
    var store = TestStore([9])
    let deleted = { (numbers: [Int64], words: String) in
      Event.journal(.saved(Saved(words, deleted: numbers)))
    }
    let texts = { (state: State) in state.status?.text }
    for (number, words) in [
      (12004, "deleted entry 12004; u undoes it"),
      (2, "deleted 2 entries (12004, 2); u restores the last"),
      (7, "deleted 3 entries (12004, 2, 7); u restores the last"),
      (8, "deleted 4 entries (…, 2, 7, 8); u restores the last"),
    ] as [(Int64, String)] {
      _ = update(&store.state, .list(.deletionSettled))
      store.press("d", [.change(.delete(.row(RowPath(0, 0))))]) { $0.status = nil }
      _ = update(
        &store.state, deleted([number], "deleted entry \(number); u undoes it"))
      #expect(texts(store.state) == words)
    }
    _ = update(&store.state, deleted([3, 4], "deleted 2 entries; u undoes it"))
    #expect(
      texts(store.state) == "deleted 6 entries in 5 steps; u restores the last 2")
    store.press("j") {
      $0.list.widget.moveSelection(by: 1)
      $0.status = nil
      $0.list.deletions = DeletionRun()
    }
    _ = update(&store.state, deleted([5], "deleted entry 5; u undoes it"))
    #expect(texts(store.state) == "deleted entry 5; u undoes it")
  }

  @Test(
    "dd deletes one entry; a third key, one after a moment and one after another key delete the next"
  )
  func doubled() {
    var store = TestStore([9])
    let delete = [Effect.change(.delete(.row(RowPath(0, 0))))]
    let twice = Status.done("dd deletes one entry, like d; press d again for the next")
    store.press("dd", delete) { $0.status = twice }
    store.press("d", delete) { $0.status = nil }
    store.press("d") { $0.status = twice }
    store.press("d", delete) { $0.status = nil }
    store.send(.list(.deletionSettled))
    store.press("d", delete) { $0.status = nil }
    store.press("<Del>") { $0.status = twice }
    store.press("d", delete) { $0.status = nil }
    store.press("u", [.change(.undo)])
    store.press("d", delete)
    // A key of two is no habit.
    let changes = [KeyChange("dd", .delete), KeyChange("d", nil)]
    let keys = KeyTable.standard.changed(by: changes).table
    var other = TestStore([9])
    let effects = ["d", "d", "d", "d"].flatMap { update(&other.state, .key($0), keys: keys) }
    #expect(effects == delete + delete)
    // A count says how many.
    store.press("2d", [.list(.markRows(RowPath(0, 0)...RowPath(0, 1), .add, then: .delete))])
  }

  @Test("keys of other programs that are free here say what to press")
  func habits() {
    for (key, answer) in [
      ("w", "w is not bound; entries are saved at once; w works after o"),
      ("R", "R is not bound; e: \(Action.edit.help(in: [.list]))"),
      ("<C-s>", "^S is not bound; entries are saved at once"),
    ] {
      var store = TestStore([3])
      store.press(KeySequence(keys: [key])) { $0.status = .failed(answer) }
    }
    let changed = KeyTable.standard.changed(by: [KeyChange("w", .edit)])
    var store = TestStore([3])
    #expect(
      update(&store.state, .key("w"), keys: changed.table) == [.prompt(.edit(.row(RowPath(0, 0))))])
  }

  @Test("without an entry the same keys say so and ask for nothing")
  func noEntry() {
    for key in ["e", "E", "d", "s", "<Enter>"] {
      var store = TestStore()
      store.send(.key(key)) { $0.status = .failed("no entry selected") }
    }
  }

  @Test("an unbound key or sequence says so; Esc drops an unfinished one quietly")
  func unbound() {
    var store = TestStore([3])
    store.send(.key("<F9>")) { $0.status = .failed("F9 is not bound; ? shows the keys") }
    store.press("gy") { $0.status = .failed("gy is not bound; ? shows the keys") }
    store.press("g<Esc>") { $0.status = nil }
    store.press("3<Esc>")
  }

  @Test("help scrolls and closes")
  func help() {
    var store = TestStore([3], lines: 10)
    let layout = HelpLayout(.standard, in: .list, columns: 80)
    let help = { (offset: Int) in
      Mode.help(HelpPage(of: .list, layout: layout, offset: offset))
    }
    store.press("?") { $0.pages.mode = help(0) }
    store.press("j") { $0.pages.mode = help(1) }
    store.press("G") { $0.pages.mode = help(layout.rows.count - 8) }
    store.press("gg") { $0.pages.mode = help(0) }
    store.press("k")
    store.press("  ") { $0.pages.mode = help(12) }
    store.press("b") { $0.pages.mode = help(6) }
    store.press("q") { $0.pages.mode = .list }
  }
}
