import Journal
import JournalStore
import Testing
import TextLayout

@testable import Screen
@testable import daybook

/// What the screen shows: counts, places and colours, also after commits of other programs.
@Suite(.readline)
struct ShownRightTests {
  private static let year: Int64 = 365 * 86_400

  /// Entries of this day in three years, one of yesterday, and many between them.
  private static func years(_ count: Int64 = 60) -> [(seconds: Int64, text: String)] {
    let now = ScriptedScreen.now
    // 2023 to 2025; 2024 has a leap day before November.
    let old = [
      (now - 2 * year - year - 86_400, "three - [ ] years"),
      (now - 2 * year, "two years\n- [ ] task"),
      (now - year, "one year"),
    ]
    return old.map { ($0.0, $0.1) }
      + (1...count).reversed().map { (now - $0 * 86_400, "day \($0)") }
  }

  @Test(
    "a change of a row of this day in other years leaves selection and scroll there",
    arguments: [
      "s", "thome<Enter>", "e and more<Enter>", "x", "D2024-11-21 09:00<Enter>", "ss", "su",
    ])
  func otherYears(keys: String) throws {
    let screen = try ScriptedScreen(keysAreTyped: true, lines: 14, entries: Self.years())
    try screen.press("gg")
    let section = try #require(screen.runner.state.list.widget.sectionOfOtherYears)
    while screen.runner.state.list.widget.selection?.section != section { try screen.press("j") }
    try screen.press("j")
    let (selection, number) = (screen.runner.state.list.widget.selection, screen.selected)
    let line = screen.runner.state.list.widget.selectionScreenLine
    #expect(try screen.store.entries([#require(number)])[0].text.hasPrefix("two years"))
    try screen.press(keys)
    let count = screen.runner.state.list.widget.sections[section].count
    #expect(screen.runner.state.list.widget.selection == selection, "\(screen.text)")
    #expect(screen.selected == number && count == 3, "\(screen.text)")
    #expect(screen.runner.state.list.widget.selectionScreenLine == line)
  }

  @Test("a row of this day in other years has a place, and no number of the list")
  func places() throws {
    let screen = try ScriptedScreen(keysAreTyped: true, entries: Self.years())
    let section = try #require(screen.runner.state.list.widget.sectionOfOtherYears)
    try screen.press("gg")
    while screen.runner.state.list.widget.selection?.section != section { try screen.press("j") }
    #expect(screen.text.contains("1 of 3 on this day"), "\(screen.text)")
    for number in [1, 2, 12, 63] {
      try screen.press(":\(number)<Enter>")
      #expect(screen.text.contains(" \(number) of 63"), "\(screen.text)")
    }
  }

  @Test("the sidebar counts what Enter shows, with the tags below and each entry once")
  func nestedTags() throws {
    let texts = [
      "a #work", "b #work/api", "c #work/api #work", "d #work/api/v2 #work/ops", "e #workshop",
      "f #work-x", "g #home/garden", "h #home #home/garden",
    ]
    let now = ScriptedScreen.now
    let screen = try ScriptedScreen(
      keysAreTyped: true, columns: 120, lines: 40,
      entries: texts.enumerated().map { (now - 900 + Int64($0), $1) })
    try screen.press("gs")
    let items = try #require(screen.runner.state.sidebar).items.filter {
      // Views have no counts.
      $0.filter.hasPrefix("#") && $0.count != nil
    }
    #expect(items.first?.filter == "#work" && items.first?.count == 4)
    #expect(items.count > 6)
    for item in items {
      #expect(
        try screen.store.numbers(matching: .tag(String(item.filter.dropFirst()))).count
          == item.count)
    }
    try screen.press("<Esc>:tags<Enter>")
    #expect(screen.text.contains(#/#work +2 entries \(4 with subtags\)/#), "\(screen.text)")
  }

  @Test("menus, pages and the place of a search follow the commits of other programs")
  func live() throws {
    let screen = try ScriptedScreen(
      keysAreTyped: true,
      entries: [
        (ScriptedScreen.now - 900, "one live #a"), (ScriptedScreen.now - 800, "two live #b"),
      ])
    let add = { (text: String) in
      let created = screen.store.clock.moment(at: ScriptedScreen.now - 1_000)
      _ = try screen.store.add([
        NewEntry(text: text, created: created, day: DayRule().day(of: created))
      ])
      try screen.press("")
    }
    try screen.press("/live<Enter>")
    #expect(screen.text.contains("/live 1/2"), "\(screen.text)")
    try add("three live #c")
    #expect(screen.text.contains("/live 1/3"), "\(screen.text)")
    try screen.press("<Esc>:tags<Enter>j")
    let selectedLine = {
      screen.text.split(separator: "\n").first { $0.hasPrefix("›") }.map(String.init)
    }
    let chosen = selectedLine()
    try add("four #x #c")
    #expect(screen.text.contains("#x"), "\(screen.text)")
    #expect(screen.text.contains(#/#c +2 entries/#), "\(screen.text)")
    #expect(chosen != nil && selectedLine() == chosen, "\(screen.text)")
    try screen.press("<Esc>:changes<Enter>")
    #expect(screen.text.contains(":changes"))
    try add("five unheard")
    #expect(screen.text.contains("five unheard"), "\(screen.text)")
    try screen.press("<Esc><C-p><Down>")
    let title = selectedLine()
    try add("six titled")
    #expect(screen.text.contains("six titled"), "\(screen.text)")
    #expect(title != nil && selectedLine() == title, "\(screen.text)")
  }

  @Test("only lines of a difference have its colours, not the lists of a text")
  func differences() throws {
    let screen = try ScriptedScreen(
      keysAreTyped: true, lines: 40, entries: [(ScriptedScreen.now - 900, "List\n- bread\n+ milk")])
    let role = { (text: String) -> Style.Role in
      let canvas = try #require(screen.picture).canvas
      let row = try #require(
        canvas.plainText().split(separator: "\n", omittingEmptySubsequences: false).firstIndex {
          $0.hasPrefix(text)
        }, "\(screen.text)")
      return canvas[0, row].style.role
    }
    try screen.press(":show 1 1<Enter>")
    #expect(try role("- bread") == .normal)
    #expect(try role("+ milk") == .normal)
    _ = try screen.store.edit(1, text: "List\n- bread\n+ cream", expecting: nil)
    try screen.press("<Esc>:history 1 --diff<Enter>")
    #expect(try role("- + milk") == .removed)
    #expect(try role("+ + cream") == .added)
    #expect(try role("  - bread") == .normal)
  }
}
