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
}

extension Day: Comparable {
  /// Whether the left day is the earlier one.
  public static func < (lhs: Day, rhs: Day) -> Bool {
    lhs.daysSinceEpoch < rhs.daysSinceEpoch
  }
}
