import Journal
import Screen
import SectionedResults
import Testing

/// Choosing from lines.
struct MenuTests {
  private static func menu(_ count: Int, selected: Int = 0, offset: Int = 0) -> Menu {
    let items = (0..<count).map {
      Menu.Item("#t\($0)", effect: .query(.show(ListScope(filter: "#t\($0)"))))
    }
    return Menu(title: "tags", items: items, selected: selected, offset: offset)
  }

  @Test(":tags, :view, :open and :set alone show what there is to choose from")
  func commands() {
    let cases: [(String, [Effect])] = [
      ("tags", [.menu(.listTags)]), ("fields", [.menu(.listFields)]),
      ("open", [.menu(.listJournals)]),
      ("set", [.settings(.listSettings)]),
      (
        "tags --rename work job",
        [.command(.run(["tags", "--rename", "work", "job"], on: .row(RowPath(0, 0))))]
      ),
    ]
    for (line, effects) in cases {
      var store = TestStore([3])
      store.state.prompt.open = OpenPrompt(kind: .command)
      store.send(.prompt(.submitted(line)), effects) { $0.prompt.open = nil }
    }
    let absence = "No views are saved. Filter with f, then type :view save NAME."
    var store = TestStore([3])
    store.state.views = [SavedView(name: "work", query: "#work since:1m")]
    store.state.prompt.open = OpenPrompt(kind: .command)
    store.send(.prompt(.submitted("view"))) {
      $0.prompt.open = nil
      let item = Menu.Item(
        "work", detail: "#work since:1m",
        effect: .query(.show(ListScope(filter: "#work since:1m"), .top)))
      $0.pages.mode = .menu(Menu(title: "saved views", items: [item], absence: absence))
    }
    store.press("<Enter>", [.query(.show(ListScope(filter: "#work since:1m"), .top))]) {
      $0.pages.mode = .list
    }
    store.state.views = []
    store.state.prompt.open = OpenPrompt(kind: .command)
    store.send(.prompt(.submitted("view"))) {
      $0.prompt.open = nil
      $0.pages.mode = .menu(Menu(title: "saved views", items: [], absence: absence))
    }
  }

  @Test("/ narrows a menu to lines with the letters in order, the best match first")
  func narrowing() {
    func labels(_ store: TestStore) -> [String] {
      guard case .menu(let menu) = store.state.pages.mode else { return [] }
      return menu.items.map(\.label)
    }
    let names = ["#travel/lisbon", "#Lit", "#home", "#daily", "#Café", "#work/api"]
    for (typed, found) in [
      ("li", ["#Lit", "#travel/lisbon"]), ("cafe", ["#Café"]), ("h o", ["#home"]),
      ("wa", ["#work/api"]), ("xyz", []), (" ", names),
    ] {
      var store = TestStore([3])
      let items = names.map { Menu.Item($0, effect: .list(.findDay($0))) }
      _ = update(&store.state, .menu(.opened(Menu(title: "tags", items: items))))
      store.press("/", [.prompt(.open(.search))])
      _ = update(&store.state, .prompt(.opened(.search, text: "")))
      _ = update(&store.state, .prompt(.changed(label: "/", text: typed, point: typed.utf8.count)))
      #expect(labels(store) == found, "\(typed)")
      let effects = update(&store.state, .prompt(.submitted(typed)))
      // The only line is chosen at once; several stay, and Esc shows all lines again.
      #expect(effects == (found.count == 1 ? [.list(.findDay(found[0]))] : []), "\(typed)")
      if found.count == 1 {
        #expect(store.state.pages.mode == .list)
      } else {
        #expect(labels(store) == found)
        _ = update(&store.state, .key("<Esc>"))
        #expect(labels(store) == (typed == " " ? [] : names))
      }
    }
    // Cancelling the prompt shows all lines.
    var store = TestStore([3])
    _ = update(&store.state, .menu(.opened(Self.menu(30))))
    _ = update(&store.state, .prompt(.opened(.search, text: "")))
    _ = update(&store.state, .prompt(.changed(label: "/", text: "7", point: 1)))
    #expect(labels(store).count == 3)
    _ = update(&store.state, .prompt(.cancelled("7")))
    #expect(labels(store).count == 30)
  }

  @Test("the chosen line stays on the screen, and Enter does what it stands for")
  func moving() {
    var store = TestStore([3], lines: 12)
    store.send(.menu(.opened(Self.menu(30)))) { $0.pages.mode = .menu(Self.menu(30)) }
    store.press("12j") { $0.pages.mode = .menu(Self.menu(30, selected: 12, offset: 3)) }
    store.press("G") { $0.pages.mode = .menu(Self.menu(30, selected: 29, offset: 20)) }
    store.press("gg") { $0.pages.mode = .menu(Self.menu(30)) }
    store.send(.mouse(MouseAction(.wheel(3), column: 5, line: 2))) {
      $0.pages.mode = .menu(Self.menu(30, selected: 3, offset: 3))
    }
    store.send(.mouse(MouseAction(.click, column: 5, line: 2))) {
      $0.pages.mode = .menu(Self.menu(30, selected: 5, offset: 3))
    }
    store.send(
      .mouse(MouseAction(.click, column: 5, line: 2)), [.query(.show(ListScope(filter: "#t5")))]
    ) { $0.pages.mode = .list }
  }

  @Test("a menu of nothing can be opened, moved in and left")
  func empty() {
    var store = TestStore([3])
    store.send(.menu(.opened(Self.menu(0)))) { $0.pages.mode = .menu(Self.menu(0)) }
    store.press("j")
    store.press("G")
    store.press("<Enter>")
    store.press("q") { $0.pages.mode = .list }
  }

  private static func drafts(_ count: Int, selected: Int = 0) -> Menu {
    let items = (0..<count).map {
      Menu.Item("text \($0)", effect: .prompt(.openDraft("d\($0)")), draft: "d\($0)")
    }
    return Menu(title: "drafts", items: items, selected: selected)
  }

  private static let question =
    Status.asked("discard this draft? y discards it")

  @Test(":drafts lists drafts; Enter goes on with one, and d discards it when that is confirmed")
  func drafts() {
    var store = TestStore([3])
    store.state.prompt.open = OpenPrompt(kind: .command)
    store.send(.prompt(.submitted("drafts")), [.prompt(.listDrafts)]) { $0.prompt.open = nil }
    store.send(.menu(.opened(Self.drafts(3)))) { $0.pages.mode = .menu(Self.drafts(3)) }
    var asking = Self.drafts(3, selected: 1)
    asking.asks = true
    store.press("jd") {
      $0.pages.mode = .menu(asking)
      $0.status = Self.question
    }
    store.press("d") {
      $0.pages.mode = .menu(Self.drafts(3, selected: 1))
      $0.status = .done("kept")
    }
    store.press("dy", [.prompt(.removeDraft("d1"))]) { $0.status = nil }
    store.send(.menu(.draftRemoved(left: Self.drafts(2, selected: 1)))) {
      $0.pages.mode = .menu(Self.drafts(2, selected: 1))
      $0.status = .done("draft discarded")
    }
    store.press("<Enter>", [.prompt(.openDraft("d1"))]) {
      $0.pages.mode = .list
      $0.status = nil
    }
  }

  @Test("the wheel takes the question about a draft back: it would be about another line")
  func wheel() {
    var store = TestStore([3], lines: 12)
    store.send(.menu(.opened(Self.drafts(30)))) { $0.pages.mode = .menu(Self.drafts(30)) }
    store.state.status = nil
    _ = update(&store.state, .key("d"))
    _ = update(&store.state, .mouse(MouseAction(.wheel(3), column: 5, line: 2)))
    #expect(update(&store.state, .key("y")) == [])
  }

  @Test("the last draft that is discarded leaves the menu; other menus know no d")
  func lastDraft() {
    var store = TestStore([3])
    store.send(.menu(.opened(Self.drafts(1)))) { $0.pages.mode = .menu(Self.drafts(1)) }
    _ = update(&store.state, .key("d"))
    #expect(update(&store.state, .key("y")) == [.prompt(.removeDraft("d0"))])
    store.send(.menu(.draftRemoved(left: nil))) {
      $0.pages.mode = .list
      $0.status = .done("draft discarded")
    }
    var tags = TestStore([3])
    tags.send(.menu(.opened(Self.menu(3)))) { $0.pages.mode = .menu(Self.menu(3)) }
    tags.press("d") {
      $0.status = .failed("d works in the list, while reading (Enter) and in :drafts")
    }
  }

  @Test("read-only, no draft is gone on with")
  func readOnly() {
    var store = TestStore([3])
    store.state.journal.isReadOnly = true
    store.state.prompt.open = OpenPrompt(kind: .command)
    store.send(.prompt(.submitted("drafts d1"))) {
      $0.prompt.open = nil
      $0.status = .failed("this journal is open read-only; nothing was changed")
    }
  }
}
