extension Moment: LosslessStringConvertible {
  /// The moment as ISO 8601 writes it: `2026-11-21T09:15:00+01:00`, UTC as `+00:00`.
  public var description: String {
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

  /// Reads an ISO 8601 date and time with its offset.
  ///
  /// Besides the form of ``description`` it takes `Z`, a space for the `T`, a time without seconds,
  /// a fraction of a second (dropped), and offsets written `+0100` and `+01`.
  public init?(_ description: String) {
    var reader = MomentReader(bytes: Array(description.utf8.prefix(64)))
    guard let day = reader.day(), reader.skip(anyOf: "Tt "), let time = reader.time(),
      let offset = reader.offset(), reader.isAtEnd
    else { return nil }
    self.init(
      seconds: Int64(day.daysSinceEpoch) * 86_400 + Int64(time) - Int64(offset), offset: offset)
  }
}

/// Reads the parts of an ISO 8601 date and time from the front of a text.
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

  /// Steps over one byte when it is one of these.
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
    // 60 is a leap second, which no clock of ours counts: it is the second before it.
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
