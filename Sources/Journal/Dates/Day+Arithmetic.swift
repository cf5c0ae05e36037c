extension Day {
  /// The day of the week by ISO 8601: Monday is 1, Sunday is 7.
  public var weekday: Int {
    let sinceMonday = (daysSinceEpoch + 3) % 7
    return (sinceMonday < 0 ? sinceMonday + 7 : sinceMonday) + 1
  }

  /// The ISO 8601 week the day is in, and the year that week belongs to.
  ///
  /// A week belongs to the year of its Thursday, so the first days of January may stand in the last
  /// week of the year before, and the last days of December in week 1 of the next.
  public var isoWeek: (year: Int, week: Int) {
    let thursday = Day(daysSinceEpoch: daysSinceEpoch + 4 - weekday)
    let year = thursday.year
    let newYear = Day(civilYear: year, month: 1, day: 1)
    return (year, (thursday.daysSinceEpoch - newYear.daysSinceEpoch) / 7 + 1)
  }

  /// The day some days later, earlier for a negative number.
  ///
  /// It stays between ``earliest`` and ``latest``, so no distance a person types can overflow.
  public func adding(days: Int) -> Day {
    let (sum, overflow) = daysSinceEpoch.addingReportingOverflow(days)
    if overflow { return days < 0 ? .earliest : .latest }
    return Swift.min(Swift.max(Day(daysSinceEpoch: sum), .earliest), .latest)
  }

  /// The same day of the month some months later, earlier for a negative number.
  ///
  /// Where that month is shorter it is the month's last day: a month after 31 January is 28 or 29
  /// February. It stays between ``earliest`` and ``latest``.
  public func adding(months: Int) -> Day {
    let (year, month, day) = civil
    let (sum, overflow) = (year * 12 + month - 1).addingReportingOverflow(months)
    if overflow || sum >= 10_000 * 12 { return months < 0 ? .earliest : .latest }
    if sum < 12 { return .earliest }
    let length = Day.length(ofMonth: sum % 12 + 1, year: sum / 12)
    return Day(civilYear: sum / 12, month: sum % 12 + 1, day: Swift.min(day, length))
  }
}
