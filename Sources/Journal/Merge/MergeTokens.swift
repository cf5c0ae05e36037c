/// A text in tokens for a merge: its lines, or its words with the white space between them.
///
/// Tokens cover the text without gaps, and none divides a grapheme cluster.
struct MergeTokens {
  /// The role of a token.
  enum Kind: UInt8 {
    /// A run of characters without white space: a word with its punctuation, `don't` and `10:30.`
    case word
    /// A run of Hiragana: in Japanese a particle or the end of a word.
    case hiragana
    /// Punctuation of Chinese and Japanese, which write no spaces after it.
    case punctuation
    /// A run of white space within a line.
    case space
    /// The end of a line, or a line with its end.
    case lineBreak
  }

  /// The UTF-8 of the text.
  let bytes: [UInt8]
  /// The end of each token, in bytes.
  private(set) var ends: [Int] = []
  /// The role of each token.
  private(set) var kinds: [Kind] = []
  /// A number for each token, equal for equal bytes.
  private(set) var numbers: [Int] = []

  /// The number of tokens.
  var count: Int { ends.count }

  /// The lines of a text, each with its line feed.
  init(lines bytes: [UInt8], _ interning: inout Interning) {
    self.bytes = bytes
    var start = 0
    while start < bytes.count {
      let feed = bytes[start...].firstIndex(of: UInt8(ascii: "\n"))
      let end = feed.map { $0 + 1 } ?? bytes.count
      append(.lineBreak, start..<end, &interning)
      start = end
    }
  }

  /// The words of a text, the white space between them, and its line ends.
  init(words bytes: [UInt8], _ interning: inout Interning) {
    self.bytes = bytes
    var (start, end) = (0, 0)
    var kind: Kind?
    for character in String(decoding: bytes, as: UTF8.self) {
      let next = Kind(character)
      let continues = next == kind && next != .lineBreak && next != .punctuation
      if let kind, !continues {
        append(kind, start..<end, &interning)
        start = end
      }
      kind = next
      end += character.utf8.count
    }
    if let kind { append(kind, start..<end, &interning) }
  }

  private mutating func append(
    _ kind: Kind, _ range: Range<Int>, _ interning: inout Interning
  ) {
    ends.append(range.upperBound)
    kinds.append(kind)
    numbers.append(interning.number(of: Array(bytes[range])))
  }

  /// The bytes of a range of tokens.
  func bytes(_ tokens: Range<Int>) -> ArraySlice<UInt8> {
    guard !tokens.isEmpty else { return [] }
    let start = tokens.lowerBound == 0 ? 0 : ends[tokens.lowerBound - 1]
    return bytes[start..<ends[tokens.upperBound - 1]]
  }

  /// Whether two ranges of tokens have the same bytes.
  func isSame(_ range: Range<Int>, _ other: MergeTokens, _ otherRange: Range<Int>) -> Bool {
    numbers[range].elementsEqual(other.numbers[otherRange])
  }
}

extension MergeTokens.Kind {
  init(_ character: Character) {
    let first = character.unicodeScalars.first ?? " "
    self =
      switch first.value {
      case 0x0A, 0x0D, 0x85, 0x2028, 0x2029: .lineBreak
      case 0x3041...0x309F: .hiragana
      case 0x3001...0x303F, 0xFF01...0xFF65:
        WordClass(first) == .other ? .punctuation : .word
      default: TextLine.isSpace(first) ? .space : .word
      }
  }

  /// Whether two adjacent tokens of this kind would be one.
  var fuses: Bool {
    switch self {
    case .word, .hiragana: true
    case .punctuation, .space, .lineBreak: false
    }
  }

  /// Whether it separates words.
  var separates: Bool {
    switch self {
    case .word, .hiragana: false
    case .punctuation, .space, .lineBreak: true
    }
  }
}

/// A change from the base to a side: tokens of the base, and those of the side that replace them.
struct MergeHunk: Equatable {
  /// The replaced tokens of the base; empty for an insertion.
  var base: Range<Int>
  /// The replacing tokens of the side; empty for a deletion.
  var side: Range<Int>

  /// The order in the base; an insertion comes before a replacement at the same place.
  func precedes(_ other: MergeHunk) -> Bool {
    (base.lowerBound, base.upperBound) < (other.base.lowerBound, other.base.upperBound)
  }

  /// The changes from one text to another, ascending; no two of them touch.
  ///
  /// - Parameter budget: the number of comparisons, as in ``SequenceDifference``.
  static func hunks(
    from base: MergeTokens, to side: MergeTokens, budget: Int
  ) -> [MergeHunk] {
    let kept = SequenceDifference(from: base.numbers, to: side.numbers, budget: budget)
    var hunks: [MergeHunk] = []
    var (place, sidePlace) = (0, 0)
    while place < base.count || sidePlace < side.count {
      let (start, sideStart) = (place, sidePlace)
      while place < base.count, !kept.keptOld[place] { place += 1 }
      while sidePlace < side.count, !kept.keptNew[sidePlace] { sidePlace += 1 }
      if start < place || sideStart < sidePlace {
        hunks.append(MergeHunk(base: start..<place, side: sideStart..<sidePlace))
      }
      (place, sidePlace) = (min(place + 1, base.count), min(sidePlace + 1, side.count))
    }
    return hunks
  }
}
