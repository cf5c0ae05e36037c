import Journal
import JournalStore
import Screen
import SectionedResults
import Testing

@testable import daybook

/// Links in the reading pane: drawn, selected, followed, and left again.
@Suite(.readline)
struct FollowedLinkTests {
  private typealias Arrival = ScriptedScreen.Arrival

  private static let texts = [
    "Potato soup\n\nwith leek",
    "Lunch\n\nThe [[Potato soup|soup]] of [[2026-11-21]], then [[nowhere]].",
    "Last",
  ]

  private func screen(
    _ texts: [String] = texts, columns: Int = 80, lines: Int = 24
  ) throws -> ScriptedScreen {
    try ScriptedScreen(
      keysAreTyped: true, columns: columns, lines: lines,
      entries: texts.enumerated().map {
        (ScriptedScreen.now - Int64(texts.count - $0) * 60, $1)
      })
  }

  private func reading(_ screen: ScriptedScreen) -> Int64? {
    screen.runner.state.pages.mode == .reading
      ? screen.runner.state.pane.reading?.entry.number : nil
  }

  @Test("a link shows its words, and one to nothing its brackets")
  func drawn() throws {
    let screen = try screen()
    try screen.press("j<Enter>")
    #expect(screen.text.contains("The soup of 2026-11-21, then [[nowhere]]."))
    #expect(!screen.text.contains("Linked from"))
  }

  @Test(
    "Tab selects links in turn, Enter follows them, and ^O goes back", arguments: Arrival.allCases)
  fileprivate func followed(_ arrival: ScriptedScreen.Arrival) throws {
    let screen = try screen()
    try screen.press("j<Enter><Tab><Enter>", arrival)
    #expect(reading(screen) == 1)
    #expect(screen.selected == 1)
    #expect(screen.text.contains("Linked from 1 entry"))
    #expect(screen.text.contains("21 Nov 2026  Lunch"))
    // Below the text is the entry that links here.
    try screen.press("<Tab><Enter>", arrival)
    #expect(reading(screen) == 2)
    try screen.press("<C-o>", arrival)
    #expect(reading(screen) == 1)
    try screen.press("<C-o>", arrival)
    #expect(reading(screen) == 2)
    guard case .link(let link)? = screen.runner.state.pane.reading?.stop else {
      return #expect(Bool(false))
    }
    #expect(link.target == "Potato soup")
    try screen.press("<C-n>", arrival)
    #expect(reading(screen) == 1)
    try screen.press("<Esc>q", arrival)
    #expect(screen.runner.state.pages.mode == .list)
    #expect(screen.selected == 1)
  }

  @Test(
    "gx on a link lists the entries of its title, if there are several",
    arguments: Arrival.allCases)
  fileprivate func chosen(_ arrival: ScriptedScreen.Arrival) throws {
    let texts = ["Soup\n\nfirst", "Soup\n\nsecond", "Lunch\n\n[[soup]] [[Bread]]", "Bread"]
    let screen = try screen(texts)
    try screen.press("j<Enter><Tab>gx")
    guard case .menu(let menu) = screen.runner.state.pages.mode else {
      return #expect(Bool(false))
    }
    #expect(menu.items.map(\.label) == ["Soup", "Soup"])
    try screen.press("j<Enter>", arrival)
    #expect(reading(screen) == 1)
    try screen.press("<C-o>", arrival)
    #expect(reading(screen) == 3)
    // The nearest one before it is where Enter leads.
    try screen.press("<Enter>", arrival)
    #expect(reading(screen) == 2)
    // Of one entry there is nothing to choose.
    try screen.press("<C-o><Tab>gx", arrival)
    #expect(reading(screen) == 4)
  }

  @Test("Enter goes back without a selected link, and Esc first deselects it")
  func unselected() throws {
    let screen = try screen()
    try screen.press("j<Enter><Enter>")
    #expect(reading(screen) == nil)
    try screen.press("<Enter><Tab><Esc>")
    #expect(reading(screen) == 2)
    #expect(screen.runner.state.pane.reading?.stop == nil)
    try screen.press("<S-Tab>")
    guard case .link(let link)? = screen.runner.state.pane.reading?.stop else {
      return #expect(Bool(false))
    }
    #expect(link.target == "nowhere")
    try screen.press("qgg<Enter>")
    #expect(reading(screen) == 3)
    try screen.press("<Tab>")
    #expect(screen.runner.state.status == .done("this entry has no links"))
  }

  @Test(
    "a link to a day leads to the day in the list, and ^O back into the text",
    arguments: Arrival.allCases)
  fileprivate func day(_ arrival: ScriptedScreen.Arrival) throws {
    let screen = try screen()
    try screen.press("j<Enter>2<Tab><Enter>", arrival)
    #expect(reading(screen) == nil)
    #expect(screen.runner.state.list.widget.selection?.section == 0)
    try screen.press("<C-o>", arrival)
    #expect(reading(screen) == 2)
  }

  @Test(
    "a link to nothing offers its title in the prompt; Esc writes nothing",
    arguments: Arrival.allCases)
  fileprivate func nothing(_ arrival: ScriptedScreen.Arrival) throws {
    let screen = try screen()
    try screen.press("j<Enter><S-Tab><Enter>", arrival)
    #expect(screen.runner.state.prompt.open?.text == "nowhere")
    let before = try screen.journal()
    #expect(screen.text.contains("no entry has this title"))
    try screen.press("<Esc>", arrival)
    #expect(!screen.text.contains("no entry has this title"))
    #expect(try screen.journal() == before)
    #expect(screen.runner.state.journal.drafts == 0)
    try screen.press("<Enter> at all<Enter>", arrival)
    #expect(screen.text.contains("[[nowhere]]"))
    try screen.press("<Enter><Enter>", arrival)
    #expect(reading(screen) == 2)
    #expect(screen.text.contains("then nowhere."))
    #expect(try screen.journal().last?.hasSuffix("nowhere") == true)
    // Without the entry the link is broken again.
    _ = try screen.store.delete([5])
    try screen.press("<C-l>", arrival)
    #expect(screen.text.contains("then [[nowhere]]."))
  }

  @Test(
    "a link to a heading goes there in the same entry, and a word for a day says what to write",
    arguments: Arrival.allCases)
  fileprivate func headingsAndDays(_ arrival: ScriptedScreen.Arrival) throws {
    let filler = String(repeating: "line\n\n", count: 30)
    let text = "Soup [[#salt]] [[#pepper]] [[Yesterday]]\n\n\(filler)## Sált ##\n\nsalt it"
    let screen = try screen([text])
    try screen.press("<Enter><Tab><Enter>", arrival)
    #expect(screen.text.contains("Sált") && !screen.text.contains("Soup salt"))
    try screen.press("<C-o>", arrival)
    #expect(screen.text.contains("Soup"))
    try screen.press("<Tab><Enter>", arrival)
    #expect(screen.text.contains("this entry has no heading \"pepper\""))
    try screen.press("<Tab><Enter>", arrival)
    let day = screen.runner.state.journal.today.adding(days: -1)
    #expect(screen.runner.state.status?.text.contains("write [[\(day)]]") == true)
    #expect(screen.runner.state.prompt.open == nil)
    #expect(try screen.store.count() == 1)
  }

  @Test("the entries that link here follow every commit, without a key")
  func live() throws {
    let screen = try screen()
    try screen.press("G<Enter>")
    #expect(screen.text.contains("Linked from 1 entry"))
    let moment = screen.store.clock.moment()
    let number = try screen.store.add(
      [NewEntry(text: "Dinner: [[potato SOUP]]", created: moment, day: DayRule().day(of: moment))]
    ).first?.number
    try screen.press("<C-l>")
    #expect(screen.text.contains("Linked from 2 entries"))
    #expect(screen.text.contains("Dinner: potato SOUP"))
    for number in [2, number ?? 0] { _ = try screen.store.delete([number]) }
    try screen.press("<C-l>")
    #expect(!screen.text.contains("Linked from"))
  }

  @Test("a long list of entries is cut with a count, which filters the list")
  func many() throws {
    let screen = try screen(["Home"] + (1...25).map { "visit \($0) [[home]]" })
    try screen.press("G<Enter>")
    #expect(screen.text.contains("Linked from 25 entries"))
    try screen.press("21<Tab>")
    #expect(screen.text.contains("and 5 more"))
    try screen.press("<Enter>")
    #expect(screen.runner.state.list.scope.filter == "linksto:1")
    #expect(screen.runner.state.list.widget.rowCount == 25)
    try screen.press("<C-o>")
    #expect(reading(screen) == 1)
  }

  @Test("beside the list the pane shows links and who links here, and has no selection")
  func beside() throws {
    let screen = try screen(columns: 130)
    try screen.press("j")
    #expect(screen.text.contains("The soup of 2026-11-21, then [[nowhere]]."))
    try screen.press("j")
    #expect(screen.text.contains("Linked from 1 entry"))
    try screen.press("<Tab>")
    #expect(screen.runner.state.pane.reading?.stop == nil)
  }

  @Test("an entry outside the filter is read all the same, and a link from the trash leaves it")
  func elsewhere() throws {
    let screen = try screen()
    try screen.press("flunch<Enter><Enter><Tab><Enter>")
    #expect(reading(screen) == 1)
    #expect(screen.runner.state.status?.kind != .failed)
    try screen.press("q<Esc>")
    try screen.press("gg/lunch<Enter>dT<Enter><Tab><Enter>")
    #expect(reading(screen) == 1)
    #expect(!screen.runner.state.list.scope.isTrash)
    try screen.press("<C-o>")
    #expect(reading(screen) == 2)
    #expect(screen.runner.state.list.scope.isTrash)
  }

  @Test("a click on a link follows it", arguments: [(80, 24), (130, 24)])
  func clicked(columns: Int, lines: Int) throws {
    let screen = try screen(columns: columns, lines: lines)
    try screen.press("j<Enter>")
    let rows = screen.text.split(separator: "\n", omittingEmptySubsequences: false)
    let line = try #require(rows.firstIndex { $0.contains("The soup of") })
    let start = try #require(rows[line].range(of: "soup of"))
    let column = rows[line][..<start.lowerBound].count
    screen.runner.send(.mouse(MouseAction(.click, column: column, line: line)))
    try screen.press("<C-l>")
    #expect(reading(screen) == 1)
  }

  @Test("links are selected and drawn at every size", arguments: [(80, 24), (40, 10), (200, 60)])
  func sizes(columns: Int, lines: Int) throws {
    let long = (1...300).map { $0.isMultiple(of: 7) ? "日記 [[Potato soup|🥔 \($0)]]" : "line \($0)" }
    let screen = try screen(
      ["Potato soup", long.joined(separator: "\n")], columns: columns, lines: lines)
    try screen.press("<Enter>")
    for index in 1...42 {
      try screen.press("<Tab>")
      #expect(screen.text.contains("🥔 \(index * 7)"), "\(index)")
      #expect(screen.runner.state.pane.reading?.stop != nil)
    }
    try screen.press("<Tab>")
    #expect(screen.text.contains("🥔 7"))
    screen.resize(columns: 40, lines: 12)
    try screen.press("<S-Tab>")
    #expect(screen.text.contains("🥔 294"))
    try screen.press("<Enter>")
    #expect(reading(screen) == 1)
  }
}
