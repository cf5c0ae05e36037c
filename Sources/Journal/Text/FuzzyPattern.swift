/// Typed letters that a text must contain in their order, without case, accents and blanks.
///
/// Better matches come first: at the beginning of the text, then at the beginning of a word, then
/// as close together as possible, then in the shorter text.
package struct FuzzyPattern: Sendable {
  /// The letters, folded, each in UTF-8.
  package let letters: [[UInt8]]

  package init(_ typed: String) {
    letters = Folding.fold(typed).unicodeScalars.filter { !$0.properties.isWhitespace }
      .map { Array(String($0).utf8) }
  }

  /// Whether it matches every text.
  package var isEmpty: Bool { letters.isEmpty }

  /// A match with a text; nil if the text does not contain the letters.
  package func match(in text: String) -> FuzzyMatch? { match(inFolded: Folding.fold(text)) }

  /// A match with a text that is folded already.
  ///
  /// - Complexity: linear in the bytes of the text for each occurrence of the first letter.
  package func match(inFolded text: String) -> FuzzyMatch? {
    Utf8.withBytes(of: text) { bytes in
      best(in: bytes).map { FuzzyMatch(start: $0.start, gaps: $0.gaps, length: bytes.count) }
    }
  }

  /// The characters of a text that the best match consists of, as ascending disjoint byte ranges; none
  /// without a match.
  ///
  /// ```swift
  /// FuzzyPattern("brd").places(in: "Bread")  // [0..<2, 4..<5]
  /// ```
  package func places(in text: String) -> [Range<Int>] {
    let (folded, sources) = Folding.mapped(text)
    return folded.withUnsafeBufferPointer { bytes in
      guard var index = best(in: bytes)?.index else { return [] }
      var places: [Range<Int>] = []
      for letter in letters {
        guard let found = Self.find(letter, in: bytes, from: index) else { return [] }
        index = found + letter.count
        let place = sources[found].lowerBound..<sources[index - 1].upperBound
        if let last = places.last, last.upperBound >= place.lowerBound {
          places[places.count - 1] = last.lowerBound..<max(last.upperBound, place.upperBound)
        } else {
          places.append(place)
        }
      }
      return places
    }
  }

  /// The first byte of the best match, with its quality.
  private func best(
    in bytes: UnsafeBufferPointer<UInt8>
  ) -> (index: Int, start: Int, gaps: Int)? {
    guard let first = letters.first else { return nil }
    var best: (index: Int, start: Int, gaps: Int)?
    var index = 0
    while let found = Self.find(first, in: bytes, from: index) {
      // If the rest does not follow here, it does not follow later.
      guard let (end, gaps) = end(in: bytes, from: found + first.count) else { break }
      let isWordStart = found == 0 || !Self.isLetter(bytes[found - 1])
      let start = found == 0 ? 0 : isWordStart ? 1 : 2
      if best.map({ (start, gaps) < ($0.start, $0.gaps) }) ?? true { best = (found, start, gaps) }
      if best?.start == 0, best?.gaps == 0 || end == bytes.count { break }
      index = found + first.count
    }
    return best
  }

  /// The end of the letters after the first one, and the bytes between them.
  private func end(
    in bytes: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> (end: Int, gaps: Int)? {
    var (index, gaps) = (start, 0)
    for letter in letters.dropFirst() {
      guard let found = Self.find(letter, in: bytes, from: index) else { return nil }
      gaps += found - index
      index = found + letter.count
    }
    return (index, gaps)
  }

  private static func find(
    _ letter: [UInt8], in bytes: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Int? {
    var index = start
    while index + letter.count <= bytes.count {
      if bytes[index] == letter[0],
        letter.count == 1 || bytes[index..<index + letter.count].elementsEqual(letter)
      {
        return index
      }
      index += 1
    }
    return nil
  }

  /// Whether a byte is a part of a word: a letter or digit of ASCII, or of another script.
  private static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...: true
    default: false
    }
  }
}

/// The quality of a match of a ``FuzzyPattern``; the best is the least.
package struct FuzzyMatch: Comparable, Sendable {
  /// 0 at the beginning of the text, 1 at that of a word, 2 inside a word.
  let start: Int
  /// The number of bytes between the letters.
  let gaps: Int
  /// The length of the text in bytes.
  let length: Int

  package static func < (a: FuzzyMatch, b: FuzzyMatch) -> Bool {
    (a.start, a.gaps, a.length) < (b.start, b.gaps, b.length)
  }
}

/// The title of an entry that a ``FuzzyPattern`` matches.
package struct FoundTitle: Hashable, Codable, Sendable {
  /// The entry's number.
  package var number: Int64
  package var title: String
  package var day: Day

  package init(number: Int64, title: String, day: Day) {
    (self.number, self.title, self.day) = (number, title, day)
  }
}
