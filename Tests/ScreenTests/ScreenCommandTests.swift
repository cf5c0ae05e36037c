import Journal
import Screen
import SectionedResults
import Testing

/// Commands after `:` that mean something else on the screen than in a shell, and questions.
struct ScreenCommandTests {
  private func prompted(_ marks: Set<Int64> = []) -> TestStore {
    var store = TestStore([3])
    store.state.prompt.open = OpenPrompt(kind: .command)
    store.state.marks.numbers = marks
    return store
  }

  @Test("what is done to entries acts on the selected or marked ones, unless numbers stand first")
  func entries() {
    let row = Target.row(RowPath(0, 0))
    let cases: [(String, Set<Int64>, [Effect])] = [
      ("tag home", [], [.change(.tag(row, "home"))]),
      ("tag home #work", [], [.change(.tag(row, "home #work"))]),
      ("tag home -work", [], [.change(.tag(row, "home -work"))]),
      ("tag home", [7, 3], [.change(.tag(.entries([3, 7]), "home"))]),
      ("tag 42 home", [7], [.change(.tag(.entry(42), "home"))]),
      ("tag 42 43 home", [], [.change(.tag(.entries([42, 43]), "home"))]),
      ("untag home -work", [], [.change(.tag(row, "-home -work"))]),
      ("untag 42 home", [], [.change(.tag(.entry(42), "-home"))]),
      ("tag", [], [.prompt(.open(.tags))]),
      ("tag --tag home", [], [.command(.run(["tag", "--tag", "home"], on: row))]),
      ("tag 42 --tag home", [], [.command(.run(["tag", "42", "--tag", "home"], on: row))]),
      (
        "tag --where bread --tag home", [],
        [.command(.run(["tag", "--where", "bread", "--tag", "home"], on: row))]
      ),
      ("redate yesterday", [], [.change(.redate(row, "yesterday"))]),
      ("redate 2026-11-21 09:15", [], [.change(.redate(row, "2026-11-21 09:15"))]),
      ("redate 42 yesterday", [], [.change(.redate(.entry(42), "yesterday"))]),
      ("redate 42 09:15", [], [.change(.redate(.entry(42), "09:15"))]),
      ("redate 12 oct", [], [.change(.redate(row, "12 oct"))]),
      ("redate 3 days ago", [], [.change(.redate(row, "3 days ago"))]),
      ("redate 2025", [], [.change(.redate(row, "2025"))]),
      ("redate", [], [.prompt(.open(.redate))]),
      ("redate yesterday", [7], [.change(.redate(.entries([7]), "yesterday"))]),
      ("redate --date 3d", [], [.command(.run(["redate", "--date", "3d"], on: row))]),
      ("history", [], [.read(.versions(row))]), ("history 42", [], [.read(.versions(.entry(42)))]),
      ("history --diff", [], [.command(.run(["history", "--diff"], on: row))]),
      ("star", [7, 3], [.change(.star(.entries([3, 7]), .give))]),
      ("delete", [], [.change(.delete(row))]),
      ("restore", [], [.change(.restore(row))]),
      ("show 1 2", [], [.command(.run(["show", "1", "2"], on: row))]),
      ("purge", [], [.command(.run(["purge"], on: row))]),
      (
        "purge --older='last week'", [7],
        [
          .command(.run(["purge", "--older=last week"], on: .entries([7])))
        ]
      ),
      ("help tag", [], [.command(.run(["tag", "--help"], on: row))]),
    ]
    for (line, marks, effects) in cases {
      var store = prompted(marks)
      store.send(.prompt(.submitted(line)), effects) { $0.prompt.open = nil }
    }
  }

  @Test("nothing of them writes to a journal that is open read-only")
  func readOnly() {
    for line in ["tag home", "untag 3 home", "redate 3 yesterday", "star", "delete 3"] {
      var store = prompted()
      store.state.journal.isReadOnly = true
      store.send(.prompt(.submitted(line))) {
        $0.prompt.open = nil
        $0.status = .failed("this journal is open read-only; nothing was changed")
      }
    }
  }

  @Test(":version tells the version")
  func version() {
    var store = prompted()
    store.send(.prompt(.submitted("version"))) {
      $0.prompt.open = nil
      $0.status = .done("Daybook \(Release.version) of \(Release.date)")
    }
  }

  @Test("what users of vim type does what they mean, or says why it is not needed")
  func vim() {
    for line in ["w", "wq", "x", "wa", "w!"] {
      var store = prompted()
      store.send(.prompt(.submitted(line))) {
        $0.prompt.open = nil
        $0.status = .done("entries are saved at once; :q quits")
      }
    }
    var store = prompted()
    store.send(.prompt(.submitted("w copy.md"))) {
      $0.prompt.open = nil
      $0.status = .done("entries are saved at once; :export copy.md writes a copy")
    }
    for line in ["q", "q!", "qa"] {
      var store = prompted()
      store.send(.prompt(.submitted(line)), [.terminal(.quit(0))]) { $0.prompt.open = nil }
    }
    for line in ["h", "help"] {
      var store = prompted()
      _ = update(&store.state, .prompt(.submitted(line)))
      guard case .help(let page) = store.state.pages.mode else {
        Issue.record(":\(line) shows no help")
        continue
      }
      #expect(page.offset == 0)
    }
    for line in ["h undo", "help undo", "h :undo"] {
      var store = prompted()
      store.send(
        .prompt(.submitted(line)), [.command(.run(["undo", "--help"], on: .row(RowPath(0, 0))))]
      ) { $0.prompt.open = nil }
    }
    for word in ["sidebar", "qqq", "fold all"] {
      var store = prompted()
      _ = update(&store.state, .prompt(.submitted("h \(word)")))
      guard case .help = store.state.pages.mode else {
        Issue.record(":h \(word) shows no help")
        continue
      }
      let line = store.state.pages.search?.line
      #expect((line == nil) == (word == "qqq"))
      #expect(line.map { store.state.pageLines?[$0].contains(word) == true } ?? true)
      #expect(store.state.status == (word == "qqq" ? .failed("nothing matches qqq") : nil))
    }
    for (line, row) in [("2", 1), ("$", 2), ("99", 2), ("0", 0), ("1", 0)] {
      var store = prompted()
      store.state.list.widget.select(RowPath(0, 1))
      _ = update(&store.state, .prompt(.submitted(line)))
      #expect(store.state.list.widget.selection == .row(RowPath(0, row)), ":\(line)")
    }
    for (line, target) in [("e", Target.row(RowPath(0, 0))), ("e 42", .entry(42))] {
      var store = prompted()
      store.send(.prompt(.submitted(line)), [.prompt(.edit(target))]) { $0.prompt.open = nil }
    }
  }

  @Test("a word of one letter is neither corrected nor suggested, least of all :q")
  func oneLetter() {
    for line in ["z", "j", "é", "wz", "qi"] {
      guard
        case .failure(let failure) = Result(catching: { () throws(Command.Failure) in
          try Command(line, in: TestStore.catalog)
        })
      else {
        Issue.record("\(line) is a command")
        continue
      }
      #expect(failure.message == "no command \(line); ? shows the keys")
    }
    #expect(Spelling.nearest(to: "p", among: ["q", "purge"]) == nil)
    #expect(Spelling.nearest(to: "qq", among: ["q"]) == nil)
    #expect(Spelling.nearest(to: "unde", among: ["q", "undo"]) == "undo")
  }

  @Test("a wrong line says on the screen's terms what is missing")
  func wrong() {
    for (line, message) in [
      ("tag 42", "tag: which tag? for example :tag 42 home"),
      ("untag", "untag: which tag? for example :untag home"),
      ("import", "import: give a file name, for example :import journal.txt"),
      ("backup", "backup: give a file name, for example :backup copy.sqlite"),
      ("history x", "history: x is not the number of an entry"),
      ("edit a.md", "edit: a.md is not the number of an entry; :open a.md opens a journal"),
    ] {
      var store = prompted()
      store.send(.prompt(.submitted(line)), [.prompt(.reopen(.command, text: line))]) {
        $0.prompt.open = nil
        $0.status = .failed(message)
      }
    }
  }

  // MARK: - Questions

  private static let question = Question(
    "Remove 3 entries for good? y/N", effect: .change(.undo),
    refusal: "nothing removed")

  @Test("y answers a question with yes, every other key with no", arguments: [false, true])
  func answers(keepsPrompt: Bool) {
    var store = TestStore([3])
    store.state.prompt.reopens = keepsPrompt
    let reopened: [Effect] = keepsPrompt ? [.prompt(.open(.newEntry))] : []
    for key in ["y", "Y", "n", "<Enter>", "<Esc>", "d", "q", "<C-c>", "5"] {
      store.send(.question(.asked(Self.question))) {
        $0.questions.question = Self.question
        $0.status = nil
      }
      let isYes = key.lowercased() == "y"
      store.send(.key(key), (isYes ? [Self.question.effect] : []) + reopened) {
        $0.questions.question = nil
        $0.status = isYes ? nil : .done("nothing removed")
      }
    }
  }

  @Test("a command is shown by its news: a status line, or a page that the line is the title of")
  func news() {
    var store = prompted()
    store.state.commands.line = "star 1 2"
    var news = CommandNews(["star", "1", "2"])
    news.news = "starred 2 entries"
    _ = update(&store.state, .command(.finished(news)))
    #expect(store.state.status == .done("starred 2 entries"))
    news.lines = ["a.json:1: skipped"]
    _ = update(&store.state, .command(.finished(news)))
    guard case .output(let page) = store.state.pages.mode else {
      Issue.record("several lines are no page")
      return
    }
    #expect(
      page
        == OutputPage(title: ":star 1 2", lines: news.lines + ["starred 2 entries"]))
    // The line is above the output where the title says what went wrong.
    store = prompted()
    store.state.commands.line = "star 1 2"
    news.failure = "the disk is full"
    _ = update(&store.state, .command(.finished(news)))
    guard case .output(let failed) = store.state.pages.mode else {
      Issue.record("a failure with several lines is no page")
      return
    }
    #expect(failed.title == "starred 2 entries" && failed.lines.first == ":star 1 2")
    store = prompted()
    news = CommandNews(["list"])
    _ = update(&store.state, .command(.finished(news)))
    #expect(store.state.status == .done("no entries match"))
    news.failure = "list: unknown option"
    news.isUsageError = true
    store.state.commands.line = "list --x"
    let effects = update(&store.state, .command(.finished(news)))
    #expect(store.state.status == .failed("list: unknown option"))
    #expect(effects == [.prompt(.reopen(.command, text: "list --x"))])
  }

  @Test("what a command would do is a page, on which Enter does it and q leaves")
  func proposal() {
    let run = Effect.command(.run(["import", "--yes", "a.md"], on: nil))
    var news = CommandNews(["import", "a.md"])
    (news.lines, news.proposal) = (["2024  2 entries"], run)
    news.news = "added 2"
    for key in ["<Enter>", "q", "<Esc>"] {
      var store = prompted()
      store.state.commands.line = "import a.md"
      _ = update(&store.state, .command(.finished(news)))
      guard case .output(let page) = store.state.pages.mode else {
        Issue.record("no page")
        continue
      }
      #expect(page.title == ":import a.md" && page.lines == ["2024  2 entries", "added 2"])
      #expect(store.state.context == .proposal)
      let effects = update(&store.state, .key(key))
      #expect(effects.contains(run) == (key == "<Enter>"), "\(key)")
      #expect(store.state.pages.mode == .list)
    }
    // One line alone is a page, too, if it proposes something.
    var store = prompted()
    news.lines = []
    _ = update(&store.state, .command(.finished(news)))
    #expect(store.state.context == .proposal)
  }

  @Test("a click is no answer, and the end of the keys means no")
  func noAnswer() {
    var store = TestStore([3])
    store.state.questions.question = Self.question
    store.send(.mouse(MouseAction(.click, column: 0, line: 2)))
    store.send(.terminal(.inputEnded), [.terminal(.quit(1))]) {
      $0.questions.question = nil
      $0.status = .failed("the keys ended at a question; nothing removed")
    }
  }

  @Test("a kept prompt waits until a question is answered")
  func keptPrompt() {
    var store = TestStore([3])
    store.state.prompt.reopens = true
    store.state.prompt.open = OpenPrompt(kind: .newEntry)
    let effects = update(&store.state, .prompt(.submitted(":purge")))
    #expect(
      effects == [
        .prompt(.discardDraft(.newEntry)), .command(.run(["purge"], on: .row(RowPath(0, 0)))),
      ])
  }

  @Test("views and a kept prompt are the program's: they are there in another journal too")
  func otherJournal() {
    var store = TestStore([3])
    let views = [SavedView(name: "work", query: "#work")]
    store.send(.settings(.viewsChanged(views))) { $0.views = views }
    store.state.prompt.reopens = true
    var other = Opening(
      journal: "other.sqlite", today: Day(daysSinceEpoch: 20_778),
      size: store.state.environment.size)
    other.settings.views = [SavedView(name: "old", query: "old")]
    store.send(.journal(.opened(other))) {
      $0 = State(other, catalog: $0.commands.catalog)
      $0.views = views
      $0.prompt.reopens = true
    }
  }

  @Test("a page begins with its heading, which scrolls away with it")
  func heading() {
    let page = OutputPage(title: "t", heading: ":doctor", lines: ["a", "b"])
    #expect(page.lines == [":doctor", "", "a", "b"])
    #expect(page.hasHeading)
    #expect(!OutputPage(title: "t", lines: ["a"]).hasHeading)
  }
}
