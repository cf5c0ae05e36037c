/// What most texts that are not ASCII consist of, folded beforehand.
///
/// It only saves time: for these scalars the fold does not depend on their neighbours, unless a
/// neighbour is one that is not in here. A table is made when the first text needs it, and a text in
/// French pays for no Greek.
enum FoldTable {
  private static let latin1 = folds(0x80..<0x100)
  private static let latin = folds(0x100..<0x300)
  private static let greek = folds(0x370..<0x400)
  private static let cyrillic = folds(0x400..<0x483)
  private static let moreCyrillic = folds(0x48A..<0x530)
  private static let hebrew = folds(0x5D0..<0x5F3)
  private static let arabic = folds(0x620..<0x64B)
  private static let moreArabic = folds(0x671..<0x6D6)

  /// The folded bytes of a scalar, or nothing when it is left to the slow way, as marks are.
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

  /// Whether a scalar is a dash, a quotation mark, a kana, an ideograph, a Hangul syllable or a picture
  /// that folds to itself.
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
