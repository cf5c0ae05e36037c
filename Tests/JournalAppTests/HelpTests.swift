import Journal
import JournalApp
import SectionedResults
import Testing

/// The help lies over what was there.
struct HelpTests {
  private static let menu = Menu(
    title: "tags", items: (0..<30).map { Menu.Item("#t\($0)", command: "filter #t\($0)") },
    selected: 7, offset: 2)

  private static let modes: [Mode] = [
    .menu(menu), .page(Page(title: "list", lines: ["a", "b"])),
    .versions(VersionTests.page(2, of: 3)),
  ]

  @Test("? shows the help from anywhere, and leaving it comes back", arguments: modes)
  func comesBack(mode: Mode) {
    for key in ["q", "<Esc>", "<Enter>", "?"] {
      var store = TestStore([3])
      store.state.mode = mode
      _ = reduce(&store.state, .keyPressed("?"))
      guard case .page = mode else {
        #expect(store.state.mode == .help(0))
        _ = reduce(&store.state, .keyPressed("j"))
        let effects = reduce(&store.state, .keyPressed(key))
        #expect(store.state.mode == mode, "\(key)")
        #expect(store.state.covered == nil)
        if case .versions = mode { #expect(effects == [.showVersion(7, 2)]) }
        continue
      }
      // A page is left by the key that shows the help elsewhere.
      #expect(store.state.mode == .list)
    }
  }

  @Test("what takes the help's place is not left for what the help lay over")
  func replaced() {
    var store = TestStore([3])
    store.state.mode = .menu(Self.menu)
    _ = reduce(&store.state, .keyPressed("?"))
    #expect(store.state.covered == .menu(Self.menu))
    _ = reduce(&store.state, .pageOpened(Page(title: "x", lines: ["y"])))
    #expect(store.state.covered == nil)
    _ = reduce(&store.state, .keyPressed("q"))
    #expect(store.state.mode == .list)
  }
}
