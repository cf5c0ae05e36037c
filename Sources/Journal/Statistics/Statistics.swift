/// How much was written when: what a journal, or a part of one, comes to.
///
/// It keeps a count for each day with entries; months, years, streaks and rates follow from those
/// (`Statistics+Periods.swift`, `Statistics+Streaks.swift`). Days are the entries' own: when they end
/// was decided when they were written.
public struct Statistics: Hashable, Sendable {
  /// An entry with its length.
  public struct LongestEntry: Hashable, Sendable {
    /// Its number.
    public var number: Int64
    /// Its day.
    public var day: Day
    /// Its words.
    public var words: Int

    /// Makes an entry's length.
    public init(number: Int64, day: Day, words: Int) {
      self.number = number
      self.day = day
      self.words = words
    }
  }

  /// The days with entries, in order.
  public var days: [DayCount]
  /// Entries by the hour that the local clock showed, 0 to 23.
  public var hours: [Int]
  /// How many entries have a star.
  public var starred: Int
  /// The entry with the most words, of several the one with the lowest number.
  public var longest: LongestEntry?
  /// How many entries are in the trash; they count nowhere else unless they were asked for.
  public var trash: Int
  /// How many different tags there are.
  public var tagCount: Int
  /// The tags that are used most, ``TagTally/limit`` at most.
  public var tags: [TagStatistics]

  /// Makes statistics of nothing.
  public init() {
    days = []
    hours = Array(repeating: 0, count: 24)
    starred = 0
    trash = 0
    tagCount = 0
    tags = []
  }

  /// How many entries there are.
  public var entries: Int { days.reduce(0) { $0 + $1.entries } }
  /// How many words they have together.
  public var words: Int { days.reduce(0) { $0 + $1.words } }
  /// The first day that has entries.
  public var first: Day? { days.first?.day }
  /// The last day that has entries.
  public var last: Day? { days.last?.day }

  /// How many days there are from the first one with entries to today, or to the last one if that is
  /// later; 0 without entries.
  public func span(today: Day) -> Int {
    guard let first, let last else { return 0 }
    return max(last, today).daysSinceEpoch - first.daysSinceEpoch + 1
  }
}
