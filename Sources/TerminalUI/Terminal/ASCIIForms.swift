/// The signs that stand for those of our own screens on a terminal that knows only ASCII.
enum ASCIIForms {
  /// The ASCII sign for a character; nil where only `?` is honest.
  static func sign(for character: Unicode.Scalar) -> Unicode.Scalar? { signs[character] }

  private static let signs: [Unicode.Scalar: Unicode.Scalar] = [
    "\u{2610}": "o", "\u{2611}": "x", "\u{2022}": "*", "\u{2605}": "*", "\u{2026}": "~",
    "\u{2502}": "|", "\u{2500}": "-", "\u{253C}": "+", "\u{203A}": ">", "\u{25B8}": "+",
  ]
}
