import Journal
import Screen
import SectionedResults
import Testing

/// Events between opening and closing a prompt.
struct PromptTests {
  @Test("typed text is kept after a pause, and at once after 200 characters")
  func autosave() {
    var store = opened(.newEntry)
    store.send(changed("Bought"), [.prompt(.armDraftTimer)]) {
      $0.prompt.open?.text = "Bought"
      $0.prompt.open?.point = 6
      $0.prompt.open?.unsaved = 6
    }
    store.send(.prompt(.draftTimerFired), [.prompt(.saveDraft(.newEntry, "Bought"))]) {
      $0.prompt.open?.unsaved = 0
    }
    store.send(.prompt(.draftTimerFired))
    let long = String(repeating: "x", count: 206)
    store.send(changed(long), [.prompt(.saveDraft(.newEntry, long))]) {
      $0.prompt.open?.text = long
      $0.prompt.open?.point = 206
      $0.prompt.open?.lines = 3
      $0.list.widget.resize(height: 20)
    }
  }

  @Test("going on to another text saves the one before at once, and no other")
  func otherText() {
    var store = TestStore([3])
    store.send(.prompt(.opened(.newEntry, text: "", index: 2, count: 3))) {
      $0.prompt.open = OpenPrompt(kind: .newEntry, index: 2, count: 3)
    }
    func changed(_ text: String, _ index: Int) -> Event {
      .prompt(.changed(label: "new: ", text: text, point: text.utf8.count, index: index))
    }
    store.send(changed("precious", 2), [.prompt(.armDraftTimer)]) {
      $0.prompt.open?.text = "precious"
      $0.prompt.open?.point = 8
      $0.prompt.open?.unsaved = 8
    }
    store.send(changed("old", 1), [.prompt(.saveDraft(.newEntry, "precious", at: 2))]) {
      $0.prompt.open?.text = "old"
      $0.prompt.open?.point = 3
      $0.prompt.open?.index = 1
      $0.prompt.open?.unsaved = 0
      $0.status = .done("draft 2 of 2; Down goes back")
    }
    // An emptied draft stays until Enter, and takes nothing else with it.
    store.send(changed("", 1), [.prompt(.armDraftTimer)]) {
      $0.prompt.open?.text = ""
      $0.prompt.open?.point = 0
      $0.prompt.open?.unsaved = 3
      $0.status = nil
    }
    store.send(.prompt(.draftTimerFired)) { $0.prompt.open?.unsaved = 0 }
    store.send(changed("precious", 2)) {
      $0.prompt.open?.text = "precious"
      $0.prompt.open?.point = 8
      $0.prompt.open?.index = 2
    }
    store.send(changed("old", 1)) {
      $0.prompt.open?.text = "old"
      $0.prompt.open?.point = 3
      $0.prompt.open?.index = 1
      $0.status = .done("draft 2 of 2; Down goes back")
    }
    store.send(
      .prompt(.cancelled("old")),
      [
        .prompt(.saveDraft(.newEntry, "old", at: 1)), .prompt(.close(.newEntry)),
        .prompt(.countDrafts),
      ]
    ) { $0.prompt.open = nil }
  }

  @Test("a text that can be neither saved nor kept opens its prompt again, for a person")
  func notKept() {
    let event = Event.prompt(.notKept("the disk is full", .edit(7), text: "half"))
    var store = TestStore([3])
    store.send(event, [.prompt(.resume(.edit(7), text: "half", "the disk is full"))]) {
      $0.status = .failed("the disk is full; not kept: the text stays here")
    }
    store.send(.prompt(.opened(.edit(7), text: "half", isUnsaved: true))) {
      $0.prompt.open = OpenPrompt(kind: .edit(7), text: "half", isUnsaved: true)
    }
    #expect(store.state.prompt.open?.isWriting == true)
    store.send(event) { $0.prompt.open?.isUnkept = true }
    #expect(store.state.prompt.open?.hints().last?.word == "try to keep")
    store.send(.prompt(.kept)) { $0.prompt.open?.isUnkept = false }
    var piped = TestStore([3])
    piped.state.environment.keysAreTyped = false
    piped.send(event) { $0.status = .failed("draft not kept: the disk is full") }
  }

  @Test("moving the cursor is not typing")
  func cursor() {
    var store = opened(.newEntry)
    store.send(.prompt(.changed(label: "(search): ", text: "", point: 0))) {
      $0.prompt.open?.label = "(search): "
    }
  }

  @Test("a prompt is laid out when it changes, once for its lines and its picture")
  func layout() throws {
    var store = TestStore([2])
    let text = "a line\nand another"
    _ = update(&store.state, .prompt(.opened(.newEntry, text: text)))
    let opened = try #require(store.state.prompt.open)
    #expect(opened.layout?.lines.count == 2 && opened.lines == 2)
    let shown = PromptEvent.changed(label: opened.label, text: text, point: text.utf8.count)
    #expect(update(&store.state, .prompt(shown)).isEmpty)
    #expect(store.state.prompt.open == opened && store.state.prompt.open?.layout == opened.layout)
    _ = update(
      &store.state, .prompt(.changed(label: opened.label, text: text + "\nmore", point: 0)))
    #expect(store.state.prompt.open?.layout?.lines.count == 3)
    #expect(store.state.prompt.open?.layout?.cursor.row == 0)
    store.state.prompt.open?.text = "set by hand"
    #expect(store.state.prompt.open?.layout == nil, "a layout of another text is never drawn")
  }

  @Test("a submitted entry is added, an edited one saved under its number")
  func submit() {
    var new = opened(.newEntry)
    new.send(.prompt(.submitted("Bought bread")), [.change(.add("Bought bread"))]) {
      $0.prompt.open = nil
    }
    var edit = opened(.edit(7), text: "old")
    edit.send(.prompt(.submitted("new")), [.change(.edit(7, "new"))]) { $0.prompt.open = nil }
    var date = opened(.date)
    date.send(.prompt(.submitted("3d")), [.list(.findDay("3d"))]) { $0.prompt.open = nil }
  }

  @Test("an empty text is never saved and never deletes")
  func empty() {
    var new = opened(.newEntry)
    new.send(
      .prompt(.submitted(" \n")),
      [.prompt(.discardEmptiedDraft(.newEntry)), .prompt(.close(.newEntry))]
    ) {
      $0.prompt.open = nil
      $0.status = .failed("nothing to save")
    }
    var edit = opened(.edit(7), text: "old")
    edit.send(
      .prompt(.submitted("")),
      [.prompt(.discardEmptiedDraft(.edit(7))), .prompt(.close(.edit(7)))]
    ) {
      $0.prompt.open = nil
      $0.status = .failed("empty text not saved; d deletes an entry")
    }
  }

  @Test("leaving a prompt keeps what was written, and only that")
  func cancel() {
    var new = opened(.newEntry)
    new.send(
      .prompt(.cancelled("half")),
      [
        .prompt(.saveDraft(.newEntry, "half")), .prompt(.close(.newEntry)), .prompt(.countDrafts),
      ]
    ) {
      $0.prompt.open = nil
    }
    new.send(.prompt(.draftsCounted(1))) {
      $0.journal.drafts = 1
      $0.status = .done("1 draft kept: press a, then Up")
    }
    var edit = opened(.edit(7), text: "old")
    edit.send(
      .prompt(.cancelled("old")), [.prompt(.discardDraft(.edit(7))), .prompt(.close(.edit(7)))]
    ) { $0.prompt.open = nil }
    var command = opened(.command)
    command.send(.prompt(.cancelled("quit"))) { $0.prompt.open = nil }
  }

  @Test("the end of the input and signals keep the text and end with their codes")
  func ends() {
    var input = opened(.newEntry)
    input.state.prompt.open?.text = "half"
    input.send(
      .terminal(.inputEnded),
      [.prompt(.saveDraft(.newEntry, "half")), .prompt(.close(.newEntry)), .terminal(.quit(0))]
    ) { $0.prompt.open = nil }
    var signal = opened(.newEntry)
    signal.state.prompt.open?.text = "half"
    signal.send(
      .terminal(.signalled(15)),
      [.prompt(.saveDraft(.newEntry, "half")), .prompt(.close(.newEntry)), .terminal(.quit(143))]
    ) { $0.prompt.open = nil }
    var list = TestStore([1])
    list.send(.terminal(.inputEnded), [.terminal(.quit(0))])
  }

  @Test("the text of an entry can go on in the editor, a command cannot")
  func editor() {
    var new = opened(.newEntry)
    new.send(.prompt(.movedToEditor("half")), [.editor(.continue(.newEntry, "half"))]) {
      $0.prompt.open = nil
    }
    var command = opened(.command)
    command.send(.prompt(.movedToEditor("sh")), [.prompt(.open(.command, text: "sh"))]) {
      $0.prompt.open = nil
    }
  }

  @Test("several completions are shown in the status line")
  func completions() {
    var store = opened(.command)
    store.send(.prompt(.completionsFound(["show", "star"]))) {
      $0.prompt.completions = ["show", "star"]
    }
  }

  @Test("an empty answer about tags or dates, and the date that is there, change nothing")
  func nothingToChange() {
    let unchanged: [(PromptPurpose, [String], String)] = [
      (.tags, ["#home"], ""), (.tags, [], " "), (.redate, ["2026-11-21 09:15"], ""),
      (.redate, ["2026-11-21 09:15"], "2026-11-21 09:15 "),
    ]
    for (kind, present, answer) in unchanged {
      var store = TestStore([3])
      store.send(.prompt(.opened(kind, text: "", present: present))) {
        $0.prompt.open = OpenPrompt(kind: kind, present: present)
      }
      store.send(.prompt(.submitted(answer))) {
        $0.prompt.open = nil
        $0.status = .done("nothing to change")
      }
    }
    var tags = opened(.tags)
    tags.send(.prompt(.submitted("work")), [.change(.tag(.row(RowPath(0, 0)), "work"))]) {
      $0.prompt.open = nil
    }
    var date = opened(.redate)
    date.send(.prompt(.submitted("3d")), [.change(.redate(.row(RowPath(0, 0)), "3d"))]) {
      $0.prompt.open = nil
    }
  }

  @Test("the drafts that wait are told, those of edits too, and how to come to them")
  func drafts() {
    for (new, edits, words) in [
      (1, 0, "1 draft kept: press a, then Up"), (3, 0, "3 drafts kept: press a, then Up"),
      (0, 1, "1 draft of an edit kept: see :drafts"),
      (0, 2, "2 drafts of edits kept: see :drafts"),
      (2, 1, "3 drafts kept, 1 of edits: see :drafts"),
    ] {
      var store = TestStore([3])
      store.send(.prompt(.draftsCounted(new, edits: edits))) {
        $0.journal.drafts = new + edits
        $0.status = .done(words)
      }
    }
    var typing = opened(.newEntry)
    typing.send(.prompt(.draftsCounted(2))) {
      $0.journal.drafts = 2
      $0.status = .done("2 drafts kept: press Up")
    }
  }

  @Test("every kind of prompt says how to answer and how to leave, and what Esc does with the text")
  func hints() throws {
    let form = try #require(Form("? one\n? two"))
    let kinds: [PromptPurpose] = [
      .newEntry, .edit(7), .question(form), .command, .date, .search, .filter, .titles, .tags,
      .redate, .pipe, .attachment,
    ]
    for kind in kinds {
      // A new kind does not compile here until it is in the list above.
      switch kind {
      case .newEntry, .edit, .question, .command, .date, .search, .filter, .titles, .tags, .redate,
        .pipe, .attachment:
        break
      }
      let hints = OpenPrompt(kind: kind).hints()
      #expect(hints.first?.keys == "Enter" && hints.first?.rank == 0)
      #expect(hints.last?.keys == "Esc" && hints.last?.word == "cancel")
      #expect(Set(hints.map(\.rank)).count == hints.count)
      #expect(hints.contains { $0.keys == "^J" } == kind.keepsDrafts)
    }
    var prompt = OpenPrompt(kind: .edit(7), text: "old")
    #expect(prompt.hints().last?.word == "cancel")
    prompt.text = "new"
    #expect(prompt.hints().last?.word == "keep as draft")
  }

  private func opened(_ kind: PromptPurpose, text: String = "") -> TestStore {
    var store = TestStore([3])
    store.send(.prompt(.opened(kind, text: text))) {
      $0.prompt.open = OpenPrompt(kind: kind, text: text)
    }
    return store
  }

  private func changed(_ text: String) -> Event {
    .prompt(.changed(label: "new: ", text: text, point: text.utf8.count))
  }
}

/// The prompt that stays open.
struct StayingPromptTests {
  @Test("each Enter files an entry and asks for the next one; : and / do the rest")
  func files() {
    submit("Bought bread", [.change(.add("Bought bread")), .prompt(.open(.newEntry))])
    submit(" :) smiling", [.change(.add(" :) smiling")), .prompt(.open(.newEntry))])
    submit("", [.prompt(.discardEmptiedDraft(.newEntry)), .prompt(.open(.newEntry))])
    submit(":undo", [.prompt(.discardDraft(.newEntry)), .change(.undo), .prompt(.open(.newEntry))])
    submit(":quit", [.prompt(.discardDraft(.newEntry)), .terminal(.quit(0))])
    submit(
      "/bread",
      [
        .prompt(.discardDraft(.newEntry)), .query(.find("bread", from: .row(RowPath(0, 0)), .here)),
        .prompt(.open(.newEntry)),
      ])
    submit(":help", [.prompt(.discardDraft(.newEntry))])
    // A recalled draft is a text, whatever it begins with.
    submit(":undo", [.change(.add(":undo")), .prompt(.open(.newEntry))], isOwn: false)
    submit("", [.prompt(.discardEmptiedDraft(.newEntry)), .prompt(.open(.newEntry))], isOwn: false)
  }

  private func submit(
    _ text: String, _ effects: [Effect], isOwn: Bool = true,
    at location: SourceLocation = #_sourceLocation
  ) {
    var store = TestStore([3])
    store.state.prompt.reopens = true
    _ = update(&store.state, .prompt(.opened(.newEntry, text: "", index: isOwn ? 1 : 0, count: 2)))
    #expect(update(&store.state, .prompt(.submitted(text))) == effects, sourceLocation: location)
    #expect(store.state.prompt.open == nil, sourceLocation: location)
  }
}
