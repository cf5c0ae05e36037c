import Journal

extension Query {
  /// Whether it asks for words of the text, which only an index of words finds fast.
  var needsWords: Bool {
    switch self {
    case .word, .prefix, .phrase: true
    case .and(let parts), .or(let parts): parts.contains(where: \.needsWords)
    case .not(let part): part.needsWords
    default: false
    }
  }

  /// Whether its answer depends on the text, so that a row alone does not decide.
  var needsText: Bool {
    switch self {
    case .word, .prefix, .phrase, .tag, .tagPrefix, .words, .flag(.untagged): true
    case .and(let parts), .or(let parts): parts.contains(where: \.needsText)
    case .not(let part): part.needsText
    default: false
    }
  }
}
