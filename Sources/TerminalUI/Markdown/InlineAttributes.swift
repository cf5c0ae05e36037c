/// What a byte of a paragraph is.
struct InlineAttributes: OptionSet {
  let rawValue: UInt8

  /// Markup that is not shown.
  static let hidden = InlineAttributes(rawValue: 1)
  /// Markup in whose place a blank is shown.
  static let blank = InlineAttributes(rawValue: 2)
  static let strong = InlineAttributes(rawValue: 4)
  static let emphasis = InlineAttributes(rawValue: 8)
  static let strike = InlineAttributes(rawValue: 16)
  static let code = InlineAttributes(rawValue: 32)
  /// The text of a link.
  static let link = InlineAttributes(rawValue: 64)
  /// Where a link leads to, in brackets behind its text.
  static let target = InlineAttributes(rawValue: 128)

  /// The look of a byte in text of a look.
  func style(in base: Style) -> Style {
    var style = base
    if contains(.strong) { style.bold = true }
    if contains(.emphasis) { style.underline = true }
    if contains(.strike) { style.dim = true }
    if contains(.link) {
      style.role = .link
      style.underline = true
    }
    if contains(.code) {
      style.role = .code
      style.dim = true
    }
    if contains(.target) {
      style.role = .hint
      style.dim = true
    }
    return style
  }
}
