import Journal
import SectionedResults
import Terminal
import Testing
import TextLayout

@testable import Screen
@testable import daybook

/// Whole screens as pictures: two panes, the calendar, the index, marks and what was found.
struct PanePictureTests {
  private let today = Day(daysSinceEpoch: 20_778)

  @Test("two panes at 110 × 9: the list, a line, and the entry rendered")
  func split() {
    var state = state([2, 1], columns: 110, lines: 9)
    state.pane.reading = reading("# Bread\n\n- [ ] buy **rye**\n- [x] ask @anna", in: state)
    expect(
      state,
      """
      Today, Saturday 21 November                2 │ Saturday 21 November 2026, 09:15  6 words                no. 7
      ›  09:15  Entry 1                            │
         09:15  Entry 2                            │ Bread
      Yesterday, Friday 20 November                │
         09:15  Entry 3                            │ ☐ buy rye
                                                   │ ☑ ask @anna
                                                   │
       journal                                                                                               1 of 3
      a new  Enter read  e edit  d delete  u undo  s star  / search  f filter  ? help  q quit
      """)
  }

  @Test("the calendar at 60 × 16 has a sign for how much each day has, and the entries of the day")
  func calendar() {
    var state = state([2], columns: 60, lines: 17)
    var calendar = MonthCalendar(day: today)
    calendar.layOut(in: state)
    calendar.take([
      DayCount(day: today.adding(days: -20), entries: 12, words: 900),
      DayCount(day: today.adding(days: -1), entries: 1, words: 3),
      DayCount(day: today, entries: 4, words: 90),
    ])
    calendar.listed = today
    calendar.rows = (1...4).map { number in
      var row = entry("").row()
      row.title = "# Entry \(number)"
      row.starred = number == 2
      return row
    }
    state.pages.mode = .calendar(calendar)
    expect(
      state,
      """
                              November 2026
                    wk  Mo  Tu  We  Th  Fr  Sa  Su
                    44                           1█
                    45   2   3   4   5   6   7   8
                    46   9  10  11  12  13  14  15
                    47  16  17  18  19  20▪ 21■ 22
                    48  23  24  25  26  27  28  29
                    49  30

                    09:15   Entry 1
                    09:15 ★ Entry 2
                    09:15   Entry 3
                    09:15   Entry 4


       journal  4 entries on Saturday 21 November 2026
      Enter go there  ^B previous month  ^F next month  q back
      """)
    // With less room the last line counts the entries that it has none for.
    state.environment.size = Size(columns: 60, lines: 14)
    calendar.layOut(in: state)
    state.pages.mode = .calendar(calendar)
    #expect(line(9, of: state) == "              09:15   Entry 1")
    #expect(line(11, of: state) == "              + 2 more")
    state.environment.size = Size(columns: 60, lines: 13)
    calendar.layOut(in: state)
    state.pages.mode = .calendar(calendar)
    #expect(!calendar.showsDay && !line(9, of: state).contains("Entry"))
  }

  @Test("the calendar at 80 × 24 has four months and room for entries of the day")
  func months() {
    var state = state([2], columns: 80, lines: 24)
    var calendar = MonthCalendar(day: today)
    calendar.layOut(in: state)
    calendar.take((0..<9).map { DayCount(day: today.adding(days: -$0), entries: 1, words: $0) })
    (calendar.rows, calendar.listed) = ([entry("Bread").row()], today)
    state.pages.mode = .calendar(calendar)
    let canvas = renderer().frame(of: state).canvas
    let text = canvas.plainText()
    for month in ["September", "October", "November", "December"] {
      #expect(text.contains("\(month) 2026"))
    }
    #expect(canvas.plainText().contains("09:15   Bread"))
    // Levels have their own roles, weeks the dimmest, and today only its number is underlined.
    let roles = Set((0..<22).flatMap { canvas[row: $0].map(\.style.role) })
    #expect(roles.isSuperset(of: Style.Role.levels + [.hint, .selected, .time]))
    calendar.day = today.adding(days: -1)
    state.pages.mode = .calendar(calendar)
    let moved = renderer().frame(of: state).canvas
    let underlined = (0..<22).flatMap { moved[row: $0].filter(\.style.underline).map(\.text) }
    #expect(underlined == ["2", "1"])
    // Entries of another day are not shown as those of the selected one.
    #expect(!moved.plainText().contains("Bread"))
  }

  @Test("the calendar at 30 × 9 marks the days that have entries")
  func lowCalendar() {
    var state = state([2], columns: 30, lines: 9)
    var calendar = MonthCalendar(day: today)
    calendar.take([DayCount(day: today.adding(days: -20), entries: 12, words: 900)])
    state.pages.mode = .calendar(calendar)
    expect(
      state,
      """
              November 2026
                                 1█
         2   3   4   5   6   7   8
         9  10  11  12  13  14  15
        16  17  18  19  20  21  22
        23  24  25  26  27  28  29
        30
       0 on Saturday 21 November 2…
      Enter go there  q back
      """)
  }

  @Test("the index of letters stands in columns with its counts, the chosen title marked")
  func jump() {
    var state = state([2], columns: 40, lines: 6)
    let titles = ["–", "A", "B", "東"].enumerated().map {
      IndexTitle(title: $0.element, section: $0.offset)
    }
    state.pages.mode = .jump(
      JumpBar(titles: titles, counts: [1_204, 3, 17, 1], selected: 1, columns: 3))
    expect(
      state,
      """
       –   1,204  ›A       3   B      17
       東      1


       journal  3 entries: A              2/4
      Enter go there  q back
      """)
  }

  /// Counts of months in three years, with gaps.
  private static let grid = YearGrid(
    [
      ListWidget.Section(key: "2026-11", count: 76),
      ListWidget.Section(key: "2026-01", count: 1_097),
      ListWidget.Section(key: "2025-12", count: 5),
      ListWidget.Section(key: "2019-06", count: 104),
    ], .month)

  @Test("the index of months at 100 columns has counts, levels and totals, newest year first")
  func yearGrid() throws {
    var state = state([2], columns: 100, lines: 7)
    state.pages.mode = .jump(JumpBar(grid: try #require(Self.grid), month: 2026 * 12 + 1))
    state.environment.dateNames = .english
    expect(
      state,
      """
                Jan    Feb    Mar    Apr    May    Jun    Jul    Aug    Sep    Oct    Nov    Dec
        2026  1,097█     ·      ·      ·      ·      ·      ·      ·      ·      ·     76▪     ·   1,173
        2025      ·      ·      ·      ·      ·      ·      ·      ·      ·      ·      ·      5▫      5
        2019      ·      ·      ·      ·      ·    104■     ·      ·      ·      ·      ·      ·     104

       journal  0 entries in February 2026
      Enter go there  q back
      """)
  }

  @Test("the index of months drops totals, then counts, where there is less room")
  func narrowYearGrid() throws {
    let grid = try #require(Self.grid)
    for (columns, count, hasTotal) in [
      (120, 5, true), (96, 5, true), (95, 5, false), (89, 5, false), (88, 0, true), (40, 0, true),
      (36, 0, true), (35, 0, false), (29, 0, false), (20, 0, false), (17, 0, false), (9, 0, false),
    ] {
      var state = state([2], columns: columns, lines: 10)
      state.environment.dateNames = .english
      state.pages.mode = .jump(JumpBar(grid: grid, month: 2026 * 12 + 10))
      let layout = YearGridLayout(grid, month: 2026 * 12 + 10, width: columns, height: 8)
      #expect(layout.count == count && (layout.total > 0) == hasTotal, "\(columns)")
      #expect(columns < 12 || layout.column(of: 12) + layout.total <= columns, "\(columns)")
      let text = renderer().frame(of: state).canvas.plainText()
      #expect(text.contains("1,173") == hasTotal, "\(columns)")
      #expect(text.contains("1,097") == (count > 0), "\(columns)")
      #expect(columns < 17 || text.contains("2019"), "\(columns)")
    }
  }

  @Test("marks, a filter and the trash are told on the status line, as far as there is room")
  func status() {
    var state = state([2, 1], columns: 60, lines: 8)
    state.marks.numbers = [7, 2]
    state.list.scope = ListScope(filter: "#home", order: .oldest, grouping: .day)
    state.search = Search(text: "bread")
    #expect(line(6, of: state) == "  filter: #home   oldest first     2 marked  /bread  1 of 3")
    #expect(line(1, of: state).hasPrefix("•  09:15"))
    state.environment.size = Size(columns: 30, lines: 8)
    #expect(line(6, of: state) == "  filter: #home   ol…  1 of 3")
    state.list.scope = ListScope(isTrash: true)
    state.environment.size = Size(columns: 60, lines: 8)
    state.marks.numbers = []
    state.search = nil
    #expect(line(7, of: state) == "r restore  Enter read  u undo  / search  ? help  q back")
    state.list.widget.reload(sections: [], generation: 1)
    #expect(picture(state).contains("The trash is empty"))
    state.list.scope = ListScope(filter: "#nothing")
    #expect(picture(state).contains("No entries match #nothing"))
    #expect(!picture(state).contains(":filter"))
    state.list.scope = ListScope(filter: "2020-05 milk")
    #expect(picture(state).contains(":filter on:2020-05 milk"))
  }

  @Test("what a search found stands out in titles and in the text, also where it was wrapped")
  func matches() throws {
    var state = state([1], columns: 110, lines: 8)
    let clock = WallClock.fixed(seconds: 1_795_000_000, offset: 0)
    let query = try Query.parse("entry", now: clock.moment(), clock: clock)
    state.search = Search(text: "entry")
    state.search?.query = query
    let text = "Some long words before the Entry 7 and so on, wrapped here: entry"
    state.pane.reading = reading(text, in: state)
    state.highlightPane()
    let canvas = renderer().frame(of: state).canvas
    #expect(found(canvas, row: 1) == "Entry")
    #expect(found(canvas, row: 2) == "Entry")
    #expect(found(canvas, row: 3) == "entry")
  }

  @Test("an entry that is gone says so above its last text")
  func gone() {
    var state = state([1], columns: 60, lines: 8)
    state.pages.mode = .reading
    state.pane.reading = reading("Bread", in: state)
    state.pane.reading?.isGone = true
    #expect(line(0, of: state) == "deleted; this was its text")
    #expect(line(2, of: state) == " Bread")
  }

  // MARK: - Helpers

  private func found(_ canvas: Canvas, row: Int) -> String {
    canvas[row: row].filter { $0.style.role == .match }.map(\.text).joined()
  }

  private func state(_ counts: [Int], columns: Int, lines: Int) -> State {
    var state = State(
      journal: "journal.sqlite", today: today, size: Size(columns: columns, lines: lines))
    let sections = counts.enumerated().map { index, count in
      ListWidget.Section(key: today.adding(days: -index).description, count: count)
    }
    state.list.widget.reload(sections: sections, generation: 0)
    return state
  }

  private func renderer() -> ScreenRenderer {
    ScreenRenderer { path in
      var row = entry("").row()
      row.title = "Entry \(path.section * 2 + path.row + 1)"
      return row
    }
  }

  private func reading(_ text: String, in state: State) -> Reading {
    Reading(entry: entry(text), columns: state.layout.textColumns)
  }

  private func entry(_ text: String) -> Entry {
    let moment = Moment(seconds: 20_778 * 86_400 + 33_300, offset: 0)
    return Entry(
      uuid: "u", number: 7, created: moment, modified: moment, day: today, text: text)
  }

  private func picture(_ state: State) -> String {
    renderer().frame(of: state).canvas.plainText()
  }

  private func line(_ index: Int, of state: State) -> String {
    let text = renderer().frame(of: state).canvas.plainText()
    return String(text.split(separator: "\n", omittingEmptySubsequences: false)[index])
  }

  private func expect(
    _ state: State, _ picture: String, at location: SourceLocation = #_sourceLocation
  ) {
    let drawn = renderer().frame(of: state).canvas.plainText()
    #expect(drawn == picture, sourceLocation: location)
    if drawn != picture { Issue.record("drawn:\n\(drawn)", sourceLocation: location) }
  }
}
