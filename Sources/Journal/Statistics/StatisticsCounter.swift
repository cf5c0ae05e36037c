/// Counts entries one after the other, in any order; in that of their days it is fastest.
///
/// - Complexity: constant for each entry; a few thousand days take a few hundred kilobytes.
public struct StatisticsCounter: Sendable {
  private var statistics = Statistics()
  private var current: DayCount?
  private var days: [Int: DayCount] = [:]

  /// Makes a counter that has seen nothing.
  public init() {}

  /// Counts an entry.
  ///
  /// - Parameter localSeconds: when it was written, in seconds since 1970 on the local clock.
  public mutating func add(
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
  /// - Parameter words: its words, where they are known already.
  public mutating func add(_ entry: Entry, words: Int? = nil) {
    add(
      number: entry.number, day: entry.day,
      localSeconds: entry.created.seconds &+ Int64(entry.created.offset),
      words: words ?? entry.wordCount, isStarred: entry.starred)
  }

  /// What was counted; trash and tags are counted elsewhere.
  public func finished() -> Statistics {
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
