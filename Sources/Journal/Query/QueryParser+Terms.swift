extension QueryParser {
  /// A word that stands for itself, a tag or a name.
  func word(_ text: String, _ token: QueryToken) throws(QueryError) -> Query {
    let isTyped = isTyping && token.isLast && !isNegated(token)
    let hasStar = text.last == "*"
    let bare = hasStar ? String(text.dropLast()) : text
    guard !bare.contains("*") else { throw QueryError(column: token.column, problem: .star(text)) }
    if bare.first == "#" || bare.first == "@" {
      return try tag(bare, isPrefix: hasStar || isTyped, token)
    }
    return try Query.words(
      Folding.words(of: bare), isPrefix: hasStar || isTyped, of: text, token)
  }

  private func tag(
    _ text: String, isPrefix: Bool, _ token: QueryToken
  ) throws(QueryError) -> Query {
    if let name = Tag.name(typed: text) {
      return isPrefix ? .tagPrefix(Tag.key(of: name)) : .tag(Tag.key(of: name))
    }
    // `#work/` and `#to-` may be on their way to a tag.
    let begun = String(text.reversed().drop { "-/".contains($0) }.reversed())
    guard isPrefix, begun.count < text.count, Tag.name(typed: begun) != nil else {
      throw QueryError(column: token.column, problem: .tag(text))
    }
    return .tagPrefix(Tag.key(of: text))
  }

  /// A field and its value.
  func field(
    _ name: String, value: String, _ token: QueryToken
  ) throws(QueryError) -> Query {
    let field = name.lowercased()
    guard Query.fieldNames.contains(field) else {
      let suggestion = Suggestion.nearest(to: name, among: Query.fieldNames)
      throw QueryError(
        column: token.column, problem: .unknownField(name, suggestion: suggestion))
    }
    do throws(QueryError.Problem) {
      guard !value.isEmpty else { throw .missingValue(field: field) }
      return try query(field: field, value: value)
    } catch {
      throw QueryError(column: token.column, problem: error)
    }
  }

  private func query(field: String, value: String) throws(QueryError.Problem) -> Query {
    switch field {
    case "is": return .flag(try flag(value))
    case "since": return .since(try days(value).lowerBound)
    case "until": return .until(try days(value).upperBound)
    case "on": return try on(value)
    case "words": return .words(try WordCountRange.parse(value))
    default:
      guard let number = Digits.number(value.utf8) else {
        throw .number(field: field, value: value)
      }
      return .id(Int64(number))
    }
  }

  private func flag(_ value: String) throws(QueryError.Problem) -> Query.Flag {
    if let flag = Query.Flag(rawValue: value.lowercased()) { return flag }
    let names = Query.Flag.allCases.map(\.rawValue)
    throw .unknownFlag(value, suggestion: Suggestion.nearest(to: value, among: names))
  }

  /// The days a value names; a time has no place among days.
  func days(_ value: String) throws(QueryError.Problem) -> ClosedRange<Day> {
    let when: When
    do throws(WhenError) {
      when = try dates.parse(value)
    } catch {
      throw .date(error)
    }
    guard case .day(let first, let last) = when else { throw .date(.timeNotAllowed(value)) }
    return first...last
  }

  /// `on:` a date, from one date to another (`on:2026-01..2026-03`), or every year (`on:*-11-21`,
  /// `on:*-today`).
  private func on(_ value: String) throws(QueryError.Problem) -> Query {
    if value.hasPrefix("*-") {
      let day = try dayOfYear(String(value.dropFirst(2)), in: value)
      return .everyYear(month: day.month, day: day.day)
    }
    guard let dots = TextRange.split(value) else { return .on(try days(value)) }
    let first = try days(dots.lower).lowerBound
    let last = try days(dots.upper).upperBound
    guard first <= last else { throw .date(.unknown(value, suggestion: nil)) }
    return .on(first...last)
  }
}

extension QueryParser {
  /// A month and a day, or the words for one day, of which the year makes no difference.
  private func dayOfYear(_ text: String, in value: String) throws(QueryError.Problem) -> Day {
    // Any leap year will do: 29 February comes round too.
    if let day = Day("2000-" + text) { return day }
    let isMonthAndDay = text.utf8.count < 6 && text.contains("-")
    guard !text.isEmpty, !isMonthAndDay else { throw .date(.noSuchDay(value)) }
    let days = try self.days(text)
    guard days.lowerBound == days.upperBound else { throw .date(.noSuchDay(value)) }
    return days.lowerBound
  }
}

/// A value written `a..b`.
enum TextRange {
  /// The two sides, if there are dots between them.
  static func split(_ value: String) -> (lower: String, upper: String)? {
    let characters = Array(value)
    guard characters.count > 2,
      let dots = (0..<characters.count - 1).first(where: {
        characters[$0] == "." && characters[$0 + 1] == "."
      })
    else { return nil }
    return (String(characters[..<dots]), String(characters[(dots + 2)...]))
  }
}

/// The values of `words:`: `>200`, `>=200`, `<200`, `<=200`, `=200`, `200` and `100..200`.
enum WordCountRange {
  static func parse(_ value: String) throws(QueryError.Problem) -> ClosedRange<Int> {
    if let dots = TextRange.split(value) {
      let lower = try number(dots.lower, in: value)
      let upper = try number(dots.upper, in: value)
      guard lower <= upper else { throw .noSuchCount(value) }
      return lower...upper
    }
    let sign = value.prefix { "<>=".contains($0) }
    let bound = try number(String(value.dropFirst(sign.count)), in: value)
    switch sign {
    case ">" where bound < .max: return bound + 1 ... .max
    case ">=": return bound ... .max
    case "<" where bound > 0: return 0...bound - 1
    case "<=": return 0...bound
    case "", "=": return bound...bound
    case ">", "<": throw .noSuchCount(value)
    default: throw .number(field: "words", value: value)
    }
  }

  /// The value that ``parse(_:)`` reads back as the range.
  static func text(_ range: ClosedRange<Int>) -> String {
    if range.upperBound == .max { return ">=\(range.lowerBound)" }
    if range.lowerBound == range.upperBound { return "\(range.lowerBound)" }
    return range.lowerBound == 0
      ? "<=\(range.upperBound)" : "\(range.lowerBound)..\(range.upperBound)"
  }

  private static func number(
    _ text: String, in value: String
  ) throws(QueryError.Problem) -> Int {
    guard let number = Digits.number(text.utf8) else {
      throw .number(field: "words", value: value)
    }
    return number
  }
}
