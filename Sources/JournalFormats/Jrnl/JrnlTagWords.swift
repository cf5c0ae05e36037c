/// The words of a text that jrnl may take its tags from, to look up whether one is there.
///
/// jrnl's tags begin a word, and may be followed in it by signs: `@work,` has `@work`.
struct JrnlTagWords {
  /// Sorted by bytes, in lower case, so that those with one beginning stand together.
  private let words: [[UInt8]]

  /// Finds the words of a text.
  ///
  /// - Complexity: O(*n* log *n*) in the bytes of the text.
  init(_ text: String) {
    let words = text.lowercased().split(whereSeparator: \.isWhitespace)
    self.words = Set(words.lazy.filter { $0.first.map(JrnlTagWords.isSign) == true }).map {
      Array($0.utf8)
    }.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Whether a word begins with a tag, its sign included.
  func has(_ tag: String) -> Bool {
    let tag = Array(tag.lowercased().utf8)
    var range = words.startIndex..<words.endIndex
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if words[middle].lexicographicallyPrecedes(tag) {
        range = middle + 1..<range.upperBound
      } else {
        range = range.lowerBound..<middle
      }
    }
    return range.lowerBound < words.endIndex && words[range.lowerBound].starts(with: tag)
  }

  /// Any sign may be configured as that of tags.
  private static func isSign(_ character: Character) -> Bool {
    !character.isLetter && !character.isNumber
  }
}
