import Journal
import SectionedResults
import Testing
import TextLayout

@testable import Screen

/// The mouse in the month calendar and in the index.
struct GridMouseTests {
  private let today = Day(daysSinceEpoch: 20_778)

  @Test("a click on a day chooses it, a click on the chosen one goes there")
  func calendarClick() throws {
    var store = TestStore([3])
    var calendar = MonthCalendar(day: today)
    calendar.layOut(in: store.state)
    store.state.pages.mode = .calendar(calendar)
    let layout = CalendarLayout(
      calendar, width: 80, height: store.state.layout.main.count, firstWeekday: 1)
    let block = try #require(layout.blocks.last { $0.month.month == 10 })
    let place = try #require(layout.places(in: block).first { $0.day.day == 3 })
    let click = MouseAction(.click, column: place.column + 2, line: place.line + 1)
    calendar.day = place.day
    let requests: [Effect] = [
      .query(.countDays(calendar.range)),
      .query(.listDay(place.day, limit: MonthCalendar.mostRows)),
    ]
    store.send(.mouse(click), requests) { $0.pages.mode = .calendar(calendar) }
    store.send(.mouse(click), [.list(.findDay("2026-10-03"))]) { $0.pages.mode = .list }
  }

  @Test("every day of the month is found at its own cell, whatever a week begins with")
  func cells() {
    for firstWeekday in [1, 6, 7] {
      for (width, height) in [(80, 22), (200, 58), (40, 8), (30, 5)] {
        let calendar = MonthCalendar(day: today)
        let layout = CalendarLayout(
          calendar, width: width, height: height, firstWeekday: firstWeekday)
        for place in layout.blocks.flatMap({ layout.places(in: $0) }) {
          #expect(layout.day(atColumn: place.column, line: place.line) == place.day)
        }
        #expect(layout.day(atColumn: 0, line: 0) == nil)
      }
    }
  }

  @Test("the wheel turns the months of the calendar")
  func calendarWheel() {
    var store = TestStore([3])
    var calendar = MonthCalendar(day: today)
    calendar.layOut(in: store.state)
    store.state.pages.mode = .calendar(calendar)
    calendar.day = today.adding(months: 1)
    let requests: [Effect] = [
      .query(.countDays(calendar.range)),
      .query(.listDay(calendar.day, limit: MonthCalendar.mostRows)),
    ]
    store.send(.mouse(MouseAction(.wheel(3), column: 3, line: 3)), requests) {
      $0.pages.mode = .calendar(calendar)
    }
  }

  @Test("a click on a month of the index chooses it, a click on the chosen one goes there")
  func yearGrid() throws {
    let days = [
      ListWidget.Section(key: "2026-11-21", count: 2),
      ListWidget.Section(key: "2025-03-02", count: 3),
    ]
    for columns in [20, 40, 80, 120, 200] {
      var store = TestStore(columns: columns)
      _ = update(&store.state, .list(.reloaded(days, generation: 1)))
      _ = update(
        &store.state, .jump(.titlesFound([IndexTitle(title: "Nov 2026", section: 0)])))
      let grid = try #require(YearGrid(days, .day))
      let layout = YearGridLayout(
        grid, month: 2026 * 12 + 10, width: columns, height: store.state.layout.main.count)
      let click = MouseAction(
        .click, column: layout.column(of: 2) + layout.cell - 1, line: layout.head + 2)
      store.send(.mouse(click)) { $0.pages.mode = .jump(JumpBar(grid: grid, month: 2025 * 12 + 2)) }
      _ = update(&store.state, .mouse(click))
      #expect(store.state.pages.mode == .list)
      #expect(store.state.list.widget.selection == .row(RowPath(1, 0)))
      #expect(layout.month(atColumn: layout.column(of: 12), line: layout.head) == nil)
      #expect(layout.month(atColumn: layout.column(of: 0) - 1, line: layout.head) == nil)
      #expect(layout.month(atColumn: layout.column(of: 0), line: layout.head + 2) == nil)
    }
  }

  @Test("a click on a title chooses it, a click on the chosen one goes there")
  func jumpBar() {
    var store = TestStore([3, 3, 3])
    let titles = ["Nov 2026", "Oct 2026", "Sep 2026"].enumerated()
      .map { IndexTitle(title: $0.element, section: $0.offset) }
    var bar = JumpBar(titles: titles, selected: 0, columns: 6)
    store.state.pages.mode = .jump(bar)
    let click = MouseAction(.click, column: bar.cellWidth + 2, line: 1)
    bar.selected = 1
    store.send(.mouse(click)) { $0.pages.mode = .jump(bar) }
    store.send(.mouse(click)) {
      $0.pages.mode = .list
      $0.list.widget.showAtTop(section: 1)
    }
    store.state.pages.mode = .jump(bar)
    store.send(.mouse(MouseAction(.click, column: 70, line: 5)))
  }
}
