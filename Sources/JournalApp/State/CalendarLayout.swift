import Journal

/// Which cells of the screen the days of a month calendar take: the drawing and the mouse read the same.
///
/// The month of the chosen day stands alone, or between its neighbours where there is room.
public struct CalendarLayout: Equatable, Sendable {
  /// The columns of a day.
  public static let cell = 4
  /// The columns of a month.
  public static let month = 7 * cell
  private static let gap = 4

  /// A month and the column it begins at.
  public struct Block: Equatable, Sendable {
    /// The first day of the month.
    public var month: Day
    /// Its first column.
    public var column: Int
  }

  /// A day and the cell of its number's first column.
  public struct Place: Equatable, Sendable {
    /// The day.
    public var day: Day
    /// The column.
    public var column: Int
    /// The line, from the top of the calendar.
    public var line: Int
  }

  /// The months, from left to right.
  public let blocks: [Block]
  /// The line of the weekdays' names; `nil` on low screens.
  public let weekdayLine: Int?
  /// Whether there is room for the numbers of the weeks, which take the gap before their month.
  public let showsWeeks: Bool
  /// The columns of a week's number and the gap behind it.
  public static let weekColumns = 3
  /// The lines that a week takes: 2 where the number of entries stands below each day.
  public let weekHeight: Int
  private let firstWeekday: Int
  private let height: Int
  private let calendar: MonthCalendar

  /// Lays a calendar out on so many cells.
  ///
  /// - Parameter firstWeekday: the weekday that weeks begin with, 1 for Monday to 7 for Sunday.
  public init(_ calendar: MonthCalendar, width: Int, height: Int, firstWeekday: Int) {
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
  public func places(in block: Block) -> [Place] {
    let top = weekdayLine == nil ? 1 : 2
    return calendar.places(of: block.month, firstWeekday: firstWeekday).map { place in
      Place(
        day: place.day, column: block.column + place.column * Self.cell,
        line: top + place.week * weekHeight)
    }.filter { $0.line < height }
  }

  /// The days beside which a week's number stands: the first of a month and of each of its weeks.
  public func beginsLine(_ place: Place, in block: Block) -> Bool {
    showsWeeks && (place.day == block.month || place.column == block.column)
  }

  /// The number of the ISO week that the line of a day stands for: of the week its Thursday is in.
  public func week(of day: Day) -> Int {
    let start = day.adding(days: -((day.weekday - firstWeekday + 7) % 7))
    return start.adding(days: (4 - firstWeekday + 7) % 7).isoWeek.week
  }

  /// The day at a cell of the calendar; `nil` beside the days.
  public func day(atColumn column: Int, line: Int) -> Day? {
    blocks.lazy.flatMap { places(in: $0) }.first { place in
      (place.column..<(place.column + Self.cell)).contains(column)
        && (place.line..<(place.line + weekHeight)).contains(line)
    }?.day
  }
}
