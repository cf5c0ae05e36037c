/// What most texts that are not ASCII consist of, folded beforehand.
///
/// It only saves time: for these scalars the fold does not depend on their neighbours, unless a
/// neighbour is one that is not in here.
enum FoldTable {
  /// The first scalar value in ``folds``.
  static let first = 0x80
  private static let end = 0x530

  /// The folded bytes of Latin, Greek and Cyrillic letters, by value from ``first``.
  static let folds: [[UInt8]] = (first..<end).map { value in
    Unicode.Scalar(UInt32(value)).map { Array(Folding.foldedSlowly(String($0)).utf8) } ?? []
  }

  /// Whether ``folds`` has a scalar; combining marks are left to the slow way.
  static func holds(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x300...0x36F, 0x483...0x489: false
    default: scalar.value < UInt32(end)
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
