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

  /// The folded bytes of a scalar, or nothing when it is left to the slow way, as marks are.
  static func fold(_ scalar: Unicode.Scalar) -> [UInt8]? {
    let value = Int(scalar.value)
    return switch value {
    case 0x80..<0x100: latin1[value - 0x80]
    case 0x100..<0x300: latin[value - 0x100]
    case 0x370..<0x400: greek[value - 0x370]
    case 0x400..<0x483: cyrillic[value - 0x400]
    case 0x48A..<0x530: moreCyrillic[value - 0x48A]
    default: nil
    }
  }

  private static func folds(_ values: Range<UInt32>) -> [[UInt8]] {
    values.map { value in
      Unicode.Scalar(value).map { Array(Folding.foldedSlowly(String($0)).utf8) } ?? []
    }
  }

  /// Whether a scalar is a kana, an ideograph or a Hangul syllable that folds to itself.
  static func staysItself(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x3001...0x3029, 0x3041...0x3096, 0x30A1...0x30FC, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xAC00...0xD7A3, 0xFF01...0xFF20:
      true
    default: false
    }
  }
}
