/// A piece of a query.
struct QueryToken: Equatable {
  enum Kind: Equatable {
    /// A word, sign and star included: `bread`, `#home`, `pre*`.
    case word(String)
    /// What stood between quotation marks, and whether a star or the typing end makes it a prefix.
    case quoted(String, prefix: Bool)
    /// A field and its value: `since` and `2026-11`.
    case field(String, value: String)
    case or(String)
    case and
    case not(String)
    case open
    case close
  }

  var kind: Kind
  /// Where it starts, in characters from 1.
  var column: Int
  /// Whether it ends where the query ends.
  var isLast = false
}

/// Cuts a query into tokens.
struct QueryTokenizer {
  private let characters: [Character]
  private let isTyping: Bool
  private var index = 0

  /// Makes a tokenizer.
  ///
  /// - Parameter isTyping: whether the query is still being typed, so that a missing closing
  ///   quotation mark is only not there yet.
  init(_ text: String, isTyping: Bool) {
    characters = Array(text)
    self.isTyping = isTyping
  }

  mutating func tokens() throws(QueryError) -> [QueryToken] {
    var tokens: [QueryToken] = []
    while let token = try next() { tokens.append(token) }
    return tokens
  }

  private mutating func next() throws(QueryError) -> QueryToken? {
    while let character = peek, character.isWhitespace { index += 1 }
    guard let character = peek else { return nil }
    let column = index + 1
    let kind = try kind(startingWith: character)
    return QueryToken(kind: kind, column: column, isLast: index == characters.count)
  }

  private mutating func kind(
    startingWith character: Character
  ) throws(QueryError) -> QueryToken.Kind {
    switch character {
    case "(": return single(.open)
    case ")": return single(.close)
    case "|": return single(.or("|"))
    case "-" where isBeforeTerm: return single(.not("-"))
    case "\"": return try quoted()
    default: return try word()
    }
  }

  /// Whether something follows at once: a hyphen that stands alone is a dash, not a negation.
  private var isBeforeTerm: Bool {
    index + 1 < characters.count && !characters[index + 1].isWhitespace
  }

  private var peek: Character? { index < characters.count ? characters[index] : nil }

  private mutating func single(_ kind: QueryToken.Kind) -> QueryToken.Kind {
    index += 1
    return kind
  }

  private mutating func quoted() throws(QueryError) -> QueryToken.Kind {
    let (text, isClosed) = try quotedText()
    let hasStar = peek == "*"
    if hasStar { index += 1 }
    return .quoted(text, prefix: hasStar || !isClosed)
  }

  private mutating func quotedText() throws(QueryError) -> (text: String, isClosed: Bool) {
    let start = index + 1
    guard let end = characters[start...].firstIndex(of: "\"") else {
      guard isTyping else { throw QueryError(column: index + 1, problem: .openQuote) }
      index = characters.count
      return (String(characters[start...]), false)
    }
    index = end + 1
    return (String(characters[start..<end]), true)
  }

  private mutating func word() throws(QueryError) -> QueryToken.Kind {
    let start = index
    while let character = peek, !ends(character) {
      index += 1
      if character == ":", isField(characters[start..<index - 1]) {
        return try field(String(characters[start..<index - 1]))
      }
    }
    let word = String(characters[start..<index])
    switch word {
    case "OR": return .or(word)
    case "AND": return .and
    case "NOT": return .not(word)
    default: return .word(word)
    }
  }

  private mutating func field(_ name: String) throws(QueryError) -> QueryToken.Kind {
    if peek == "\"" { return .field(name, value: try quotedText().text) }
    let start = index
    while let character = peek, !ends(character) { index += 1 }
    return .field(name, value: String(characters[start..<index]))
  }

  private func ends(_ character: Character) -> Bool {
    character.isWhitespace || "()|\"".contains(character)
  }

  private func isField(_ name: ArraySlice<Character>) -> Bool {
    !name.isEmpty && name.allSatisfy { $0.isASCII && $0.isLetter }
  }
}
