import Testing

@testable import Screen

/// Keys as data: the notation, the lookup, and the help made from the same table.
struct KeyTableTests {
  @Test("the notation is read key by key and written back")
  func notation() {
    let cases: [(KeySequence, [String])] = [
      ("gg", ["g", "g"]), ("<C-d>", ["<C-d>"]), ("z<Enter>a", ["z", "<Enter>", "a"]),
      ("<lt>x", ["<lt>", "x"]), ("<", ["<"]), ("日", ["日"]),
    ]
    for (sequence, keys) in cases {
      #expect(sequence.keys == keys)
      #expect(KeySequence(sequence.description) == sequence)
    }
  }

  @Test("a lookup tells an action, a beginning and nothing apart")
  func lookup() {
    let table = KeyTable.standard
    #expect(table.match("gg", in: .list) == .action(.first))
    #expect(table.match("g", in: .list) == .prefix)
    #expect(table.match("gy", in: .list) == .none)
    #expect(table.match("<Enter>", in: .list) == .action(.read))
    #expect(table.match("<Enter>", in: .reading) == .action(.followLink))
    #expect(table.match("<Enter>", in: .page) == .action(.back))
    #expect(table.match("d", in: .page) == .none)
  }

  @Test("no binding hides another one in the same context", arguments: KeyContext.allCases)
  func unambiguous(context: KeyContext) {
    let bound = KeyTable.standard.bindings.filter { $0.contexts.contains(context) }
    for (index, binding) in bound.enumerated() {
      for other in bound[(index + 1)...] {
        #expect(binding.sequence != other.sequence)
        #expect(!binding.sequence.isProperPrefix(of: other.sequence))
        #expect(!other.sequence.isProperPrefix(of: binding.sequence))
      }
    }
  }

  @Test("every action has a key and a line of help")
  func everyActionIsBound() {
    let bound = Set(KeyTable.standard.bindings.map(\.action))
    #expect(bound == Set(Action.allCases))
    #expect(Set(KeyTable.standard.help().map(\.action)) == Set(Action.allCases))
  }

  @Test("keys are shown as people write them")
  func display() {
    #expect(KeyTable.display("<C-d>") == "^D")
    #expect(KeyTable.display("<Enter>") == "Enter")
    #expect(KeyTable.display("gg") == "gg")
    #expect(KeyTable.display("<lt>") == "<")
    let first = KeyTable.standard.help().first
    #expect(first?.keys == "j Down")
    #expect(first?.text == "down")
  }

  @Test("the hints of the list begin with how to write")
  func hints() {
    let hints = KeyTable.standard.hints(in: .list).map { "\($0.keys) \($0.word)" }
    #expect(
      hints == [
        "a new", "Enter read", "e edit", "d delete", "u undo", "s star", "/ search", "f filter",
        "? help", "q quit",
      ])
    #expect(KeyTable.standard.hints(in: .reading).last?.word == "back")
  }

  @Test("a read-only journal has no hint of an action that it would refuse")
  func readOnlyHints() {
    let hints = KeyTable.standard.hints(in: .list, isReadOnly: true).map(\.word)
    #expect(hints == ["read", "search", "filter", "help", "quit"])
    for context in KeyContext.allCases {
      var store = TestStore([3])
      store.state.journal.isReadOnly = true
      for hint in KeyTable.standard.hints(in: context, isReadOnly: true) {
        store.state.status = nil
        let action = Action.allCases.first { $0.hint(in: context) == hint.word }
        if let action { _ = store.state.perform(action) }
        #expect(store.state.status?.text != store.state.refusal, "\(context) \(hint.word)")
      }
    }
  }

  @Test("the table of keys says where each of them works")
  func places() {
    let uses = KeyTable.standard.help()
    let places = { (keys: String, action: Action) in
      uses.first { $0.keys == keys && $0.action == action }?.places
    }
    #expect(places("j Down", .moveDown) == "everywhere")
    #expect(places("^D", .halfPageDown) == "all but calendar and index")
    #expect(places("x", .tick) == "list, reading")
    #expect(places("r", .restore) == "trash")
    #expect(places("r", .restoreVersion) == "versions")
    #expect(places("J", .nextEntry) == "reading")
    let texts = "reading, help and pages, versions, statistics, import preview"
    #expect(places("Space", .pageDown) == texts)
    #expect(places("b", .pageUp) == texts)
    #expect(places("Space", .mark) == "list")
    #expect(places("o w", .sectionWeek) == "order menu")
  }

  @Test("a key that works in other views says in which, with the key that leads there")
  func elsewhere() {
    let cases: [(KeySequence, KeyContext, String?)] = [
      ("r", .list, "r works in the trash (T) and in versions (H)"),
      ("J", .list, "J works while reading (Enter) and in versions (H)"),
      ("b", .list, "b works while reading (Enter), in help and pages (?) and in versions (H)"),
      ("V", .reading, "V works in the list"), ("zM", .reading, "zM works in the list"),
      ("w", .list, "w is not bound; entries are saved at once; w works after o"),
      ("<F9>", .list, nil),
      ("gx", .list, nil),
    ]
    for (keys, context, words) in cases {
      var store = TestStore([3])
      if context == .reading {
        _ = update(&store.state, .reader(.opened(TestStore.entry(5, "text"))))
      }
      store.state.list.scope.isTrash = context == .trash
      for key in keys.keys { _ = update(&store.state, .key(key)) }
      guard let words else {
        #expect(store.state.status?.text.contains("works") != true)
        continue
      }
      #expect(store.state.status == .failed(words))
      #expect(store.state.pressed.pending.isEmpty)
    }
  }

  @Test("a remapped way to a view is the one that is named")
  func remapped() {
    let table = KeyTable.standard.changed(by: [
      KeyChange("T", nil), KeyChange("W", .trash), KeyChange("H", nil),
    ]).table
    var store = TestStore([3])
    _ = update(&store.state, .key("r"), keys: table)
    #expect(store.state.status == .failed("r works in the trash (W) and in versions"))
  }

  @Test(
    "Space and b page as in less", arguments: [KeyContext.reading, .page, .versions, .statistics])
  func paging(context: KeyContext) {
    #expect(KeyTable.standard.match(" ", in: context) == .action(.pageDown))
    #expect(KeyTable.standard.match("b", in: context) == .action(.pageUp))
    #expect(KeyTable.standard.match(" ", in: .list) == .action(.mark))
    #expect(KeyTable.standard.match("b", in: .list) == .none)
  }
}
