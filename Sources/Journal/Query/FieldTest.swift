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
    /// What may be meant by a value that has several readings, the first of which is printed.
    case either([Condition])
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
  package func holds(for value: FieldValue) -> Bool { Self.holds(condition, for: value) }

  private static func holds(_ condition: Condition, for value: FieldValue) -> Bool {
    switch condition {
    case .either(let conditions): return conditions.contains { holds($0, for: value) }
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
    guard !rest.isEmpty else {
      guard isTyped else { throw .missingValue(field: name) }
      condition = .any
      return
    }
    // `!=` is no sign: `-run:5` says it.
    guard !rest.hasPrefix("!=") else { throw .fieldValue(field: name, value: text) }
    let period = try? days(rest)
    if sign.isEmpty, let range = try Self.range(rest, days) {
      condition = range
    } else if let literal = Self.literal(rest) {
      let amounts = try Self.amounts(literal, sign, name, text)
      // `due:<2027` may be a number or a year.
      let isYear = rest.utf8.count == 4 && Int(rest) != nil
      condition =
        isYear ? period.map { .either([amounts, Self.days(sign, $0)]) } ?? amounts : amounts
    } else if sign.isEmpty || sign == "=" {
      let hasStar = rest.last == "*"
      let folded = Folding.fold(hasStar ? String(rest.dropLast()) : rest)
      guard !folded.isEmpty else { throw .missingValue(field: name) }
      let words: Condition = hasStar || isTyped ? .prefix(folded) : .text(folded)
      condition = period.map { .either([words, Self.days(sign, $0)]) } ?? words
    } else {
      guard let period else { throw .fieldValue(field: name, value: rest) }
      condition = Self.days(sign, period)
    }
  }

  /// The dates that a sign before a period asks for.
  private static func days(_ sign: String, _ period: ClosedRange<Day>) -> Condition {
    let first = Int64(period.lowerBound.daysSinceEpoch)
    let last = Int64(period.upperBound.daysSinceEpoch)
    return .amounts(.day, range(sign, first...last), unit: nil)
  }

  /// The amounts that a sign before some amounts asks for.
  private static func range(_ sign: String, _ amounts: ClosedRange<Int64>) -> ClosedRange<Int64> {
    switch sign {
    case "<": Int64.min...amounts.lowerBound - 1
    case "<=": Int64.min...amounts.upperBound
    case ">": amounts.upperBound + 1...Int64.max
    case ">=": amounts.lowerBound...Int64.max
    default: amounts
    }
  }

  /// The values of `a..b`, `a..` and `..b`: amounts of one kind, or dates.
  private static func range(
    _ text: String, _ days: (String) throws(QueryError.Problem) -> ClosedRange<Day>
  ) throws(QueryError.Problem) -> Condition? {
    var conditions: [Condition] = []
    if let bounds = bounds(text) {
      guard bounds.least <= bounds.most else { throw .emptyRange(text) }
      let unit = bounds.unit.isEmpty ? nil : lowercased(bounds.unit)
      conditions.append(.amounts(bounds.kind, bounds.least...bounds.most, unit: unit))
    }
    // Also `2026-01..2026-03`, and years, which may be numbers.
    if let sides = TextRange.split(text), conditions.isEmpty || isYears(sides.lower, sides.upper) {
      let lower = sides.lower.isEmpty ? nil : try? days(sides.lower)
      let upper = sides.upper.isEmpty ? nil : try? days(sides.upper)
      if lower != nil || sides.lower.isEmpty, upper != nil || sides.upper.isEmpty {
        let first = lower.map { Int64($0.lowerBound.daysSinceEpoch) } ?? .min
        let last = upper.map { Int64($0.upperBound.daysSinceEpoch) } ?? .max
        guard first <= last else { throw .emptyRange(text) }
        conditions.append(.amounts(.day, first...last, unit: nil))
      }
    }
    return conditions.count > 1 ? .either(conditions) : conditions.first
  }

  private static func isYears(_ sides: String...) -> Bool {
    sides.allSatisfy { $0.isEmpty || $0.utf8.count == 4 && Int($0) != nil }
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
    let unit = value.unit
    return .amounts(
      value.kind, range(sign, amount...amount), unit: unit.isEmpty ? nil : lowercased(unit))
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

  /// The condition that is printed.
  private var printed: Condition {
    if case .either(let conditions) = condition { conditions.first ?? .any } else { condition }
  }

  /// The value with a sign always before it.
  private var signed: String {
    guard case .amounts(let kind, let range, let unit) = printed, range.lowerBound > .min,
      range.upperBound < .max
    else { return value.first.map { "<>=".contains($0) } ?? true ? value : "=" + value }
    guard range.lowerBound < range.upperBound else {
      return "=" + Self.text(kind, range.lowerBound, unit)
    }
    return "=" + value
  }

  private var value: String {
    switch printed {
    case .any, .either: return ""
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
    words.first.map { "<>=/: ".contains($0) } ?? false || TextRange.split(words) != nil
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
