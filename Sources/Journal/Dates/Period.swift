/// A division of the calendar: days, ISO weeks, or a number of months.
package enum Period: Hashable, Sendable {
  case day
  case week
  /// As many months, counted from January of the year 0: 3 for quarters, 12 for years.
  case months(Int)

  /// The number of the period that has a day; a later period has a larger one.
  ///
  /// A day counts from 1970-01-01, a week has the number of its Monday, and months count from the
  /// year 0.
  package func number(of day: Day) -> Int64 {
    switch self {
    case .day: Int64(day.daysSinceEpoch)
    case .week: Int64(day.daysSinceEpoch - day.weekday + 1)
    case .months(let count): Int64(day.monthNumber / count)
    }
  }

  /// The days of the period with a number; `nil` if it is outside the calendar.
  package func days(ofNumber number: Int64) -> ClosedRange<Day>? {
    guard let number = Int32(exactly: number).map(Int.init) else { return nil }
    let (first, next) =
      switch self {
      case .day: (Day(daysSinceEpoch: number), Day(daysSinceEpoch: number + 1))
      case .week: (Day(daysSinceEpoch: number), Day(daysSinceEpoch: number + 7))
      case .months(let count):
        (Day(monthNumber: number * count), Day(monthNumber: (number + 1) * count))
      }
    guard first <= .latest, next > .earliest else { return nil }
    return max(first, .earliest)...next.adding(days: -1)
  }

  /// The days of the period that has a day.
  package func days(around day: Day) -> ClosedRange<Day> {
    days(ofNumber: number(of: day)) ?? day...day
  }
}

extension Day {
  /// The month, counted from January of the year 0, so that consecutive months differ by one.
  package var monthNumber: Int {
    let (year, month, _) = civil
    return year * 12 + month - 1
  }

  /// The first day of the month with a number.
  package init(monthNumber: Int) {
    self.init(civilYear: monthNumber / 12, month: monthNumber % 12 + 1, day: 1)
  }
}

// MARK: - Keys

extension Day {
  /// The key of the ISO week: `2026-W47`.
  package var weekKey: String {
    let (year, week) = isoWeek
    return "\(Digits.padded(year, to: 4))-W\(Digits.padded(week))"
  }

  /// The key of the month: `2026-11`.
  package var monthKey: String { "\(yearKey)-\(Digits.padded(month))" }

  /// The key of the year: `2026`.
  package var yearKey: String { Digits.padded(year, to: 4) }

  /// The Monday of the ISO week with a key; `nil` for another text.
  init?(weekKey key: String) {
    let bytes = Array(key.utf8)
    guard bytes.count == 8, let year = Digits.number(bytes[0..<4]),
      let week = Digits.number(bytes[6..<8]), let inWeekOne = Day(year: year, month: 1, day: 4)
    else { return nil }
    let days = (week - 1) * 7 - inWeekOne.weekday + 1
    self.init(daysSinceEpoch: inWeekOne.daysSinceEpoch + days)
    guard weekKey == key else { return nil }
  }
}
