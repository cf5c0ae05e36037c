/// The offsets of one time zone through all of time, read from a file of the zone database (TZif,
/// RFC 9636).
///
/// Unlike ``WallClock/system`` it can be any zone, so that an entry written in Sydney keeps
/// Sydney's calendar day wherever it is imported.
package struct ZoneFile: Hashable, Sendable {
  /// The instants at which an offset begins, ascending, in seconds since the epoch.
  private let changes: [Int64]
  /// The offset that begins at each change, in seconds east of Greenwich.
  private let offsets: [Int]
  /// The offset before the first change.
  private let first: Int
  /// The rule after the last change.
  private let rule: ZoneRule?

  /// Parses a zone file; `nil` if the bytes are not one.
  ///
  /// - Complexity: linear in the bytes.
  package init?(_ bytes: [UInt8]) {
    var reader = ZoneFileReader(bytes)
    guard let header = reader.header() else { return nil }
    guard header.version >= 2 else {
      guard let table = reader.table(header, wide: false) else { return nil }
      self.init(table, rule: nil)
      return
    }
    // The first table has 32-bit times for old readers; the second one is complete.
    guard reader.skip(header.size(wide: false)), let wide = reader.header(),
      let table = reader.table(wide, wide: true)
    else { return nil }
    self.init(table, rule: reader.footer().flatMap(ZoneRule.init))
  }

  private init(_ table: ZoneFileReader.Table, rule: ZoneRule?) {
    changes = table.changes
    offsets = table.offsets
    first = table.first
    self.rule = rule
  }

  /// The offset at an instant, in seconds east of Greenwich.
  ///
  /// - Complexity: logarithmic in the number of changes.
  package func offset(at seconds: Int64) -> Int {
    let next = changes.partitioningIndex { $0 > seconds }
    if next == changes.count, let rule { return rule.offset(at: seconds) }
    return next == 0 ? first : offsets[next - 1]
  }

  /// An instant with its offset in this zone.
  package func moment(at seconds: Int64) -> Moment {
    Moment(seconds: seconds, offset: offset(at: seconds))
  }

  /// A clock in this zone, stopped at an instant.
  package func clock(at seconds: Int64 = 0) -> WallClock {
    WallClock(now: { seconds }, offset: { offset(at: $0) })
  }
}

/// Reads the blocks of a zone file; every length is checked before use.
struct ZoneFileReader {
  /// The counts at the start of a table.
  struct Header {
    var version: Int
    var utcMarks: Int
    var wallMarks: Int
    var leaps: Int
    var changes: Int
    var types: Int
    var names: Int

    /// The size of the following table in bytes.
    func size(wide: Bool) -> Int {
      let time = wide ? 8 : 4
      return changes * (time + 1) + types * 6 + names + leaps * (time + 4) + wallMarks + utcMarks
    }
  }

  /// The offsets of a table.
  struct Table {
    var changes: [Int64]
    var offsets: [Int]
    var first: Int
  }

  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func header() -> Header? {
    guard bytes.count - position >= 44, bytes[position..<position + 4].elementsEqual("TZif".utf8)
    else { return nil }
    let digit = bytes[position + 4]
    let counts = (0..<6).map { number(at: position + 20 + $0 * 4, bytes: 4) }
    position += 44
    // No zone has so many; the limit keeps every product below from overflowing.
    guard counts.allSatisfy({ (0...1_000_000).contains($0) }), counts[4] > 0 else { return nil }
    return Header(
      version: digit == 0 ? 1 : Int(digit) - 48, utcMarks: Int(counts[0]),
      wallMarks: Int(counts[1]), leaps: Int(counts[2]), changes: Int(counts[3]),
      types: Int(counts[4]), names: Int(counts[5]))
  }

  mutating func skip(_ count: Int) -> Bool {
    guard bytes.count - position >= count else { return false }
    position += count
    return true
  }

  mutating func table(_ header: Header, wide: Bool) -> Table? {
    let start = position
    guard skip(header.size(wide: wide)) else { return nil }
    let width = wide ? 8 : 4
    let kinds = start + header.changes * width
    let types = kinds + header.changes
    let offsets = (0..<header.types).map { Int(number(at: types + $0 * 6, bytes: 4)) }
    // No zone is further from Greenwich, and rules add at most a day.
    guard offsets.allSatisfy({ abs($0) < 26 * 3600 }) else { return nil }
    let changes = (0..<header.changes).map { number(at: start + $0 * width, bytes: width) }
    let used = (0..<header.changes).map { Int(bytes[kinds + $0]) }
    guard zip(changes, changes.dropFirst()).allSatisfy(<), used.allSatisfy({ $0 < offsets.count })
    else { return nil }
    return Table(changes: changes, offsets: used.map { offsets[$0] }, first: offsets[0])
  }

  /// The rule between two line feeds at the end; `nil` if there is none.
  mutating func footer() -> String? {
    guard position < bytes.count, bytes[position] == 0x0A else { return nil }
    let rest = bytes[(position + 1)...]
    guard let end = rest.firstIndex(of: 0x0A) else { return nil }
    return String(decoding: rest[..<end], as: UTF8.self)
  }

  /// A signed big-endian number.
  private func number(at start: Int, bytes count: Int) -> Int64 {
    var value: Int64 = bytes[start] >= 0x80 ? -1 : 0
    for byte in bytes[start..<start + count] { value = value << 8 | Int64(byte) }
    return value
  }
}

/// A zone's offsets in all future years: a POSIX `TZ` rule, as at the end of zone files:
/// `CET-1CEST,M3.5.0,M10.5.0/3`.
struct ZoneRule: Hashable, Sendable {
  /// The offset without daylight saving, in seconds east of Greenwich.
  private let standard: Int
  /// Daylight saving time, if the zone has it.
  private let daylight: Daylight?

  private struct Daylight: Hashable {
    var offset: Int
    var start: YearlyChange
    var end: YearlyChange
  }

  /// Parses a rule; `nil` if the text is not one.
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

  /// The offset at an instant, in seconds east of Greenwich.
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

/// A yearly day and a time after its midnight, on the clock in force before the change.
struct YearlyChange: Hashable, Sendable {
  enum Rule: Hashable {
    /// A weekday (0 is Sunday) of a week (5 is the last) of a month.
    case weekday(month: Int, week: Int, weekday: Int)
    /// A day from 1 to 365 that is never 29 February.
    case julian(Int)
    /// A day from 0 to 365 that counts 29 February.
    case ordinal(Int)
  }

  var rule: Rule
  /// Seconds after midnight, between minus and plus one week.
  var time: Int

  /// Its instant in a year, in seconds since the epoch on the local clock.
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

/// Reads the parts of a rule from the start of its text.
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

  /// Skips an abbreviation: letters, or any text in angle brackets.
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

  /// A time in seconds: a sign, hours, optional minutes and seconds.
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

  /// A day of the year and the time of the change, 02:00 by default.
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
