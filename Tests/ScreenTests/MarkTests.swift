import Journal
import SectionedResults
import Testing

@testable import Screen

/// Marks, and what acts on many entries at once.
struct MarkTests {
  @Test("Space marks and goes on; marked entries are what d, s, t, D, y and | act on")
  func marks() {
    var store = TestStore([5])
    let first = RowPath(0, 0)
    store.press(" ", [.list(.markRows(first...first, .toggle))]) {
      $0.list.widget.moveSelection(by: 1)
    }
    store.send(.list(.rowsMarked([7], .toggle))) { $0.marks.numbers = [7] }
    store.send(.list(.rowsMarked([3], .toggle))) { $0.marks.numbers = [3, 7] }
    let both = Target.entries([3, 7])
    store.press("s", [.change(.star(both, .toggle))])
    store.press("y", [.program(.copy(both))])
    store.press("t", [.prompt(.open(.tags))])
    store.send(.prompt(.opened(.tags, text: ""))) { $0.prompt.open = OpenPrompt(kind: .tags) }
    store.send(.prompt(.submitted("home -work")), [.change(.tag(both, "home -work"))]) {
      $0.prompt.open = nil
    }
    store.send(.prompt(.opened(.redate, text: ""))) { $0.prompt.open = OpenPrompt(kind: .redate) }
    store.send(.prompt(.submitted("3d")), [.change(.redate(both, "3d"))]) { $0.prompt.open = nil }
    store.send(.prompt(.opened(.pipe, text: ""))) { $0.prompt.open = OpenPrompt(kind: .pipe) }
    store.send(.prompt(.submitted("wc")), [.program(.pipe(both, "wc"))]) { $0.prompt.open = nil }
    store.press("d", [.change(.delete(both))]) { $0.marks.numbers = [] }
  }

  @Test("marking the marked takes the mark away")
  func unmark() {
    var store = TestStore([5])
    store.state.marks.numbers = [1, 2]
    store.send(.list(.rowsMarked([1, 2], .toggle))) { $0.marks.numbers = [] }
    store.send(.list(.rowsMarked([1], .add))) { $0.marks.numbers = [1] }
    store.send(.list(.rowsMarked([4, 5], .replace))) { $0.marks.numbers = [4, 5] }
    store.send(.key("<Esc>")) { $0.marks.numbers = [] }
  }

  @Test("V marks from the first V to the second, up or down, across sections")
  func range() {
    var store = TestStore([3, 3])
    store.press("4j") { $0.list.widget.moveSelection(by: 4) }
    let start = RowPath(1, 1)
    store.send(.key("V")) {
      $0.marks.rangeStart = start
      $0.status = .done("range started: move, V marks it, Esc cancels")
    }
    store.send(.key("3")) {
      $0.pressed.pending.count = 3
      $0.status = nil
    }
    store.send(.key("k")) {
      $0.pressed.pending = PendingKeys()
      $0.list.widget.moveSelection(by: -3)
    }
    store.press("V", [.list(.markRows(RowPath(0, 1)...start, .add))]) { $0.marks.rangeStart = nil }
  }

  @Test("an action on marked entries ends a range, marks it and takes all of it")
  func actionEndsRange() {
    let keys: [(key: String, action: Action)] = [
      ("d", .delete), ("s", .star), ("t", .tags), ("D", .redate), ("y", .copy), ("|", .pipe),
      (":", .command),
    ]
    for (key, action) in keys {
      var store = TestStore([4])
      store.state.marks.numbers = [9]
      for key in ["j", "V", "j", "j"] { _ = update(&store.state, .key(key)) }
      let range = RowPath(0, 1)...RowPath(0, 3)
      store.send(.key(key), [.list(.markRows(range, .add, then: action))]) {
        $0.marks.rangeStart = nil
        $0.status = nil
      }
      let effects = update(&store.state, .list(.rowsMarked([1, 2, 3], .add, then: action)))
      // Only a prompt needs the range longer; entries marked before stay marked.
      let left: Set<Int64> =
        switch action {
        case .delete: []
        case .star, .copy: [9]
        default: [1, 2, 3, 9]
        }
      #expect(store.state.marks.numbers == left)
      let marked = Target.entries([1, 2, 3, 9])
      let expected: Effect? =
        switch action {
        case .delete: .change(.delete(marked))
        case .star: .change(.star(marked, .toggle))
        case .copy: .program(.copy(marked))
        case .tags: .prompt(.open(.tags))
        case .redate: .prompt(.open(.redate))
        case .pipe: .prompt(.open(.pipe))
        case .command: .prompt(.open(.command))
        default: nil
        }
      #expect(effects == [expected].compactMap(\.self))
    }
  }

  @Test(
    "the entries of a range are unmarked when the prompt of its action is answered or given up",
    arguments: [
      (Action.tags, "x"), (.redate, "2020"), (.pipe, "cat"),
    ],
    [true, false])
  func promptedRange(asked: (action: Action, text: String), isAnswered: Bool) {
    var store = TestStore([4])
    store.state.marks.numbers = [9]
    let effects = update(&store.state, .list(.rowsMarked([1, 2], .add, then: asked.action)))
    guard case .prompt(.open(let kind, text: _, subject: _))? = effects.first else {
      Issue.record("\(effects)")
      return
    }
    _ = update(&store.state, .prompt(.opened(kind, text: "")))
    #expect(store.state.marks.numbers == [1, 2, 9])
    let end = isAnswered ? PromptEvent.submitted(asked.text) : .cancelled(asked.text)
    let changes = update(&store.state, .prompt(end))
    #expect(store.state.marks.numbers == [9] && store.state.marks.before == nil)
    guard isAnswered else { return }
    let marked = Target.entries([1, 2, 9])
    #expect(changes.contains { "\($0)".contains("\(marked)") }, "\(changes)")
    // What fails asks again, of the same entries.
    store.state.environment.keysAreTyped = true
    guard let change = changes.first, asked.action != .pipe else { return }
    let again = update(&store.state, .journal(.failed("no", doing: change)))
    let subject = PromptSubject(one: marked, many: marked)
    #expect(again == [.prompt(.open(kind, text: asked.text, subject: subject))])
    #expect(store.state.marks.numbers == [1, 2, 9] && store.state.marks.before == [9])
  }

  @Test("every action that acts on the marked entries ends a range")
  func everyActionOnMarked() {
    for action in Action.allCases {
      var store = TestStore([4])
      store.state.marks.numbers = [9]
      var free = store.state
      let effects = free.perform(action)
      let isOnMarked = effects.contains { effect in
        switch effect {
        case .change(.delete(.entries)), .change(.restore(.entries)), .change(.star(.entries, _)),
          .program(.copy(.entries)):
          true
        case .prompt(.open(.tags, _, _)), .prompt(.open(.redate, _, _)),
          .prompt(.open(.pipe, _, _)), .prompt(.open(.command, _, _)):
          true
        default: false
        }
      }
      store.state.marks.rangeStart = RowPath(0, 0)
      let isTaken = store.state.perform(action).contains { effect in
        if case .list(.markRows(_, .add, then: action)) = effect { true } else { false }
      }
      #expect(isTaken == isOnMarked, "\(action)")
    }
  }

  @Test("over folded sections V marks all that they hold, from the first to the last")
  func foldedRange() {
    var store = TestStore([2, 3, 2, 1])
    store.press("zM") { $0.list.widget.foldAll() }
    store.send(.key("V")) {
      $0.marks.rangeStart = RowPath(0, 0)
      $0.status = .done("range started: move, V marks it, Esc cancels")
    }
    store.press("2j") {
      $0.status = nil
      $0.list.widget.moveSelection(by: 2)
    }
    store.press("V", [.list(.markRows(RowPath(0, 0)...RowPath(2, 1), .add))]) {
      $0.marks.rangeStart = nil
    }
  }

  @Test("the start of a range stays with its entry when rows come above it")
  func rangeThroughBatch() {
    var store = TestStore([3])
    store.press("V") {
      $0.marks.rangeStart = RowPath(0, 0)
      $0.status = .done("range started: move, V marks it, Esc cancels")
    }
    var batch = ResultsBatch(from: 1, to: 2, sectionCountsAfter: [4])
    batch.insertedRows = [RowPath(0, 0)]
    _ = update(&store.state, .list(.batchArrived(batch)))
    #expect(store.state.marks.rangeStart == RowPath(0, 1))
  }

  @Test("* marks all, and none when all are marked")
  func all() {
    var store = TestStore([2])
    store.press("*", [.query(.markAll)]) { $0.work.word = "marking" }
    store.send(.list(.allMarked([1, 2]))) {
      $0.marks.numbers = [1, 2]
      $0.work.word = nil
    }
    #expect(store.state.work.queries.isEmpty)
    store.press("*") { $0.marks.numbers = [] }
  }

  @Test("on the header of a folded section Space marks the section")
  func section() {
    var store = TestStore([2, 3])
    store.press("za") { $0.list.widget.toggleFold(section: 0) }
    store.press(" ", [.list(.markRows(RowPath(0, 0)...RowPath(0, 1), .toggle))])
  }
}
