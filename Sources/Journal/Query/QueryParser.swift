/// A recursive descent parser of queries: `OR` binds weakest, then adjacent words, then negation.
struct QueryParser {
  /// The maximum nesting depth of parentheses and negations.
  static let depthLimit = 64
  /// The longest query in bytes.
  static let lengthLimit = 16 << 10
  /// The maximum number of words, tags and fields in a query.
  ///
  /// SQLite accepts expressions with a depth of 1,000.
  static let termLimit = 256

  let dates: WhenParser
  let isTyping: Bool
  private let fields: [QueryField]
  private let textFields: TextFields
  private let tokens: [QueryToken]
  private var position = 0
  private var depth = 0

  init(
    tokens: [QueryToken], dates: WhenParser, isTyping: Bool, fields: [QueryField] = QueryField.all,
    textFields: TextFields = .unknown
  ) {
    self.tokens = tokens
    self.fields = fields
    self.textFields = textFields
    self.dates = dates
    self.isTyping = isTyping
  }

  /// Rejects a query with too many terms, at the first one over the limit.
  static func checkCount(of tokens: [QueryToken]) throws(QueryError) {
    var count = 0
    for token in tokens {
      switch token.kind {
      case .or, .and, .not, .open, .close: continue
      case .word, .field: count += 1
      case .quoted(let text, _): count += Folding.words(of: text).count
      }
      guard count <= termLimit else {
        throw QueryError(column: token.column, problem: .tooManyTerms)
      }
    }
  }

  /// The tokens without a last one that is only begun, and without the operators before it.
  static func withoutBegun(_ tokens: [QueryToken]) -> [QueryToken] {
    guard let last = tokens.last, last.isLast, last.isBegun else { return tokens }
    let end = tokens.dropLast().lastIndex { token in
      switch token.kind {
      case .or, .and, .not, .open: false
      case .close, .word, .quoted, .field: true
      }
    }
    return end.map { Array(tokens[...$0]) } ?? []
  }

  mutating func parse() throws(QueryError) -> Query {
    guard !tokens.isEmpty else { return .everything }
    let query = try alternatives(after: nil)
    if let token = peek {
      throw QueryError(column: token.column, problem: .parenthesis(")"))
    }
    return query
  }

  /// Whether a token follows a negation: an excluded word is always whole.
  func isNegated(_ token: QueryToken) -> Bool {
    guard let index = tokens.firstIndex(of: token), index > 0 else { return false }
    if case .not = tokens[index - 1].kind { return true }
    return false
  }

  private var peek: QueryToken? { position < tokens.count ? tokens[position] : nil }

  private mutating func alternatives(after opening: QueryToken?) throws(QueryError) -> Query {
    var parts = [try conjunction(after: opening)]
    while let token = peek, case .or = token.kind {
      position += 1
      parts.append(try conjunction(after: token))
    }
    return Query.anyOf(parts)
  }

  private mutating func conjunction(after previous: QueryToken?) throws(QueryError) -> Query {
    var parts = [try negation(after: previous)]
    while let token = peek {
      switch token.kind {
      case .or, .close: return Query.allOf(parts)
      case .and:
        position += 1
        parts.append(try negation(after: token))
      default: parts.append(try negation(after: token))
      }
    }
    return Query.allOf(parts)
  }

  /// A term with an optional negation.
  ///
  /// - Parameter previous: the token that requires it, for the error message.
  private mutating func negation(after previous: QueryToken?) throws(QueryError) -> Query {
    guard let token = peek else { throw missing(after: previous) }
    guard case .not = token.kind else { return try term(token, after: previous) }
    position += 1
    return .not(
      try nested(token) { (parser) throws(QueryError) in
        try parser.negation(after: token)
      })
  }

  private mutating func term(
    _ token: QueryToken, after previous: QueryToken?
  ) throws(QueryError) -> Query {
    switch token.kind {
    case .open: return try group(token)
    case .close:
      guard let previous else {
        throw QueryError(column: token.column, problem: .parenthesis(")"))
      }
      throw missing(after: previous)
    case .or, .and, .not: throw missing(after: token)
    case .word(let text):
      position += 1
      return try word(text, token)
    case .quoted(let text, let prefix):
      position += 1
      return try Query.words(Folding.words(of: text), isPrefix: prefix, of: text, token)
    case .field(let name, let value):
      position += 1
      return try field(name, value: value, token)
    }
  }

  private mutating func group(_ opening: QueryToken) throws(QueryError) -> Query {
    position += 1
    let query = try nested(opening) { (parser) throws(QueryError) in
      try parser.alternatives(after: opening)
    }
    if isTyping, peek == nil { return query }
    guard peek?.kind == .close else {
      throw QueryError(column: opening.column, problem: .parenthesis("("))
    }
    position += 1
    return query
  }

  /// Parses a nested part up to the depth limit: the input must not overflow the parser's stack.
  private mutating func nested(
    _ token: QueryToken, _ body: (inout QueryParser) throws(QueryError) -> Query
  ) throws(QueryError) -> Query {
    guard depth < QueryParser.depthLimit else {
      throw QueryError(column: token.column, problem: .tooDeep)
    }
    depth += 1
    let query = try body(&self)
    depth -= 1
    return query
  }

  private func missing(after token: QueryToken?) -> QueryError {
    QueryError(
      column: token?.column ?? 1, problem: .missingTerm(after: token.map(QueryParser.sign) ?? ""))
  }

  private static func sign(_ token: QueryToken) -> String {
    switch token.kind {
    case .or(let sign), .not(let sign), .word(let sign): sign
    case .and: "AND"
    case .open: "("
    case .close: ")"
    case .quoted(let text, _): text
    case .field(let name, _): name
    }
  }
}

extension Query {
  /// The conjunction of these, with nested conjunctions flattened.
  static func allOf(_ parts: [Query]) -> Query {
    guard parts.count != 1 else { return parts[0] }
    return .and(
      parts.flatMap { part in
        if case .and(let inner) = part { inner } else { [part] }
      })
  }

  /// The disjunction of these, with nested disjunctions flattened.
  static func anyOf(_ parts: [Query]) -> Query {
    guard parts.count != 1 else { return parts[0] }
    return .or(
      parts.flatMap { part in
        if case .or(let inner) = part { inner } else { [part] }
      })
  }

  /// A word, a prefix or a phrase from folded words.
  static func words(
    _ words: [String], isPrefix: Bool, of text: String, _ token: QueryToken
  ) throws(QueryError) -> Query {
    guard let last = words.last, let scalar = last.unicodeScalars.first else {
      throw QueryError(column: token.column, problem: .noWord(text))
    }
    // A character that is a word of its own cannot be a prefix.
    let isPrefix = isPrefix && WordClass(scalar) != .alone
    if words.count > 1 { return .phrase(words, prefix: isPrefix) }
    return isPrefix ? .prefix(last) : .word(last)
  }
}

extension QueryParser {
  /// A plain word, a tag or a name.
  func word(_ text: String, _ token: QueryToken) throws(QueryError) -> Query {
    var isTyped = isTyping && token.isLast && !isNegated(token)
    let hasStar = text.last == "*"
    let bare = hasStar ? String(text.dropLast()) : text
    guard !bare.contains("*") else { throw QueryError(column: token.column, problem: .star(text)) }
    if bare.first == "#" || bare.first == "@" {
      return try tag(bare, isPrefix: hasStar || isTyped, token)
    }
    // A sign at the end of a word ends it: `c++` is no beginning of `cat`.
    if let last = bare.last, !Self.goesOn(last) { isTyped = false }
    return try Query.words(
      Folding.words(of: bare), isPrefix: hasStar || isTyped, of: text, token)
  }

  /// Whether a word may go on after this character, as `well-known` does.
  private static func goesOn(_ last: Character) -> Bool {
    "-_'’".contains(last) || !Folding.words(of: String(last)).isEmpty
  }

  private func tag(
    _ text: String, isPrefix: Bool, _ token: QueryToken
  ) throws(QueryError) -> Query {
    if let name = Tag.name(typed: text) {
      return isPrefix ? .tagPrefix(Tag.key(of: name)) : .tag(Tag.key(of: name))
    }
    // `#work/` and `#to-` may be incomplete tags.
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
    let lowercased = name.lowercased()
    let isTyped = isTyping && token.isLast && !isNegated(token)
    do throws(QueryError.Problem) {
      guard let field = fields.first(where: { $0.name == lowercased }) else {
        return .field(try fieldOfTexts(name, value, isTyped: isTyped))
      }
      guard !value.isEmpty else { throw .missingValue(field: field.name) }
      return try query(field, value, isTyped: isTyped)
    } catch {
      throw QueryError(column: token.column, problem: error)
    }
  }

  /// The test of a field in texts.
  ///
  /// - Throws: `unknownField` for a name that no text has, with the nearest of all names; where the texts are
  ///   not known, for one that is near a name of the language.
  private func fieldOfTexts(
    _ name: String, _ value: String, isTyped: Bool
  ) throws(QueryError.Problem) -> FieldTest {
    let key = Folding.fold(name)
    let own = fields.map(\.name)
    let others: [String]
    switch textFields {
    case .unknown:
      let nearest = Suggestion.nearest(to: name, among: own)
      let isCompared = value.first.map { "<>=".contains($0) } ?? false
      others = nearest == nil || isCompared && nearest != "words" ? [key] : []
    case .any: others = [key]
    case .keys(let keys): others = keys()
    }
    guard others.contains(key), Field.isKey(key) else {
      let meant = QueryField.synonyms[key]
      throw .unknownField(
        name,
        suggestions: meant ?? Suggestion.nearest(to: name, among: own + others, limit: 3))
    }
    return try FieldTest(name, value, isTyped: isTyped) { (text) throws(QueryError.Problem) in
      try days(text)
    }
  }

  private func query(
    _ field: QueryField, _ value: String, isTyped: Bool
  ) throws(QueryError.Problem) -> Query {
    switch field.value {
    case .state: return .flag(try flag(value))
    case .start: return .since(try days(value).lowerBound)
    case .end: return .until(try days(value).upperBound)
    case .before: return .until(try days(value).lowerBound.adding(days: -1))
    case .after: return .since(try days(value).upperBound.adding(days: 1))
    case .days: return try on(value)
    case .tag: return try tag(value, isPrefix: isTyped)
    case .wordCount: return .words(try WordCountRange.parse(value))
    case .number:
      guard let number = Digits.number(value.utf8) else {
        throw .number(field: field.name, value: value)
      }
      return .id(Int64(number))
    case .stored(let place): return .stored(try StoredTest(place, value, isTyped: isTyped))
    case .target: return .links(try target(value, field))
    case .source: return .linked(try target(value, field))
    case .entry:
      guard let number = Digits.number(value.utf8) else {
        throw .number(field: field.name, value: value)
      }
      return .linksTo(Int64(number))
    case .fileKind: return .file(try FileTest(kind: value))
    case .file: return .file(try FileTest(value, isTyped: isTyped))
    case .field:
      return .field(
        try FieldTest(field: value, isTyped: isTyped) { (text) throws(QueryError.Problem) in
          try days(text)
        })
    }
  }

  private func target(
    _ value: String, _ field: QueryField
  ) throws(QueryError.Problem) -> String {
    let key = Link.key(of: value)
    guard !key.isEmpty else { throw .missingValue(field: field.name) }
    return key
  }

  /// A tag with or without its sign.
  private func tag(_ value: String, isPrefix: Bool) throws(QueryError.Problem) -> Query {
    let hasStar = value.last == "*"
    let bare = hasStar ? String(value.dropLast()) : value
    let typed = bare.first == "#" || bare.first == "@" ? bare : "#" + bare
    guard let name = Tag.name(typed: typed) else { throw .tag(value) }
    return isPrefix || hasStar ? .tagPrefix(Tag.key(of: name)) : .tag(Tag.key(of: name))
  }

  private func flag(_ value: String) throws(QueryError.Problem) -> Query.Flag {
    if let flag = Query.Flag(rawValue: value.lowercased()) { return flag }
    let names = Query.Flag.allCases.map(\.rawValue)
    throw .unknownFlag(value, suggestion: Suggestion.nearest(to: value, among: names))
  }

  /// The days of a value; times are not allowed.
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

  /// `on:` with a date, a range (`on:2026-01..2026-03`), or a yearly day (`on:*-11-21`,
  /// `on:*-today`).
  private func on(_ value: String) throws(QueryError.Problem) -> Query {
    if value.hasPrefix("*-") {
      let day = try dayOfYear(String(value.dropFirst(2)), in: value)
      return .everyYear(month: day.month, day: day.day)
    }
    guard let dots = TextRange.split(value) else { return .on(try days(value)) }
    if dots.upper.isEmpty { return .since(try days(dots.lower).lowerBound) }
    let last = try days(dots.upper).upperBound
    if dots.lower.isEmpty { return .until(last) }
    let first = try days(dots.lower).lowerBound
    guard first <= last else { throw .emptyRange(value) }
    return .on(first...last)
  }
}

extension QueryParser {
  /// A month and a day, or the words for one day, without the year.
  private func dayOfYear(_ text: String, in value: String) throws(QueryError.Problem) -> Day {
    // Any leap year, so that 29 February is valid.
    if let day = Day("2000-" + text) { return day }
    let isMonthAndDay = text.utf8.count < 6 && text.contains("-")
    guard !text.isEmpty, !isMonthAndDay else { throw .date(.noSuchDay(value)) }
    let days = try self.days(text)
    guard days.lowerBound == days.upperBound else { throw .date(.noSuchDay(value)) }
    return days.lowerBound
  }
}

/// A value written `a..b`, `a..` or `..b`.
enum TextRange {
  /// The two sides, if there are dots between them; at most one of them is empty.
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

/// The values of `words:`: `>200`, `>=200`, `<200`, `<=200`, `=200`, `200`, `100..200`, `100..` and `..200`.
enum WordCountRange {
  static func parse(_ value: String) throws(QueryError.Problem) -> ClosedRange<Int> {
    if let dots = TextRange.split(value) {
      let lower = try dots.lower.isEmpty ? 0 : number(dots.lower, in: value)
      let upper = try dots.upper.isEmpty ? .max : number(dots.upper, in: value)
      guard lower <= upper else { throw .emptyRange(value) }
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

  /// The value that ``parse(_:)`` converts back to the range.
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
