extension Statistics {
  /// What was written on some days.
  public func count(_ range: ClosedRange<Day>) -> PeriodCount {
    var count = PeriodCount(first: range.lowerBound)
    for day in days(in: range) { count.add(day) }
    return count
  }

  /// The days of a range that have entries, in order.
  ///
  /// - Complexity: logarithmic in the number of days.
  public func days(in range: ClosedRange<Day>) -> ArraySlice<DayCount> {
    let start = index(of: range.lowerBound)
    let end = index(of: Day(daysSinceEpoch: range.upperBound.daysSinceEpoch + 1))
    return days[start..<max(start, end)]
  }

  /// The first index whose day is this one or later.
  private func index(of day: Day) -> Int {
    var (low, high) = (0, days.count)
    while low < high {
      let middle = (low + high) / 2
      if days[middle].day < day { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The months with entries, in order.
  public var months: [PeriodCount] {
    periods { Day(monthNumber: $0.monthNumber) }
  }

  /// The years with entries, in order.
  public var years: [PeriodCount] {
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

  /// The months of some days, in order, those without entries too.
  public func months(of range: ClosedRange<Day>) -> [PeriodCount] {
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
  public var weekdays: [Int] {
    var counts = Array(repeating: 0, count: 7)
    for count in days { counts[count.day.weekday - 1] += count.entries }
    return counts
  }

  /// The weekday with the most entries, 1 for Monday, of several the first of the week.
  ///
  /// Nothing without entries.
  public var busiestWeekday: Int? { Self.busiest(weekdays).map { $0 + 1 } }

  /// The hour with the most entries, of several the earliest; nothing without entries.
  public var busiestHour: Int? { Self.busiest(hours) }

  private static func busiest(_ counts: [Int]) -> Int? {
    guard let most = counts.max(), most > 0 else { return nil }
    return counts.firstIndex(of: most)
  }
}
