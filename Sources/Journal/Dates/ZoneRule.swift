/// When a zone's clocks change in every year to come: the `TZ` rules of POSIX, as zone files end with
/// them: `CET-1CEST,M3.5.0,M10.5.0/3`.
struct ZoneRule: Hashable, Sendable {
  /// The offset without daylight saving, in seconds east of Greenwich.
  private let standard: Int
  /// Daylight saving, where the zone has it.
  private let daylight: Daylight?

  private struct Daylight: Hashable {
    var offset: Int
    var start: YearlyChange
    var end: YearlyChange
  }

  /// Reads a rule; nothing for what is none.
  init?(_ text: String) {
    var reader = ZoneRuleReader(text)
    guard reader.name(), let west = reader.time() else { return nil }
    standard = -west
    if reader.isAtEnd {
      daylight = nil
      return
    }
    guard reader.name() else { return nil }
    let saved = reader.isAt(",") ? standard + 3600 : reader.time().map(-)
    guard let saved, reader.skip(","), let start = reader.change(), reader.skip(","),
      let end = reader.change(), reader.isAtEnd
    else { return nil }
    daylight = Daylight(offset: saved, start: start, end: end)
  }

  /// The offset in force at an instant, in seconds east of Greenwich.
  func offset(at seconds: Int64) -> Int {
    guard let daylight else { return standard }
    let local = seconds.addingReportingOverflow(Int64(standard)).partialValue
    let year = Day(daysSinceEpoch: Int((Double(local) / 86_400).rounded(.down))).civil.year
    let start = daylight.start.seconds(in: year) - Int64(standard)
    let end = daylight.end.seconds(in: year) - Int64(daylight.offset)
    let isSaving =
      start < end
      ? (start..<end).contains(seconds) : !(end..<start).contains(seconds)
    return isSaving ? daylight.offset : standard
  }
}

/// A day of every year and a time after its midnight, on the clock that is then in force.
struct YearlyChange: Hashable, Sendable {
  enum Rule: Hashable {
    /// A weekday (0 is Sunday) of a week (5 is the last) of a month.
    case weekday(month: Int, week: Int, weekday: Int)
    /// A day from 1 to 365 that never is 29 February.
    case julian(Int)
    /// A day from 0 to 365 that counts 29 February.
    case ordinal(Int)
  }

  var rule: Rule
  /// Seconds after midnight; up to a week before or after it.
  var time: Int

  /// Where it lies in a year, in seconds since the epoch as the local clock counts.
  func seconds(in year: Int) -> Int64 {
    Int64(day(in: year)) * 86_400 + Int64(time)
  }

  /// The day, counted from the epoch.
  private func day(in year: Int) -> Int {
    let newYear = Day(civilYear: year, month: 1, day: 1).daysSinceEpoch
    switch rule {
    case .ordinal(let ordinal): return newYear + ordinal
    case .julian(let ordinal):
      let isLong = Day.length(ofMonth: 2, year: year) == 29
      return newYear + ordinal - (isLong && ordinal >= 60 ? 0 : 1)
    case .weekday(let month, let week, let weekday):
      let first = Day(civilYear: year, month: month, day: 1)
      let toFirst = (weekday - first.weekday % 7 + 7) % 7
      let day = toFirst + (week - 1) * 7
      let length = Day.length(ofMonth: month, year: year)
      return first.daysSinceEpoch + (day < length ? day : day - 7)
    }
  }
}

/// Reads the parts of a rule from the front of its text.
struct ZoneRuleReader {
  private var rest: Substring.UTF8View

  init(_ text: String) {
    rest = text[...].utf8
  }

  var isAtEnd: Bool { rest.isEmpty }

  func isAt(_ character: Unicode.Scalar) -> Bool { rest.first == UInt8(ascii: character) }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard isAt(character) else { return false }
    rest.removeFirst()
    return true
  }

  /// Steps over an abbreviation: letters, or anything in angle brackets.
  mutating func name() -> Bool {
    if skip("<") {
      guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
      rest = rest[rest.index(after: end)...]
      return true
    }
    let letters = rest.prefix { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
    rest = rest[letters.endIndex...]
    return letters.count >= 3
  }

  /// A time in seconds: a sign, hours, perhaps minutes and seconds.
  mutating func time() -> Int? {
    let isNegative = skip("-")
    if !isNegative { _ = skip("+") }
    guard let hours = number(atMost: 167) else { return nil }
    var seconds = hours * 3600
    for unit in [60, 1] where isAt(":") {
      _ = skip(":")
      guard let part = number(atMost: 59) else { return nil }
      seconds += part * unit
    }
    return isNegative ? -seconds : seconds
  }

  /// A day of the year, and the time of the change, 02:00 unless the rule has another.
  mutating func change() -> YearlyChange? {
    guard let rule = day() else { return nil }
    guard skip("/") else { return YearlyChange(rule: rule, time: 2 * 3600) }
    return time().map { YearlyChange(rule: rule, time: $0) }
  }

  private mutating func day() -> YearlyChange.Rule? {
    if skip("J") { return number(atMost: 365).flatMap { $0 > 0 ? .julian($0) : nil } }
    guard skip("M") else { return number(atMost: 365).map { .ordinal($0) } }
    guard let month = number(atMost: 12), month > 0, skip("."), let week = number(atMost: 5),
      week > 0, skip("."), let weekday = number(atMost: 6)
    else { return nil }
    return .weekday(month: month, week: week, weekday: weekday)
  }

  private mutating func number(atMost limit: Int) -> Int? {
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard (1...3).contains(digits.count), let value = Digits.number(digits), value <= limit
    else { return nil }
    rest = rest[digits.endIndex...]
    return value
  }
}
