import TestSupport
import Testing

@testable import Journal

/// Statistics are what slow counting gives, whatever the order of the entries.
@Suite("Statistics")
struct StatisticsTests {
  private func counted(_ days: [String]) throws -> Statistics {
    var counter = StatisticsCounter()
    for (index, text) in days.enumerated() {
      counter.add(
        number: Int64(index + 1), day: try day(text), localSeconds: 0, words: index + 1,
        isStarred: false)
    }
    return counter.finished()
  }

  @Test("the statistics of no entries are zero")
  func empty() throws {
    let none = StatisticsCounter().finished()
    let today = try day("2026-11-21")
    #expect(none == Statistics())
    #expect(none.entries == 0 && none.words == 0 && none.first == nil && none.last == nil)
    #expect(none.span(today: today) == 0)
    #expect(none.currentStreak(today: today) == nil && none.longestStreak == nil)
    #expect(none.months.isEmpty && none.years.isEmpty && none.weekdays == [0, 0, 0, 0, 0, 0, 0])
    #expect(none.busiestHour == nil && none.busiestWeekday == nil)
    #expect(none.count(today...today) == PeriodCount(first: today))
    #expect(none.months(of: today...today).map(\.entries) == [0])
  }

  @Test("one entry is a streak of one day, and every average of its own")
  func one() throws {
    let today = try day("2026-11-21")
    var counter = StatisticsCounter()
    counter.add(try entry("four words and more", number: 7, starred: true))
    let one = counter.finished()
    #expect(one.days == [DayCount(day: today, entries: 1, words: 4)])
    #expect(one.longest == .init(number: 7, day: today, words: 4))
    #expect(one.starred == 1 && one.hours[9] == 1 && one.hours.reduce(0, +) == 1)
    #expect(one.currentStreak(today: today) == Streak(first: today, last: today))
    #expect(one.longestStreak?.length == 1 && one.span(today: today) == 1)
    #expect(one.busiestWeekday == 6 && one.busiestHour == 9)
  }

  @Test(
    "the current streak ends today or yesterday, and days to come have no part in it",
    arguments: [
      (["2026-11-21"], 1), (["2026-11-20"], 1), (["2026-11-19"], 0),
      (["2026-11-18", "2026-11-19", "2026-11-20"], 3),
      (["2026-11-18", "2026-11-20", "2026-11-21"], 2),
      (["2026-11-20", "2026-11-21", "2026-11-22", "2026-11-23"], 2),
      (["2026-11-22"], 0), (["0001-01-01", "2026-11-21", "9999-12-31"], 1),
    ])
  func current(days: [String], length: Int) throws {
    let today = try day("2026-11-21")
    #expect(try counted(days).currentStreak(today: today)?.length ?? 0 == length)
  }

  @Test("streaks go on over the ends of months and years and over leap days")
  func longest() throws {
    let leap = try counted(["2024-02-28", "2024-02-29", "2024-03-01"]).longestStreak
    #expect(leap?.length == 3)
    #expect(try counted(["2023-02-28", "2023-03-01"]).longestStreak?.length == 2)
    #expect(try counted(["2100-02-28", "2100-03-01"]).longestStreak?.length == 2)
    #expect(try counted(["2025-12-31", "2026-01-01"]).longestStreak?.length == 2)
    let latest = try counted(["2025-01-01", "2025-01-02", "2026-01-01", "2026-01-02"]).longestStreak
    #expect(latest?.first == (try day("2026-01-01")))
  }

  @Test(
    "hours are those that the local clock showed, also before 1970 and when clocks are set back")
  func hours() throws {
    var counter = StatisticsCounter()
    for text in [
      "2026-10-25T02:30:00+02:00", "2026-10-25T02:30:00+01:00", "2026-03-29T03:00:00+02:00",
      "1969-12-31T23:59:59+00:00", "0001-01-01T00:00:00+14:00",
    ] {
      let moment = try moment(text)
      counter.add(
        number: 1, day: moment.localDay, localSeconds: moment.seconds + Int64(moment.offset),
        words: 1, isStarred: false)
    }
    let hours = counter.finished().hours
    #expect(hours[2] == 2 && hours[3] == 1 && hours[23] == 1 && hours[0] == 1)
  }

  @Test("rates are rounded half up to hundredths, and nothing over nothing is nothing")
  func rates() {
    let texts = [(1, 3), (2, 3), (1, 8), (5, 1), (0, 9), (3, 0), (1, 200), (1, 201), (199, 200)]
      .map { Rate($0.0, per: $0.1).description }
    #expect(
      texts == ["0.33", "0.67", "0.13", "5.00", "0.00", "0.00", "0.01", "0.00", "1.00"])
  }

  @Test("random journals come to what slow counting gives", arguments: 0..<60)
  func random(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let start = Int.random(in: -800_000...2_900_000, using: &random)
    let width = [3, 40, 900].randomElement(using: &random) ?? 3
    let days = (0..<Int.random(in: 1...120, using: &random)).map { _ in
      min(
        max(Day(daysSinceEpoch: start + Int.random(in: 0..<width, using: &random)), .earliest),
        .latest)
    }
    var counter = StatisticsCounter()
    for (index, day) in days.enumerated() {
      counter.add(number: Int64(index), day: day, localSeconds: 0, words: index, isStarred: false)
    }
    let statistics = counter.finished()
    let slow = SlowStatistics(days: days)
    let today = days[0].adding(days: Int.random(in: -2...2, using: &random))
    #expect(statistics.months.map(\.first.monthKey) == slow.keys(\.monthKey))
    #expect(statistics.years.map(\.first.yearKey) == slow.keys(\.yearKey))
    #expect(
      statistics.months.map(\.entries) == slow.keys(\.monthKey).map { slow.count($0, \.monthKey) })
    #expect(
      statistics.years.map(\.entries) == slow.keys(\.yearKey).map { slow.count($0, \.yearKey) })
    #expect(statistics.weekdays == (1...7).map { weekday in days.count { $0.weekday == weekday } })
    #expect(statistics.currentStreak(today: today)?.length ?? 0 == slow.current(today))
    #expect(statistics.longestStreak?.length == slow.longest)
    #expect(statistics.words == days.indices.reduce(0, +))
    let range = today...today.adding(days: 20)
    #expect(statistics.count(range).entries == days.count { range.contains($0) })
    #expect(statistics.count(range).days == Set(days.filter { range.contains($0) }).count)
    let months = statistics.months(of: range)
    #expect(months.reduce(0) { $0 + $1.entries } == days.count { range.contains($0) })
    #expect(months.map(\.first.monthKey) == slow.months(of: range))
  }
}

/// The slow, obvious way: ask about each day.
private struct SlowStatistics {
  let days: [Day]
  let written: Set<Day>

  init(days: [Day]) {
    self.days = days
    written = Set(days)
  }

  func keys(_ key: (Day) -> String) -> [String] { Set(days.map(key)).sorted() }

  func count(_ text: String, _ key: (Day) -> String) -> Int { days.count { key($0) == text } }

  func current(_ today: Day) -> Int {
    var day = written.contains(today) ? today : Day(daysSinceEpoch: today.daysSinceEpoch - 1)
    var length = 0
    while written.contains(day) {
      length += 1
      day = Day(daysSinceEpoch: day.daysSinceEpoch - 1)
    }
    return length
  }

  var longest: Int {
    written.map { start in
      var length = 0
      while written.contains(Day(daysSinceEpoch: start.daysSinceEpoch + length)) { length += 1 }
      return length
    }.max() ?? 0
  }

  func months(of range: ClosedRange<Day>) -> [String] {
    var keys: [String] = []
    for number in range.lowerBound.daysSinceEpoch...range.upperBound.daysSinceEpoch {
      let key = Day(daysSinceEpoch: number).monthKey
      if keys.last != key { keys.append(key) }
    }
    return keys
  }
}
