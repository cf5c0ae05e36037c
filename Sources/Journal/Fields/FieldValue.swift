/// The value of a field.
package enum FieldValue: Hashable, Codable, Sendable {
  /// A number with its unit, which may be empty: `5.2 km`, `€12.50`, `4/5`.
  case number(FixedDecimal, unit: String)
  /// A duration in seconds: `7h20`, `90 min`, `7:20`.
  case duration(FixedDecimal)
  /// A date: `2026-11-21`.
  case day(Day)
  /// Anything else.
  case words(String)

  /// The kinds of values, in their order.
  package enum Kind: Int64, CaseIterable, Codable, Sendable {
    case number, duration, day, words

    /// The kind of one value in a list of fields.
    package var nounOfOne: String {
      switch self {
      case .number: "number"
      case .duration: "duration"
      case .day: "date"
      case .words: "words"
      }
    }

    /// The kind in a list of fields, in the plural.
    package var noun: String {
      switch self {
      case .number: "numbers"
      case .duration: "durations"
      case .day: "dates"
      case .words: "words"
      }
    }
  }

  package var kind: Kind {
    switch self {
    case .number: .number
    case .duration: .duration
    case .day: .day
    case .words: .words
    }
  }

  /// The number that values of a kind are compared and summed by: millionths of a number or of a second,
  /// or days since 1970-01-01; `nil` for words.
  package var amount: Int64? {
    switch self {
    case .number(let number, _), .duration(let number): number.millionths
    case .day(let day): Int64(day.daysSinceEpoch)
    case .words: nil
    }
  }

  /// The unit of a number as typed, else empty.
  package var unit: String { if case .number(_, let unit) = self { unit } else { "" } }

  /// The value that ``amount`` and ``unit`` were taken from.
  package init?(_ kind: Kind, amount: Int64, unit: String = "") {
    switch kind {
    case .number: self = .number(FixedDecimal(millionths: amount), unit: unit)
    case .duration: self = .duration(FixedDecimal(millionths: amount))
    case .day: self = .day(Day(daysSinceEpoch: Int(clamping: amount)))
    case .words: return nil
    }
  }

  /// Reads a value.
  ///
  /// - Parameters:
  ///   - text: the value without blanks at its ends.
  ///   - isWhole: whether all of it belongs to the value; among other words a number is enough. A
  ///     duration, a date and a number with a unit that converts may have words after them anyway.
  package init(_ text: String, isWhole: Bool = true) {
    self = FieldLiteral.value(of: text, isWhole: isWhole) ?? .words(text)
  }
}

extension FieldValue: CustomStringConvertible {
  /// The value as it may be typed: `5.2 km`, `7h20`, `2026-11-21`.
  package var description: String {
    switch self {
    case .number(let number, let unit):
      unit.isEmpty || unit.utf8.first == UInt8(ascii: "/") || unit.utf8.first == UInt8(ascii: "%")
        ? "\(number)\(unit)" : "\(number) \(unit)"
    case .duration(let seconds): FieldValue.text(ofDuration: seconds)
    case .day(let day): day.description
    case .words(let words): words
    }
  }

  private static func text(ofDuration duration: FixedDecimal) -> String {
    let (seconds, rest) = duration.millionths.quotientAndRemainder(dividingBy: FixedDecimal.one)
    if rest != 0 || duration.millionths < 0 { return "\(duration) s" }
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    if seconds % 60 != 0 {
      return seconds < 60
        ? "\(seconds) s"
        : "\(hours):\(Digits.padded(Int(minutes))):\(Digits.padded(Int(seconds % 60)))"
    }
    return hours == 0 ? "\(minutes) min" : "\(hours)h\(Digits.padded(Int(minutes)))"
  }
}

/// Reads a number with a unit, a duration or a date at the start of a text.
struct FieldLiteral {
  private let scalars: [Unicode.Scalar]

  /// More scalars are words.
  private static let longest = 80
  private static let longestUnit = 16

  private init(_ text: String) { scalars = Array(text.unicodeScalars.prefix(Self.longest)) }

  /// The value of a text, if it is no words.
  static func value(of text: String, isWhole: Bool) -> FieldValue? {
    let literal = FieldLiteral(text)
    guard let first = literal.scalars.first,
      isDigit(first) || isSign(first) || isCurrency(first)
    else { return nil }
    if let day = literal.day(), let value = literal.accepted(day, isWhole) { return value }
    if let duration = literal.duration(), let value = literal.accepted(duration, isWhole) {
      return value
    }
    for number in literal.numbers() {
      if let value = literal.accepted(number, isWhole) { return value }
    }
    return nil
  }

  /// A value, and the index after it.
  private typealias Read = (value: FieldValue, end: Int)

  private func accepted(_ read: Read, _ isWhole: Bool) -> FieldValue? {
    let (value, end) = read
    guard end < scalars.count else {
      return scalars.count < Self.longest ? value : nil
    }
    let isLast = end + 1 == scalars.count
    switch scalars[end] {
    case ",", ";": return isLast || isBlank(end + 1) && !isList(value, end, isWhole) ? value : nil
    case ".", "!", "?", ")": return isLast || !isWhole && isBlank(end + 1) ? value : nil
    case " ", "\t":
      let isRemark = !isLast && scalars[end + 1] == "("
      return isRemark || !isWhole || Self.isUnmistakable(value) ? value : nil
    default: return nil
    }
  }

  /// Whether a number is the first one of several: `48.2, 16.37`, which are no amount.
  private func isList(_ value: FieldValue, _ end: Int, _ isWhole: Bool) -> Bool {
    guard isWhole, !Self.isUnmistakable(value) else { return false }
    let next = scalars[end...].dropFirst().first { $0 != " " && $0 != "\t" }
    return next.map { Self.isDigit($0) || Self.isSign($0) } ?? false
  }

  /// Whether words may follow a value that is all of a text: `7h20 and a bit`, `5 km in the rain`.
  ///
  /// A number alone may be the start of words: `12 Main Street`.
  private static func isUnmistakable(_ value: FieldValue) -> Bool {
    switch value {
    case .number(_, let unit): ConvertibleUnit(unit) != nil
    case .duration, .day: true
    case .words: false
    }
  }

  private func isBlank(_ index: Int) -> Bool {
    index < scalars.count && (scalars[index] == " " || scalars[index] == "\t")
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func isLatin(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
  }

  private static func isSign(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "-" || scalar == "+" || scalar == "\u{2212}"
  }

  private static func isCurrency(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .currencySymbol
  }

  /// The index after the digits from an index on.
  private func digits(from start: Int) -> Int {
    var index = start
    while index < scalars.count, Self.isDigit(scalars[index]) { index += 1 }
    return index
  }

  private func text(_ range: Range<Int>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[range])
    return String(view)
  }

  // MARK: Dates and durations

  private func day() -> Read? {
    guard scalars.count >= 10, let day = Day(text(0..<10)) else { return nil }
    return (.day(day), 10)
  }

  private static let seconds: [String: Int64] = [
    "d": 86_400, "day": 86_400, "days": 86_400, "h": 3600, "hr": 3600, "hrs": 3600, "hour": 3600,
    "hours": 3600, "min": 60, "mins": 60, "minute": 60, "minutes": 60, "s": 1, "sec": 1, "secs": 1,
    "second": 1, "seconds": 1,
  ]

  /// `7:20`, `1:02:03`, `7h20`, `7h 20m`, `1.5 h`, `90 min`.
  private func duration() -> Read? { clock() ?? units() }

  private func clock() -> Read? {
    let hours = digits(from: 0)
    guard (1...4).contains(hours), var total = Int64(text(0..<hours)).map({ $0 * 3600 }) else {
      return nil
    }
    var index = hours
    for unit in [Int64(60), 1] where index < scalars.count && scalars[index] == ":" {
      let end = digits(from: index + 1)
      guard end == index + 3, let part = Int64(text(index + 1..<end)), part < 60 else { return nil }
      total += part * unit
      index = end
    }
    return index > hours && !isPaceOrTime(index) ? (.duration(FixedDecimal(total)), index) : nil
  }

  /// Whether the word after a clock makes it a pace or a time of day: `5:30 min/km`, `5:30 /km`, `9:30 am`.
  private func isPaceOrTime(_ end: Int) -> Bool {
    let word = scalars[end...].drop { $0 == " " }.prefix { $0 != " " && $0 != "," && $0 != ";" }
    let text = String(String.UnicodeScalarView(word)).lowercased()
    return text.hasPrefix("/") || text.hasPrefix("min/")
      || ["am", "pm", "a.m.", "p.m."].contains(text)
  }

  private func units() -> Read? {
    var total: Int64 = 0
    var (index, end) = (0, 0)
    var last = Int64.max
    while index < scalars.count, Self.isDigit(scalars[index]), let number = decimal(from: index) {
      var unitStart = number.end
      if unitStart < scalars.count, scalars[unitStart] == " " { unitStart += 1 }
      var unitEnd = unitStart
      while unitEnd < scalars.count, Self.isLatin(scalars[unitEnd]) { unitEnd += 1 }
      let word = text(unitStart..<unitEnd).lowercased()
      // After hours, `m` and digits without a unit are minutes: `7h20`, `7h20 in all`.
      let isAfterHours = last == 3600
      let isBare =
        isAfterHours && word != "m" && Self.seconds[word] == nil
        && (index == end || unitStart == scalars.count)
      let isMinutes = isBare || isAfterHours && word == "m"
      guard let unit = isMinutes ? 60 : Self.seconds[word], unit < last else { break }
      let (part, overflow) = number.value.millionths.multipliedReportingOverflow(by: unit)
      guard !overflow, part <= Int64.max / 4 else { return nil }
      // `7h90` is nothing that anybody means.
      if isMinutes, part >= 3600 * FixedDecimal.one { return nil }
      total += part
      guard total <= Int64(Self.longestDuration) * FixedDecimal.one else { return nil }
      last = unit
      end = isBare ? number.end : unitEnd
      index = end
      if index + 1 < scalars.count, scalars[index] == " ", Self.isDigit(scalars[index + 1]) {
        index += 1
      }
    }
    return end > 0 ? (.duration(FixedDecimal(millionths: total)), end) : nil
  }

  /// As large as the largest number.
  private static let longestDuration = 1_000_000_000

  // MARK: Numbers

  /// The readings of a number: with the next word as its unit, and without it.
  private func numbers() -> [Read] {
    var index = 0
    var isNegative = false
    var unit = ""
    if Self.isSign(scalars[0]) {
      isNegative = scalars[0] != "+"
      index += 1
    }
    if index < scalars.count, Self.isCurrency(scalars[index]) {
      unit = text(index..<index + 1)
      index += 1
      if index < scalars.count, scalars[index] == " " { index += 1 }
    }
    guard let number = decimal(from: index) else { return [] }
    let value = FixedDecimal(millionths: (isNegative ? -1 : 1) * number.value.millionths)
    let bare: Read = (.number(value, unit: unit), number.end)
    guard unit.isEmpty else { return [bare] }
    let isApart = isSpace(number.end)
    guard let end = self.unit(from: isApart ? number.end + 1 : number.end, isApart: isApart) else {
      return [bare]
    }
    let start = isApart ? number.end + 1 : number.end
    let whole: Read = (.number(value, unit: text(start..<end)), end)
    // `4 and then I slept`: an unknown word that follows is a unit only if nothing else does.
    return isApart ? [whole, bare].filter { isEnded($0) } : [whole]
  }

  /// A word apart from its number is a unit at the end of the value, before a sign, a remark or a tag; a
  /// unit that converts is one before other words, too.
  private func isEnded(_ read: Read) -> Bool {
    guard !read.value.unit.isEmpty, isBlank(read.end), ConvertibleUnit(read.value.unit) == nil
    else { return true }
    return read.end + 1 < scalars.count && ["(", "#", "@"].contains(scalars[read.end + 1])
  }

  private func isSpace(_ index: Int) -> Bool {
    guard index < scalars.count else { return false }
    return scalars[index] == " " || scalars[index] == "\u{A0}" || scalars[index] == "\u{202F}"
  }

  /// The end of a unit: letters and signs such as `km/h`, `%`, `°C`, `m²`, or `/5` at a number.
  private func unit(from start: Int, isApart: Bool) -> Int? {
    guard start < scalars.count else { return nil }
    if !isApart, scalars[start] == "/" {
      let end = digits(from: start + 1)
      return (start + 2...start + 4).contains(end) ? end : nil
    }
    var index = start
    while index < scalars.count, Self.isOfUnit(scalars[index]), index - start <= Self.longestUnit {
      index += 1
    }
    guard index > start, scalars[start] != "/", index - start <= Self.longestUnit else {
      return nil
    }
    return index
  }

  private static func isOfUnit(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "%", "‰", "°", "/", "²", "³", "·", "'", "\"": true
    default:
      isCurrency(scalar)
        || scalar.properties.isAlphabetic
    }
  }

  /// A number without its sign: `5.2`, `5,2`, `1,234.5`, `1.234,5`, `1,234`.
  private func decimal(from start: Int) -> (value: FixedDecimal, end: Int)? {
    var end = digits(from: start)
    guard end > start else { return nil }
    var parts = [start..<end]
    var separators: [Unicode.Scalar] = []
    while end + 1 < scalars.count, scalars[end] == "." || scalars[end] == ",",
      Self.isDigit(scalars[end + 1])
    {
      separators.append(scalars[end])
      let next = digits(from: end + 1)
      parts.append(end + 1..<next)
      end = next
    }
    guard let decimals = hasDecimals(parts, separators) else { return nil }
    let whole = parts.dropLast(decimals ? 1 : 0).map { text($0) }.joined()
    let significant = whole.drop { $0 == "0" }
    guard significant.utf8.count <= FixedDecimal.mostDigits else { return nil }
    let rest = decimals ? text(parts[parts.count - 1]) : ""
    // Six decimals and one to round.
    let kept = (rest + "0000000").utf8.prefix(7).reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
    let value = (Int64(significant) ?? 0) * FixedDecimal.one + (kept + 5) / 10
    // It would be counted as nothing.
    guard value != 0 || !rest.utf8.contains(where: { $0 != 0x30 }) else { return nil }
    return (FixedDecimal(millionths: value), end)
  }

  /// Whether the last part are decimals; `nil` if the parts are no number, as in `192.168.0.1`.
  private func hasDecimals(_ parts: [Range<Int>], _ separators: [Unicode.Scalar]) -> Bool? {
    guard let last = separators.last else { return false }
    // `0,125` has decimals, `1,250` has none.
    let isGrouped = { (parts: ArraySlice<Range<Int>>) in
      parts.dropFirst().allSatisfy { $0.count == 3 } && parts[0].count <= 3
        && scalars[parts[0].lowerBound] != "0"
    }
    if separators.count == 1 {
      return last == "." || !isGrouped(parts[...])
    }
    let groups = Set(separators.dropLast())
    if groups == [last] { return last == "," && isGrouped(parts[...]) ? false : nil }
    return groups.count == 1 && isGrouped(parts.dropLast()) ? true : nil
  }
}
