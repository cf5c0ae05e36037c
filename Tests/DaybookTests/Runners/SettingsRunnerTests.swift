import Foundation
import Journal
import Screen
import Testing

@testable import daybook

/// Settings, views and menus of names over a memory journal.
struct SettingsRunnerTests {
  private let rig: RunnerRig
  private let runner: SettingsRunner
  private let menus: MenuRunner
  private let opened: Opened
  private let display = MemoryDisplay(size: Size(columns: 80, lines: 24))

  private final class Opened { var paths: [String] = [] }

  init() throws {
    let rig = try RunnerRig(["Bread #home", "Milk #home #work"])
    let opened = Opened()
    (self.rig, self.opened) = (rig, opened)
    var configuration = Configuration()
    configuration.path = rig.directory + "/config.toml"
    runner = SettingsRunner(
      rig.journal, display: display,
      configuration: configuration, send: { rig.send($0) })
    menus = MenuRunner(
      rig.journal, memory: nil, openJournal: { opened.paths.append($0) }, send: { rig.send($0) })
  }

  @Test("a setting is changed, shown and refused with its values")
  func settings() throws {
    try runner.run(.set("week_starts", "sunday"), in: rig.state)
    #expect(rig.state.firstWeekday == 7)
    try runner.run(.showSetting("week_starts"), in: rig.state)
    #expect(rig.state.status?.text == "week_starts = \"sunday\"")
    #expect(throws: Failure.self) { try runner.run(.set("week_starts", "x"), in: rig.state) }
    #expect(throws: Failure.self) { try runner.run(.set("nothing", "x"), in: rig.state) }
    #expect(throws: Failure.self) { try runner.run(.useTheme("nothing"), in: rig.state) }
    try runner.run(.listSettings, in: rig.state)
    guard case .output(let page) = rig.state.pages.mode else { return #expect(Bool(false)) }
    #expect(page.lines.count == SettingKey.all.count)
  }

  @Test("the automatic theme follows the terminal's background, and a chosen one does not")
  func background() throws {
    #expect(
      update(&rig.state, .terminal(.backgroundFound(0xFFFFFF))) == [.settings(.useTheme("auto"))])
    try runner.run(.useTheme("auto"), in: rig.state)
    #expect(display.theme?.name == "light")
    rig.state.settings.theme = "calm"
    #expect(update(&rig.state, .terminal(.backgroundFound(0x000000))).isEmpty)
    try runner.run(.set("theme", "auto"), in: rig.state)
    #expect(display.theme?.name == "dark")
  }

  @Test("tags are chosen from a menu, each with the effect of showing it")
  func tags() throws {
    try menus.run(.listTags, in: rig.state)
    guard case .menu(let menu) = rig.state.pages.mode else { return #expect(Bool(false)) }
    #expect(menu.items.map(\.label) == ["#home", "#work"])
    #expect(menu.items[0].effect == .query(.show(ListScope(filter: "#home"), .top)))
  }

  @Test("a view is saved, shown whatever its name is, and deleted")
  func views() throws {
    rig.state.list.scope = ListScope(filter: "#work")
    for name in ["delete work", "work", "save"] {
      try runner.run(.saveView(name, rig.state.list.scope), in: rig.state)
    }
    rig.state.prompt.open = OpenPrompt(kind: .command)
    _ = update(&rig.state, .prompt(.submitted("view")))
    guard case .menu(let menu) = rig.state.pages.mode else { return #expect(Bool(false)) }
    #expect(menu.items.map(\.label) == ["delete work", "work", "save"])
    // The first one shows what it names; it deletes nothing.
    #expect(
      update(&rig.state, .key("<Enter>")) == [.query(.show(ListScope(filter: "#work"), .top))])
    try runner.run(.deleteView("save"), in: rig.state)
    #expect(rig.state.views.map(\.name) == ["delete work", "work"])
    #expect(throws: Failure.self) { try runner.run(.deleteView("save"), in: rig.state) }
  }

  @Test("another journal is opened by its path, and without any the menu says so")
  func journals() throws {
    try menus.run(.openJournal("other.sqlite"), in: rig.state)
    #expect(opened.paths == ["other.sqlite"])
    try menus.run(.listJournals, in: rig.state)
    guard case .menu(let menu) = rig.state.pages.mode else { return #expect(Bool(false)) }
    #expect(menu.items.isEmpty)
  }
}
