import Journal
import SectionedResults

/// News of the calendar.
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
    case .today: return goToToday()
    case .calendar: return openCalendar()
    case .jumpBar: return [.list(.listIndexTitles)]
    case .statistics: return openStatistics(of: scope)
    }
  }

  private mutating func goToToday() -> [Effect] {
    switch mode {
    case .calendar(var calendar):
      calendar.day = today
      return show(calendar)
    case .statistics(var view):
      view.year = nil
      return show(view)
    case .list, .reading, .help, .page, .versions, .menu, .jump, .order:
      return [.list(.findDay("today"))]
    }
  }

  /// Goes to the first row of a date, or to the nearest one if the note says that it has none.
  ///
  /// A section that begins with the row is shown from the top of the screen on.
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

  /// Opens the calendar on the day of the selection, where the list is by day.
  private mutating func openCalendar() -> [Effect] {
    let key = list.selection.map { list.sections[$0.section].key } ?? ""
    return show(MonthCalendar(day: Day(key) ?? today))
  }

  mutating func show(_ calendar: MonthCalendar) -> [Effect] {
    mode = .calendar(calendar)
    return calendar.counted == calendar.month ? [] : [.list(.countDays(calendar.range))]
  }

  mutating func count(_ counts: [Day: Int], month: Day) {
    guard case .calendar(var calendar) = mode, calendar.month == month else { return }
    calendar.counts = counts
    calendar.counted = month
    mode = .calendar(calendar)
  }

  mutating func move(
    _ movement: Movement, count: Int?, in calendar: MonthCalendar
  ) -> [Effect] {
    var calendar = calendar
    let times = count ?? 1
    let day = calendar.day
    switch movement {
    case .left: calendar.day = day.adding(days: -times)
    case .right: calendar.day = day.adding(days: times)
    case .up: calendar.day = day.adding(days: -7 * times)
    case .down: calendar.day = day.adding(days: 7 * times)
    case .pageUp: calendar.day = day.adding(months: -times)
    case .pageDown: calendar.day = day.adding(months: times)
    case .first: calendar.day = calendar.month
    case .last: calendar.day = calendar.month.adding(months: 1).adding(days: -1)
    case .halfPageDown, .halfPageUp, .previousSection, .nextSection: return []
    }
    calendar.day = min(max(calendar.day, Self.firstDay), Self.lastDay)
    return show(calendar)
  }

  /// The calendar ends a little before the dates do, so that it can look at the months beside.
  private static let firstDay = Day.earliest.adding(months: 2)
  private static let lastDay = Day.latest.adding(months: -3)

  /// Goes from the calendar to a day of the list.
  mutating func open(_ day: Day) -> [Effect] {
    leaveMode()
    return [.list(.findDay(day.description))]
  }
}

/// A month calendar in which a day is chosen; it knows how many entries each day has.
package struct MonthCalendar: Equatable, Sendable {
  /// The day that is chosen.
  package var day: Day
  /// Entries by day, of the months asked for; days without entries are left out.
  package var counts: [Day: Int]
  /// The first day of the month that was counted last; `nil` before the first count.
  package var counted: Day?

  /// Makes a calendar without counts.
  package init(day: Day) {
    self.day = day
    counts = [:]
  }

  /// The first day of the month that the chosen day is in.
  package var month: Day { day.adding(days: 1 - day.day) }

  /// The weeks that the chosen month touches, from the weekday that weeks begin with on.
  package func places(of month: Day, firstWeekday: Int) -> [(day: Day, week: Int, column: Int)] {
    let lead = (month.weekday - firstWeekday + 7) % 7
    let length = Day.length(ofMonth: month.month, year: month.year)
    return (0..<length).map { index in
      (month.adding(days: index), (lead + index) / 7, (lead + index) % 7)
    }
  }

  /// The months that are counted together: the chosen one with one before and one behind it.
  package var range: ClosedRange<Day> {
    month.adding(months: -1)...month.adding(months: 2).adding(days: -1)
  }
}

/// Which cells of the screen the days of a month calendar take: the drawing and the mouse read the same.
///
/// The month of the chosen day stands alone, or between its neighbours where there is room.
package struct CalendarLayout: Equatable, Sendable {
  /// The columns of a day.
  package static let cell = 4
  /// The columns of a month.
  package static let month = 7 * cell
  private static let gap = 4

  /// A month and the column it begins at.
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
  /// Whether there is room for the numbers of the weeks, which take the gap before their month.
  package let showsWeeks: Bool
  /// The columns of a week's number and the gap behind it.
  package static let weekColumns = 3
  /// The lines that a week takes: 2 where the number of entries stands below each day.
  package let weekHeight: Int
  private let firstWeekday: Int
  private let height: Int
  private let calendar: MonthCalendar

  /// Lays a calendar out on so many cells.
  ///
  /// - Parameter firstWeekday: the weekday that weeks begin with, 1 for Monday to 7 for Sunday.
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

  /// The days of a month that have a place on the screen.
  package func places(in block: Block) -> [Place] {
    let top = weekdayLine == nil ? 1 : 2
    return calendar.places(of: block.month, firstWeekday: firstWeekday).map { place in
      Place(
        day: place.day, column: block.column + place.column * Self.cell,
        line: top + place.week * weekHeight)
    }.filter { $0.line < height }
  }

  /// The days beside which a week's number stands: the first of a month and of each of its weeks.
  package func beginsLine(_ place: Place, in block: Block) -> Bool {
    showsWeeks && (place.day == block.month || place.column == block.column)
  }

  /// The number of the ISO week that the line of a day stands for: of the week its Thursday is in.
  package func week(of day: Day) -> Int {
    let start = day.adding(days: -((day.weekday - firstWeekday + 7) % 7))
    return start.adding(days: (4 - firstWeekday + 7) % 7).isoWeek.week
  }

  /// The day at a cell of the calendar; `nil` beside the days.
  package func day(atColumn column: Int, line: Int) -> Day? {
    blocks.lazy.flatMap { places(in: $0) }.first { place in
      (place.column..<(place.column + Self.cell)).contains(column)
        && (place.line..<(place.line + weekHeight)).contains(line)
    }?.day
  }
}
