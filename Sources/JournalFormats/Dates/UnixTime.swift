import Journal

/// Instants as counts since 1970 in a known unit, in JSON or in a database.
enum UnixTime: Int64 {
  case seconds = 1
  case milliseconds = 1000
  case microseconds = 1_000_000

  /// The moment of a count on a clock; `nil` for zero, which programs write for none, and for
  /// instants outside the calendar.
  func moment(_ count: Int64, _ clock: WallClock) -> Moment? {
    guard count != 0 else { return nil }
    let seconds = count / rawValue - (count % rawValue < 0 ? 1 : 0)
    return Moment.seconds.contains(seconds) ? clock.moment(at: seconds) : nil
  }

  /// The moment of a number, or of a text with a number.
  func moment(_ value: JSONValue?, _ clock: WallClock) -> Moment? {
    switch value {
    case .number(let text)?, .string(let text)?:
      let count = Int64(text) ?? Double(text).flatMap { Int64(exactly: $0.rounded(.down)) }
      return count.flatMap { moment($0, clock) }
    default: return nil
    }
  }
}

/// Instants as other programs write them in texts: ISO 8601, nearly always in UTC.
enum InstantText {
  /// The moment of a text; `nil` if it is not a date with a time.
  ///
  /// An instant in UTC says nothing of where it was written and is shown on the clock, as is a time
  /// without an offset; another offset is kept.
  static func moment(_ text: String, _ clock: WallClock) -> Moment? {
    guard case .date(let time, true, let offset) = DateText.read(text) else { return nil }
    guard let offset else { return time.moment(clock) }
    let moment = time.moment(offset: offset)
    return DateText.isUniversal(Array(text.utf8)[...]) ? clock.moment(at: moment.seconds) : moment
  }

  /// The moment of a member of a JSON object.
  static func moment(_ value: JSONValue?, _ clock: WallClock) -> Moment? {
    value?.string.flatMap { moment($0, clock) }
  }
}
