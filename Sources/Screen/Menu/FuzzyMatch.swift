import Journal

/// A match of typed letters with a text that contains them in this order, without case and accents.
///
/// Better matches come first: at the beginning of the text, then at the beginning of a word, then
/// as close together as possible.
struct FuzzyMatch: Comparable {
  /// The number of letters between the first and the last match that are not typed.
  private let gaps: Int
  /// The kind of beginning: 0 for that of the text, 1 for that of a word, 2 inside a word.
  private let start: Int
  private let length: Int

  /// Matches letters; nil if the text does not contain them.
  ///
  /// Blanks are ignored.
  init?(_ typed: String, in text: String) {
    let wanted = Array(Folding.fold(typed).unicodeScalars).filter { $0 != " " }
    let letters = Array(Folding.fold(text).unicodeScalars)
    guard let first = wanted.first else { return nil }
    var best: (start: Int, gaps: Int)?
    for index in letters.indices where letters[index] == first {
      guard let end = Self.end(of: wanted, in: letters, from: index) else { break }
      let isWordStart = index == 0 || !letters[index - 1].properties.isAlphabetic
      let found = (index == 0 ? 0 : isWordStart ? 1 : 2, end - index - wanted.count)
      if best.map({ found < $0 }) ?? true { best = found }
    }
    guard let best else { return nil }
    (start, gaps, length) = (best.start, best.gaps, letters.count)
  }

  /// The index after the last letter; nil if one is missing.
  private static func end(
    of wanted: [Unicode.Scalar], in letters: [Unicode.Scalar], from start: Int
  ) -> Int? {
    var index = start
    for letter in wanted {
      guard let found = letters[index...].firstIndex(of: letter) else { return nil }
      index = found + 1
    }
    return index
  }

  static func < (a: FuzzyMatch, b: FuzzyMatch) -> Bool {
    (a.start, a.gaps, a.length) < (b.start, b.gaps, b.length)
  }
}
