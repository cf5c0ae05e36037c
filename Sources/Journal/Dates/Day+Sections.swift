extension Day {
  /// The identity of the ISO week's section: `2026-W47`.
  public var weekKey: String {
    let (year, week) = isoWeek
    return "\(Digits.padded(year, to: 4))-W\(Digits.padded(week))"
  }

  /// The identity of the month's section: `2026-11`.
  public var monthKey: String {
    "\(Digits.padded(year, to: 4))-\(Digits.padded(month))"
  }

  /// The identity of the year's section: `2026`.
  public var yearKey: String { Digits.padded(year, to: 4) }

  /// The identity of the section a day stands in.
  ///
  /// Keys of one kind sort by their bytes as their days do. A day knows no tags, so `tag` gives the
  /// key of an entry without one: the empty string, like `none`.
  public static func sectionKey(for day: Day, _ sectioning: Sectioning) -> String {
    switch sectioning {
    case .day: day.description
    case .week: day.weekKey
    case .month: day.monthKey
    case .year: day.yearKey
    case .tag, .none: ""
    }
  }

  /// The days that a section of this kind holds, or nothing when the key is of another kind.
  ///
  /// - Complexity: constant.
  public static func range(ofSection key: String, _ sectioning: Sectioning) -> ClosedRange<Day>? {
    switch sectioning {
    case .day: Day(key).map { $0...$0 }
    case .week: week(key)
    case .month: month(key)
    case .year: year(key)
    case .tag, .none: nil
    }
  }

  private static func week(_ key: String) -> ClosedRange<Day>? {
    let bytes = Array(key.utf8)
    guard bytes.count == 8, bytes[4] == UInt8(ascii: "-"), bytes[5] == UInt8(ascii: "W"),
      let year = Digits.number(bytes[0..<4]), let week = Digits.number(bytes[6..<8]),
      let inWeekOne = Day(year: year, month: 1, day: 4)
    else { return nil }
    let monday = inWeekOne.daysSinceEpoch - inWeekOne.weekday + 1 + (week - 1) * 7
    let first = Day(daysSinceEpoch: monday)
    guard first.weekKey == key else { return nil }
    return first...first.adding(days: 6)
  }

  static func month(_ key: String) -> ClosedRange<Day>? {
    guard key.utf8.count == 7, let first = Day(key + "-01") else { return nil }
    return first...first.adding(days: length(ofMonth: first.month, year: first.year) - 1)
  }

  static func year(_ key: String) -> ClosedRange<Day>? {
    guard key.utf8.count == 4, let first = Day(key + "-01-01"),
      let last = Day(key + "-12-31")
    else { return nil }
    return first...last
  }
}
