@_spi(_Unicode) import Swift

/// The form in which texts are compared: without case, without accents.
///
/// Search, tags and titles all use it, so that they agree. Two texts are equal for a user if their
/// folded forms have the same bytes.
package enum Folding {
  /// The version of the folding and of the definition of words.
  ///
  /// An index of folded words must be rebuilt when it changes. A test requires a new version when
  /// either changes.
  package static let version = 1

  /// A text without case and accents, in Unicode's composed form.
  ///
  /// Case folding is full (`STRASSE` is `straße`, `ς` is `σ`); canonically equivalent texts become
  /// the same bytes. Accents and vowel points are removed (`café` is `cafe`, also Arabic and Hebrew
  /// points); marks that belong to a letter stay: the voicing of kana (`が` is not `か`), the vowel
  /// signs of Devanagari, Thai and similar scripts. Joiners, soft hyphens and emoji selectors are
  /// removed, too. Folding a folded text changes nothing.
  ///
  /// - Complexity: linear in the bytes of the text; without a copy if nothing changes.
  package static func fold(_ text: String) -> String {
    Utf8.withBytes(of: text) { bytes in
      if bytes.allSatisfy({ $0 < 0x80 && !isUpper($0) }) { return text }
      return String(decoding: folded(bytes), as: UTF8.self)
    }
  }

  /// The folded form as bytes.
  static func foldedBytes(_ text: String) -> [UInt8] {
    Utf8.withBytes(of: text, folded)
  }

  /// The folded bytes, and for each of them the bytes of the character that it comes from.
  package static func mapped(_ text: String) -> (folded: [UInt8], sources: [Range<Int>]) {
    var (folded, sources, start) = ([UInt8](), [Range<Int>](), 0)
    for character in text {
      let end = start + character.utf8.count
      let bytes = fold(String(character)).utf8
      folded += bytes
      sources += repeatElement(start..<end, count: bytes.count)
      start = end
    }
    return (folded, sources)
  }

  private static func isUpper(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
  }

  /// Folds runs of ASCII byte by byte, and the runs between them separately.
  ///
  /// This is safe: no mark that combines with an ASCII letter survives folding.
  private static func folded(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] < 0x80 {
        result.append(isUpper(bytes[index]) ? bytes[index] | 0x20 : bytes[index])
        index += 1
      } else {
        let start = index
        while index < bytes.count, bytes[index] >= 0x80 { index += 1 }
        appendFolded(bytes, start..<index, to: &result)
      }
    }
    return result
  }

  private static func appendFolded(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, to result: inout [UInt8]
  ) {
    let mark = result.count
    var index = range.lowerBound
    while index < range.upperBound {
      let scalar = Utf8.scalar(bytes, at: index)
      let length = Utf8.length(startingWith: bytes[index])
      if let fold = FoldTable.fold(scalar) {
        result.append(contentsOf: fold)
      } else if FoldTable.staysItself(scalar) {
        result.append(contentsOf: bytes[index..<index + length])
      } else {
        result.removeSubrange(mark...)
        result.append(contentsOf: foldedSlowly(Utf8.text(bytes, range)).utf8)
        return
      }
      index += length
    }
  }

  /// Folds any text by the definition: decompose, drop marks, map case, compose.
  static func foldedSlowly(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in NormalForms.decomposed(text) where !isDropped(scalar) {
      appendCaseFolded(scalar, to: &scalars)
    }
    return NormalForms.composed(String(scalars))
  }

  /// Lower of upper of lower: the upper case expands `ß` to `SS` and unifies letters with one upper
  /// case (`ς`, `σ`); the first lower case is for `ẞ`, which is already upper case.
  private static func appendCaseFolded(
    _ scalar: Unicode.Scalar, to result: inout String.UnicodeScalarView
  ) {
    for lower in scalar.properties.lowercaseMapping.unicodeScalars {
      for upper in lower.properties.uppercaseMapping.unicodeScalars {
        for mapped in NormalForms.decomposed(upper.properties.lowercaseMapping)
        where !isDropped(mapped) {
          result.append(mapped)
        }
      }
    }
  }

  /// Whether a scalar is irrelevant for a search.
  private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x80: return false
    case 0xAD, 0x34F, 0x200C, 0x200D, 0x2060, 0xFEFF: return true
    case 0xFE00...0xFE0F, 0xE0100...0xE01EF: return true
    default: break
    }
    switch scalar.properties.generalCategory {
    case .enclosingMark: return true
    case .nonspacingMark: return isAccent(scalar.properties.canonicalCombiningClass.rawValue)
    default: return false
    }
  }

  /// Whether marks of a combining class are accents or points rather than letters.
  ///
  /// Class 1 strikes through, 10 to 36 are the points of Hebrew, Arabic and Syriac, from 200 on
  /// marks are above, below or beside their letter. The rest are vowel signs, nuktas, viramas and
  /// the voicing of kana.
  private static func isAccent(_ combiningClass: UInt8) -> Bool {
    combiningClass == 1 || (10...36).contains(combiningClass) || combiningClass >= 200
  }
}

extension Folding {
  /// The folded words of a text, in order.
  ///
  /// A word is a run of letters, digits, marks and `_`. Each Chinese, Japanese or Korean character
  /// is a word of its own, so that any part of such a text is found as consecutive words; so is
  /// each emoji.
  ///
  /// - Complexity: linear in the bytes of the text.
  package static func words(of text: String) -> [String] {
    foldedBytes(text).withUnsafeBufferPointer { bytes in
      var words: [String] = []
      forEachWord(in: bytes) { words.append(Utf8.text(bytes, $0)) }
      return words
    }
  }

  /// ``words(of:)`` with a space between any two, each cut to a number of bytes.
  ///
  /// - Complexity: linear in the bytes of the text, with one copy for all words.
  package static func joinedWords(of text: String, cut limit: Int) -> String {
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

  /// The number of words as people count them: the parts separated by white space that have a
  /// letter or digit (`don't` is one), and each Chinese, Japanese or Korean character.
  ///
  /// - Complexity: linear in the bytes of the text, without a copy.
  package static func wordCount(of text: String) -> Int {
    Utf8.withBytes(of: text) { bytes in
      var count = 0
      var isInWord = false
      var index = 0
      while index < bytes.count {
        let byte = bytes[index]
        // Most bytes are ASCII; the general way decodes a scalar.
        if byte < 0x80 {
          index += 1
          if WordClass.isASCIILetter(byte) {
            count += isInWord ? 0 : 1
            isInWord = true
          } else if byte == 0x20 || (0x09...0x0D).contains(byte) {
            isInWord = false
          }
          continue
        }
        let scalar = Utf8.scalar(bytes, at: index)
        index += Utf8.length(startingWith: byte)
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

  /// The byte ranges of the words in an unfolded text, in order.
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

/// The role of a scalar in words.
enum WordClass: Equatable {
  /// A part of a word: a letter, a digit, a mark or `_`.
  case letter
  /// A word of its own: a Chinese, Japanese or Korean character, an emoji.
  case alone
  /// A separator of words.
  case other

  init(_ scalar: Unicode.Scalar) {
    // Unicode's tables are much slower than the rest of the scan.
    switch scalar.value {
    case ..<0x80: self = WordClass.isASCIILetter(UInt8(scalar.value)) ? .letter : .other
    case 0x80..<0x700: self = WordClass.alphabets[Int(scalar.value) - 0x80]
    case 0x3041...0x3096, 0x30A1...0x30FA, 0x4E00...0x9FFC, 0xAC00...0xD7A3: self = .alone
    default: self = WordClass(definedFor: scalar)
    }
  }

  /// The scripts from Latin to Arabic, precomputed.
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

/// A table of folded scalars for most texts beyond ASCII.
///
/// It only saves time: for these scalars the folding does not depend on their neighbours, unless a
/// neighbour is not in the table. Each table is made when a text first needs it, so that a French
/// text does not load Greek.
enum FoldTable {
  private static let latin1 = folds(0x80..<0x100)
  private static let latin = folds(0x100..<0x300)
  private static let greek = folds(0x370..<0x400)
  private static let cyrillic = folds(0x400..<0x483)
  private static let moreCyrillic = folds(0x48A..<0x530)
  private static let hebrew = folds(0x5D0..<0x5F3)
  private static let arabic = folds(0x620..<0x64B)
  private static let moreArabic = folds(0x671..<0x6D6)

  /// The folded bytes of a scalar; `nil` for the slow path, as for marks.
  static func fold(_ scalar: Unicode.Scalar) -> [UInt8]? {
    let value = Int(scalar.value)
    return switch value {
    case 0x80..<0x100: latin1[value - 0x80]
    case 0x100..<0x300: latin[value - 0x100]
    case 0x370..<0x400: greek[value - 0x370]
    case 0x400..<0x483: cyrillic[value - 0x400]
    case 0x48A..<0x530: moreCyrillic[value - 0x48A]
    case 0x5D0..<0x5F3: hebrew[value - 0x5D0]
    case 0x620..<0x64B: arabic[value - 0x620]
    case 0x671..<0x6D6: moreArabic[value - 0x671]
    default: nil
    }
  }

  private static func folds(_ values: Range<UInt32>) -> [[UInt8]] {
    values.map { value in
      Unicode.Scalar(value).map { Array(Folding.foldedSlowly(String($0)).utf8) } ?? []
    }
  }

  /// Whether a scalar is a dash, a quotation mark, a kana, an ideograph, a Hangul syllable or a
  /// pictograph that folds to itself.
  static func staysItself(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x2010...0x2027, 0x3001...0x3029, 0x3041...0x3096, 0x30A1...0x30FC, 0x3400...0x4DBF,
      0x4E00...0x9FFF,
      0xAC00...0xD7A3, 0xFF01...0xFF20, 0x1F300...0x1F64F:
      true
    default: false
    }
  }
}

// The standard library has the canonical normal forms, and Foundation uses them, but they are
// available only under this underscored name. Foundation's own methods would load ICU at every
// start, so this file, and no other, uses the library's.

/// Unicode's canonical normal forms.
enum NormalForms {
  /// The scalars of a text in decomposed form (NFD).
  static func decomposed(_ text: String) -> some Sequence<Unicode.Scalar> {
    text._nfd
  }

  /// A text in composed form (NFC).
  static func composed(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: text._nfc)
    return String(scalars)
  }
}
