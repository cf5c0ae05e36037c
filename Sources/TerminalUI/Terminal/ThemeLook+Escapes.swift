extension ThemeLook {
  /// The control sequence that turns this look on, for text that is printed and not drawn; empty for
  /// a look that changes nothing.
  ///
  /// The sequence that ends every look is ``reset``.
  public func escapes(in profile: ColorProfile) -> String {
    guard profile > .none else { return "" }
    var codes: [String] = []
    if bold { codes.append("1") }
    if dim { codes.append("2") }
    if underline { codes.append("4") }
    if reverse { codes.append("7") }
    if profile >= .ansi {
      codes += foreground.map { $0.codes(in: profile, isBackground: false) } ?? []
      codes += background.map { $0.codes(in: profile, isBackground: true) } ?? []
    }
    return codes.isEmpty ? "" : "\u{1B}[\(codes.joined(separator: ";"))m"
  }

  /// What puts text back to normal.
  public static let reset = "\u{1B}[0m"
}

extension ThemeColor {
  /// The parameters of `ESC [ ... m`: 30 to 37 and 90 to 97, 38;5;n, 38;2;r;g;b, and 10 more behind.
  fileprivate func codes(in profile: ColorProfile, isBackground: Bool) -> [String] {
    let start = isBackground ? 40 : 30
    if case .palette(let index) = self {
      return [String(Int(index & 7) + start + (index > 7 ? 60 : 0))]
    }
    let (number, isBright) = number(in: profile)
    switch profile {
    case .none, .attributes: return []
    case .ansi: return [String(Int(number) + start + (isBright ? 60 : 0))]
    case .indexed: return [String(start + 8), "5", String(number)]
    case .trueColor:
      return [String(start + 8), "2"]
        + [16, 8, 0].map { String(number >> Int32($0) & 0xFF) }
    }
  }
}
