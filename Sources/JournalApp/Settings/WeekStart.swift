/// The day that a week of the calendar begins with.
///
/// It moves the columns of the month calendar and nothing else: week sections are ISO weeks.
public enum WeekStart: String, CaseIterable, Sendable {
  /// Monday.
  case monday
  /// Saturday.
  case saturday
  /// Sunday.
  case sunday

  /// The number of the day, Monday being 1 and Sunday 7.
  public var weekday: Int {
    switch self {
    case .monday: 1
    case .saturday: 6
    case .sunday: 7
    }
  }
}
