extension Day {
  /// The identity of the ISO week's section: `2026-W47`.
  package var weekKey: String {
    let (year, week) = isoWeek
    return "\(Digits.padded(year, to: 4))-W\(Digits.padded(week))"
  }

  /// The identity of the month's section: `2026-11`.
  package var monthKey: String {
    "\(Digits.padded(year, to: 4))-\(Digits.padded(month))"
  }

  /// The identity of the year's section: `2026`.
  package var yearKey: String { Digits.padded(year, to: 4) }

  /// The identity of a day's section.
  ///
  /// Keys of one kind sort by their bytes as their days do. A day has no tags, so `tag` returns the
  /// key of an entry without one: the empty string, like `none`.
  package static func sectionKey(for day: Day, _ sectioning: Sectioning) -> String {
    switch sectioning {
    case .day: day.description
    case .week: day.weekKey
    case .month: day.monthKey
    case .year: day.yearKey
    case .tag, .none: ""
    }
  }

  /// The days of a section of this kind; `nil` if the key is of another kind.
  ///
  /// - Complexity: constant.
  package static func range(ofSection key: String, _ sectioning: Sectioning) -> ClosedRange<Day>? {
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

/// The displayed title of a section, never its identity.
package enum SectionTitle {
  /// The title of the section with a key.
  ///
  /// "Today" and "Yesterday" change at the end of a day without a write, so a list asks again then.
  /// A key of another kind is shown unchanged.
  ///
  /// - Parameters:
  ///   - key: the section's identity, as ``EntryRow/sectionKey(for:)`` returns it.
  ///   - sectioning: the kind of the sections.
  ///   - today: the day with the title "Today"; `nil` if no day has one.
  ///   - names: month and weekday names.
  ///   - tags: the tags of a row in it, which have the section's tag as it was typed.
  package static func text(
    key: String, sectioning: Sectioning, today: Day?, names: DateNames = .english,
    tags: [String] = []
  ) -> String {
    switch sectioning {
    case .day: dayText(key: key, today: today, names: names)
    case .week: weekText(key: key)
    case .month: monthText(key: key, names: names)
    case .year: key
    case .tag:
      key.isEmpty ? "Untagged" : Tag.typed(tags.first { Tag.key(of: $0) == key } ?? key)
    case .none: ""
    }
  }

  private static func dayText(key: String, today: Day?, names: DateNames) -> String {
    guard let day = Day(key) else { return key }
    switch today.map({ $0.daysSinceEpoch - day.daysSinceEpoch }) {
    case 0: return "Today"
    case 1: return "Yesterday"
    default: return long(day, names: names)
    }
  }

  /// A day in words: `Saturday 21 November 2026`.
  package static func long(_ day: Day, names: DateNames = .english) -> String {
    let (year, month, dayOfMonth) = day.civil
    let weekday = names.weekdays[day.weekday - 1]
    return "\(weekday) \(dayOfMonth) \(names.monthsInDate[month - 1]) \(year)"
  }

  private static func weekText(key: String) -> String {
    guard let week = Day.range(ofSection: key, .week) else { return key }
    let (year, number) = week.lowerBound.isoWeek
    return "Week \(number), \(year)"
  }

  private static func monthText(key: String, names: DateNames) -> String {
    guard let month = Day.range(ofSection: key, .month)?.lowerBound else { return key }
    return "\(names.months[month.month - 1]) \(month.year)"
  }
}
