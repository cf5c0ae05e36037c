import Testing

@testable import Journal

@Suite("Day")
struct DayTests {
  @Test("a day comes back from its text, over the whole calendar")
  func roundTrip() throws {
    for number in stride(
      from: Day.earliest.daysSinceEpoch, through: Day.latest.daysSinceEpoch, by: 97)
    {
      let day = Day(daysSinceEpoch: number)
      #expect(Day(day.description) == day)
      #expect(Day(year: day.year, month: day.month, day: day.day) == day)
    }
    #expect(Day.earliest.description == "0001-01-01")
    #expect(Day.latest.description == "9999-12-31")
    #expect(Day(daysSinceEpoch: 0).description == "1970-01-01")
  }
}
