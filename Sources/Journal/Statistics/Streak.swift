/// Days in a row on each of which something was written.
public struct Streak: Hashable, Sendable {
  /// The first day.
  public var first: Day
  /// The last day.
  public var last: Day

  /// Makes a streak.
  public init(first: Day, last: Day) {
    self.first = first
    self.last = last
  }

  /// How many days there are, one at least.
  public var length: Int { last.daysSinceEpoch - first.daysSinceEpoch + 1 }
}
