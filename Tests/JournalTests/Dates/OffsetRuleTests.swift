import Journal
import Testing

/// Which times say their offset from UTC.
struct OffsetRuleTests {
  private func row(_ number: Int64, _ text: String) -> EntryRow {
    let moment = Moment(text) ?? Moment(seconds: 0, offset: 0)
    return Entry(
      uuid: "u\(number)", number: number, created: moment, modified: moment,
      day: moment.localDay, text: "t"
    ).row()
  }

  private func text(_ row: EntryRow, _ rule: OffsetRule) -> String {
    DateStyle().text(of: row.created, on: row.day, rule)
  }

  @Test("a day of one zone that is the reader's says nothing, another zone says its offset")
  func foreign() {
    // In summer the reader's clock is two hours ahead, in winter one.
    let clock = WallClock(now: { 0 }, offset: { $0 < 1_793_000_000 ? 7_200 : 3_600 })
    var rule = OffsetRule(clock)
    let (summer, winter) = (
      row(1, "2026-07-01T09:00:00+02:00"), row(2, "2026-12-01T09:00:00+01:00")
    )
    let (tokyo, india) = (row(3, "2026-11-20T23:39:00+09:00"), row(4, "2026-11-19T08:00:00+05:30"))
    rule.add([summer, winter, tokyo, india])
    #expect(rule.mixedDays.isEmpty)
    #expect([summer, winter].map { text($0, rule) } == ["09:00", "09:00"])
    #expect([tokyo, india].map { text($0, rule) } == ["23:39 +09", "08:00 +05:30"])
  }

  @Test("in a day of several zones every entry says its offset")
  func mixed() {
    var rule = OffsetRule(WallClock.fixed(seconds: 0, offset: 0))
    let rows = [
      row(1, "2026-11-21T09:00:00+00:00"), row(2, "2026-11-21T23:39:00+09:00"),
      row(3, "2026-11-20T09:00:00+00:00"),
    ]
    rule.add(rows)
    #expect(rows.map { text($0, rule) } == ["09:00 +00", "23:39 +09", "09:00"])
    rule.removeDays()
    #expect(text(rows[0], rule) == "09:00")
  }

  @Test("offsets are as short as they can be")
  func offsets() {
    let texts = [0, 3_600, -18_000, 19_800, -12_600].map {
      Moment(seconds: 0, offset: $0).offsetText
    }
    #expect(texts == ["+00", "+01", "-05", "+05:30", "-03:30"])
  }
}
