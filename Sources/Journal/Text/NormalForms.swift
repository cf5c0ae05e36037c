// The standard library has the canonical normal forms, and Foundation is built on them, but offers
// them only under this name. Foundation's own methods would load ICU at every start, so this file,
// and no other, uses the library's.
@_spi(_Unicode) import Swift

/// Unicode's canonical normal forms.
enum NormalForms {
  /// The scalars of a text with everything taken apart (NFD).
  static func decomposed(_ text: String) -> some Sequence<Unicode.Scalar> {
    text._nfd
  }

  /// A text with everything put together (NFC).
  static func composed(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: text._nfc)
    return String(scalars)
  }
}
