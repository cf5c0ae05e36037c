import Journal

/// A local date and time without a zone.
struct WallTime: Hashable, Sendable {
  /// The calendar day.
  var day: Day
  /// Seconds after midnight; 0 if the file has only the day.
  var second = 0

  /// The moment on a clock.
  ///
  /// If a change of the clocks skipped the time, the moment is as long after the change; if it
  /// repeated the time, it is the first one.
  func moment(_ clock: WallClock) -> Moment {
    let local = clock.seconds(
      ofLocal: day, hour: second / 3600, minute: second / 60 % 60, second: second % 60)
    return clock.moment(at: local.seconds)
  }

  /// The moment at an offset from UTC, in seconds east of Greenwich.
  func moment(offset: Int) -> Moment {
    Moment(
      seconds: Int64(day.daysSinceEpoch) * 86_400 + Int64(second - offset), offset: offset)
  }

  /// The moment by the file's own offset, or else on a clock.
  func moment(offset: Int?, _ clock: WallClock) -> Moment {
    offset.map { moment(offset: $0) } ?? moment(clock)
  }
}

/// The order of day and month in a date with slashes.
enum DateOrder: Sendable {
  /// `21/11/2026`.
  case dayFirst
  /// `11/21/2026`.
  case monthFirst
}

/// The result of parsing a text as a date.
enum DateReading: Hashable, Sendable {
  /// A date with an optional time and an optional offset from UTC in seconds.
  case date(WallTime, hasTime: Bool, offset: Int?)
  /// A date with an ambiguous order of day and month.
  case ambiguous
  /// The form of a date, but an impossible one.
  case impossible
  /// Not a date.
  case other
}

/// Parses instants as counts since 1970: seconds, milliseconds, microseconds or nanoseconds, by the
/// number of digits.
enum EpochText {
  /// The moment of a number, with the clock's offset; `nil` for any other text, and for 12 and 14
  /// digits that are a date and time (`202401050915`).
  static func moment(_ text: String, _ clock: WallClock) -> Moment? {
    let digits = text.utf8.prefix(while: ASCII.isDigit)
    let rest = text.utf8[digits.endIndex...]
    // A fraction, which some programs write after seconds.
    guard
      rest.isEmpty
        || (rest.first == UInt8(ascii: ".") && rest.dropFirst().allSatisfy(ASCII.isDigit))
    else { return nil }
    let divisor: Int64
    switch digits.count {
    case 9, 10: divisor = 1
    case 12, 13: divisor = 1000
    case 15, 16: divisor = 1_000_000
    case 18, 19: divisor = 1_000_000_000
    default: return nil
    }
    if digits.count == 12, case .date = DateText.read(String(text)) { return nil }
    return Int64(String(digits) ?? "").map { clock.moment(at: $0 / divisor) }
  }
}
