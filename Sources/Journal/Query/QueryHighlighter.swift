/// Finds the matches of a query in a displayed text, for highlighting.
///
/// It finds required words, phrases and tags; excluded terms, dates and flags have no position in a
/// text.
package struct QueryHighlighter: Sendable {
  private enum Term: Sendable {
    case words([String], prefix: Bool)
    case tag(String, prefix: Bool)
  }

  private let terms: [Term]

  /// Makes a highlighter of a query.
  package init(_ query: Query) {
    terms = Self.terms(of: query)
  }

  /// The same without tags, for a text whose tags are shown elsewhere.
  package var withoutTags: QueryHighlighter {
    QueryHighlighter(
      terms: terms.filter { if case .words = $0 { true } else { false } })
  }

  private init(terms: [Term]) {
    self.terms = terms
  }

  /// Whether there are no terms to find.
  package var isEmpty: Bool { terms.isEmpty }

  /// The matching parts of a text, as ascending disjoint byte ranges of its UTF-8.
  ///
  /// - Complexity: linear in the bytes of the text, times the terms.
  package func places(in text: String) -> [Range<Int>] {
    guard !terms.isEmpty else { return [] }
    return Utf8.withBytes(of: text) { bytes in
      let words = Folding.wordRanges(in: bytes).map { ($0, Folding.fold(Utf8.text(bytes, $0))) }
      let found = terms.flatMap { term in
        switch term {
        case .words(let phrase, let isPrefix): Self.places(of: phrase, isPrefix, in: words)
        case .tag(let key, let isPrefix): Self.places(ofTag: key, isPrefix, in: bytes)
        }
      }
      return Self.united(found)
    }
  }

  private static func terms(of query: Query) -> [Term] {
    switch query {
    case .and(let parts), .or(let parts): parts.flatMap(terms)
    case .word(let word): [.words([word], prefix: false)]
    case .prefix(let word): [.words([word], prefix: true)]
    case .phrase(let words, let isPrefix): [.words(words, prefix: isPrefix)]
    case .tag(let key): [.tag(key, prefix: false)]
    case .tagPrefix(let key): [.tag(key, prefix: true)]
    default: []
    }
  }

  private static func places(
    of phrase: [String], _ isPrefix: Bool, in words: [(Range<Int>, String)]
  ) -> [Range<Int>] {
    guard let last = phrase.last, phrase.count <= words.count else { return [] }
    return (0...(words.count - phrase.count)).compactMap { start in
      let end = start + phrase.count - 1
      for (offset, word) in phrase.dropLast().enumerated() where words[start + offset].1 != word {
        return nil
      }
      let final = words[end].1
      guard isPrefix ? final.utf8.starts(with: last.utf8) : final == last else { return nil }
      return words[start].0.lowerBound..<words[end].0.upperBound
    }
  }

  private static func places(
    ofTag key: String, _ isPrefix: Bool, in bytes: UnsafeBufferPointer<UInt8>
  ) -> [Range<Int>] {
    var places: [Range<Int>] = []
    TagScanner(bytes).forEachTag { range in
      let found = Tag.key(of: Tag.name(bytes, range))
      let matches =
        isPrefix
        ? found.utf8.starts(with: key.utf8) : found == key || Tag.isChild(found, of: key)
      if matches { places.append(range) }
    }
    return places
  }

  private static func united(_ ranges: [Range<Int>]) -> [Range<Int>] {
    var result: [Range<Int>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = result.last, last.upperBound >= range.lowerBound {
        result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        result.append(range)
      }
    }
    return result
  }
}
