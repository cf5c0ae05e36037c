import Journal

/// A month calendar in which a day is chosen; it knows how many entries each day has.
public struct MonthCalendar: Equatable, Sendable {
  /// The day that is chosen.
  public var day: Day
  /// Entries by day, of the months asked for; days without entries are left out.
  public var counts: [Day: Int]
  /// The first day of the month that was counted last; `nil` before the first count.
  public var counted: Day?

  /// Makes a calendar without counts.
  public init(day: Day) {
    self.day = day
    counts = [:]
  }

  /// The first day of the month that the chosen day is in.
  public var month: Day { day.adding(days: 1 - day.day) }

  /// The weeks that the chosen month touches, from the weekday that weeks begin with on.
  public func places(of month: Day, firstWeekday: Int) -> [(day: Day, week: Int, column: Int)] {
    let lead = (month.weekday - firstWeekday + 7) % 7
    let length = Day.length(ofMonth: month.month, year: month.year)
    return (0..<length).map { index in
      (month.adding(days: index), (lead + index) / 7, (lead + index) % 7)
    }
  }

  /// The months that are counted together: the chosen one with one before and one behind it.
  public var range: ClosedRange<Day> {
    month.adding(months: -1)...month.adding(months: 2).adding(days: -1)
  }
}
