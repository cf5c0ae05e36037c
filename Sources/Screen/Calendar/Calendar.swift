import Journal
import SectionedResults
import TextLayout

/// Events of the calendar.
package enum CalendarEvent: Equatable, Codable, Sendable {
  /// The days with entries in a range were counted, in order.
  case daysCounted(ClosedRange<Day>, [DayCount])
  /// The first entries of a day, in the order of their times.
  case dayListed(Day, [EntryRow])
}

/// Going to dates: by words, and in the month calendar.
extension State {
  mutating func updateCalendar(_ event: CalendarEvent) -> [Effect] {
    switch event {
    case .daysCounted(let days, let counts):
      work.queries.finish(.days)
      changeCalendar { if $0.range == days { $0.take(counts) } }
    case .dayListed(let day, let rows):
      work.queries.finish(.day)
      changeCalendar { if $0.day == day { ($0.rows, $0.listed) = (rows, day) } }
    }
    return []
  }

  private mutating func changeCalendar(_ change: (inout MonthCalendar) -> Void) {
    guard case .calendar(var calendar) = pages.mode else { return }
    change(&calendar)
    pages.mode = .calendar(calendar)
  }

  mutating func go(to destination: Destination) -> [Effect] {
    switch destination {
    case .date: return [.prompt(.open(.date))]
    case .random: return readRandom()
    case .wholeDay: return readDay()
    case .today:
      return changePage { $0.goToToday(in: $1) }.flatMap(\.self) ?? [.list(.findDay("today"))]
    }
  }

  /// Selects the first row of a date, or the nearest one if the note says that it has none.
  ///
  /// If the row is the first of a section, the section is scrolled to the top of the screen.
  mutating func goTo(day path: RowPath?, note: String?) {
    guard let path, list.widget.sections.indices.contains(path.section) else {
      status = .failed(
        list.widget.rowCount == 0
          ? "no entries to go to" : "no such date in this list; order the list by date")
      return
    }
    leaveMode()
    if path.row == 0 {
      list.widget.showAtTop(section: path.section)
    } else {
      list.widget.select(path)
    }
    if let note { status = .done(note) }
  }

  // MARK: The month calendar

  /// Opens the calendar on the day of the selection, if the list is by day.
  mutating func openCalendar() -> [Effect] {
    let key = list.widget.selection.map { list.widget.sections[$0.section].key } ?? ""
    open(MonthCalendar(day: Day(key) ?? journal.today))
    return pages.mode.page?.missing ?? []
  }
}

/// A month calendar with a selected day: the counts of the visible days, and the day's entries.
package struct MonthCalendar: Equatable, Sendable {
  /// The selected day.
  package var day: Day
  /// The first visible month, by ``Day/monthNumber``; `nil` before the first layout.
  package var top: Int?
  /// The number of visible months.
  package var monthCount = 1
  /// The counted days with entries in the visible months.
  package private(set) var counts: [Day: DayCount] = [:]
  /// The levels of the counted days by words.
  package private(set) var levels = AmountLevels([])
  /// The days that were counted last; `nil` before the first count.
  package private(set) var counted: ClosedRange<Day>?
  /// The first entries of ``listed``.
  package var rows: [EntryRow] = []
  /// The day whose entries were read last; `nil` before the first answer.
  package var listed: Day?
  /// Whether there is room for the entries of the day.
  package var showsDay = false

  package init(day: Day) {
    self.day = day
  }

  /// The first day of the selected day's month.
  package var month: Day { day.adding(days: 1 - day.day) }

  /// The weeks of a month, from the first weekday on.
  package func places(of month: Day, firstWeekday: Int) -> [(day: Day, week: Int, column: Int)] {
    let lead = (month.weekday - firstWeekday + 7) % 7
    let length = Day.length(ofMonth: month.month, year: month.year)
    return (0..<length).map { index in
      (month.adding(days: index), (lead + index) / 7, (lead + index) % 7)
    }
  }

  /// The visible days, which are counted together.
  package var range: ClosedRange<Day> {
    let first = top ?? month.monthNumber
    let end = first + monthCount
    return Day(
      monthNumber: max(first, Day.earliest.monthNumber))...(end > Day.latest.monthNumber
      ? Day.latest : Day(monthNumber: end).adding(days: -1))
  }

  /// Stores the counts of the visible days.
  mutating func take(_ days: [DayCount]) {
    counts = Dictionary(days.map { ($0.day, $0) }, uniquingKeysWith: { $1 })
    levels = AmountLevels(days.map(\.words))
    counted = range
  }

  /// The maximum number of entries of the day that are read: more than a screen shows.
  package static let mostRows = 100
}

extension MonthCalendar: Page {
  package var mode: Mode { .calendar(self) }
  package var context: KeyContext { .calendar }

  /// The number of entries of the selected day.
  package func title(in state: State) -> String? {
    let count = counts[day]?.entries ?? 0
    let date = state.dates.text(of: day)
    let title = "\(Numbers.entries(count)) on \(date)"
    let isCut = TextWidth.columns(of: title) > state.environment.size.columns - 2
    return isCut ? "\(Numbers.grouped(count)) on \(date)" : title
  }

  /// Scrolls by rows of months, as little as possible, until the selected day is visible.
  mutating func layOut(in state: State) {
    let form = CalendarForm(width: state.environment.size.columns, height: state.layout.main.count)
    let line = month.monthNumber / form.columns
    let first = top.map { min(max($0 / form.columns, line - form.rows + 1), line) }
    top = (first ?? line - form.rows + 1) * form.columns
    monthCount = form.columns * form.rows
    showsDay = form.listHeight > 0
  }

  mutating func move(_ movement: Movement, count: Int?, in state: State) -> [Effect] {
    let times = count ?? 1
    switch movement {
    case .left: day = day.adding(days: -times)
    case .right: day = day.adding(days: times)
    case .up: day = day.adding(days: -7 * times)
    case .down: day = day.adding(days: 7 * times)
    case .pageUp: day = day.adding(months: -times)
    case .pageDown: day = day.adding(months: times)
    case .first: day = month
    case .last: day = month.adding(months: 1).adding(days: -1)
    case .halfPageDown, .halfPageUp, .previousSection, .nextSection: return []
    }
    day = min(max(day, Self.firstDay), Self.lastDay)
    layOut(in: state)
    return missing
  }

  /// The calendar's range is smaller than that of dates, so that adjacent months always exist.
  private static let firstDay = Day.earliest.adding(months: 2)
  private static let lastDay = Day.latest.adding(months: -3)

  /// Turns a month.
  mutating func scroll(by lines: Int, in state: State) -> [Effect] {
    lines == 0 ? [] : move(lines > 0 ? .pageDown : .pageUp, count: 1, in: state)
  }

  mutating func click(column: Int, line: Int, in state: State) -> Click {
    let places = CalendarLayout(
      self, width: state.environment.size.columns, height: state.layout.main.count,
      firstWeekday: state.firstWeekday)
    guard let clicked = places.day(atColumn: column, line: line) else { return .nothing }
    if clicked == day { return .chosen }
    day = clicked
    return .selected(missing)
  }

  mutating func goToToday(in state: State) -> [Effect]? {
    day = state.journal.today
    layOut(in: state)
    return missing
  }

  /// Goes to the day in the list.
  func choose(in state: inout State) -> [Effect]? {
    state.leaveMode()
    return [.list(.findDay(day.description))]
  }

  var refresh: [Effect] { [countRequest] + (showsDay ? [dayRequest] : []) }

  /// The request for the counts if other months are visible, and for the entries of another day.
  var missing: [Effect] {
    (counted == range ? [] : [countRequest]) + (showsDay && listed != day ? [dayRequest] : [])
  }

  private var countRequest: Effect { .query(.countDays(range)) }
  private var dayRequest: Effect { .query(.listDay(day, limit: Self.mostRows)) }
}
