import Journal

/// Words, prefixes and phrases of a query in the language of FTS5.
///
/// The index holds the very words that `Folding.words` makes, so that the expression says exactly what
/// `Query.matches` means; where it could not, there is none.
struct MatchExpression {
  /// The expression.
  let text: String

  /// The longest word that is not cut in the index, in bytes; FTS5 itself would cut a little later.
  static let longestWord = 32_000
  /// More words in a row than this are not looked for in the index.
  private static let longestPhrase = 256

  /// - Parameter query: a query; anything but words, a prefix or a phrase has no expression.
  init?(_ query: Query) {
    switch query {
    case .word(let word): self.init(words: [word], isPrefix: false)
    case .prefix(let prefix): self.init(words: [prefix], isPrefix: true)
    case .phrase(let words, let isPrefix): self.init(words: words, isPrefix: isPrefix)
    default: return nil
    }
  }

  private init?(words: [String], isPrefix: Bool) {
    guard !words.isEmpty, words.count <= MatchExpression.longestPhrase,
      words.allSatisfy({ $0.utf8.count < MatchExpression.longestWord }),
      words.allSatisfy({ Folding.words(of: $0) == [$0] })
    else { return nil }
    text = "\"\(words.joined(separator: " "))\"" + (isPrefix ? " *" : "")
  }

  private init(text: String) {
    self.text = text
  }

  /// What all of these say together; FTS5 then goes by the rarest of them.
  static func all(_ expressions: [MatchExpression]) -> MatchExpression {
    MatchExpression(text: expressions.map(\.text).joined(separator: " AND "))
  }
}
