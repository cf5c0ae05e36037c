import Journal

/// The numbers of months beside and below each other, and the room for the entries of a day.
struct CalendarForm {
  /// The lines of a month: its name, the weekdays and six weeks.
  static let monthHeight = 8
  /// The least number of lines for entries.
  private static let leastList = 3
  /// The least columns between two months.
  private static let leastGap = 3

  /// The months beside each other, a divisor of twelve, so that a row of a year begins in January.
  let columns: Int
  /// The rows of months.
  let rows: Int
  /// The lines for entries below the months; 0 without room.
  let listHeight: Int

  /// Finds the form for a part of the screen.
  init(width: Int, height: Int) {
    let block = CalendarLayout.month + CalendarLayout.weekColumns
    columns =
      [6, 4, 3, 2].first { $0 * block + ($0 - 1) * Self.leastGap <= width } ?? 1
    // An empty line follows each row of months.
    rows = max(1, (height - Self.leastList) / (Self.monthHeight + 1))
    let rest = height - rows * (Self.monthHeight + 1)
    listHeight = rest >= Self.leastList ? rest : 0
  }
}

/// The cells of the days in a month calendar, for drawing and for the mouse.
package struct CalendarLayout: Equatable, Sendable {
  /// The columns of a day: its number and the sign of its level.
  package static let cell = 4
  /// The columns of a month.
  package static let month = 7 * cell
  private static let widestGap = 8

  /// A month and its place.
  package struct Block: Equatable, Sendable {
    /// The first day of the month.
    package var month: Day
    /// Its first column.
    package var column: Int
    /// Its first line.
    package var line: Int
  }

  /// A day and the cell of its number's first column.
  package struct Place: Equatable, Sendable {
    package var day: Day
    package var column: Int
    /// The line, from the top of the calendar.
    package var line: Int
  }

  /// The months in order.
  package let blocks: [Block]
  /// Whether there is room for the names of the weekdays.
  package let showsWeekdays: Bool
  /// Whether there is room for week numbers, before each month.
  package let showsWeeks: Bool
  /// The columns of a week's number and the gap after it.
  package static let weekColumns = 3
  /// The lines of the selected day's entries; empty without room.
  package let list: Range<Int>
  /// The columns from the first month, with its week numbers, to the end of the last one.
  package let columns: Range<Int>
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
    let form = CalendarForm(width: width, height: height)
    showsWeeks = width >= Self.month + Self.weekColumns
    showsWeekdays = height >= Self.leastWithWeekdays
    let block = Self.month + (showsWeeks ? Self.weekColumns : 0)
    let gap = min(Self.widestGap, max(0, width - form.columns * block) / (form.columns + 1))
    let taken = form.columns * block + (form.columns - 1) * gap
    let left = max(0, (width - taken) / 2)
    columns = left..<min(width, left + taken)
    let first = calendar.top ?? calendar.month.monthNumber
    let months = Day.earliest.monthNumber...Day.latest.monthNumber
    blocks = (0..<form.columns * form.rows).compactMap { index in
      guard months.contains(first + index) else { return nil }
      return Block(
        month: Day(monthNumber: first + index),
        column: left + (block - Self.month) + index % form.columns * (block + gap),
        line: index / form.columns * (CalendarForm.monthHeight + 1))
    }
    list = (height - form.listHeight)..<height
  }

  private static let leastWithWeekdays = CalendarForm.monthHeight

  /// The visible days of a month.
  package func places(in block: Block) -> [Place] {
    let top = block.line + (showsWeekdays ? 2 : 1)
    return calendar.places(of: block.month, firstWeekday: firstWeekday).map { place in
      Place(
        day: place.day, column: block.column + place.column * Self.cell, line: top + place.week)
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
      (place.column..<(place.column + Self.cell)).contains(column) && place.line == line
    }?.day
  }
}
