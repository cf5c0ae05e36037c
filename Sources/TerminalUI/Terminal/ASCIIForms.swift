/// The signs that stand for those of our own screens on a terminal that knows only ASCII.
enum ASCIIForms {
  /// The ASCII sign for a character; nil where only `?` is honest.
  static func sign(for character: Unicode.Scalar) -> Unicode.Scalar? { signs[character] }

  private static let signs: [Unicode.Scalar: Unicode.Scalar] = [
    "\u{2610}": "o", "\u{2611}": "x", "\u{2022}": "*", "\u{2605}": "*", "\u{2026}": "~",
    "\u{00B7}": ".", "\u{2591}": "-", "\u{2592}": "+", "\u{2593}": "*", "\u{2588}": "#",
    "\u{258F}": "'", "\u{258E}": "'", "\u{258D}": "'", "\u{258C}": "-", "\u{258B}": "-",
    "\u{258A}": "-",
    "\u{2589}": "-", "\u{2581}": "_", "\u{2582}": "_", "\u{2583}": "-", "\u{2584}": "-",
    "\u{2585}": "=",
    "\u{2586}": "=", "\u{2587}": "#",
    "\u{2502}": "|", "\u{2500}": "-", "\u{253C}": "+", "\u{203A}": ">", "\u{25B8}": "+",
  ]
}
