/// Counts entries one by one in any order, fastest in the order of their days.
///
/// - Complexity: constant for each entry; a few thousand days take a few hundred kilobytes.
package struct StatisticsCounter: Sendable {
  private var statistics = Statistics()
  private var current: DayCount?
  private var days: [Int: DayCount] = [:]

  package init() {}

  /// Counts an entry.
  ///
  /// - Parameter localSeconds: when it was written, in seconds since 1970 on the local clock.
  package mutating func add(
    number: Int64, day: Day, localSeconds: Int64, words: Int, isStarred: Bool
  ) {
    if current?.day != day {
      store()
      current = days[day.daysSinceEpoch] ?? DayCount(day: day)
    }
    current?.entries += 1
    current?.words += words
    let second = localSeconds % 86_400
    statistics.hours[Int(second < 0 ? second + 86_400 : second) / 3600] += 1
    if isStarred { statistics.starred += 1 }
    if let longest = statistics.longest,
      longest.words > words || (longest.words == words && longest.number < number)
    {
      return
    }
    statistics.longest = .init(number: number, day: day, words: words)
  }

  /// Counts an entry.
  ///
  /// - Parameter words: the number of its words, if known.
  package mutating func add(_ entry: Entry, words: Int? = nil) {
    add(
      number: entry.number, day: entry.day,
      localSeconds: entry.created.seconds &+ Int64(entry.created.offset),
      words: words ?? entry.wordCount, isStarred: entry.starred)
  }

  /// The statistics so far; trash and tags are counted elsewhere.
  package func finished() -> Statistics {
    var counter = self
    counter.store()
    var result = counter.statistics
    result.days = counter.days.values.sorted { $0.day < $1.day }
    return result
  }

  private mutating func store() {
    if let current { days[current.day.daysSinceEpoch] = current }
  }
}

/// A tag's use over time.
package struct TagStatistics: Hashable, Codable, Sendable {
  /// The use of a tag in a month.
  package struct Month: Hashable, Codable, Sendable {
    /// The first day of the month.
    package var first: Day
    /// The number of entries with the tag.
    package var entries: Int

    package init(first: Day, entries: Int) {
      self.first = first
      self.entries = entries
    }
  }

  /// The tag's name as typed in its earliest entry: `home`, `@anna`.
  package var tag: String
  /// The number of entries with it.
  package var entries: Int
  /// The months with such entries, in order.
  package var months: [Month]

  package init(tag: String, entries: Int, months: [Month]) {
    self.tag = tag
    self.entries = entries
    self.months = months
  }

  /// The number of entries with the tag in each of some months.
  package func entries(inMonths firsts: [Day]) -> [Int] {
    let known = Dictionary(months.map { ($0.first, $0.entries) }, uniquingKeysWith: +)
    return firsts.map { known[$0] ?? 0 }
  }
}

/// Counts the uses of tags by month.
package struct TagTally: Sendable {
  /// The maximum number of tags with monthly counts.
  package static let limit = 10

  private var months: [String: [Int: Int]] = [:]

  package init() {}

  /// Counts an entry with a tag.
  ///
  /// - Parameters:
  ///   - key: the folded tag.
  ///   - month: the entry's month, as ``Day/monthNumber`` gives it.
  package mutating func add(_ key: String, month: Int, entries: Int = 1) {
    months[key, default: [:]][month, default: 0] += entries
  }

  /// The number of different tags.
  package var count: Int { months.count }

  /// The most frequent tags; equally frequent ones in the order of their keys.
  ///
  /// - Parameter name: returns the displayed name for a key.
  package func top(name: (String) throws -> String) rethrows -> [TagStatistics] {
    let counted = months.map { (key: $0.key, entries: $0.value.values.reduce(0, +)) }
    let ordered = counted.sorted {
      $0.entries == $1.entries
        ? $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) : $0.entries > $1.entries
    }
    return try ordered.prefix(Self.limit).map { tag in
      let uses = (months[tag.key] ?? [:]).sorted { $0.key < $1.key }
      return TagStatistics(
        tag: try name(tag.key), entries: tag.entries,
        months: uses.map { .init(first: Day(monthNumber: $0.key), entries: $0.value) })
    }
  }
}

/// A grid of days with their amounts, for about a year: a column per week, a row per weekday.
///
/// The amount of a day is its words, since many people write one entry a day, which would make all days
/// alike; or the sum of a field. The levels are quartiles of the days with amounts: a quarter of them has
/// the highest.
package struct HeatMap: Hashable, Sendable {
  /// A day of the grid.
  package struct Cell: Hashable, Sendable {
    package var day: Day
    /// The amount; `nil` for none.
    package var amount: Int?
    /// The level, from 0 for no amount to ``HeatMap/levels``.
    package var level: Int
  }

  /// The highest level.
  package static let levels = AmountLevels.highest

  /// The days in the grid.
  package let days: ClosedRange<Day>
  /// The weekday of the first row, 1 for Monday.
  package let firstWeekday: Int
  /// The amounts of a day at each level.
  package let amounts: AmountLevels
  /// The weeks in order, seven cells each; `nil` outside the days in the grid.
  package let weeks: [[Cell?]]

  /// Makes the grid of the words of a range of days.
  ///
  /// - Complexity: linear in the days in the grid.
  package init(_ statistics: Statistics, days: ClosedRange<Day>, firstWeekday: Int) {
    self.init(
      statistics.days(in: days).map { ($0.day, $0.words) }, days: days, firstWeekday: firstWeekday)
  }

  /// Makes the grid of a range of days.
  ///
  /// - Parameter amounts: the amounts of days; levels are by their size, whatever their sign.
  package init(
    _ amounts: [(day: Day, amount: Int)], days: ClosedRange<Day>, firstWeekday: Int
  ) {
    self.days = days
    self.firstWeekday = firstWeekday
    let known = Dictionary(
      amounts.filter { days.contains($0.day) }.map { ($0.day, $0.amount) },
      uniquingKeysWith: { $1 })
    let levels = AmountLevels(known.values.map { abs($0) })
    self.amounts = levels
    let start = Self.start(ofWeekOf: days.lowerBound, firstWeekday).daysSinceEpoch
    weeks = stride(from: start, through: days.upperBound.daysSinceEpoch, by: 7).map { week in
      (week..<week + 7).map { number in
        let day = Day(daysSinceEpoch: number)
        guard days.contains(day) else { return nil }
        let amount = known[day]
        return Cell(
          day: day, amount: amount, level: amount.map { levels.level(of: abs($0)) } ?? 0)
      }
    }
  }

  /// The days of the 53 weeks that end with this one: a year, and whole weeks.
  package static func lastWeeks(today: Day, firstWeekday: Int) -> ClosedRange<Day> {
    let start = self.start(ofWeekOf: today, firstWeekday).adding(days: -52 * 7)
    return min(max(start, .earliest), today)...today
  }

  /// The days of a year from 1 to 9999; `nil` for another number.
  package static func days(ofYear year: Int) -> ClosedRange<Day>? {
    guard let first = Day(year: year, month: 1, day: 1),
      let last = Day(year: year, month: 12, day: 31)
    else { return nil }
    return first...last
  }

  private static func start(ofWeekOf day: Day, _ firstWeekday: Int) -> Day {
    Day(daysSinceEpoch: day.daysSinceEpoch - (day.weekday - firstWeekday + 7) % 7)
  }
}
