import Testing

@testable import Journal

@Suite("Day")
struct DayTests {
  @Test("a day comes back from its text and its fields, over the whole calendar")
  func roundTrip() {
    let numbers = stride(
      from: Day.earliest.daysSinceEpoch, through: Day.latest.daysSinceEpoch, by: 97)
    for number in numbers {
      let day = Day(daysSinceEpoch: number)
      #expect(Day(day.description) == day)
      #expect(Day(year: day.year, month: day.month, day: day.day) == day)
    }
    #expect(Day.earliest.description == "0001-01-01")
    #expect(Day.latest.description == "9999-12-31")
    #expect(Day(daysSinceEpoch: 0).description == "1970-01-01")
  }

  @Test("each day follows the one before, over 400 years, by counting on one's fingers")
  func successionMatchesOracle() throws {
    var day = try day("1899-12-31")
    var (year, month, dayOfMonth, weekday) = (1899, 12, 31, 7)
    for _ in 0..<146_097 + 400 {
      let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      let lengths = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      dayOfMonth += 1
      weekday = weekday % 7 + 1
      if dayOfMonth > lengths[month - 1] { (month, dayOfMonth) = (month + 1, 1) }
      if month > 12 { (year, month) = (year + 1, 1) }
      day = day.adding(days: 1)
      guard (day.year, day.month, day.day, day.weekday) == (year, month, dayOfMonth, weekday) else {
        Issue.record("\(day) is not \(year)-\(month)-\(dayOfMonth)")
        return
      }
    }
  }

  @Test(
    "what is not a day is refused",
    arguments: [
      "", "2026", "2026-11", "2026-11-21 ", " 2026-11-21", "2026-11-2", "2026/11/21", "2026-13-01",
      "2026-00-10", "2026-01-00", "2026-02-29", "1900-02-29", "0000-00-00", "0000-01-01",
      "10000-01-01", "-026-01-01", "+026-01-01", "2026-+1-01", "２０２６-11-21", "2026-11-21T",
    ])
  func refused(text: String) {
    #expect(Day(text) == nil)
  }

  @Test("leap years have their day")
  func leapDays() {
    #expect(Day("2024-02-29") != nil)
    #expect(Day("2000-02-29") != nil)
    #expect(Day(year: 2023, month: 2, day: 29) == nil)
  }

  @Test(
    "months are added to the month's end at most",
    arguments: [
      ("2026-01-31", 1, "2026-02-28"), ("2024-01-31", 1, "2024-02-29"),
      ("2026-03-31", -1, "2026-02-28"), ("2026-11-21", 2, "2027-01-21"),
      ("2026-11-21", -12, "2025-11-21"), ("2024-02-29", 12, "2025-02-28"),
      ("2026-05-15", 0, "2026-05-15"), ("9999-11-30", 1, "9999-12-30"),
      ("9999-12-01", 1, "9999-12-31"), ("0001-01-15", -1, "0001-01-01"),
      ("2026-01-01", .max, "9999-12-31"), ("2026-01-01", .min, "0001-01-01"),
    ])
  func addingMonths(start: String, months: Int, end: String) throws {
    #expect(try day(start).adding(months: months).description == end)
  }

  @Test("adding days stops at the ends of the calendar")
  func addingDays() throws {
    #expect(try day("2026-12-31").adding(days: 1).description == "2027-01-01")
    #expect(try day("2026-03-01").adding(days: -1).description == "2026-02-28")
    #expect(try day("2026-03-01").adding(days: .max) == .latest)
    #expect(try day("2026-03-01").adding(days: .min) == .earliest)
    #expect(Day.latest.adding(days: 1) == .latest)
  }
}
