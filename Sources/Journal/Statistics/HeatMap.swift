/// The days of a year or so as a grid: a column for each week, a row for each weekday, each day with
/// how much was written on it.
///
/// How much is counted in words, since many people write one entry a day, which would make all days
/// alike. The levels are quarters of the days with entries: a quarter of them has the highest.
public struct HeatMap: Hashable, Sendable {
  /// A day of the grid.
  public struct Cell: Hashable, Sendable {
    /// What was written.
    public var count: DayCount
    /// How much that is, from 0 for nothing to ``HeatMap/levels``.
    public var level: Int
  }

  /// The highest level.
  public static let levels = 4

  /// The days shown.
  public let days: ClosedRange<Day>
  /// The weekday of the first row, 1 for Monday.
  public let firstWeekday: Int
  /// The weeks in order, seven cells each; nothing stands where a week goes beyond the days shown.
  public let weeks: [[Cell?]]

  /// Makes the grid of some days.
  ///
  /// - Complexity: linear in the days shown.
  public init(_ statistics: Statistics, days: ClosedRange<Day>, firstWeekday: Int) {
    self.days = days
    self.firstWeekday = firstWeekday
    let counts = statistics.days(in: days)
    let words = counts.map(\.words).sorted()
    let borders = words.isEmpty ? [] : (1..<Self.levels).map { words[$0 * words.count / 4] }
    let known = Dictionary(counts.map { ($0.day, $0) }, uniquingKeysWith: { $1 })
    let start = Self.start(ofWeekOf: days.lowerBound, firstWeekday).daysSinceEpoch
    weeks = stride(from: start, through: days.upperBound.daysSinceEpoch, by: 7).map { week in
      (week..<week + 7).map { number in
        let day = Day(daysSinceEpoch: number)
        guard days.contains(day) else { return nil }
        guard let count = known[day] else { return Cell(count: DayCount(day: day), level: 0) }
        return Cell(count: count, level: 1 + borders.count { count.words >= $0 })
      }
    }
  }

  /// The days of the 53 weeks that end with this one: a year, and whole weeks.
  public static func lastWeeks(today: Day, firstWeekday: Int) -> ClosedRange<Day> {
    let start = self.start(ofWeekOf: today, firstWeekday).adding(days: -52 * 7)
    return min(max(start, .earliest), today)...today
  }

  /// The days of a year from 1 to 9999; nothing for another number.
  public static func days(ofYear year: Int) -> ClosedRange<Day>? {
    guard let first = Day(year: year, month: 1, day: 1),
      let last = Day(year: year, month: 12, day: 31)
    else { return nil }
    return first...last
  }

  private static func start(ofWeekOf day: Day, _ firstWeekday: Int) -> Day {
    Day(daysSinceEpoch: day.daysSinceEpoch - (day.weekday - firstWeekday + 7) % 7)
  }
}
