import Testing

@testable import Journal

/// Parses on Saturday, 2026-11-21, 09:15 in Berlin by default.
private func parse(
  _ text: String, at now: String = "2026-11-21T09:15:00+01:00", clock: WallClock? = nil
) throws -> When {
  try When.parse(
    text, now: moment(now), clock: clock ?? WallClock.berlin(at: now), rule: DayRule())
}

private func resolve(
  _ text: String, at now: String = "2026-11-21T09:15:00+01:00", clock: WallClock? = nil
) throws -> (created: Moment, day: Day) {
  let clock = try clock ?? WallClock.berlin(at: now)
  return try When.parse(text, now: moment(now), clock: clock, rule: DayRule())
    .resolved(now: moment(now), clock: clock, rule: DayRule())
}

@Suite("When")
struct WhenTests {
  @Test(
    "forms that name days",
    arguments: [
      ("2026-11-21", "2026-11-21", "2026-11-21"), ("today", "2026-11-21", "2026-11-21"),
      ("Today", "2026-11-21", "2026-11-21"), ("  today ", "2026-11-21", "2026-11-21"),
      ("yesterday", "2026-11-20", "2026-11-20"), ("saturday", "2026-11-21", "2026-11-21"),
      ("SUNDAY", "2026-11-15", "2026-11-15"), ("monday", "2026-11-16", "2026-11-16"),
      ("fri", "2026-11-20", "2026-11-20"), ("3d", "2026-11-18", "2026-11-18"),
      ("0d", "2026-11-21", "2026-11-21"), ("2w", "2026-11-07", "2026-11-07"),
      ("6m", "2026-05-21", "2026-05-21"), ("1Y", "2025-11-21", "2025-11-21"),
      ("2026-11", "2026-11-01", "2026-11-30"), ("2024-02", "2024-02-01", "2024-02-29"),
      ("2026", "2026-01-01", "2026-12-31"), ("0001", "0001-01-01", "0001-12-31"),
      ("2026-1-5", "2026-01-05", "2026-01-05"), ("2026/11/21", "2026-11-21", "2026-11-21"),
      ("21.11.2026", "2026-11-21", "2026-11-21"), ("11/21/2026", "2026-11-21", "2026-11-21"),
      ("4/4/2026", "2026-04-04", "2026-04-04"), ("2026-W47", "2026-11-16", "2026-11-22"),
      ("2026-w01", "2025-12-29", "2026-01-04"), ("2026-Q4", "2026-10-01", "2026-12-31"),
      ("2024-q1", "2024-01-01", "2024-03-31"),
    ])
  func days(text: String, first: String, last: String) throws {
    let when = try parse(text)
    #expect(when == .day(first: try day(first), last: try day(last)))
    #expect(when.firstDay.description == first)
    #expect(when.lastDay.description == last)
  }

  @Test(
    "days as people say them, seen from a Saturday",
    arguments: [
      ("tomorrow", "2026-11-22", "2026-11-22"), ("last friday", "2026-11-20", "2026-11-20"),
      ("last saturday", "2026-11-14", "2026-11-14"),
      ("next saturday", "2026-11-28", "2026-11-28"),
      ("this sunday", "2026-11-22", "2026-11-22"), ("this saturday", "2026-11-21", "2026-11-21"),
      ("Last-Friday", "2026-11-20", "2026-11-20"), ("last week", "2026-11-09", "2026-11-15"),
      ("this week", "2026-11-16", "2026-11-22"), ("last month", "2026-10-01", "2026-10-31"),
      ("last year", "2025-01-01", "2025-12-31"), ("next year", "2027-01-01", "2027-12-31"),
      ("3 days ago", "2026-11-18", "2026-11-18"), ("a week ago", "2026-11-14", "2026-11-14"),
      ("in 2 weeks", "2026-12-05", "2026-12-05"), ("1 month ago", "2026-10-21", "2026-10-21"),
      ("oct 12", "2026-10-12", "2026-10-12"), ("12 Oct", "2026-10-12", "2026-10-12"),
      ("oct-12", "2026-10-12", "2026-10-12"), ("24 december", "2025-12-24", "2025-12-24"),
      ("October 12th, 2024", "2024-10-12", "2024-10-12"),
      ("Mon 12 Oct 2026", "2026-10-12", "2026-10-12"),
      ("21 nov", "2026-11-21", "2026-11-21"), ("22 nov", "2025-11-22", "2025-11-22"),
      ("29 feb", "2024-02-29", "2024-02-29"), ("october", "2026-10-01", "2026-10-31"),
      ("december", "2025-12-01", "2025-12-31"), ("feb 2024", "2024-02-01", "2024-02-29"),
      ("Sept. 2024", "2024-09-01", "2024-09-30"), ("12. oct", "2026-10-12", "2026-10-12"),
      ("may", "2026-05-01", "2026-05-31"), ("2024-oct-12", "2024-10-12", "2024-10-12"),
    ])
  func phrases(text: String, first: String, last: String) throws {
    #expect(try parse(text) == .day(first: day(first), last: day(last)))
  }

  @Test("last, this and next weekdays surround today on every day of a year")
  func weekdaysAround() throws {
    for offset in 0..<366 {
      let today = try day("2024-01-01").adding(days: offset)
      for (index, name) in When.weekdays.enumerated() {
        let phrase = DayPhrase(today: today)
        let days = try ["last", "this", "next"].map { word in
          try #require(try phrase.range([word, name], in: name)).lowerBound
        }
        #expect(days.allSatisfy { $0.weekday == index + 1 })
        #expect(days[0] < today && days[0] >= today.adding(days: -7))
        #expect(days[1].weekKey == today.weekKey)
        #expect(days[2] > today && days[2] <= today.adding(days: 7))
      }
    }
  }

  @Test(
    "forms that name an instant",
    arguments: [
      ("2026-11-20 18:05", "2026-11-20T18:05:00+01:00", "2026-11-20"),
      ("2026-07-01 18:05", "2026-07-01T18:05:00+02:00", "2026-07-01"),
      ("2026-11-20 18:05:33", "2026-11-20T18:05:33+01:00", "2026-11-20"),
      ("2026-11-20T18:05", "2026-11-20T18:05:00+01:00", "2026-11-20"),
      ("2026-11-20 01:30", "2026-11-20T01:30:00+01:00", "2026-11-20"),
      ("2026-11-20T18:05:00-08:00", "2026-11-20T18:05:00-08:00", "2026-11-20"),
      ("2026-11-20 18:05:00-08:00", "2026-11-20T18:05:00-08:00", "2026-11-20"),
      ("2026-11-20T18:05:00Z", "2026-11-20T18:05:00+00:00", "2026-11-20"),
      ("yesterday 18:05", "2026-11-20T18:05:00+01:00", "2026-11-20"),
      ("monday 7:00", "2026-11-16T07:00:00+01:00", "2026-11-16"),
      ("3d 23:59", "2026-11-18T23:59:00+01:00", "2026-11-18"),
      ("08:05", "2026-11-21T08:05:00+01:00", "2026-11-21"),
      ("01:30", "2026-11-21T01:30:00+01:00", "2026-11-20"),
      ("yesterday at 9am", "2026-11-20T09:00:00+01:00", "2026-11-20"),
      ("last friday 9:15pm", "2026-11-20T21:15:00+01:00", "2026-11-20"),
      ("12 oct noon", "2026-10-12T12:00:00+02:00", "2026-10-12"),
      ("9am", "2026-11-21T09:00:00+01:00", "2026-11-21"),
      ("at 9 am", "2026-11-21T09:00:00+01:00", "2026-11-21"),
      ("yesterday 9:30pm", "2026-11-20T21:30:00+01:00", "2026-11-20"),
      ("monday at 9:30 PM", "2026-11-16T21:30:00+01:00", "2026-11-16"),
      ("12 oct, 2026 at 9:05am", "2026-10-12T09:05:00+02:00", "2026-10-12"),
      ("3d 9 am", "2026-11-18T09:00:00+01:00", "2026-11-18"),
      ("2026-11-20 at 18:05", "2026-11-20T18:05:00+01:00", "2026-11-20"),
      ("12am", "2026-11-21T00:00:00+01:00", "2026-11-20"),
      ("2026-11-20 12pm", "2026-11-20T12:00:00+01:00", "2026-11-20"),
    ])
  func moments(text: String, expected: String, dayText: String) throws {
    #expect(try parse(text) == .moment(moment(expected), day: day(dayText)))
  }

  @Test("after midnight today is still yesterday, and times are around now")
  func afterMidnight() throws {
    let night = "2026-11-22T01:30:00+01:00"
    #expect(try parse("today", at: night).firstDay.description == "2026-11-21")
    #expect(try parse("yesterday", at: night).firstDay.description == "2026-11-20")
    #expect(try parse("saturday", at: night).firstDay.description == "2026-11-21")
    #expect(try parse("sunday", at: night).firstDay.description == "2026-11-15")
    let evening = try resolve("23:00", at: night)
    #expect(evening.created.description == "2026-11-21T23:00:00+01:00")
    #expect(evening.day.description == "2026-11-21")
    let justNow = try resolve("01:15", at: night)
    #expect(justNow.created.description == "2026-11-22T01:15:00+01:00")
    #expect(justNow.day.description == "2026-11-21")
  }

  @Test(
    "a date without a time takes the present clock time and keeps its day",
    arguments: [
      ("2026-11-19", "2026-11-19T09:15:00+01:00", "2026-11-19"),
      ("2026-07-01", "2026-07-01T09:15:00+02:00", "2026-07-01"),
      ("yesterday", "2026-11-20T09:15:00+01:00", "2026-11-20"),
      ("today", "2026-11-21T09:15:00+01:00", "2026-11-21"),
      ("2026-05", "2026-05-01T09:15:00+02:00", "2026-05-01"),
      ("2025", "2025-01-01T09:15:00+01:00", "2025-01-01"),
      ("2026-11-20 02:00", "2026-11-20T02:00:00+01:00", "2026-11-20"),
    ])
  func resolved(text: String, created: String, dayText: String) throws {
    let result = try resolve(text)
    #expect(result.created.description == created)
    #expect(result.day.description == dayText)
  }

  @Test("back-dating after midnight keeps the day that was named")
  func backDatingAtNight() throws {
    let night = "2026-11-22T01:30:00+01:00"
    let named = try resolve("2026-11-19", at: night)
    #expect(named.created.description == "2026-11-19T01:30:00+01:00")
    #expect(named.day.description == "2026-11-19")
    let today = try resolve("today", at: night)
    #expect(today.created.description == night)
    #expect(today.day.description == "2026-11-21")
    let calendarDay = try resolve("2026-11-22", at: night)
    #expect(calendarDay.created.description == night)
    #expect(calendarDay.day.description == "2026-11-22")
  }

  @Test("a time in a gap is refused and the next one named")
  func gap() throws {
    let error = #expect(throws: WhenError.self) {
      try parse("2026-03-08 02:30", clock: .newYork())
    }
    let next = try moment("2026-03-08T03:30:00-04:00")
    #expect(error == .skipped(text: "2026-03-08 02:30", next: next))
    #expect(error.map { "\($0)".contains("2026-03-08T03:30:00-04:00") } == true)
  }

  @Test("a time that comes twice is the first one, with its offset")
  func twice() throws {
    let result = try resolve("2026-11-01 01:30", clock: .newYork())
    #expect(result.created.description == "2026-11-01T01:30:00-04:00")
  }

  @Test("the present time in a gap of a day named without a time is shifted")
  func presentTimeInGap() throws {
    let result = try resolve("2026-03-29", at: "2026-11-21T02:30:00+01:00")
    #expect(result.created.description == "2026-03-29T03:30:00+02:00")
    #expect(result.day.description == "2026-03-29")
  }

  @Test("a day that never was is refused for an entry, and searched for all the same")
  func missingDay() throws {
    let now = "2012-01-05T10:00:00+14:00"
    #expect(throws: WhenError.self) { try resolve("2011-12-30", at: now, clock: .apia()) }
    #expect(throws: WhenError.self) { try resolve("2011-12-30 12:00", at: now, clock: .apia()) }
    #expect(
      try parse("2011-12-30", at: now, clock: .apia()).firstDay.description == "2011-12-30")
  }
}

@Suite("Dates that are refused")
struct WhenErrorTests {
  @Test(
    "each with its reason",
    arguments: [
      ("", WhenError.empty), ("   ", .empty),
      ("2026-02-29", .noSuchDay("2026-02-29")), ("2026-13-01", .noSuchDay("2026-13-01")),
      ("2026-13", .noSuchDay("2026-13")), ("2026-02-30 09:00", .noSuchDay("2026-02-30")),
      ("0000-00-00", .outOfRange("0000-00-00")), ("0000", .outOfRange("0000")),
      ("10000-01-01", .outOfRange("10000-01-01")), ("10000", .outOfRange("10000")),
      ("9999999d", .outOfRange("9999999d")),
      ("9999999999999999999999d", .outOfRange("9999999999999999999999d")),
      ("3000y", .outOfRange("3000y")),
      (
        "03/04/2026",
        .otherForm("03/04/2026", candidates: ["2026-04-03", "2026-03-04"])
      ),
      ("45/45/2026", .otherForm("45/45/2026", candidates: [])),
      ("24:00", .noSuchTime("24:00")), ("today 12:60", .noSuchTime("12:60")),
      ("2026-11 09:00", .timeNeedsDay("2026-11 09:00")),
      ("yesteday", .unknown("yesteday", suggestion: "yesterday")),
      ("mondya", .unknown("mondya", suggestion: "monday")),
      ("gibberish", .unknown("gibberish", suggestion: nil)),
      ("d", .unknown("d", suggestion: nil)), ("2026-11-21 09", nil), ("1:2:3:4", nil),
      ("today at nine", nil), ("-3d", nil), ("٣d", nil), ("3 d", nil), ("2026-11-21T", nil),
      ("31 april", .noSuchDay("31 april")), ("2026-2-30", .noSuchDay("2026-2-30")),
      ("last fryday", .unknown("last fryday", suggestion: "last friday")),
      ("octobre", .unknown("octobre", suggestion: "october")),
      ("last week 09:00", .timeNeedsDay("last week 09:00")), ("13pm", nil), ("last", nil),
      ("oct oct", nil), ("2 fortnights ago", nil), ("12-10-26", nil), ("9999999 days ago", nil),
      ("2026-", nil), ("12", nil), ("26", nil), ("9:5", nil),
    ])
  func refused(text: String, expected: WhenError?) throws {
    let error = #expect(throws: WhenError.self) { try parse(text) }
    if let expected { #expect(error == expected) }
    #expect(error.map { "\($0)".contains("\n") } == false)
  }

  @Test("an ambiguous date says which form to use")
  func message() throws {
    let error = #expect(throws: WhenError.self) { try parse("03/04/2026") }
    #expect(
      error?.description
        == "\"03/04/2026\" can be read in two ways: write 2026-04-03 or 2026-03-04")
  }
}
