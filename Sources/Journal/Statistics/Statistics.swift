/// The number of entries and words in a journal, or a part of it, over time.
///
/// It stores a count for each day with entries; months, years, streaks and rates are derived from
/// them. Days are those of the entries: their ends were decided when they were written.
package struct Statistics: Hashable, Codable, Sendable {
  /// An entry and its length.
  package struct LongestEntry: Hashable, Codable, Sendable {
    package var number: Int64
    package var day: Day
    /// The number of its words.
    package var words: Int

    package init(number: Int64, day: Day, words: Int) {
      self.number = number
      self.day = day
      self.words = words
    }
  }

  /// The days with entries, in order.
  package var days: [DayCount]
  /// The number of entries per hour of the local clock, 0 to 23.
  package var hours: [Int]
  /// The number of starred entries.
  package var starred: Int
  /// The entry with the most words; of several, the one with the lowest number.
  package var longest: LongestEntry?
  /// The number of entries in the trash; other counts exclude them unless they were requested.
  package var trash: Int
  /// The number of different tags.
  package var tagCount: Int
  /// The most frequent tags, at most ``TagTally/limit``.
  package var tags: [TagStatistics]
  /// The files of the journal; `nil` for a part of it, and where there are none.
  package var files: FileTotals?

  /// Makes empty statistics.
  package init() {
    days = []
    hours = Array(repeating: 0, count: 24)
    starred = 0
    trash = 0
    tagCount = 0
    tags = []
  }

  /// The number of entries.
  package var entries: Int { days.reduce(0) { $0 + $1.entries } }
  /// The number of words in all entries.
  package var words: Int { days.reduce(0) { $0 + $1.words } }
  /// The first day with entries.
  package var first: Day? { days.first?.day }
  /// The last day with entries.
  package var last: Day? { days.last?.day }

  /// The number of days from the first one with entries to today, or to the last one if that is
  /// later; 0 without entries.
  package func span(today: Day) -> Int {
    guard let first, let last else { return 0 }
    return max(last, today).daysSinceEpoch - first.daysSinceEpoch + 1
  }
}

/// The files of a journal.
package struct FileTotals: Hashable, Codable, Sendable {
  /// Their number.
  package var count: Int
  /// Their size.
  package var bytes: Int

  package init(count: Int, bytes: Int) { (self.count, self.bytes) = (count, bytes) }
}

/// The counts of one day.
package struct DayCount: Hashable, Codable, Sendable {
  package var day: Day
  /// The number of its entries.
  package var entries: Int
  /// The number of words in them, as ``Entry/wordCount`` counts.
  package var words: Int

  package init(day: Day, entries: Int = 0, words: Int = 0) {
    self.day = day
    self.entries = entries
    self.words = words
  }
}

/// The counts of a month, a year, or another number of days.
package struct PeriodCount: Hashable, Sendable {
  /// The first day of the period, with or without entries.
  package var first: Day
  /// The number of its entries.
  package var entries: Int
  /// The number of words in them.
  package var words: Int
  /// The number of days with entries.
  package var days: Int

  package init(first: Day, entries: Int = 0, words: Int = 0, days: Int = 0) {
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

/// A ratio of two integers, such as entries per day, without floating point: its text is the same
/// on every machine.
package struct Rate: Hashable, Sendable {
  /// The numerator.
  package var count: Int
  /// The denominator; 0 makes the rate 0.
  package var per: Int

  package init(_ count: Int, per: Int) {
    self.count = count
    self.per = per
  }

  /// The rate in hundredths, rounded half up.
  package var hundredths: Int {
    guard per > 0 else { return 0 }
    let (quotient, remainder) = count.quotientAndRemainder(dividingBy: per)
    return quotient * 100 + (remainder * 200 + per) / (2 * per)
  }
}

extension Rate: CustomStringConvertible {
  /// Two decimals, as in JSON: `0.53`.
  package var description: String {
    "\(hundredths / 100).\(Digits.padded(hundredths % 100))"
  }
}

extension Statistics {
  /// The counts of a range of days.
  package func count(_ range: ClosedRange<Day>) -> PeriodCount {
    var count = PeriodCount(first: range.lowerBound)
    for day in days(in: range) { count.add(day) }
    return count
  }

  /// The days with entries in a range, in order.
  ///
  /// - Complexity: logarithmic in the number of days.
  package func days(in range: ClosedRange<Day>) -> ArraySlice<DayCount> {
    let start = days.partitioningIndex { $0.day >= range.lowerBound }
    let end = days.partitioningIndex { $0.day > range.upperBound }
    return days[start..<max(start, end)]
  }

  /// The months with entries, in order.
  package var months: [PeriodCount] {
    periods { Day(monthNumber: $0.monthNumber) }
  }

  /// The years with entries, in order.
  package var years: [PeriodCount] {
    periods { Day(civilYear: $0.year, month: 1, day: 1) }
  }

  private func periods(_ first: (Day) -> Day) -> [PeriodCount] {
    var periods: [PeriodCount] = []
    for count in days {
      let start = first(count.day)
      if periods.last?.first != start { periods.append(PeriodCount(first: start)) }
      periods[periods.count - 1].add(count)
    }
    return periods
  }

  /// The months of a range, in order, including those without entries.
  package func months(of range: ClosedRange<Day>) -> [PeriodCount] {
    let numbers = range.lowerBound.monthNumber...range.upperBound.monthNumber
    return numbers.map { number in
      let first = Day(monthNumber: number)
      let end = Day(daysSinceEpoch: Day(monthNumber: number + 1).daysSinceEpoch - 1)
      var count = self.count(max(first, range.lowerBound)...min(end, range.upperBound))
      count.first = first
      return count
    }
  }

  /// Entries by weekday, Monday first.
  package var weekdays: [Int] {
    var counts = Array(repeating: 0, count: 7)
    for count in days { counts[count.day.weekday - 1] += count.entries }
    return counts
  }

  /// The weekday with the most entries, 1 for Monday; of several, the first of the week.
  ///
  /// `nil` without entries.
  package var busiestWeekday: Int? { Self.busiest(weekdays).map { $0 + 1 } }

  /// The earliest hour with the most entries; `nil` without entries.
  package var busiestHour: Int? { Self.busiest(hours) }

  private static func busiest(_ counts: [Int]) -> Int? {
    guard let most = counts.max(), most > 0 else { return nil }
    return counts.firstIndex(of: most)
  }
}

extension Statistics {
  /// The current streak; `nil` if neither today nor yesterday has an entry.
  ///
  /// An unfinished day cannot break it: without an entry of today it ends yesterday. Entries of
  /// future days do not count.
  ///
  /// - Complexity: linear in the days from its beginning on.
  package func currentStreak(today: Day) -> Streak? {
    var next: Day?
    var streak: Streak?
    for count in days.reversed() where count.day <= today {
      if let expected = next {
        guard count.day == expected else { break }
        streak?.first = count.day
      } else {
        guard today.daysSinceEpoch - count.day.daysSinceEpoch <= 1 else { return nil }
        streak = Streak(first: count.day, last: count.day)
      }
      next = Day(daysSinceEpoch: count.day.daysSinceEpoch - 1)
    }
    return streak
  }

  /// The latest of the longest streaks; `nil` without entries.
  ///
  /// - Complexity: linear in the number of days.
  package var longestStreak: Streak? {
    var longest: Streak?
    var current: Streak?
    for count in days {
      if let last = current?.last, count.day.daysSinceEpoch - last.daysSinceEpoch == 1 {
        current?.last = count.day
      } else {
        current = Streak(first: count.day, last: count.day)
      }
      if let now = current, now.length >= longest?.length ?? 0 { longest = now }
    }
    return longest
  }
}

/// A run of consecutive days with entries.
package struct Streak: Hashable, Sendable {
  package var first: Day
  package var last: Day

  package init(first: Day, last: Day) {
    self.first = first
    self.last = last
  }

  /// The number of days, at least one.
  package var length: Int { last.daysSinceEpoch - first.daysSinceEpoch + 1 }
}
