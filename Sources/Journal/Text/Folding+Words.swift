extension Folding {
  /// The words of a text, folded, in their order.
  ///
  /// A word is a run of letters, digits, marks and `_`. Each Chinese, Japanese or Korean character is
  /// a word of its own, so that any part of such a text is found as consecutive words; so is each
  /// emoji.
  ///
  /// - Complexity: linear in the bytes of the text.
  public static func words(of text: String) -> [String] {
    foldedBytes(text).withUnsafeBufferPointer { bytes in
      var words: [String] = []
      forEachWord(in: bytes) { words.append(Utf8.text(bytes, $0)) }
      return words
    }
  }

  /// ``words(of:)`` with a space between any two, each cut to a number of bytes.
  ///
  /// - Complexity: linear in the bytes of the text, with one copy for all words.
  public static func joinedWords(of text: String, cut limit: Int) -> String {
    foldedBytes(text).withUnsafeBufferPointer { bytes in
      var joined: [UInt8] = []
      joined.reserveCapacity(bytes.count + bytes.count / 2)
      forEachWord(in: bytes) { range in
        if !joined.isEmpty { joined.append(UInt8(ascii: " ")) }
        let end = range.count > limit ? cut(range, to: limit, in: bytes) : range.upperBound
        joined.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[range.lowerBound..<end]))
      }
      return String(decoding: joined, as: UTF8.self)
    }
  }

  private static func cut(
    _ word: Range<Int>, to limit: Int, in bytes: UnsafeBufferPointer<UInt8>
  ) -> Int {
    Utf8.boundary(bytes, atMost: word.lowerBound + limit)
  }

  /// How many words a person would count in a text: what white space separates, as long as there is
  /// a letter or digit in it (`don't` is one), and each Chinese, Japanese or Korean character.
  ///
  /// - Complexity: linear in the bytes of the text, without a copy.
  public static func wordCount(of text: String) -> Int {
    Utf8.withBytes(of: text) { bytes in
      var count = 0
      var isInWord = false
      forEachScalar(in: bytes) { scalar, _ in
        switch WordClass(scalar) {
        case .letter:
          count += isInWord ? 0 : 1
          isInWord = true
        case .alone:
          count += CJK.contains(scalar) ? 1 : 0
          isInWord = false
        case .other:
          isInWord = isInWord && !TextLine.isSpace(scalar)
        }
      }
      return count
    }
  }

  /// The places of the words of a text that is not folded, in bytes, in their order.
  static func wordRanges(in bytes: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    forEachWord(in: bytes) { ranges.append($0) }
    return ranges
  }

  private static func forEachScalar(
    in bytes: UnsafeBufferPointer<UInt8>, _ body: (Unicode.Scalar, Range<Int>) -> Void
  ) {
    var index = 0
    while index < bytes.count {
      let next = index + Utf8.length(startingWith: bytes[index])
      body(Utf8.scalar(bytes, at: index), index..<next)
      index = next
    }
  }

  private static func forEachWord(
    in bytes: UnsafeBufferPointer<UInt8>, _ body: (Range<Int>) -> Void
  ) {
    var start: Int?
    forEachScalar(in: bytes) { scalar, range in
      let wordClass = WordClass(scalar)
      if wordClass == .letter {
        start = start ?? range.lowerBound
        return
      }
      if let begun = start { body(begun..<range.lowerBound) }
      start = nil
      if wordClass == .alone { body(range) }
    }
    if let begun = start { body(begun..<bytes.count) }
  }
}

/// What a scalar does to the words around it.
enum WordClass: Equatable {
  /// It is part of a word: a letter, a digit, a mark or `_`.
  case letter
  /// It is a word by itself: a Chinese, Japanese or Korean character, an emoji.
  case alone
  /// It separates words.
  case other

  init(_ scalar: Unicode.Scalar) {
    // Asking Unicode's tables costs more than all the rest of looking at a text.
    switch scalar.value {
    case ..<0x80: self = WordClass.isASCIILetter(UInt8(scalar.value)) ? .letter : .other
    case 0x80..<0x700: self = WordClass.alphabets[Int(scalar.value) - 0x80]
    case 0x3041...0x3096, 0x30A1...0x30FA, 0x4E00...0x9FFC, 0xAC00...0xD7A3: self = .alone
    default: self = WordClass(definedFor: scalar)
    }
  }

  /// What the scripts from Latin to Arabic consist of, looked up beforehand.
  private static let alphabets = (UInt32(0x80)..<0x700).map { value in
    Unicode.Scalar(value).map { WordClass(definedFor: $0) } ?? .other
  }

  /// The definition, for scalars beyond ASCII.
  init(definedFor scalar: Unicode.Scalar) {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
      self = CJK.contains(scalar) ? .alone : .letter
    case .otherSymbol, .modifierSymbol, .mathSymbol, .otherPunctuation:
      self = scalar.value > 0xFF && scalar.properties.isEmoji ? .alone : .other
    default: self = .other
    }
  }

  static func isASCIILetter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

/// The scripts that write without spaces between words.
enum CJK {
  /// Whether a scalar is of the Han, Hiragana, Katakana, Bopomofo or Hangul script.
  static func contains(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x1100: false
    case 0x1100...0x11FF, 0xA960...0xA97F, 0xAC00...0xD7FF: true
    case 0x2E80...0x2FDF, 0x3005...0x3007, 0x3021...0x3029, 0x3031...0x303C: true
    case 0x3041...0x30FF, 0x3100...0x31BF, 0x31F0...0x31FF: true
    case 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0xFF66...0xFFDC: true
    case 0x1B000...0x1B16F, 0x20000...0x3FFFF: true
    default: false
    }
  }
}
