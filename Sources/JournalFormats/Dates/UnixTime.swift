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
  ///
  /// - Parameter acceptsDays: whether a day alone is its midnight.
  static func moment(
    _ text: String, _ clock: WallClock, acceptsDays: Bool = false
  ) -> Moment? {
    let text = compact(text) ?? text
    guard case .date(let time, let hasTime, let offset) = DateText.read(text),
      hasTime || acceptsDays
    else { return nil }
    let moment = time.moment(offset: offset, clock)
    return offset == 0 ? clock.moment(at: moment.seconds) : moment
  }

  /// The moment of a member of a JSON object.
  static func moment(_ value: JSONValue?, _ clock: WallClock) -> Moment? {
    value?.string.flatMap { moment($0, clock) }
  }

  /// `20240105T081500Z` as `2024-01-05T08:15:00Z`.
  private static func compact(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 15, bytes[8] == UInt8(ascii: "T"),
      (bytes[..<8] + bytes[9..<15]).allSatisfy(ASCII.isDigit)
    else { return nil }
    let part = { (range: Range<Int>) in String(decoding: bytes[range], as: UTF8.self) }
    return "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))T\(part(9..<11)):\(part(11..<13)):"
      + "\(part(13..<15))\(part(15..<bytes.count))"
  }
}
