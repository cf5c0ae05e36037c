/// An instant in whole seconds, with the offset from UTC at its place and time.
package struct Moment: Hashable, Codable, Sendable {
  /// Seconds since 1970-01-01T00:00:00Z.
  package let seconds: Int64
  /// The offset of the local clock from UTC, in seconds east of Greenwich, always whole minutes.
  package let offset: Int

  /// Makes a moment from seconds since the epoch and an offset in seconds.
  ///
  /// The offset is rounded to whole minutes, the smallest unit in ISO 8601: so a moment survives
  /// conversion to text and back unchanged.
  package init(seconds: Int64, offset: Int) {
    self.seconds = seconds
    self.offset = Moment.wholeMinutes(offset)
  }

  /// The seconds of moments with a year from 1 to 9999 on some clock.
  package static let seconds: ClosedRange<Int64> =
    (-62_135_596_800 - 86_400)...(253_402_300_799 + 86_400)

  static func wholeMinutes(_ offset: Int) -> Int {
    let minutes = (offset.magnitude + 30) / 60
    return offset < 0 ? -Int(minutes) * 60 : Int(minutes) * 60
  }
}

extension Moment {
  /// The calendar day on the local clock.
  package var localDay: Day { Day(daysSinceEpoch: Int(floored.quotient)) }

  /// The time of day on the local clock.
  package var localTime: (hour: Int, minute: Int, second: Int) {
    let second = Int(floored.remainder)
    return (second / 3600, second / 60 % 60, second % 60)
  }

  /// The time of day on the local clock, for display: `09:15`.
  package var clockText: String {
    let (hour, minute, _) = localTime
    return "\(Digits.padded(hour)):\(Digits.padded(minute))"
  }

  /// The offset for display: `+01`, `-03:30`.
  package var offsetText: String {
    let minutes = Int(offset.magnitude) / 60
    let rest = minutes % 60 == 0 ? "" : ":\(Digits.padded(minutes % 60))"
    return "\(offset < 0 ? "-" : "+")\(Digits.padded(minutes / 60))\(rest)"
  }

  /// The days since the epoch and the second of the day, both local.
  private var floored: (quotient: Int64, remainder: Int64) {
    let local = seconds &+ Int64(offset)
    let (quotient, remainder) = local.quotientAndRemainder(dividingBy: 86_400)
    return remainder < 0 ? (quotient - 1, remainder + 86_400) : (quotient, remainder)
  }
}

extension Moment: LosslessStringConvertible {
  /// The moment in ISO 8601: `2026-11-21T09:15:00+01:00`, UTC as `+00:00`.
  package var description: String {
    var buffer: [UInt8] = []
    append(to: &buffer)
    return String(decoding: buffer, as: UTF8.self)
  }

  /// Appends ``description`` in UTF-8.
  func append(to buffer: inout [UInt8]) {
    let (hour, minute, second) = localTime
    localDay.append(to: &buffer)
    buffer.append(UInt8(ascii: "T"))
    Digits.append(hour, in: &buffer)
    buffer.append(UInt8(ascii: ":"))
    Digits.append(minute, in: &buffer)
    buffer.append(UInt8(ascii: ":"))
    Digits.append(second, in: &buffer)
    buffer.append(offset < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
    let minutes = Int(offset.magnitude) / 60
    Digits.append(minutes / 60, in: &buffer)
    buffer.append(UInt8(ascii: ":"))
    Digits.append(minutes % 60, in: &buffer)
  }

  /// Parses an ISO 8601 date and time with its offset.
  ///
  /// It accepts the form of ``description``, and `Z`, a space for the `T`, a time without seconds,
  /// a fraction of a second (dropped), and offsets such as `+0100` and `+01`.
  package init?(_ description: String) {
    var reader = MomentReader(bytes: Array(description.utf8.prefix(64)))
    guard let day = reader.day(), reader.skip(anyOf: "Tt "), let time = reader.time(),
      let offset = reader.offset(), reader.isAtEnd
    else { return nil }
    self.init(
      seconds: Int64(day.daysSinceEpoch) * 86_400 + Int64(time) - Int64(offset), offset: offset)
  }
}

/// Reads the parts of an ISO 8601 date and time from the start of a text.
struct MomentReader {
  /// The text's UTF-8.
  let bytes: [UInt8]
  private var position = 0

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { position == bytes.count }

  mutating func day() -> Day? {
    guard bytes.count >= 10, position == 0 else { return nil }
    position = 10
    return Day(String(decoding: bytes[0..<10], as: UTF8.self))
  }

  /// Skips one byte if it is one of these.
  mutating func skip(anyOf characters: StaticString) -> Bool {
    guard position < bytes.count else { return false }
    let found = characters.withUTF8Buffer { $0.contains(bytes[position]) }
    position += found ? 1 : 0
    return found
  }

  private mutating func twoDigits() -> Int? {
    guard position + 2 <= bytes.count else { return nil }
    defer { position += 2 }
    return Digits.number(bytes[position..<position + 2])
  }

  /// The second of the day; seconds may be missing and a fraction is dropped.
  mutating func time() -> Int? {
    guard let hour = twoDigits(), hour < 24, skip(anyOf: ":"), let minute = twoDigits(),
      minute < 60
    else { return nil }
    guard skip(anyOf: ":") else { return hour * 3600 + minute * 60 }
    // 60 is a leap second, which our clocks do not count: it equals the second before it.
    guard let second = twoDigits(), second <= 60, skipFraction() else { return nil }
    return hour * 3600 + minute * 60 + min(second, 59)
  }

  private mutating func skipFraction() -> Bool {
    guard skip(anyOf: ".,") else { return true }
    let start = position
    while skip(anyOf: "0123456789") {}
    return position > start
  }

  /// The offset in seconds: `Z`, or a sign with hours and perhaps minutes.
  mutating func offset() -> Int? {
    if skip(anyOf: "Zz") { return 0 }
    _ = skip(anyOf: " ")
    let isWest = position < bytes.count && bytes[position] == UInt8(ascii: "-")
    guard skip(anyOf: "+-"), let hours = twoDigits(), hours < 24 else { return nil }
    var minutes = 0
    if !isAtEnd {
      _ = skip(anyOf: ":")
      guard let read = twoDigits(), read < 60 else { return nil }
      minutes = read
    }
    let seconds = hours * 3600 + minutes * 60
    return isWest ? -seconds : seconds
  }
}

/// The instant of a local date and time: clocks set forward skip some, clocks set back repeat some.
package enum LocalTime: Hashable, Sendable {
  /// The local clock showed it once, at this instant in seconds since the epoch.
  case once(Int64)
  /// The local clock showed it twice; this is the first instant.
  case twice(Int64)
  /// The local clock never showed it; this instant is as long after the change as the given time.
  case skipped(Int64)

  /// The instant in seconds since the epoch, for all cases.
  package var seconds: Int64 {
    switch self {
    case .once(let seconds), .twice(let seconds), .skipped(let seconds): seconds
    }
  }
}

extension WallClock {
  /// The instant at which the local clock shows a day and time, and whether it is unique.
  ///
  /// The offsets a day before and a day after enclose a change of the clocks, even one that skips a
  /// whole day, as in Samoa on 2011-12-30. Each offset gives a candidate; a candidate counts if its
  /// offset is in force at its instant.
  package func seconds(
    ofLocal day: Day, hour: Int, minute: Int, second: Int = 0
  ) -> LocalTime {
    let local = Int64(day.daysSinceEpoch) * 86_400 + Int64(hour * 3600 + minute * 60 + second)
    let before = offset(at: local - 86_400)
    let after = offset(at: local + 86_400)
    let candidates = [before, after].map { local - Int64($0) }
    let valid = candidates.filter { offset(at: $0) == Int(local - $0) }
    guard let first = valid.min(), let last = valid.max() else { return .skipped(candidates[0]) }
    return first == last ? .once(first) : .twice(first)
  }
}
