import Glibc

/// The words dates are shown with, so that a list can speak the user's language.
public struct DateNames: Hashable, Sendable {
  /// Month names inside a date, January first; in some languages another form than ``months``.
  public var monthsInDate: [String]
  /// Month names that stand alone, January first.
  public var months: [String]
  /// Weekday names, Monday first.
  public var weekdays: [String]
  /// Short weekday names, Monday first.
  public var shortWeekdays: [String]

  /// Makes names from twelve months and seven weekdays; the short weekdays are the first letters
  /// unless given.
  ///
  /// - Precondition: there are twelve months and seven weekdays in each list.
  public init(
    months: [String], monthsInDate: [String]? = nil, weekdays: [String],
    shortWeekdays: [String]? = nil
  ) {
    self.months = months
    self.monthsInDate = monthsInDate ?? months
    self.weekdays = weekdays
    self.shortWeekdays = shortWeekdays ?? weekdays.map { String($0.prefix(3)) }
    precondition(self.months.count == 12 && self.monthsInDate.count == 12)
    precondition(self.weekdays.count == 7 && self.shortWeekdays.count == 7)
  }
}

extension DateNames {
  /// The English names.
  public static let english = DateNames(
    months: [
      "January", "February", "March", "April", "May", "June", "July", "August", "September",
      "October", "November", "December",
    ],
    weekdays: [
      "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ])

  /// The names of `LC_TIME`, as the process has set it with `setlocale`.
  ///
  /// A name that is missing or not UTF-8 makes it the English ones. Call it once and keep the value:
  /// the C library's tables are read anew each time.
  public static func system() -> DateNames {
    // The C library counts weekdays from Sunday, we from Monday.
    let weekdays = names(from: DAY_1, count: 7)
    let short = names(from: ABDAY_1, count: 7)
    let inDate = names(from: MON_1, count: 12)
    let alone = names(from: __ALTMON_1, count: 12)
    guard let weekdays, let short, let inDate, let alone else { return .english }
    return DateNames(
      months: alone, monthsInDate: inDate, weekdays: mondayFirst(weekdays),
      shortWeekdays: mondayFirst(short))
  }

  private static func mondayFirst(_ names: [String]) -> [String] {
    Array(names.dropFirst()) + names.prefix(1)
  }

  private static func names(from first: some BinaryInteger, count: Int) -> [String]? {
    var result: [String] = []
    for item in 0..<count {
      guard let text = nl_langinfo(nl_item(Int(first) + item)),
        let name = String(validatingCString: text), !name.isEmpty
      else { return nil }
      result.append(name)
    }
    return result
  }
}
