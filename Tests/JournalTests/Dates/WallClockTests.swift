import Glibc
import Testing

@testable import Journal

@Suite("WallClock")
struct WallClockTests {
  @Test("a fixed clock always returns its moment")
  func fixed() {
    let clock = WallClock.fixed(seconds: 42, offset: 3600)
    #expect(clock.now() == 42)
    #expect(clock.moment() == Moment(seconds: 42, offset: 3600))
    #expect(clock.isZoneKnown)
  }

  @Test("a plain time happens once")
  func once() throws {
    let time = try WallClock.berlin().seconds(
      ofLocal: day("2026-07-01"), hour: 12, minute: 0)
    #expect(time == .once(try moment("2026-07-01T12:00:00+02:00").seconds))
  }

  @Test("a time the clocks were set forward over is shifted by as much, and said so")
  func gap() throws {
    let time = try WallClock.newYork().seconds(
      ofLocal: day("2026-03-08"), hour: 2, minute: 30)
    #expect(time == .skipped(try moment("2026-03-08T03:30:00-04:00").seconds))
  }

  @Test("a time that comes twice is the first one")
  func twice() throws {
    let time = try WallClock.newYork().seconds(
      ofLocal: day("2026-11-01"), hour: 1, minute: 30)
    #expect(time == .twice(try moment("2026-11-01T01:30:00-04:00").seconds))
  }

  @Test("the edges of both changes are clear")
  func edges() throws {
    let clock = try WallClock.newYork()
    func time(_ text: String, _ hour: Int, _ minute: Int) throws -> LocalTime {
      clock.seconds(ofLocal: try day(text), hour: hour, minute: minute)
    }
    #expect(
      try time("2026-03-08", 1, 59) == .once(moment("2026-03-08T01:59:00-05:00").seconds))
    #expect(
      try time("2026-03-08", 3, 0) == .once(moment("2026-03-08T03:00:00-04:00").seconds))
    #expect(
      try time("2026-11-01", 0, 59) == .once(moment("2026-11-01T00:59:00-04:00").seconds))
    #expect(
      try time("2026-11-01", 2, 0) == .once(moment("2026-11-01T02:00:00-05:00").seconds))
  }

  @Test("a day that was left out is skipped from its start to its end")
  func missingDay() throws {
    let clock = try WallClock.apia()
    let missing = try day("2011-12-30")
    #expect(
      clock.seconds(ofLocal: missing, hour: 0, minute: 0)
        == .skipped(try moment("2011-12-31T00:00:00+14:00").seconds))
    #expect(
      clock.seconds(ofLocal: missing, hour: 23, minute: 59, second: 59)
        == .skipped(try moment("2011-12-31T23:59:59+14:00").seconds))
    #expect(
      clock.seconds(ofLocal: try day("2011-12-29"), hour: 23, minute: 59)
        == .once(try moment("2011-12-29T23:59:00-10:00").seconds))
  }

  @Test("every hour of a year comes back through the local clock")
  func wholeYear() throws {
    let clock = try WallClock.berlin()
    let start = try moment("2026-01-01T00:00:00Z").seconds
    for hour in 0..<8760 {
      let there = clock.moment(at: start + Int64(hour) * 3600)
      let (hour, minute, second) = there.localTime
      let back = clock.seconds(
        ofLocal: there.localDay, hour: hour, minute: minute, second: second)
      switch back {
      case .once(let seconds): #expect(seconds == there.seconds)
      case .twice(let seconds):
        #expect(seconds == there.seconds || seconds == there.seconds - 3600)
      case .skipped: Issue.record("\(there) exists")
      }
    }
  }
}

@Suite("The system's clock", .serialized)
struct SystemClockTests {
  /// Runs something in a zone and puts the process back.
  private func inZone<Result>(_ zone: String?, _ body: (WallClock) throws -> Result) rethrows
    -> Result
  {
    let before = getenv("TZ").map { String(cString: $0) }
    set(zone)
    defer { set(before) }
    return try body(.system)
  }

  private func set(_ zone: String?) {
    if let zone { setenv("TZ", zone, 1) } else { unsetenv("TZ") }
    tzset()
  }

  @Test("New York's gap and repetition are reported")
  func newYork() throws {
    try inZone("America/New_York") { clock in
      let gap = clock.seconds(ofLocal: try day("2026-03-08"), hour: 2, minute: 30)
      #expect(gap == .skipped(try moment("2026-03-08T03:30:00-04:00").seconds))
      let twice = clock.seconds(ofLocal: try day("2026-11-01"), hour: 1, minute: 30)
      #expect(twice == .twice(try moment("2026-11-01T01:30:00-04:00").seconds))
      #expect(clock.isZoneKnown)
    }
  }

  @Test("Samoa's missing day is reported")
  func apia() throws {
    try inZone("Pacific/Apia") { clock in
      let missing = clock.seconds(ofLocal: try day("2011-12-30"), hour: 12, minute: 0)
      #expect(missing == .skipped(try moment("2011-12-31T12:00:00+14:00").seconds))
    }
  }

  @Test("a zone's local mean time is rounded to minutes and still comes back")
  func localMeanTime() throws {
    try inZone("Europe/Berlin") { clock in
      let time = clock.seconds(ofLocal: try day("1850-01-01"), hour: 9, minute: 0)
      #expect(clock.moment(at: time.seconds).description == "1850-01-01T09:00:00+00:53")
    }
  }

  @Test("the time is the computer's, with the offset of the zone")
  func now() {
    inZone("Asia/Kathmandu") { clock in
      let before = Int64(time(nil))
      let now = clock.moment()
      #expect((before...before + 60).contains(now.seconds))
      #expect(now.offset == 20_700)
    }
  }

  @Test(
    "a zone that exists is known",
    arguments: [
      "Europe/Berlin", ":Europe/Berlin", "", "UTC", "UTC0", "EST5EDT", "CET-1CEST,M3.5.0,M10.5.0/3",
      "<+0330>-3:30", "/usr/share/zoneinfo/Europe/Berlin", ":",
    ])
  func known(zone: String) {
    #expect(inZone(zone) { $0.isZoneKnown })
  }

  @Test(
    "a zone that does not exist is not known",
    arguments: ["/nonexistent", "Europe/Atlantis", "nonsense", "<", "Europe", "+3"])
  func unknown(zone: String) {
    #expect(inZone(zone) { !$0.isZoneKnown })
  }

  @Test("without TZ the zone is the computer's")
  func unset() {
    #expect(inZone(nil) { $0.isZoneKnown })
  }
}
