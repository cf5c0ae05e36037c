/// A piece of a query.
struct QueryToken: Equatable {
  enum Kind: Equatable {
    /// A word with its sign and star: `bread`, `#home`, `pre*`.
    case word(String)
    /// The text between quotation marks, and whether a star or unfinished typing makes it a prefix.
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
  /// The start, in characters from 1.
  var column: Int
  /// Whether it ends at the end of the query.
  var isLast = false

  /// Whether nothing is said yet: the sign of a tag without its name, or a field without its value.
  var isBegun: Bool {
    switch kind {
    case .word(let text): text == "#" || text == "@"
    case .field(let name, let value):
      value.isEmpty && QueryField.all.contains { $0.name == name.lowercased() }
    case .quoted, .or, .and, .not, .open, .close: false
    }
  }
}

/// Splits a query into tokens.
struct QueryTokenizer {
  private let characters: [Character]
  private let isTyping: Bool
  private var index = 0

  /// Makes a tokenizer.
  ///
  /// - Parameter isTyping: whether the query is still being typed, so that a closing quotation mark
  ///   may be missing.
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
    case "-" where isBeforeTerm, "!" where isBeforeTerm: return single(.not("\(character)"))
    case "\"": return try quoted()
    default: return try word()
    }
  }

  /// Whether a term follows directly: a separate hyphen is a dash, not a negation.
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
      guard character == ":", isField(characters[start..<index - 1]) else { continue }
      let name = String(characters[start..<index - 1])
      return isText(name) ? address(from: start) : try field(name)
    }
    let word = String(characters[start..<index])
    switch word {
    case "OR": return .or(word)
    case "AND": return .and
    case "NOT": return .not(word)
    default: return .word(word)
    }
  }

  /// Whether a name and its colon begin a text to search for: `https://…`, `mailto:…`, `std::vector`.
  private func isText(_ name: String) -> Bool {
    Self.schemes.contains(name.lowercased()) || peek == "/" || peek == ":"
  }

  private static let schemes: Set = ["ftp", "http", "https", "mailto"]

  /// An address up to a blank or a quotation mark; a parenthesis that it opens, it also closes.
  private mutating func address(from start: Int) -> QueryToken.Kind {
    var depth = 0
    while let character = peek, !character.isWhitespace, !"|\"".contains(character) {
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      guard depth >= 0 else { break }
      index += 1
    }
    let isUnfinished = isTyping && index == characters.count
    return .quoted(String(characters[start..<index]), prefix: isUnfinished)
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
    guard let first = name.first, first.isLetter else { return false }
    return name.allSatisfy { character in
      character.unicodeScalars.allSatisfy { TagScanner.isLetter($0) || TagScanner.isJoiner($0) }
    }
  }
}

/// An error in a query, with its position.
package struct QueryError: Error, Hashable, Sendable {
  /// The errors of a query.
  package enum Problem: Error, Hashable, Sendable {
    /// An unknown field; the suggestions are the nearest known ones.
    case unknownField(String, suggestions: [String])
    /// An unknown value of `is:`; the suggestion is the nearest known one.
    case unknownFlag(String, suggestion: String?)
    /// A field without a value.
    case missingValue(field: String)
    /// A value that is not a date.
    case date(WhenError)
    /// An invalid value of `words:` or `id:`.
    case number(field: String, value: String)
    /// A value of a field that needs yes or no.
    case answer(field: String, value: String)
    /// A value of a field in texts that has no order.
    case fieldValue(field: String, value: String)
    /// A value of `has:` that is no kind of file.
    case unknownKindOfFile(String)
    /// A value of `file:` that is neither a size nor a name.
    case fileSize(String)
    /// The names that no field in a text can have.
    case fieldName(String)
    /// A range whose first value is above its last one.
    case emptyRange(String)
    /// A number of words that no entry can have.
    case noSuchCount(String)
    /// `#` or `@` before an invalid tag.
    case tag(String)
    /// An unclosed quotation mark.
    case openQuote
    /// An unclosed or unopened parenthesis.
    case parenthesis(String)
    /// An operator without a term.
    case missingTerm(after: String)
    /// A word or phrase without letters and digits.
    case noWord(String)
    /// A `*` that is not at the end of a word.
    case star(String)
    /// Too many nested parentheses and negations.
    case tooDeep
    /// A query above the length limit.
    case tooLong
    /// Too many words, tags and fields.
    case tooManyTerms
  }

  /// The position of the error, in characters from 1.
  package let column: Int
  /// The error.
  package let problem: Problem
}

extension QueryError: CustomStringConvertible {
  /// The position and the error, on one line: `column 9: unknown field "sinse:", did you mean
  /// "since:"?`.
  package var description: String { "column \(column): \(problem)" }
}

extension QueryError.Problem: CustomStringConvertible {
  /// The error and the remedy.
  package var description: String {
    switch self {
    case .unknownField(let name, let suggestions):
      "unknown field \"\(name):\""
        + (suggestions.isEmpty
          ? "; to search for the text put it in quotation marks"
          : ", did you mean " + suggestions.map { "\"\($0):\"" }.joined(separator: " or ") + "?")
    case .unknownFlag(let name, let suggestion):
      "unknown \"is:\(name)\", "
        + (suggestion.map { "did you mean \"is:\($0)\"?" }
          ?? "use is:starred, is:untagged, is:edited, is:conflict, is:orphan, is:broken or is:deleted")
    case .missingValue(let field): "missing value after \"\(field):\""
    case .date(let error): "\(error)"
    case .number("id", let value): "\"\(value)\" is not a number of an entry, as in id:42"
    case .number("words", let value):
      "\"\(value)\" is not a number of words, as in words:>200 or words:100..200"
    case .number(let field, let value): "\"\(value)\" is not a whole number, as in \(field):3"
    case .answer(let field, let value):
      "\"\(value)\" is neither yes nor no, as in \(field):yes"
    case .fieldValue(let field, let value):
      "\"\(value)\" is no number, duration or date, as in \(field):>5, \(field):>7h20 or"
        + " \(field):>2026-11-21"
    case .unknownKindOfFile(let value):
      "unknown \"has:\(value)\", use has:picture or has:file"
    case .fileSize(let value):
      "\"\(value)\" is neither a size nor a name, as in file:>1M, file:1M..5M or file:*.pdf"
    case .fieldName(let text):
      "\"\(text)\" is not the name of a field: one word of letters, digits, \"-\" and \"_\""
    case .emptyRange(let value): "nothing is in \"\(value)\": the smaller value comes first"
    case .noSuchCount(let value): "no entry can have \"\(value)\" words"
    case .tag(let text): "\"\(text)\" is not a tag; use letters, digits, \"-\", \"_\" and \"/\""
    case .openQuote: "the quotation mark is never closed"
    case .parenthesis("("): "the parenthesis is never closed"
    case .parenthesis: "this parenthesis was never opened"
    case .missingTerm(let after): "missing term next to \"\(after)\""
    case .noWord(let text): "\"\(text)\" has no letter or digit to search for"
    case .star(let text): "\"\(text)\": a * is allowed only at the end of a word"
    case .tooLong: "a query may have at most \(QueryParser.lengthLimit) bytes"
    case .tooManyTerms: "a query may have at most \(QueryParser.termLimit) words, tags and fields"
    case .tooDeep: "nested deeper than \(QueryParser.depthLimit) levels"
    }
  }
}
