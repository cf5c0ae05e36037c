/// The condition of a query on the fields of a text: `run:>5`, `mood:<=2`, `slept:7h..8h`, `weather:sun*`.
///
/// An entry with several fields of the name matches if one of them does.
package struct FieldTest: Hashable, Codable, Sendable {
  /// The key of the name.
  package let name: String
  /// What a value must be.
  package let condition: Condition

  /// What a value must be.
  package enum Condition: Hashable, Codable, Sendable {
    /// Anything.
    case any
    /// Of a kind, with an amount in a range; of a number that was asked for with a unit, in ASCII's lower
    /// case, with that unit or one that converts to it, and then the range is of the unit's amounts.
    case amounts(FieldValue.Kind, ClosedRange<Int64>, unit: String?)
    /// These words, without case and accents.
    case text(String)
    /// Words that begin like this.
    case prefix(String)
  }

  package init(name: String, _ condition: Condition) {
    self.name = name
    self.condition = condition
  }

  /// Whether one of the fields of an entry is what the test asks for.
  package func holds(for fields: [Field]) -> Bool {
    fields.contains { $0.key == name && holds(for: $0.value) }
  }

  /// Whether a value of the field is what the test asks for.
  package func holds(for value: FieldValue) -> Bool {
    switch condition {
    case .any: return true
    case .amounts(let kind, let range, let unit):
      guard let amount = value.amount, value.kind == kind else { return false }
      guard let unit else { return range.contains(amount) }
      let name = FieldTest.lowercased(value.unit)
      return FieldUnit(unit).ranges(range).contains {
        $0.names.contains { $0.isSame(as: name) } && $0.range.contains(amount)
      }
    case .text(let text): return value.kind == .words && Folding.fold(value.description) == text
    case .prefix(let start):
      return value.kind == .words
        && Folding.fold(value.description).utf8.starts(with: start.utf8)
    }
  }

  /// In lower case, of ASCII alone, as SQLite compares without case.
  package static func lowercased(_ unit: String) -> String {
    String(
      decoding: unit.utf8.map {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0
      },
      as: UTF8.self)
  }
}

// MARK: - Reading

extension FieldTest {
  /// Reads what follows the colon of a name.
  ///
  /// - Parameters:
  ///   - name: the name as typed.
  ///   - isTyped: whether somebody is still typing the value.
  ///   - days: the days of a date in words, such as `today`.
  init(
    _ name: String, _ text: String, isTyped: Bool,
    days: (String) throws(QueryError.Problem) -> ClosedRange<Day>
  ) throws(QueryError.Problem) {
    self.name = Folding.fold(name)
    let (sign, rest) = Self.split(text)
    if rest.isEmpty {
      guard isTyped else { throw .missingValue(field: name) }
      condition = .any
    } else if sign.isEmpty, let bounds = Self.bounds(rest) {
      guard bounds.least <= bounds.most else { throw .emptyRange(rest) }
      let unit = bounds.unit.isEmpty ? nil : Self.lowercased(bounds.unit)
      condition = .amounts(bounds.kind, bounds.least...bounds.most, unit: unit)
    } else if let literal = Self.literal(rest) {
      condition = try Self.amounts(literal, sign, name, text)
    } else if sign.isEmpty || sign == "=" {
      let hasStar = rest.last == "*"
      let folded = Folding.fold(hasStar ? String(rest.dropLast()) : rest)
      guard !folded.isEmpty else { throw .missingValue(field: name) }
      condition = hasStar || isTyped ? .prefix(folded) : .text(folded)
    } else {
      let found: ClosedRange<Day>
      do { found = try days(rest) } catch { throw .fieldValue(field: name, value: rest) }
      let (first, last) = (found.lowerBound, found.upperBound)
      let value = sign == "<" || sign == ">=" ? first : last
      condition = try Self.amounts(.day(value), sign, name, text)
    }
  }

  /// The sign before a value, and the value.
  private static func split(_ text: String) -> (sign: String, rest: String) {
    for sign in ["<=", ">=", "<", ">", "="] where text.hasPrefix(sign) {
      return (sign, String(text.dropFirst(sign.count).drop { $0 == " " }))
    }
    return ("", text)
  }

  /// A number, a duration or a date, also of a folded text.
  private static func literal(_ text: String) -> FieldValue? {
    for text in [text, Folding.fold(text)] {
      let value = FieldValue(text)
      // A remark after a number is no part of what is asked.
      if value.kind != .words { return value }
    }
    return nil
  }

  /// The bounds of `a..b`, `a..` and `..b`, if they are amounts of one kind.
  private static func bounds(
    _ text: String
  ) -> (kind: FieldValue.Kind, least: Int64, most: Int64, unit: String)? {
    guard let sides = TextRange.split(text) else { return nil }
    let (lower, upper) = (literal(sides.lower), literal(sides.upper))
    guard lower != nil || sides.lower.isEmpty, upper != nil || sides.upper.isEmpty,
      let kind = (lower ?? upper)?.kind, kind == (upper ?? lower)?.kind
    else { return nil }
    let unit = upper.flatMap { $0.unit.isEmpty ? nil : $0.unit } ?? lower?.unit ?? ""
    // `500m..2km`: both bounds are amounts of the second unit.
    let least = lower.flatMap {
      $0.unit.isEmpty ? $0.amount : FieldUnit(unit).amount(of: $0) ?? $0.amount
    }
    return (kind, least ?? .min, upper?.amount ?? .max, unit)
  }

  private static func amounts(
    _ value: FieldValue, _ sign: String, _ name: String, _ text: String
  ) throws(QueryError.Problem) -> Condition {
    guard let amount = value.amount else { throw .fieldValue(field: name, value: text) }
    let range: ClosedRange<Int64> =
      switch sign {
      case "<": Int64.min...amount - 1
      case "<=": Int64.min...amount
      case ">": amount + 1...Int64.max
      case ">=": amount...Int64.max
      default: amount...amount
      }
    let unit = value.unit
    return .amounts(value.kind, range, unit: unit.isEmpty ? nil : lowercased(unit))
  }

  /// Reads what follows `field:`: a name, or a name with a sign and a value, for names that are fields of
  /// the query language.
  init(
    field text: String, isTyped: Bool,
    days: (String) throws(QueryError.Problem) -> ClosedRange<Day>
  ) throws(QueryError.Problem) {
    guard let sign = text.firstIndex(where: { "<>=".contains($0) }) else {
      let name = Folding.fold(text)
      guard Field.isKey(name) else { throw .fieldName(text) }
      self.init(name: name, .any)
      return
    }
    let name = Folding.fold(String(text[..<sign]))
    guard Field.isKey(name) else { throw .fieldName(String(text[..<sign])) }
    try self.init(name, String(text[sign...]), isTyped: isTyped, days: days)
  }
}

// MARK: - Printing

extension FieldTest: CustomStringConvertible {
  /// The test as it is typed: `run:>5`, `weather:"quite sunny"`, `field:run`.
  package var description: String {
    if case .any = condition { return "field:\(name)" }
    // Names of ours, and those that may be slips of them, need the longer form.
    let isOwn = Suggestion.nearest(to: name, among: QueryField.all.map(\.name)) != nil
    let text = isOwn ? name + signed : value
    let isWord = !text.contains { $0.isWhitespace || "()|".contains($0) }
    return "\(isOwn ? "field" : name):" + (isWord ? text : "\"\(text)\"")
  }

  /// The value with a sign always before it.
  private var signed: String {
    guard case .amounts(let kind, let range, let unit) = condition, range.lowerBound > .min,
      range.upperBound < .max
    else { return value.first.map { "<>=".contains($0) } ?? true ? value : "=" + value }
    guard range.lowerBound < range.upperBound else {
      return "=" + Self.text(kind, range.lowerBound, unit)
    }
    return "=" + value
  }

  private var value: String {
    switch condition {
    case .any: return ""
    case .text(let text): return Self.plain(text)
    case .prefix(let start): return Self.plain(start) + "*"
    case .amounts(let kind, let range, let unit):
      if range.upperBound == .max {
        return Self.bound(kind, range.lowerBound, unit, or: -1, ">=", ">")
      }
      if range.lowerBound == .min {
        return Self.bound(kind, range.upperBound, unit, or: 1, "<=", "<")
      }
      let lower = Self.text(kind, range.lowerBound, unit)
      return range.lowerBound == range.upperBound
        ? lower : "\(lower)..\(Self.text(kind, range.upperBound, unit))"
    }
  }

  /// Words, after an equals sign if they would else be read as something else.
  private static func plain(_ words: String) -> String {
    words.first.map { "<>=/: ".contains($0) } ?? false || bounds(words) != nil
      ? "=" + words : words
  }

  /// A bound with the shorter of two signs: more than 5 is at least 5.000001.
  private static func bound(
    _ kind: FieldValue.Kind, _ amount: Int64, _ unit: String?, or step: Int64, _ with: String,
    _ without: String
  ) -> String {
    let (own, next) = (text(kind, amount, unit), text(kind, amount + step, unit))
    let isRead = { (text: String, amount: Int64) in
      FieldValue(text).amount == amount && FieldValue(text).kind == kind
    }
    let isShorter = next.utf8.count < own.utf8.count && isRead(next, amount + step)
    return isShorter || !isRead(own, amount) ? without + next : with + own
  }

  private static func text(_ kind: FieldValue.Kind, _ amount: Int64, _ unit: String?) -> String {
    FieldValue(kind, amount: amount, unit: unit ?? "")?.description ?? ""
  }
}
