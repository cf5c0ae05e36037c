import TestSupport
import Testing

@testable import Journal

@Suite("Kinds of sections")
struct GroupingTests {
  /// Week 1 is the one with 4 January in it; the others are counted from its Monday.
  private func slowWeek(_ day: Day) throws -> (year: Int, week: Int) {
    for year in [day.year + 1, day.year, day.year - 1] {
      guard var monday = Day(year: year, month: 1, day: 4) else { continue }
      while monday.weekday != 1 { monday = Day(daysSinceEpoch: monday.daysSinceEpoch - 1) }
      if monday <= day { return (year, (day.daysSinceEpoch - monday.daysSinceEpoch) / 7 + 1) }
    }
    return try #require(nil)
  }

  @Test("ISO weeks are the ones that counting from 4 January gives, at every turn of 400 years")
  func isoWeeks() throws {
    for year in 1800..<2200 {
      let newYear = try #require(Day(year: year, month: 1, day: 1))
      for distance in Array(-10...10) + [100, 200] {
        let day = newYear.adding(days: distance)
        let slow = try slowWeek(day)
        #expect(day.isoWeek == slow, "\(day)")
      }
    }
  }

  @Test(
    "keys are the ones people know",
    arguments: [
      ("2026-11-21", "2026-W47"), ("2021-01-03", "2020-W53"), ("2024-12-30", "2025-W01"),
      ("2027-01-01", "2026-W53"), ("0001-01-01", "0001-W01"), ("9999-12-31", "9999-W52"),
    ])
  func weekKeys(text: String, key: String) throws {
    #expect(try day(text).weekKey == key)
  }

  @Test("every week of 2015 to 2032 is the days with its key, and is called by its number and year")
  func weeks() throws {
    var monday = try day("2014-12-29")
    let end = try day("2033-01-09")
    var long: [Int] = []
    while monday <= end {
      let slow = try slowWeek(monday)
      let key = "\(slow.year)-W\(slow.week < 10 ? "0" : "")\(slow.week)"
      let days = (0..<7).map { monday.adding(days: $0) }
      #expect(monday.weekday == 1)
      #expect(Set(days.map(\.weekKey)) == [key])
      let range = try #require(Grouping.week.days(ofSection: key))
      #expect(range == days[0]...days[6])
      #expect(Grouping.week.title(ofSection: key) == "Week \(slow.week), \(slow.year)")
      if slow.week == 53 { long.append(slow.year) }
      monday = monday.adding(days: 7)
    }
    #expect(long == [2015, 2020, 2026, 2032])
  }

  @Test("a year has a week 53 when it begins or, in a leap year, ends on a Thursday")
  func longYears() throws {
    for year in 1583...2600 {
      let first = try #require(Day(year: year, month: 1, day: 1)).weekday
      let last = try #require(Day(year: year, month: 12, day: 31)).weekday
      #expect((Grouping.week.days(ofSection: "\(year)-W53") != nil) == (first == 4 || last == 4))
    }
  }

  @Test("every kind of sections of days has its key")
  func keys() throws {
    let day = try day("2026-03-05")
    let keys = Grouping.allCases.compactMap { $0.key(of: day) }
    #expect(keys == ["2026-03-05", "2026-W10", "2026-03", "2026-Q1", "2026"])
    #expect(keys.count == Grouping.allCases.count { $0.period != nil })
  }

  /// The days of each section of a kind between two days, by a walk from day to day.
  private func walk(_ grouping: Grouping, _ first: Day, _ last: Day) -> [String: ClosedRange<Day>] {
    var sections: [String: ClosedRange<Day>] = [:]
    for number in first.daysSinceEpoch...last.daysSinceEpoch {
      let day = Day(daysSinceEpoch: number)
      guard let key = grouping.key(of: day) else { return [:] }
      sections[key] = (sections[key]?.lowerBound ?? day)...day
    }
    return sections
  }

  @Test(
    "the days of every section are those with its key, and keys sort as they do",
    arguments: Grouping.allCases)
  func sections(grouping: Grouping) throws {
    // Both ends are ends of a section of every kind.
    let walked = walk(grouping, try day("1996-01-01"), try day("2000-12-31"))
    #expect(walked.isEmpty == (grouping.period == nil))
    for (key, days) in walked {
      #expect(grouping.days(ofSection: key) == days, "\(key)")
      #expect(Grouping.days(ofSection: key) == days, "\(key)")
      #expect(Grouping.kind(of: days) == grouping, "\(key)")
    }
    let keys = walked.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let firstDays = keys.compactMap { walked[$0]?.lowerBound }
    #expect(firstDays == firstDays.sorted())
  }

  @Test("no text but its key has the days of a section", arguments: Grouping.allCases)
  func otherTexts(grouping: Grouping) throws {
    var random = SeededGenerator(seed: SeededGenerator.runSeed)
    let (first, last) = (try day("1996-01-01"), try day("2000-12-31"))
    let walked = walk(grouping, first, last)
    for key in walked.keys.sorted() + ["home", ""] {
      for _ in 0..<20 {
        var bytes = Array(key.utf8)
        let place = Int.random(in: 0...bytes.count, using: &random)
        let end = min(place + Int.random(in: 0..<3, using: &random), bytes.count)
        let new = Array("0123456789-WQ .é".utf8).shuffled(using: &random).prefix(
          Int(random.next() % 3))
        bytes.replaceSubrange(place..<end, with: new)
        let text = String(decoding: bytes, as: UTF8.self)
        let found = grouping.days(ofSection: text)
        // Another year may have the section.
        if let found, found.upperBound < first || found.lowerBound > last { continue }
        #expect(found == walked[text], "\(text), RESULTS_SEED=\(SeededGenerator.runSeed)")
      }
    }
  }

  @Test("the sections at the ends of the calendar have its days", arguments: Grouping.allCases)
  func ends(grouping: Grouping) throws {
    for end in [Day.earliest, .latest] {
      guard let key = grouping.key(of: end) else { continue }
      let days = try #require(grouping.days(ofSection: key))
      #expect(days.contains(end))
      #expect(days.lowerBound >= .earliest && days.upperBound <= .latest)
      for number in days.lowerBound.daysSinceEpoch...days.upperBound.daysSinceEpoch {
        #expect(grouping.key(of: Day(daysSinceEpoch: number)) == key)
      }
    }
  }

  @Test(
    "the days of a period are those with its number, and a number outside the calendar has none",
    arguments: [Period.day, .week, .months(1), .months(3), .months(6), .months(12), .months(120)])
  func numbers(period: Period) {
    var random = SeededGenerator(seed: SeededGenerator.runSeed)
    let calendar = Day.earliest.daysSinceEpoch...Day.latest.daysSinceEpoch
    for _ in 0..<500 {
      let day = Day(daysSinceEpoch: .random(in: calendar, using: &random))
      let days = period.days(around: day)
      #expect(days.contains(day) && period.days(ofNumber: period.number(of: day)) == days)
      for (end, step) in [(days.lowerBound, -1), (days.upperBound, 1)] {
        #expect(period.number(of: end) == period.number(of: day))
        let next = end.adding(days: step)
        if next != end { #expect(period.number(of: next) != period.number(of: day)) }
      }
    }
    let last = period.number(of: .latest)
    for number in [.min, period.number(of: .earliest) - 7, last + 7, .max] {
      #expect(period.days(ofNumber: number) == nil, "\(number)")
    }
  }

  @Test("a key of another kind has no days")
  func wrongKeys() {
    #expect(Grouping.week.days(ofSection: "2026-W54") == nil)
    #expect(Grouping.week.days(ofSection: "2025-W53") == nil)
    #expect(Grouping.week.days(ofSection: "2026-W00") == nil)
    #expect(Grouping.month.days(ofSection: "2026-13") == nil)
    #expect(Grouping.day.days(ofSection: "2026-11") == nil)
    for key in ["2026-Q0", "2026-Q5", "2026-q4", "2026-QQ4", "2026Q4", "2026-Q٤"] {
      #expect(Grouping.kind(.quarter).days(ofSection: key) == nil)
    }
    #expect(Grouping.year.days(ofSection: "0000") == nil)
    #expect(Grouping.tag.days(ofSection: "2026") == nil)
    #expect(Grouping.none.days(ofSection: "") == nil)
  }

  @Test("titles are for people and move with today")
  func titles() throws {
    let today = try day("2026-11-22")
    func title(_ key: String, _ grouping: Grouping) -> String {
      grouping.title(ofSection: key, today: today)
    }
    #expect(title("2026-11-22", .day) == "Today, Sunday 22 November 2026")
    #expect(title("2026-11-21", .day) == "Yesterday, Saturday 21 November 2026")
    #expect(title("2026-11-20", .day) == "Friday 20 November 2026")
    #expect(title("2026-11-23", .day) == "Monday 23 November 2026")
    #expect(Grouping.day.title(ofSection: "2026-11-22") == "Sunday 22 November 2026")
    #expect(Grouping.day.title(ofSection: "0001-01-01") == "Monday 1 January 1")
    #expect(title("2026-W47", .week) == "Week 47, 2026")
    #expect(title("2020-W53", .week) == "Week 53, 2020")
    #expect(title("2026-11", .month) == "November 2026")
    #expect(title("2026-Q1", .kind(.quarter)) == "Q1 2026")
    #expect(title("2026", .year) == "2026")
    #expect(title("work/api", .tag) == "#work/api")
    #expect(title("@anna", .tag) == "@anna")
    #expect(title("", .tag) == "Untagged")
    let tags = ["Zoo", "Äpfel", "@Apfel", "Apfel"]
    #expect(Grouping.tag.title(ofSection: "apfel", names: tags) == "#Äpfel")
    #expect(title("", .none).isEmpty)
    for grouping in Grouping.allCases where grouping.key(of: today) != nil {
      #expect(title("nonsense", grouping) == "nonsense")
    }
  }

  @Test("an index has months, years or letters")
  func indexTitles() {
    func title(_ key: String, _ grouping: Grouping) -> String? {
      grouping.indexTitle(ofSection: key, .english)
    }
    #expect(title("2026-11-22", .day) == "Nov 2026")
    #expect(title("2026-W01", .week) == "Jan 2026")
    #expect(title("2026-11", .month) == "Nov 2026")
    #expect(title("2026-Q4", .kind(.quarter)) == "2026")
    #expect(title("2026", .year) == "2026")
    #expect(title("@anna", .tag) == "A")
    #expect(title("work", .tag) == "W")
    #expect(title("", .tag) == "–")
    #expect(title("", .none) == nil)
    #expect(title("nonsense", .week) == nil)
  }

  @Test("the index counts every week from 1970 to 2100 to the year in its title")
  func weeksInIndex() throws {
    var day = try #require(Day("1970-01-01"))
    var before = ""
    while day.year <= 2100 {
      let key = day.weekKey
      let year = try #require(
        Grouping.week.title(ofSection: key).split(separator: " ").last.map(String.init))
      let index = try #require(Grouping.week.indexDay(ofSection: key))
      #expect(index.yearKey == year, "\(key)")
      #expect(Grouping.week.indexTitle(ofSection: key, .english)?.hasSuffix(" \(year)") == true)
      // The months of the index are in the order of the weeks.
      #expect(before <= index.monthKey, "\(key)")
      before = index.monthKey
      day = day.adding(days: 7)
    }
  }

  @Test("names are the ones given, in a date in their own form")
  func names() throws {
    let names = DateNames(
      months: (1...12).map { "M\($0)" }, monthsInDate: (1...12).map { "m\($0)" },
      weekdays: ["Mo", "Di", "Mi", "Do", "Fr", "Sa", "So"])
    let style = DateStyle(names: names)
    #expect(Grouping.day.title(ofSection: "2026-11-22", style: style) == "So 22 m11 2026")
    #expect(Grouping.month.title(ofSection: "2026-11", style: style) == "M11 2026")
  }

  @Test("the C locale's names are the English ones")
  func systemNames() {
    // Nothing here calls setlocale, so the process is in the C locale.
    #expect(DateNames.system() == .english)
  }
}
