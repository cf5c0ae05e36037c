/// What people read above a section: display only, never a section's identity.
public enum SectionTitle {
  /// The title of the section with a key.
  ///
  /// "Today" and "Yesterday" move when a day ends without a write, so a list asks again then. A key that
  /// is not of the sectioning's kind is shown as it is.
  ///
  /// - Parameters:
  ///   - key: the section's identity, as ``EntryRow/sectionKey(for:)`` gives it.
  ///   - sectioning: what the sections are made by.
  ///   - today: the day that is called "Today".
  ///   - names: month and weekday names.
  public static func text(
    key: String, sectioning: Sectioning, today: Day, names: DateNames = .english
  ) -> String {
    switch sectioning {
    case .day: dayText(key: key, today: today, names: names)
    case .week: weekText(key: key)
    case .month: monthText(key: key, names: names)
    case .year: key
    case .tag: key.isEmpty ? "Untagged" : Tag.typed(key)
    case .none: ""
    }
  }

  private static func dayText(key: String, today: Day, names: DateNames) -> String {
    guard let day = Day(key) else { return key }
    switch today.daysSinceEpoch - day.daysSinceEpoch {
    case 0: return "Today"
    case 1: return "Yesterday"
    default: return long(day, names: names)
    }
  }

  /// A day in words: `Saturday 21 November 2026`.
  public static func long(_ day: Day, names: DateNames = .english) -> String {
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
