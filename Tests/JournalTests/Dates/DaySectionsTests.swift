import Testing

@testable import Journal

@Suite("Sections of days")
struct DaySectionsTests {
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
      let range = try #require(Day.range(ofSection: key, .week))
      #expect(range == days[0]...days[6])
      #expect(
        SectionTitle.text(key: key, sectioning: .week, today: days[0])
          == "Week \(slow.week), \(slow.year)")
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
      #expect((Day.range(ofSection: "\(year)-W53", .week) != nil) == (first == 4 || last == 4))
    }
  }

  @Test("each sectioning has its key")
  func sectionKeys() throws {
    let day = try day("2026-03-05")
    let keys = Sectioning.allCases.map { Day.sectionKey(for: day, $0) }
    #expect(keys == ["2026-03-05", "2026-W10", "2026-03", "2026", "", ""])
  }

  @Test("a section's range holds exactly the days with its key")
  func ranges() throws {
    for start in ["2024-02-29", "2026-12-31", "2021-01-01", "1999-11-11"] {
      let start = try day(start)
      for sectioning in [Sectioning.day, .week, .month, .year] {
        let key = Day.sectionKey(for: start, sectioning)
        let range = try #require(Day.range(ofSection: key, sectioning))
        #expect(range.contains(start))
        #expect(Day.sectionKey(for: range.lowerBound, sectioning) == key)
        #expect(Day.sectionKey(for: range.upperBound, sectioning) == key)
        #expect(Day.sectionKey(for: range.lowerBound.adding(days: -1), sectioning) != key)
        #expect(Day.sectionKey(for: range.upperBound.adding(days: 1), sectioning) != key)
      }
    }
  }

  @Test("a key of another kind has no range")
  func wrongKeys() {
    #expect(Day.range(ofSection: "2026-W54", .week) == nil)
    #expect(Day.range(ofSection: "2025-W53", .week) == nil)
    #expect(Day.range(ofSection: "2026-W00", .week) == nil)
    #expect(Day.range(ofSection: "2026-13", .month) == nil)
    #expect(Day.range(ofSection: "2026-11", .day) == nil)
    #expect(Day.range(ofSection: "0000", .year) == nil)
    #expect(Day.range(ofSection: "home", .tag) == nil)
    #expect(Day.range(ofSection: "", .none) == nil)
  }

  @Test("titles are for people and move with today")
  func titles() throws {
    let today = try day("2026-11-22")
    func title(_ key: String, _ sectioning: Sectioning) -> String {
      SectionTitle.text(key: key, sectioning: sectioning, today: today)
    }
    #expect(title("2026-11-22", .day) == "Today")
    #expect(title("2026-11-21", .day) == "Yesterday")
    #expect(title("2026-11-20", .day) == "Friday 20 November 2026")
    #expect(title("2026-11-23", .day) == "Monday 23 November 2026")
    for key in ["0001-01-01", "2026-11-22"] {
      let untold = SectionTitle.text(key: key, sectioning: .day, today: nil)
      #expect(untold == SectionTitle.long(try day(key)))
    }
    #expect(title("2026-W47", .week) == "Week 47, 2026")
    #expect(title("2020-W53", .week) == "Week 53, 2020")
    #expect(title("2026-11", .month) == "November 2026")
    #expect(title("2026", .year) == "2026")
    #expect(title("work/api", .tag) == "#work/api")
    #expect(title("@anna", .tag) == "@anna")
    #expect(title("", .tag) == "Untagged")
    let typed = SectionTitle.text(
      key: "apfel", sectioning: .tag, today: today, tags: ["Zoo", "Äpfel", "@Apfel", "Apfel"])
    #expect(typed == "#Äpfel")
    #expect(title("", .none).isEmpty)
    #expect(title("nonsense", .day) == "nonsense")
    #expect(title("nonsense", .week) == "nonsense")
    #expect(title("nonsense", .month) == "nonsense")
  }

  @Test("names are the ones given, in a date in their own form")
  func names() throws {
    let names = DateNames(
      months: (1...12).map { "M\($0)" }, monthsInDate: (1...12).map { "m\($0)" },
      weekdays: ["Mo", "Di", "Mi", "Do", "Fr", "Sa", "So"])
    let today = try day("2027-01-01")
    func title(_ key: String, _ sectioning: Sectioning) -> String {
      SectionTitle.text(key: key, sectioning: sectioning, today: today, names: names)
    }
    #expect(title("2026-11-22", .day) == "So 22 m11 2026")
    #expect(title("2026-11", .month) == "M11 2026")
  }

  @Test("the C locale's names are the English ones")
  func systemNames() {
    // Nothing here calls setlocale, so the process is in the C locale.
    #expect(DateNames.system() == .english)
  }
}
