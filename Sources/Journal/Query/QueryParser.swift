/// Reads a query by recursive descent: `OR` binds weakest, then words beside one another, then
/// negation.
struct QueryParser {
  /// How many parentheses and negations may stand inside one another.
  static let depthLimit = 64
  /// The longest query in bytes.
  static let lengthLimit = 16 << 10
  /// The most words, tags and fields in a query.
  ///
  /// SQLite takes expressions that are 1,000 deep.
  static let termLimit = 256

  let dates: WhenParser
  let isTyping: Bool
  private let tokens: [QueryToken]
  private var position = 0
  private var depth = 0

  init(tokens: [QueryToken], dates: WhenParser, isTyping: Bool) {
    self.tokens = tokens
    self.dates = dates
    self.isTyping = isTyping
  }

  /// Refuses a query of too many terms, at the first one that is too many.
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

  mutating func parse() throws(QueryError) -> Query {
    guard !tokens.isEmpty else { return .everything }
    let query = try alternatives(after: nil)
    if let token = peek {
      throw QueryError(column: token.column, problem: .parenthesis(")"))
    }
    return query
  }

  /// Whether a token stands behind a negation: what one excludes is meant whole.
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

  /// A term, perhaps negated.
  ///
  /// - Parameter previous: the token that needs it, for the message when nothing is there.
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

  /// Reads something inside something else, so deep and no deeper: a parser that calls itself must
  /// not be led to the end of the stack.
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
  /// All of these; those that are conjunctions themselves are taken in.
  static func allOf(_ parts: [Query]) -> Query {
    guard parts.count != 1 else { return parts[0] }
    return .and(
      parts.flatMap { part in
        if case .and(let inner) = part { inner } else { [part] }
      })
  }

  /// Any of these; those that are alternatives themselves are taken in.
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
    // No word goes on behind a character that is a word by itself.
    let isPrefix = isPrefix && WordClass(scalar) != .alone
    if words.count > 1 { return .phrase(words, prefix: isPrefix) }
    return isPrefix ? .prefix(last) : .word(last)
  }
}
