import Journal
import Screen
import SectionedResults
import Testing

/// The steps of q and Esc before the program ends, and the actions rejected in a read-only journal.
struct LeavingTests {
  @Test("Esc takes away marks, the search and the filter, one with each press; q quits at once")
  func clearing() {
    var store = TestStore([3])
    store.state.marks.numbers = [1]
    store.state.search = Search(text: "bread")
    store.state.list.scope = ListScope(filter: "#home")
    store.press("q", [.terminal(.quit(0))])
    store.press("<Esc>") { $0.marks.numbers = [] }
    store.press("<Esc>") { $0.search = nil }
    store.press("<Esc>", [.query(.show(ListScope()))])
  }

  @Test("Q and :q quit at once")
  func quits() {
    var store = TestStore([3])
    store.state.marks.numbers = [1]
    store.press("Q", [.terminal(.quit(0))])
    store.state.prompt.open = OpenPrompt(kind: .command)
    store.send(.prompt(.submitted("q")), [.terminal(.quit(0))]) { $0.prompt.open = nil }
  }

  @Test("an entry added under a filter that hides it is shown by Esc, and by no later Esc")
  func unseen() {
    var store = TestStore([3])
    store.state.list.scope = ListScope(filter: "#home", order: .oldest)
    let words = "added entry 9, hidden by this list; Esc goes there"
    store.send(.journal(.saved(Saved(words, unseen: 9)))) {
      $0.status = .done(words)
      $0.list.unseen = 9
    }
    store.press("<Esc>", [.query(.show(ListScope(order: .oldest), .entry(9)))]) { $0.status = nil }
    let sections = TestStore.sections([4])
    store.send(
      .list(
        .shown(
          ListScope(order: .oldest), sections, generation: 2, selection: RowPath(0, 3)))
    ) {
      $0.list.unseen = nil
      $0.list.scope = ListScope(order: .oldest)
      $0.list.widget.reload(sections: sections, generation: 2)
      $0.list.widget.select(RowPath(0, 3))
    }
    store.send(.journal(.saved(Saved(words, unseen: 9)))) {
      $0.status = .done(words)
      $0.list.unseen = 9
    }
    store.press("j") {
      $0.status = nil
      $0.list.unseen = nil
      $0.list.widget.moveSelection(by: 1)
    }
  }

  /// Whether an effect changes entries, or begins to.
  private static func changesEntries(_ effect: Effect) -> Bool {
    switch effect {
    case .prompt(let effect):
      switch effect {
      case .open(.newEntry, _, _), .open(.tags, _, _), .open(.redate, _, _), .edit, .carryOver: true
      case .open, .reopen, .resume, .armDraftTimer, .saveDraft, .close, .countDrafts, .attach,
        .discardDraft, .discardEmptiedDraft, .listDrafts, .openDraft, .removeDraft:
        false
      }
    case .editor, .change, .program(.pastePicture): true
    case .list, .query, .read, .program, .command, .settings, .menu, .terminal: false
    }
  }

  /// States in which every action makes sense somewhere.
  private static var states: [State] {
    var (trash, reading, versions) = (TestStore([3]), TestStore([3]), TestStore([3]))
    trash.state.list.scope.isTrash = true
    _ = update(&reading.state, .reader(.opened(TestStore.entry(7, "- [ ] text"))))
    versions.state.pages.mode = .versions(VersionTests.page(1, of: 3))
    return [TestStore([3]), trash, reading, versions].map(\.state)
  }

  /// Does the same to a state and to the same one read-only, which must say so where the first changes
  /// entries.
  ///
  /// - Returns: whether it does.
  private func isRefused(
    _ state: State, _ note: String, _ act: (inout State) -> [Effect]
  ) -> Bool {
    var (free, bound) = (state, state)
    bound.journal.isReadOnly = true
    let effects = act(&bound)
    #expect(!effects.contains(where: Self.changesEntries), "\(note)")
    guard act(&free).contains(where: Self.changesEntries) else { return false }
    #expect(effects == [], "\(note)")
    #expect(
      bound.status == .failed("this journal is open read-only; nothing was changed"), "\(note)")
    return true
  }

  @Test("read-only, every key that would change an entry says so at once")
  func readOnlyKeys() {
    var refused: Set<Action> = []
    for state in Self.states {
      let context = state.list.scope.isTrash ? .trash : state.pages.mode.context
      for binding in KeyTable.standard.bindings where binding.contexts.contains(context) {
        let isHere = isRefused(state, "\(binding.sequence) in \(context)") { state in
          binding.sequence.keys.flatMap { update(&state, .key($0)) }
        }
        if isHere { refused.insert(binding.action) }
      }
    }
    #expect(
      refused == [
        .newEntry, .newEntryInEditor, .edit, .editInEditor, .delete, .restore, .undo, .redo,
        .star,
        .tags, .redate, .tick, .carryOver, .restoreVersion,
      ])
  }

  @Test("read-only, every command that would change an entry says so at once")
  func readOnlyCommands() {
    var refused: Set<String> = []
    for name in TestStore.catalog.names {
      for words in ["", " 3", " x", " yesterday", " 3 x", " --yes", " --template x"] {
        for var state in Self.states {
          state.prompt.open = OpenPrompt(kind: .command)
          if isRefused(state, name + words, { update(&$0, .prompt(.submitted(name + words))) }) {
            refused.insert(name)
          }
        }
      }
    }
    #expect(
      refused == [
        "add", "delete", "edit", "paste-picture", "redate", "redo", "restore", "star", "tag",
        "undo", "unstar", "untag",
      ])
  }

  @Test("read-only, looking and copying work")
  func readOnlyLooking() {
    var store = TestStore([3])
    store.state.journal.isReadOnly = true
    store.press("H", [.read(.versions(.row(RowPath(0, 0))))])
    store.press("y", [.program(.copy(.row(RowPath(0, 0))))])
    store.press("/", [.prompt(.open(.search)), .query(.prepareSearch)]) {
      $0.search = Search(text: "", origin: .row(RowPath(0, 0)))
    }
  }

  @Test("a wrong line after : comes back to be repaired")
  func wrongLine() {
    var store = TestStore([3])
    store.state.prompt.open = OpenPrompt(kind: .command)
    store.send(.prompt(.submitted("view work")), [.prompt(.reopen(.command, text: "view work"))]) {
      $0.prompt.open = nil
      $0.status = .failed("no views are saved; filter with f, then :view save NAME")
    }
    store.send(.prompt(.opened(.command, text: "view work"))) {
      $0.prompt.open = OpenPrompt(kind: .command, text: "view work")
    }
  }

  @Test("where the prompt stays open for entries, a wrong : line comes back in its place")
  func wrongLineWhileWriting() {
    var store = TestStore([3])
    store.state.prompt.reopens = true
    store.state.prompt.open = OpenPrompt(kind: .newEntry)
    store.send(
      .prompt(.submitted(":undoo")),
      [.prompt(.discardDraft(.newEntry)), .prompt(.reopen(.command, text: "undoo"))]
    ) {
      $0.prompt.open = nil
      $0.status = .failed("no command undoo; did you mean :undo?")
    }
  }

  @Test("another journal is opened only when no question waits for an answer")
  func openWithQuestion() {
    var store = TestStore([3])
    store.state.questions.conflict = EditConflict(number: 7, fate: .changed)
    store.state.prompt.open = OpenPrompt(kind: .command)
    store.send(.prompt(.submitted("open x")), [.prompt(.reopen(.command, text: "open x"))]) {
      $0.prompt.open = nil
      $0.status = .failed("answer the question about entry 7 first")
    }
    store.state.questions.conflict = nil
    store.state.prompt.open = OpenPrompt(kind: .command)
    store.send(.prompt(.submitted("open x")), [.menu(.openJournal("x"))]) { $0.prompt.open = nil }
    let next = Opening(
      journal: "next.sqlite", today: store.state.journal.today, size: Size(columns: 40, lines: 10))
    store.send(.journal(.opened(next))) { $0 = State(next, catalog: $0.commands.catalog) }
  }
}
