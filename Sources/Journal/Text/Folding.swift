/// The form texts are compared in: without case, without accents.
///
/// Search, tags and titles all use this one, so that what is equal in one place is equal in all. Two
/// texts are the same to a person when their folded forms have the same bytes.
public enum Folding {
  /// The version of the folding and of what a word is: an index of folded words must be made anew when
  /// it grows, which a test sees to that it does when either changes.
  public static let version = 1

  /// A text without case and accents, in Unicode's composed form.
  ///
  /// Case folding is full (`STRASSE` is `straße`, `ς` is `σ`); canonically equal texts become the
  /// same bytes. Accents and vowel points go (`café` is `cafe`, also Arabic and Hebrew points); the
  /// marks that spell a letter stay: the voicing of kana (`が` is not `か`), the vowel signs of
  /// Devanagari, Thai and their like. Joiners, soft hyphens and emoji selectors go too. Folding a
  /// folded text changes nothing.
  ///
  /// - Complexity: linear in the bytes of the text; without a copy when nothing is to do.
  public static func fold(_ text: String) -> String {
    Utf8.withBytes(of: text) { bytes in
      if bytes.allSatisfy({ $0 < 0x80 && !isUpper($0) }) { return text }
      return String(decoding: folded(bytes), as: UTF8.self)
    }
  }

  /// The folded form as bytes, for those who go on with bytes.
  static func foldedBytes(_ text: String) -> [UInt8] {
    Utf8.withBytes(of: text, folded)
  }

  private static func isUpper(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
  }

  /// Folds runs of ASCII byte by byte and the runs between them apart.
  ///
  /// Cutting there is safe: no mark that joins an ASCII letter survives folding.
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

  /// Folds any text by the definition: take apart, drop marks, map case, put together.
  static func foldedSlowly(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in NormalForms.decomposed(text) where !isDropped(scalar) {
      appendCaseFolded(scalar, to: &scalars)
    }
    return NormalForms.composed(String(scalars))
  }

  /// Lower of upper of lower: the upper case spreads `ß` to `SS` and brings together what has one
  /// upper case (`ς`, `σ`); the first lower case is for `ẞ`, which is upper case already.
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

  /// Whether a scalar tells nothing that a reader would search for.
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
  /// marks stand above, below or beside their letter. The rest are vowel signs, nuktas, viramas and
  /// the voicing of kana.
  private static func isAccent(_ combiningClass: UInt8) -> Bool {
    combiningClass == 1 || (10...36).contains(combiningClass) || combiningClass >= 200
  }
}
