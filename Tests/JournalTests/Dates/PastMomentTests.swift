import Testing

@testable import Journal

/// The moment of the past that a date means.
struct PastMomentTests {
  /// 2026-11-21 18:00 an hour east of Greenwich.
  private let clock = WallClock.fixed(seconds: 1_795_280_400, offset: 3_600)

  private func past(_ words: String, _ rule: DayRule = DayRule(), clock: WallClock? = nil) throws
    -> String
  {
    let clock = clock ?? self.clock
    let now = clock.moment()
    return try When.past(words, now: now, clock: clock, rule: rule).description
  }

  @Test(
    "a day means its end, a time its minute's unless it has seconds, and what has not ended now",
    arguments: [
      ("yesterday", "2026-11-21T03:59:59+01:00"), ("2025-01-01", "2025-01-02T03:59:59+01:00"),
      ("today", "2026-11-21T18:00:00+01:00"), ("2026-11-21", "2026-11-21T18:00:00+01:00"),
      ("2025-01-01 14:00", "2025-01-01T14:00:59+01:00"),
      ("2025-01-01 14:00:00", "2025-01-01T14:00:00+01:00"),
      ("2025-01-01T14:00:07", "2025-01-01T14:00:07+01:00"),
      ("now", "2026-11-21T18:00:00+01:00"), ("18:00", "2026-11-21T18:00:00+01:00"),
      ("yesterday 9am", "2026-11-20T09:00:59+01:00"),
      ("2 weeks ago", "2026-11-08T03:59:59+01:00"),
      ("2025", "2026-01-01T03:59:59+01:00"), ("2026", "2026-11-21T18:00:00+01:00"),
      ("2026-10", "2026-11-01T03:59:59+01:00"), ("17:59", "2026-11-21T17:59:59+01:00"),
      ("2025-06-01T09:15:00+02:00", "2025-06-01T09:15:00+02:00"),
    ])
  func moments(words: String, moment: String) throws {
    #expect(try past(words) == moment)
  }

  @Test("days end when the rule says")
  func dayRule() throws {
    #expect(try past("yesterday", DayRule(endsAt: 0)) == "2026-11-20T23:59:59+01:00")
    // At two in the night the day before has not ended, and its calendar successor has begun.
    let night = WallClock.fixed(seconds: 1_795_280_400 + 8 * 3_600, offset: 3_600)
    #expect(try past("today", clock: night) == "2026-11-22T02:00:00+01:00")
    #expect(try past("2026-11-22", clock: night) == "2026-11-22T02:00:00+01:00")
    #expect(try past("yesterday", clock: night) == "2026-11-21T03:59:59+01:00")
  }

  @Test(
    "what has not come yet is refused",
    arguments: ["tomorrow", "2027", "2026-11-21 18:01", "18:01"])
  func future(words: String) {
    #expect(throws: WhenError.self) { try past(words) }
  }
}
