import Journal

/// A date and time as a clock on a wall showed it, without a zone.
struct WallTime: Hashable, Sendable {
  /// The calendar day.
  var day: Day
  /// Seconds after midnight; 0 where the file names only the day.
  var second = 0

  /// The moment it is on a clock.
  ///
  /// A time that a change of the clocks left out is as long after the change; of one that they showed
  /// twice it is the first.
  func moment(_ clock: WallClock) -> Moment {
    let local = clock.seconds(
      ofLocal: day, hour: second / 3600, minute: second / 60 % 60, second: second % 60)
    return clock.moment(at: local.seconds)
  }

  /// The moment it is where the clock was so far from UTC, in seconds east of Greenwich.
  func moment(offset: Int) -> Moment {
    Moment(
      seconds: Int64(day.daysSinceEpoch) * 86_400 + Int64(second - offset), offset: offset)
  }

  /// The moment by the file's own offset, or else on a clock.
  func moment(offset: Int?, _ clock: WallClock) -> Moment {
    offset.map { moment(offset: $0) } ?? moment(clock)
  }
}

/// Which number comes first where a date is written with slashes.
enum DateOrder: Sendable {
  /// `21/11/2026`.
  case dayFirst
  /// `11/21/2026`.
  case monthFirst
}

/// What a piece of text is, read as a date.
enum DateReading: Hashable, Sendable {
  /// A date, perhaps with a time, perhaps with an offset from UTC in seconds.
  case date(WallTime, hasTime: Bool, offset: Int?)
  /// A date whose day and month cannot be told apart.
  case ambiguous
  /// It has the form of a date, but there is no such one.
  case impossible
  /// No date at all.
  case other
}

/// Reads instants that programs write as a count since 1970: seconds, or thousandths, millionths and
/// billionths of one, told apart by their digits.
enum EpochText {
  /// The moment of a number, with the offset that a clock has then; nothing for any other text, and
  /// for 12 and 14 digits that are a date and time (`202401050915`).
  static func moment(_ text: String, _ clock: WallClock) -> Moment? {
    let digits = text.utf8.prefix(while: ASCII.isDigit)
    let rest = text.utf8[digits.endIndex...]
    // A fraction, as some programs have it behind seconds.
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
