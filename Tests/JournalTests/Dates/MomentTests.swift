import TestSupport
import Testing

@testable import Journal

@Suite("Moment")
struct MomentTests {
  @Test(
    "a moment comes back from its text",
    arguments: [
      "2026-11-21T09:15:00+01:00", "1969-12-31T23:59:59+00:00", "1970-01-01T00:00:00-03:30",
      "0001-01-01T00:00:00+00:00", "9999-12-31T23:59:59-12:00", "2024-02-29T12:00:00+05:45",
    ])
  func roundTrip(text: String) throws {
    #expect(try moment(text).description == text)
  }

  @Test(
    "other ISO 8601 forms are understood",
    arguments: [
      ("2026-11-21T09:15:00Z", "2026-11-21T09:15:00+00:00"),
      ("2026-11-21T09:15:00z", "2026-11-21T09:15:00+00:00"),
      ("2026-11-21t09:15:00Z", "2026-11-21T09:15:00+00:00"),
      ("2026-11-21 09:15:00+01:00", "2026-11-21T09:15:00+01:00"),
      ("2026-11-21 09:15:00 +0100", "2026-11-21T09:15:00+01:00"),
      ("2026-11-21T09:15+01", "2026-11-21T09:15:00+01:00"),
      ("2026-11-21T09:15:00.999999Z", "2026-11-21T09:15:00+00:00"),
      ("2026-11-21T09:15:00,5-0330", "2026-11-21T09:15:00-03:30"),
      ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59+00:00"),
    ])
  func liberal(text: String, canonical: String) throws {
    #expect(try moment(text).description == canonical)
  }

  @Test(
    "what is no moment is refused",
    arguments: [
      "", "2026-11-21", "2026-11-21T09:15:00", "2026-11-21T24:00:00Z", "2026-11-21T09:60:00Z",
      "2026-11-21T09:15:61Z", "2026-11-21T09:15:00.Z", "2026-02-29T09:15:00Z",
      "2026-11-21T9:15:00Z", "2026-11-21T09:15:00+1", "2026-11-21T09:15:00+24:00",
      "2026-11-21T09:15:00+01:60", "2026-11-21T09:15:00Z ", "2026-11-21T09:15:00Z+01:00",
      "2026-11-21X09:15:00Z", "2026-11-21T", "2026-11-21T09", "2026-11-21T09:15:00+",
    ])
  func refused(text: String) {
    #expect(Moment(text) == nil)
  }

  @Test("local day and time follow the offset, also before 1970")
  func local() throws {
    let late = try moment("2026-11-21T23:30:00Z")
    let there = Moment(seconds: late.seconds, offset: 3600)
    #expect(there.localDay.description == "2026-11-22")
    #expect(there.localTime == (0, 30, 0))
    #expect(there.clockText == "00:30")
    let old = Moment(seconds: -1, offset: 0)
    #expect(old.localDay.description == "1969-12-31")
    #expect(old.localTime == (23, 59, 59))
  }

  @Test("an offset with seconds is rounded to minutes, so that the text says it all")
  func rounding() throws {
    #expect(Moment(seconds: 0, offset: 3208).offset == 3180)
    #expect(Moment(seconds: 0, offset: -3208).offset == -3180)
    #expect(Moment(seconds: 0, offset: 3210).offset == 3240)
    let berlin1850 = Moment(seconds: -3_786_825_600, offset: 3208)
    #expect(Moment(berlin1850.description) == berlin1850)
  }

  @Test("random moments come back from their text")
  func randomRoundTrip() throws {
    var generator = SeededGenerator(seed: 7)
    let first = try moment("0001-01-02T00:00:00Z").seconds
    let last = try moment("9999-12-30T00:00:00Z").seconds
    for _ in 0..<2000 {
      let made = Moment(
        seconds: .random(in: first...last, using: &generator),
        offset: .random(in: -1439...1439, using: &generator) * 60)
      #expect(Moment(made.description) == made)
    }
  }

  @Test("extreme seconds have a text and do not trap")
  func extremes() {
    for seconds in [Int64.min, -1, 0, .max] {
      #expect(!Moment(seconds: seconds, offset: 3600).description.isEmpty)
      #expect(DayRule().day(of: Moment(seconds: seconds, offset: -3600)).description.count >= 10)
    }
  }
}

@Suite("DayRule")
struct DayRuleTests {
  @Test(
    "half past one belongs to yesterday, four o'clock to today",
    arguments: [
      ("2026-11-22T01:30:00+01:00", "2026-11-21"), ("2026-11-22T03:59:59+01:00", "2026-11-21"),
      ("2026-11-22T04:00:00+01:00", "2026-11-22"), ("2026-11-22T23:59:59+01:00", "2026-11-22"),
      ("2027-01-01T00:00:00-05:00", "2026-12-31"),
    ])
  func fourOClock(text: String, expected: String) throws {
    #expect(DayRule().day(of: try moment(text)).description == expected)
  }

  @Test("a day may end at midnight or at any minute")
  func otherEnds() throws {
    let late = try moment("2026-11-22T00:00:00+01:00")
    #expect(DayRule(endsAt: 0).day(of: late).description == "2026-11-22")
    for minute in 0..<1440 {
      let rule = DayRule(endsAt: minute)
      let end = Moment(seconds: late.seconds + Int64(minute) * 60, offset: late.offset)
      #expect(rule.day(of: end).description == "2026-11-22", "\(minute)")
      let before = Moment(seconds: end.seconds - 1, offset: end.offset)
      #expect(rule.day(of: before).description == "2026-11-21", "\(minute)")
    }
    #expect(DayRule("04:30")?.endsAt == 270)
    #expect(DayRule("00:00")?.endsAt == 0)
    #expect(DayRule("24:00") == nil)
    #expect(DayRule("4") == nil)
    #expect(DayRule("04:3x") == nil)
    #expect(DayRule(endsAt: -5).endsAt == 0)
    #expect(DayRule(endsAt: 9999).endsAt == 1439)
  }
}
