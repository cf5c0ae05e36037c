/// What a person named with a date: a day, several days, or an instant.
public enum When: Hashable, Sendable {
  /// Whole days: one (`2026-11-21`, `yesterday`, `3d`), a month or a year.
  ///
  /// `since:` takes the first of them, `until:` the last.
  case day(first: Day, last: Day)
  /// A day and a time, with the day it counts for.
  case moment(Moment, day: Day)
}

extension When {
  /// The words that name a day.
  public static let names = ["today", "yesterday", "tomorrow"] + weekdays

  static let weekdays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  /// The day named, the first one of a month or a year.
  public var firstDay: Day {
    switch self {
    case .day(let first, _): first
    case .moment(_, let day): day
    }
  }

  /// The day named, the last one of a month or a year.
  public var lastDay: Day {
    switch self {
    case .day(_, let last): last
    case .moment(_, let day): day
    }
  }

  /// Reads a date as people type it.
  ///
  /// The forms are `2026-11-21`, `2026-11-21 09:15`, `2026-11-21T09:15:00+01:00`, `09:15`, `9am`,
  /// `today`, `yesterday`, `monday`, `3d`, `2w`, `6m`, `1y`, `2026-11`, `2026`, `2026-W47`, and what
  /// ``DayPhrase`` knows: `tomorrow`, `last friday`, `12 oct`, `october 2025`, `last week`,
  /// `3 days ago`. Numbers in another order count where they can be read in one way only:
  /// `21.11.2026`.
  ///
  /// Any form that names one day may have a time behind it. A time alone is today's; before the hour
  /// at which days end it is that of the present calendar day, so that at half past one `01:15` was a
  /// quarter of an hour ago.
  ///
  /// - Throws: ``WhenError``, with the form to use where that can be told.
  public static func parse(
    _ text: String, now: Moment, clock: WallClock, rule: DayRule
  ) throws(WhenError) -> When {
    try WhenParser(now: now, clock: clock, rule: rule).parse(text)
  }

  /// The instant and the day of an entry that is given this date.
  ///
  /// A date without a time takes the present clock time; of a month or a year it is the first day.
  /// The day named is kept, whatever the hour at which days end. Where the clocks were set forward
  /// over the present time, the instant is as much later.
  ///
  /// - Throws: ``WhenError`` when the whole day was left out, as 2011-12-30 in Samoa.
  public func resolved(
    now: Moment, clock: WallClock, rule: DayRule
  ) throws(WhenError) -> (created: Moment, day: Day) {
    switch self {
    case .moment(let moment, let day): return (moment, day)
    case .day(let day, _):
      if day == now.localDay || day == rule.day(of: now) { return (now, day) }
      let (hour, minute, second) = now.localTime
      let local = clock.seconds(ofLocal: day, hour: hour, minute: minute, second: second)
      let created = clock.moment(at: local.seconds)
      guard created.localDay == day else {
        throw WhenError.skipped(text: day.description, next: created)
      }
      return (created, day)
    }
  }
}
