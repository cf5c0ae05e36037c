import Journal
import Screen
import SectionedResults
import Testing

/// The mouse in the month calendar and in the jump bar.
struct GridMouseTests {
  private let today = Day(daysSinceEpoch: 20_778)

  @Test("a click on a day chooses it, a click on the chosen one goes there")
  func calendarClick() throws {
    var store = TestStore([3])
    var calendar = MonthCalendar(day: today)
    store.state.mode = .calendar(calendar)
    let layout = CalendarLayout(
      calendar, width: 80, height: store.state.layout.main.count, firstWeekday: 1)
    let block = try #require(layout.blocks.first)
    let place = try #require(layout.places(in: block).first { $0.day.day == 3 })
    let click = MouseAction(.click, column: place.column + 2, line: place.line + 1)
    let month = calendar.range
    calendar.day = place.day
    store.send(.mouse(click), [.list(.countDays(month))]) { $0.mode = .calendar(calendar) }
    store.send(.mouse(click), [.list(.findDay("2026-11-03"))]) { $0.mode = .list }
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
    store.state.mode = .calendar(calendar)
    calendar.day = today.adding(months: 1)
    store.send(
      .mouse(MouseAction(.wheel(3), column: 3, line: 3)), [.list(.countDays(calendar.range))]
    ) { $0.mode = .calendar(calendar) }
  }

  @Test("a click on a title chooses it, a click on the chosen one goes there")
  func jumpBar() {
    var store = TestStore([3, 3, 3])
    let titles = ["Nov 2026", "Oct 2026", "Sep 2026"].enumerated()
      .map { IndexTitle(title: $0.element, section: $0.offset) }
    var bar = JumpBar(titles: titles, selected: 0, columns: 6)
    store.state.mode = .jump(bar)
    let click = MouseAction(.click, column: bar.cellWidth + 2, line: 1)
    bar.selected = 1
    store.send(.mouse(click)) { $0.mode = .jump(bar) }
    store.send(.mouse(click)) {
      $0.mode = .list
      $0.list.showAtTop(section: 1)
    }
    store.state.mode = .jump(bar)
    store.send(.mouse(MouseAction(.click, column: 70, line: 5)))
  }
}
