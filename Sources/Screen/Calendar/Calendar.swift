import Journal
import SectionedResults

/// Events of the calendar.
package enum CalendarEvent: Equatable, Sendable {
  /// The entries of the days of a month and its neighbours were counted.
  case daysCounted(month: Day, [Day: Int])
}

/// Going to dates: by words, and in the month calendar.
extension State {
  mutating func updateCalendar(_ event: CalendarEvent) -> [Effect] {
    switch event {
    case .daysCounted(let month, let counts): count(counts, month: month)
    }
    return []
  }

  mutating func go(to destination: Destination) -> [Effect] {
    switch destination {
    case .date: return [.prompt(.open(.date))]
    case .today:
      return changePage { $0.goToToday(in: $1) }.flatMap(\.self) ?? [.list(.findDay("today"))]
    }
  }

  /// Selects the first row of a date, or the nearest one if the note says that it has none.
  ///
  /// If the row is the first of a section, the section is scrolled to the top of the screen.
  mutating func goTo(day path: RowPath?, note: String?) {
    guard let path, list.sections.indices.contains(path.section) else {
      status = .failed("no such date in this list; it has to be ordered by date")
      return
    }
    leaveMode()
    if path.row == 0 {
      list.showAtTop(section: path.section)
    } else {
      list.select(path)
    }
    if let note { status = .done(note) }
  }

  // MARK: The month calendar

  /// Opens the calendar on the day of the selection, if the list is by day.
  mutating func openCalendar() -> [Effect] {
    let key = list.selection.map { list.sections[$0.section].key } ?? ""
    let calendar = MonthCalendar(day: Day(key) ?? today)
    mode = .calendar(calendar)
    return calendar.request
  }

  mutating func count(_ counts: [Day: Int], month: Day) {
    guard case .calendar(var calendar) = mode, calendar.month == month else { return }
    calendar.counts = counts
    calendar.counted = month
    mode = .calendar(calendar)
  }
}

/// A month calendar with a selected day and the number of entries per day.
package struct MonthCalendar: Equatable, Sendable {
  /// The selected day.
  package var day: Day
  /// Entries by day in the counted months; days without entries are omitted.
  package var counts: [Day: Int]
  /// The first day of the month counted last; `nil` before the first count.
  package var counted: Day?

  package init(day: Day) {
    self.day = day
    counts = [:]
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

  /// The months that are counted together: the selected one, the one before and the one after.
  package var range: ClosedRange<Day> {
    month.adding(months: -1)...month.adding(months: 2).adding(days: -1)
  }
}

extension MonthCalendar: Page {
  package var mode: Mode { .calendar(self) }
  package var context: KeyContext { .calendar }

  /// The number of entries of the selected day.
  package func title(in state: State) -> String? {
    "\(Numbers.entries(counts[day] ?? 0)) on \(state.dates.text(of: day))"
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
    return request
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
      self, width: state.size.columns, height: state.layout.main.count,
      firstWeekday: state.firstWeekday)
    guard let clicked = places.day(atColumn: column, line: line) else { return .nothing }
    if clicked == day { return .chosen }
    day = clicked
    return .selected(request)
  }

  mutating func goToToday(in state: State) -> [Effect]? {
    day = state.today
    return request
  }

  /// Goes to the day in the list.
  func choose(in state: inout State) -> [Effect]? {
    state.leaveMode()
    return [.list(.findDay(day.description))]
  }

  var refresh: [Effect] { [.list(.countDays(range))] }

  /// The request for the entries of the months, if they are not counted yet.
  var request: [Effect] { counted == month ? [] : refresh }
}

/// The cells of the days in a month calendar, for drawing and for the mouse.
///
/// The month of the selected day is alone, or between its neighbours if there is room.
package struct CalendarLayout: Equatable, Sendable {
  /// The columns of a day.
  package static let cell = 4
  /// The columns of a month.
  package static let month = 7 * cell
  private static let gap = 4

  /// A month and its first column.
  package struct Block: Equatable, Sendable {
    /// The first day of the month.
    package var month: Day
    /// Its first column.
    package var column: Int
  }

  /// A day and the cell of its number's first column.
  package struct Place: Equatable, Sendable {
    /// The day.
    package var day: Day
    /// The column.
    package var column: Int
    /// The line, from the top of the calendar.
    package var line: Int
  }

  /// The months, from left to right.
  package let blocks: [Block]
  /// The line of the weekdays' names; `nil` on low screens.
  package let weekdayLine: Int?
  /// Whether there is room for week numbers, which use the gap before their month.
  package let showsWeeks: Bool
  /// The columns of a week's number and the gap after it.
  package static let weekColumns = 3
  /// The lines of a week: 2 if the number of entries is below each day.
  package let weekHeight: Int
  private let firstWeekday: Int
  private let height: Int
  private let calendar: MonthCalendar

  /// Lays a calendar out.
  ///
  /// - Parameter firstWeekday: the first weekday, 1 for Monday to 7 for Sunday.
  package init(_ calendar: MonthCalendar, width: Int, height: Int, firstWeekday: Int) {
    self.calendar = calendar
    self.height = height
    self.firstWeekday = firstWeekday
    let count = width >= 3 * Self.month + 2 * Self.gap ? 3 : 1
    let taken = count * Self.month + (count - 1) * Self.gap
    let column = max(0, (width - taken) / 2)
    showsWeeks = column >= Self.weekColumns
    blocks = (0..<count).map { index in
      Block(
        month: calendar.month.adding(months: index - count / 2),
        column: column + index * (Self.month + Self.gap))
    }
    weekdayLine = height > 7 ? 1 : nil
    weekHeight = height >= 15 ? 2 : 1
  }

  /// The visible days of a month.
  package func places(in block: Block) -> [Place] {
    let top = weekdayLine == nil ? 1 : 2
    return calendar.places(of: block.month, firstWeekday: firstWeekday).map { place in
      Place(
        day: place.day, column: block.column + place.column * Self.cell,
        line: top + place.week * weekHeight)
    }.filter { $0.line < height }
  }

  /// The days with a week number before them: the first of a month and of each of its weeks.
  package func beginsLine(_ place: Place, in block: Block) -> Bool {
    showsWeeks && (place.day == block.month || place.column == block.column)
  }

  /// The ISO week number in the line of a day: that of its Thursday.
  package func week(of day: Day) -> Int {
    let start = day.adding(days: -((day.weekday - firstWeekday + 7) % 7))
    return start.adding(days: (4 - firstWeekday + 7) % 7).isoWeek.week
  }

  /// The day at a cell of the calendar; `nil` if there is none.
  package func day(atColumn column: Int, line: Int) -> Day? {
    blocks.lazy.flatMap { places(in: $0) }.first { place in
      (place.column..<(place.column + Self.cell)).contains(column)
        && (place.line..<(place.line + weekHeight)).contains(line)
    }?.day
  }
}
