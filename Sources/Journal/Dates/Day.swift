/// A calendar day of the proleptic Gregorian calendar, without a time zone.
///
/// An entry's day is fixed when it is written; no later zone change moves it.
public struct Day: Hashable, Sendable {
  /// Days since 1970-01-01, negative before it.
  public let daysSinceEpoch: Int

  /// Makes a day from its distance to 1970-01-01, in days.
  public init(daysSinceEpoch: Int) {
    self.daysSinceEpoch = daysSinceEpoch
  }

  /// Makes a day from its calendar fields, or nothing when there is no such day.
  ///
  /// Years run from 1 to 9999, so that every day has a text of ten characters that sorts.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= Day.length(ofMonth: month, year: year)
    else { return nil }
    self.init(civilYear: year, month: month, day: day)
  }
}

extension Day: Comparable {
  /// Whether the left day is the earlier one.
  public static func < (lhs: Day, rhs: Day) -> Bool {
    lhs.daysSinceEpoch < rhs.daysSinceEpoch
  }
}

extension Day {
  /// The first day that has a text: 0001-01-01.
  public static let earliest = Day(daysSinceEpoch: -719_162)
  /// The last day that has a text: 9999-12-31.
  public static let latest = Day(daysSinceEpoch: 2_932_896)

  /// The year, 1 to 9999 for every day that was made from fields or text.
  public var year: Int { civil.year }
  /// The month, 1 to 12.
  public var month: Int { civil.month }
  /// The day of the month, from 1.
  public var day: Int { civil.day }

  /// How many days a month has; the month runs from 1 to 12.
  public static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func isLeap(_ year: Int) -> Bool {
    year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
  }
}

extension Day {
  /// The calendar fields in one go, which costs as much as one of them.
  ///
  /// The calendar repeats every 400 years of 146,097 days; counting years from March puts the leap
  /// day at a year's end, so that months follow from the day of the year without a table.
  public var civil: (year: Int, month: Int, day: Int) {
    let shifted = daysSinceEpoch + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }

  init(civilYear: Int, month: Int, day: Int) {
    let year = month <= 2 ? civilYear - 1 : civilYear
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let marchMonth = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    self.init(daysSinceEpoch: era * 146_097 + dayOfEra - 719_468)
  }
}
