import Journal
import SectionedResults
import Terminal
import Testing
import TextLayout

@testable import Screen
@testable import daybook

/// Whole screens as pictures: two panes, the calendar, the jump bar, marks and what was found.
struct PanePictureTests {
  private let today = Day(daysSinceEpoch: 20_778)

  @Test("two panes at 110 × 9: the list, a line, and the entry rendered")
  func split() {
    var state = state([2, 1], columns: 110, lines: 9)
    state.pane = reading("# Bread\n\n- [ ] buy **rye**\n- [x] ask @anna", in: state)
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

  @Test("the calendar at 60 × 16 counts the entries of each day")
  func calendar() {
    var state = state([2], columns: 60, lines: 17)
    var calendar = MonthCalendar(day: today)
    calendar.counts = [today: 2, today.adding(days: -20): 12]
    state.mode = .calendar(calendar)
    expect(
      state,
      """
                             November 2026
                       Mo  Tu  We  Th  Fr  Sa  Su
                   44                           1
                                               12
                   45   2   3   4   5   6   7   8

                   46   9  10  11  12  13  14  15

                   47  16  17  18  19  20  21  22
                                            2
                   48  23  24  25  26  27  28  29

                   49  30


       journal  2 entries on Saturday 21 November 2026
      Enter go there  ^B previous month  ^F next month  q back
      """)
  }

  @Test("the calendar at 30 × 9 marks the days that have entries")
  func lowCalendar() {
    var state = state([2], columns: 30, lines: 9)
    var calendar = MonthCalendar(day: today)
    calendar.counts = [today.adding(days: -20): 12]
    state.mode = .calendar(calendar)
    expect(
      state,
      """
              November 2026
                                 1·
         2   3   4   5   6   7   8
         9  10  11  12  13  14  15
        16  17  18  19  20  21  22
        23  24  25  26  27  28  29
        30
       0 entries on Saturday 21 No…
      Enter go there  q back
      """)
  }

  @Test("the jump bar stands in columns, the chosen title marked")
  func jump() {
    var state = state([2], columns: 40, lines: 6)
    let titles = ["Nov 2026", "Oct 2026", "Sep 2026", "Aug 2026"].enumerated().map {
      IndexTitle(title: $0.element, section: $0.offset)
    }
    state.mode = .jump(JumpBar(titles: titles, selected: 1, columns: 3))
    expect(
      state,
      """
       Nov 2026  ›Oct 2026   Sep 2026
       Aug 2026


       journal                            2/4
      Enter go there  q back
      """)
  }

  @Test("marks, a filter and the trash are told on the status line, as far as there is room")
  func status() {
    var state = state([2, 1], columns: 60, lines: 8)
    state.marks = [7, 2]
    state.scope = ListScope(filter: "#home", order: .oldest, sectioning: .day)
    state.search = Search(text: "bread")
    #expect(line(6, of: state) == "  filter: #home   oldest first     2 marked  /bread  1 of 3")
    #expect(line(1, of: state).hasPrefix("•  09:15"))
    state.size = Size(columns: 30, lines: 8)
    #expect(line(6, of: state) == "  filter: #home   ol…  1 of 3")
    state.scope = ListScope(isTrash: true)
    state.size = Size(columns: 60, lines: 8)
    state.marks = []
    state.search = nil
    #expect(line(7, of: state) == "r restore  Enter read  u undo  / search  ? help  q back")
    state.list.reload(sections: [], generation: 1)
    #expect(picture(state).contains("The trash is empty"))
    state.scope = ListScope(filter: "#nothing")
    #expect(picture(state).contains("No entries match #nothing"))
  }

  @Test("what a search found stands out in titles and in the text, also where it was wrapped")
  func matches() throws {
    var state = state([1], columns: 110, lines: 8)
    let clock = WallClock.fixed(seconds: 1_795_000_000, offset: 0)
    let query = try Query.parse("entry", now: clock.moment(), clock: clock)
    state.search = Search(text: "entry")
    state.search?.query = query
    let text = "Some long words before the Entry 7 and so on, wrapped here: entry"
    state.pane = reading(text, in: state)
    state.highlightPane()
    let canvas = renderer().frame(of: state).canvas
    #expect(found(canvas, row: 1) == "Entry")
    #expect(found(canvas, row: 2) == "Entry")
    #expect(found(canvas, row: 3) == "entry")
  }

  @Test("an entry that is gone says so above its last text")
  func gone() {
    var state = state([1], columns: 60, lines: 8)
    state.mode = .reading
    state.pane = reading("Bread", in: state)
    state.pane?.isGone = true
    #expect(line(0, of: state) == "deleted meanwhile; this was its text")
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
      ListSection(key: today.adding(days: -index).description, count: count)
    }
    state.list.reload(sections: sections, generation: 0)
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
