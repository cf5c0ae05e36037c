import Testing

@testable import Journal

/// The grid of a year: every day once, in its week and row.
@Suite("Heat map")
struct HeatMapTests {
  private func map(
    _ counts: [(String, Int)] = [], _ days: ClosedRange<Day>, firstWeekday: Int = 1
  ) throws -> HeatMap {
    var statistics = Statistics()
    statistics.days = try counts.map { DayCount(day: try day($0.0), entries: 1, words: $0.1) }
    return HeatMap(statistics, days: days, firstWeekday: firstWeekday)
  }

  @Test(
    "every day of a year stands once, in order, in the row of its weekday", arguments: [1, 6, 7])
  func years(firstWeekday: Int) throws {
    for year in Array(2015...2032) + [1, 1900, 2000, 9999] {
      let days = try #require(HeatMap.days(ofYear: year))
      let map = try map([], days, firstWeekday: firstWeekday)
      let shown = map.weeks.flatMap { $0 }.compactMap { $0?.day }
      let length = days.upperBound.daysSinceEpoch - days.lowerBound.daysSinceEpoch + 1
      #expect(shown.count == length && [365, 366].contains(length))
      #expect(shown.first == days.lowerBound && shown.last == days.upperBound)
      #expect(
        zip(shown, shown.dropFirst()).allSatisfy { $0.daysSinceEpoch + 1 == $1.daysSinceEpoch })
      #expect((53...54).contains(map.weeks.count))
      for week in map.weeks {
        #expect(week.count == 7)
        for (row, cell) in week.enumerated() {
          if let cell { #expect((cell.day.weekday - firstWeekday + 7) % 7 == row) }
        }
      }
    }
  }

  @Test("with weeks from Monday, the days of a column are one ISO week", arguments: 2015...2032)
  func isoWeeks(year: Int) throws {
    let map = try map([], try #require(HeatMap.days(ofYear: year)))
    for week in map.weeks {
      #expect(Set(week.compactMap { $0?.day.weekKey }).count == 1)
    }
  }

  @Test("the last weeks are 53 whole ones up to today", arguments: [1, 6, 7])
  func lastWeeks(firstWeekday: Int) throws {
    for distance in 0..<14 {
      let today = try day("2027-01-08").adding(days: -distance)
      let days = HeatMap.lastWeeks(today: today, firstWeekday: firstWeekday)
      let map = try map([], days, firstWeekday: firstWeekday)
      #expect(map.weeks.count == 53)
      #expect(map.weeks.dropLast().allSatisfy { $0.allSatisfy { $0 != nil } })
      #expect(map.weeks.last?.compactMap { $0 }.last?.day == today)
    }
    #expect(HeatMap.lastWeeks(today: .earliest, firstWeekday: 1).lowerBound == .earliest)
  }

  @Test("levels are quarters of the days with entries, and a day with an entry is never empty")
  func levels() throws {
    let days = try day("2026-11-02")...day("2026-11-15")
    func levels(_ words: [Int]) throws -> [Int] {
      let counts = words.enumerated().map {
        ("2026-11-\(Digits.padded($0.offset + 2))", $0.element)
      }
      return try map(counts, days).weeks.flatMap { $0 }.compactMap { $0?.level }
        .prefix(words.count + 1).map { $0 }
    }
    #expect(try levels([1, 2, 3, 4]) == [1, 2, 3, 4, 0])
    #expect(try levels([5]) == [4, 0])
    #expect(try levels([7, 7, 7]) == [4, 4, 4, 0])
    #expect(try levels([0, 100]) == [2, 4, 0])
    #expect(try levels([10, 80, 20, 70, 30, 60, 40, 50]) == [1, 4, 1, 4, 2, 3, 2, 3, 0])
  }

  @Test("years are 1 to 9999")
  func noYear() {
    #expect(HeatMap.days(ofYear: 0) == nil && HeatMap.days(ofYear: 10_000) == nil)
  }
}
