import Testing

@testable import Journal

/// A day from its text; a wrong text fails the test that wrote it.
func day(_ text: String, _ location: SourceLocation = #_sourceLocation) throws -> Day {
  try #require(Day(text), sourceLocation: location)
}

/// A moment from its text; a wrong text fails the test that wrote it.
func moment(_ text: String, _ location: SourceLocation = #_sourceLocation) throws -> Moment {
  try #require(Moment(text), sourceLocation: location)
}

extension WallClock {
  /// A clock in a zone of which a test knows every change: from each instant on an offset holds.
  static func zone(
    at now: String = "2026-11-21T09:15:00+01:00", first: Int, changes: [(String, Int)]
  ) throws -> WallClock {
    let start = try JournalTests.moment(now).seconds
    let changes = try changes.map { (try JournalTests.moment($0.0).seconds, $0.1) }
    return WallClock(
      now: { start },
      offset: { seconds in changes.last { $0.0 <= seconds }?.1 ?? first })
  }

  /// Berlin in 2026.
  static func berlin(at now: String = "2026-11-21T09:15:00+01:00") throws -> WallClock {
    try zone(
      at: now, first: 3600,
      changes: [("2026-03-29T01:00:00Z", 7200), ("2026-10-25T01:00:00Z", 3600)])
  }

  /// New York in 2026.
  static func newYork() throws -> WallClock {
    try zone(
      first: -18_000,
      changes: [("2026-03-08T07:00:00Z", -14_400), ("2026-11-01T06:00:00Z", -18_000)])
  }

  /// Samoa, which left out 2011-12-30.
  static func apia() throws -> WallClock {
    try zone(
      at: "2012-01-05T10:00:00+14:00", first: -36_000, changes: [("2011-12-30T10:00:00Z", 50_400)])
  }
}

/// An entry as most tests need it: written at 09:15 in Berlin, on a day.
func entry(
  _ text: String, number: Int64 = 1, day dayText: String = "2026-11-21", starred: Bool = false,
  edited: Bool = false, deleted: Bool = false
) throws -> Entry {
  let created = try moment("\(dayText)T09:15:00+01:00")
  let later = Moment(seconds: created.seconds + 60, offset: created.offset)
  return Entry(
    uuid: "01890a5d-ac96-774b-bcce-b302099a8057", number: number, created: created,
    modified: edited ? later : created, day: try day(dayText), text: text, starred: starred,
    deleted: deleted ? later : nil)
}
