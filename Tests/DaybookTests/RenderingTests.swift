import Journal
import SectionedResults
import Terminal
import Testing
import TextLayout

@testable import Screen
@testable import daybook

/// Whole screens as pictures.
struct RenderingTests {
  @Test("the list at 80 × 24: sticky dates, times, stars, tags, place and hints")
  func list() {
    var state = state([2, 1], columns: 80, lines: 24)
    expect(
      state,
      """
       journal                                                                 1 of 3
      Today, Saturday 21 November                                                    2
      ›★ 09:15  Bought bread                                                     #home
         09:15  Entry 2
      Yesterday, Friday 20 November
         09:15  Entry 3

















      a new  Enter read  e edit  d delete  u undo  s star  / search  ? help  q quit
      """)
    // The keys that may follow take two lines of a narrow screen.
    state.pressed.pending = PendingKeys(count: 12, sequence: "g")
    #expect(line(22, of: state).hasPrefix("gg to the top"))
    (state.environment.size.columns, state.pane.isWanted) = (109, false)
    #expect(line(22, of: state).contains("gr read any entry"))
    state.environment.size.columns = 160
    #expect(line(22, of: state).hasSuffix("12g"))
    state.environment.size.columns = 80
    (state.pressed.pending, state.journal.isReadOnly) = (PendingKeys(), true)
    #expect(line(0, of: state).hasPrefix(" journal  read-only  "))
    #expect(line(23, of: state) == "Enter read  / search  f filter  ? help  q quit")
  }

  @Test("tags at the end of a title are at the right edge, names and tags in its sentence stay")
  func lastTags() {
    for (title, shown) in [
      ("Bread #home", "Bread"), ("Bread #home #food ", "Bread"),
      ("Tea with @anna", "Tea with @anna"),
      ("Tea with @anna #tea", "Tea with @anna"), ("The #garden in May", "The #garden in May"),
      ("#a #b", "#a #b"), ("日本 #旅", "日本"), ("A #b, c", "A #b, c"), ("", ""),
      ("Bread #home @anna", "Bread"), ("Tea with @anna @omar", "Tea with @anna @omar"),
      ("Tea with @anna #tea @omar #x", "Tea with @anna"),
    ] {
      #expect(ListRows.withoutLastTags(title) == shown)
    }
  }

  @Test("the list at 40 × 10 with a prompt that has grown to two lines, and its cursor")
  func prompt() {
    var state = state([2, 30], columns: 40, lines: 10)
    state.prompt.open = OpenPrompt(kind: .newEntry, text: String(repeating: "word ", count: 9))
    state.prompt.open?.lines = 2
    state.list.widget.resize(height: state.layout.main.count)
    expect(
      state,
      """
      Today, Saturday 21 November            2
      ›★ 09:15  Bought bread             #home
         09:15  Entry 2
      Yesterday, Friday 20 November         30
         09:15  Entry 3
         09:15  Entry 4
         09:15  Entry 5
       Enter save  ^J new line  Esc cancel
      new: word word word word word word word
         │ word word
      """)
    #expect(renderer().frame(of: state).cursor == CursorPosition(row: 9, column: 15))
  }

  @Test("an entry at 40 × 10: head, then the text, wrapped and harmless")
  func reading() {
    var state = state([2], columns: 40, lines: 10)
    let text = "Slept well\n\n\tA line that is longer than forty columns.\u{1B}[31m 日本語"
    let entry = Self.entry(7, text)
    state.pages.mode = .reading
    state.pane.reading = Reading(entry: entry, columns: 40)
    expect(
      state,
      """
       Sat 21 Nov 2026, 09:15  ★        no. 7

      Slept well

              A line that is longer than forty
      columns.^[[31m 日本語


       journal                            all
      e edit  d delete  s star  ? help  q back
      """)
  }

  @Test("the help at 40 × 10 is made from the keys")
  func help() {
    var state = state([2], columns: 40, lines: 10)
    let layout = HelpLayout(.standard, in: .list, columns: 40)
    state.pages.mode = .help(HelpPage(of: .list, layout: layout, offset: 10))
    expect(
      state,
      """
        ^F PageDown  a screen down
        ^B PageUp    a screen up
        gg Home      to the top; 5gg to row 5
        G End        to the end; 5G to row 5
        {            previous section, or year
        }            next section, or year
        ^E           scroll a line down
        ^Y           scroll a line up
       journal                             6%
      / search  j down  q back
      """)
  }

  @Test("an empty journal says how to begin")
  func greeting() {
    expect(
      state([], columns: 50, lines: 12),
      """

                    This journal is empty

         a              write an entry
         A              write it in your editor
         :import FILE   from jrnl, Day One, Markdown…
         ?              all keys
         daybook demo   a tour, in the shell


       journal                                0 entries
      a new  Enter read  e edit  ? help  q quit
      """)
    let low = Self.lines(renderer().frame(of: state([], columns: 20, lines: 6)))
    #expect(low[0].trimmingPrefix(while: \.isWhitespace) == "This journal is")
    #expect(low[3].hasPrefix(" a"))
  }

  @Test("while the first entry is typed nothing behind it asks to press a key")
  func firstEntry() {
    for kind in [PromptPurpose.newEntry, .command, .search] {
      var state = state([], columns: 80, lines: 10)
      state.prompt.open = OpenPrompt(kind: kind)
      let lines = Self.lines(renderer().frame(of: state))
      #expect(lines.joined().contains("This journal is empty"))
      #expect(!lines.joined().contains("write an entry"))
      #expect(lines[8].hasPrefix(" Enter "))
    }
  }

  @Test("the hints of a prompt are as many as fit, and a message stands before them")
  func promptHints() {
    var state = state([2], columns: 80, lines: 10)
    state.prompt.open = OpenPrompt(kind: .newEntry)
    #expect(
      line(8, of: state).hasPrefix(" Enter save  ^J new line  ^X^E editor  Tab tags  Esc cancel"))
    state.prompt.open?.text = "Half"
    #expect(line(8, of: state).contains("Tab tags  Esc keep as draft"))
    state.status = .failed("journal busy")
    #expect(line(8, of: state).hasPrefix(" journal busy"))
    var narrow = self.state([2], columns: 40, lines: 10)
    narrow.prompt.open = OpenPrompt(kind: .filter)
    #expect(line(8, of: narrow).hasPrefix(" Enter filter  Tab complete  Esc cancel"))
  }

  @Test(
    "what the entries have that are to be changed stands above the prompt, until Tab lists more")
  func present() {
    var state = state([2], columns: 40, lines: 10)
    state.prompt.open = OpenPrompt(kind: .tags, present: ["#home", "#work/api"])
    #expect(line(7, of: state) == " now:  #home  #work/api")
    state.prompt.completions = ["#house 3"]
    #expect(line(7, of: state) == "#house 3")
  }

  @Test("every size from 1 × 1 to 24 × 12, and larger ones, is drawn in every mode, and fits")
  func everySize() {
    for columns in Array(1...24) + [40, 80, 130, 500] {
      for height in Array(1...12) + [24, 60] {
        var state = state([2, 30], columns: columns, lines: height)
        let entry = Self.entry(7, "Slept well\n日本語")
        let calendar = MonthCalendar(day: Day(daysSinceEpoch: 20_778))
        let bar = JumpBar(
          titles: [IndexTitle(title: "Nov 2026", section: 0)], selected: 0, columns: 3)
        let grid = YearGrid([ListWidget.Section(key: "2026-11-21", count: 1_234)], .day)
          .map { JumpBar(grid: $0, month: 2026 * 12) }
        let help = HelpPage(
          of: .reading, layout: HelpLayout(.standard, in: .reading, columns: columns))
        let page = OutputPage(title: "tags", lines: ["- old", "+ new", "日本語"])
        var version = VersionPage(
          number: 7, index: 1, count: 2, written: Moment(seconds: 0, offset: 0), base: 99,
          difference: MarkedDifference(from: "old", to: "日本語 new"))
        version.layOut(columns: columns)
        var conflict = version
        conflict.conflict = VersionPage.Conflict(
          index: 2, written: version.written,
          difference: AlignedDifference(TextDifference(from: "old", to: "日本語 new")))
        let names = ["港の朝.png", "A contract with a long name.pdf"]
        let files = FilesPage(
          number: 7,
          files: names.map {
            .init(name: $0, details: "PDF, 2.1 MB", target: "0", hash: nil, fileName: $0)
          })
        state.pages.mode = .gallery(Gallery(scope: ListScope()))
        let pictures = (1...7).map { place in
          Gallery.Picture(
            entry: FoundTitle(
              number: 7, title: "日本語の写真", day: Day(daysSinceEpoch: 20_778 - 9 * place)),
            place: place, hash: "0", shown: nil, details: "PNG, 2.1 MB", fileName: "a")
        }
        _ = update(&state, .gallery(.found(ListScope(), pictures, count: 7)))
        let gallery = state.pages.mode
        let days = DayPage(
          days: entry.day...entry.day.adding(days: 3), entries: [entry, entry], count: 9)
        let items = [Menu.Item("#日本語", detail: "3", effect: .list(.findDay("today")))]
        let menu = Menu(title: "tags", items: items)
        var statistics = StatisticsView(scope: ListScope(), today: Day(daysSinceEpoch: 20_778))
        statistics.counted = .entries(StatisticsCounter().finished())
        let modes: [Mode] = [
          .list, .help(help), .reading, .output(page), .versions(version), .versions(conflict),
          .menu(menu),
          .calendar(calendar), .jump(bar), .jump(grid ?? bar), .statistics(statistics), .order,
          .titles(TitleFinder()), .sidebar, .files(files), gallery, .day(days),
        ]
        // One of each kind: a mode that is new does not compile here until it is drawn too.
        for mode in modes {
          switch mode {
          case .list, .help, .reading, .output, .versions, .menu, .calendar, .jump, .statistics,
            .order, .titles, .sidebar, .files, .gallery, .day:
            break
          }
        }
        for mode in modes {
          state.pages.mode = mode
          state.sidebar = mode == .sidebar ? Sidebar() : nil
          state.layOutPage()
          state.pane.reading = Reading(entry: entry, columns: state.layout.textColumns)
          for prompt in [nil, OpenPrompt(kind: .newEntry, text: "日本語 text")] {
            state.prompt.open = prompt
            state.list.widget.resize(height: state.layout.main.count)
            let lines = Self.lines(renderer().frame(of: state))
            #expect(lines.count == height)
            #expect(lines.allSatisfy { TextWidth.columns(of: $0) <= columns })
          }
        }
      }
    }
  }

  // MARK: - Helpers

  private func state(_ counts: [Int], columns: Int, lines: Int) -> State {
    var state = State(
      journal: "journal.sqlite", today: Day(daysSinceEpoch: 20_778),
      size: Size(columns: columns, lines: lines))
    let sections = counts.enumerated().map { index, count in
      ListWidget.Section(key: Day(daysSinceEpoch: 20_778 - index).description, count: count)
    }
    state.list.widget.reload(sections: sections, generation: 0)
    return state
  }

  private func renderer() -> ScreenRenderer {
    ScreenRenderer { path in
      var row = Self.entry(1, "Bought bread").row()
      if path == RowPath(0, 0) {
        row.tags = ["home"]
      } else {
        row.title = "Entry \(path.section * 2 + path.row + 1)"
        row.starred = false
      }
      return row
    }
  }

  private static func entry(_ number: Int64, _ text: String) -> Entry {
    let moment = Moment(seconds: 20_778 * 86_400 + 33_300, offset: 0)
    return Entry(
      uuid: "u", number: number, created: moment, modified: moment,
      day: Day(daysSinceEpoch: 20_778), text: text, starred: true)
  }

  private static func lines(_ picture: Frame) -> [String] {
    picture.canvas.plainText().split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
  }

  private func line(_ index: Int, of state: State) -> String {
    Self.lines(renderer().frame(of: state))[index]
  }

  private func expect(
    _ state: State, _ picture: String, at location: SourceLocation = #_sourceLocation
  ) {
    let drawn = renderer().frame(of: state).canvas.plainText()
    #expect(drawn == picture, sourceLocation: location)
    if drawn != picture { Issue.record("drawn:\n\(drawn)", sourceLocation: location) }
  }
}
