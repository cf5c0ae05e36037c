/// What was written on one day.
public struct DayCount: Hashable, Sendable {
  /// The day.
  public var day: Day
  /// How many entries it has.
  public var entries: Int
  /// How many words they have together, as ``Entry/wordCount`` counts.
  public var words: Int

  /// Makes a day's count.
  public init(day: Day, entries: Int = 0, words: Int = 0) {
    self.day = day
    self.entries = entries
    self.words = words
  }
}

/// What was written in a month, a year, or another number of days.
public struct PeriodCount: Hashable, Sendable {
  /// The first day of the period, whether or not anything was written on it.
  public var first: Day
  /// How many entries it has.
  public var entries: Int
  /// How many words they have together.
  public var words: Int
  /// On how many days something was written.
  public var days: Int

  /// Makes a period's count.
  public init(first: Day, entries: Int = 0, words: Int = 0, days: Int = 0) {
    self.first = first
    self.entries = entries
    self.words = words
    self.days = days
  }

  /// Adds a day of the period.
  mutating func add(_ count: DayCount) {
    entries += count.entries
    words += count.words
    days += 1
  }
}
