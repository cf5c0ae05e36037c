import Journal
import JournalApp
import SectionedResults
import Testing

/// Choosing from lines.
struct MenuTests {
  private static func menu(_ count: Int, selected: Int = 0, offset: Int = 0) -> Menu {
    let items = (0..<count).map { Menu.Item("#t\($0)", command: "filter #t\($0)") }
    return Menu(title: "tags", items: items, selected: selected, offset: offset)
  }

  @Test(":tags, :view, :open and :set alone show what there is to choose from")
  func commands() {
    let cases: [(String, [Effect])] = [
      ("tags", [.listTags]), ("open", [.listJournals]), ("set", [.listSettings]),
      ("tags --rename work job", [.run(["tags", "--rename", "work", "job"], on: nil)]),
    ]
    for (line, effects) in cases {
      var store = TestStore([3])
      store.state.prompt = PromptState(kind: .command)
      store.send(.promptSubmitted(line), effects) { $0.prompt = nil }
    }
    var store = TestStore([3])
    store.state.views = [SavedView(name: "work", query: "#work since:1m")]
    store.state.prompt = PromptState(kind: .command)
    store.send(.promptSubmitted("view")) {
      $0.prompt = nil
      let item = Menu.Item("work", detail: "#work since:1m", command: "view work")
      $0.mode = .menu(Menu(title: "saved views", items: [item]))
    }
    store.press("<Enter>", [.show(ListScope(filter: "#work since:1m"), .top)]) { $0.mode = .list }
  }

  @Test("the chosen line stays on the screen, and Enter does what it stands for")
  func moving() {
    var store = TestStore([3], lines: 12)
    store.send(.menuOpened(Self.menu(30))) { $0.mode = .menu(Self.menu(30)) }
    store.press("12j") { $0.mode = .menu(Self.menu(30, selected: 12, offset: 3)) }
    store.press("G") { $0.mode = .menu(Self.menu(30, selected: 29, offset: 20)) }
    store.press("gg") { $0.mode = .menu(Self.menu(30)) }
    store.send(.mouse(MouseIntent(.wheel(3), column: 5, line: 2))) {
      $0.mode = .menu(Self.menu(30, selected: 3, offset: 3))
    }
    store.send(.mouse(MouseIntent(.click, column: 5, line: 2))) {
      $0.mode = .menu(Self.menu(30, selected: 5, offset: 3))
    }
    store.send(
      .mouse(MouseIntent(.click, column: 5, line: 2)), [.show(ListScope(filter: "#t5"))]
    ) { $0.mode = .list }
  }

  @Test("a menu of nothing can be opened, moved in and left")
  func empty() {
    var store = TestStore([3])
    store.send(.menuOpened(Self.menu(0))) { $0.mode = .menu(Self.menu(0)) }
    store.press("j")
    store.press("G")
    store.press("<Enter>")
    store.press("q") { $0.mode = .list }
  }
}
