/// The reason why a string must not reach a terminal, or `nil` if it may: the invariant of all
/// displayed text.
///
/// Strings are valid UTF-8, so the scalars are sufficient: no C0 except allowed line feeds, no DEL,
/// no C1, no scalar that reorders, hides or tags text, and no unassigned one.
func danger(in text: String, allowsLineFeed: Bool = false) -> String? {
  for scalar in text.unicodeScalars {
    let name = "U+" + String(scalar.value, radix: 16, uppercase: true)
    switch scalar.value {
    case 0x0A: if !allowsLineFeed { return name }
    case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069, 0xE0000...0xE007F: return name
    case 0x20...0x7E, 0x200C, 0x200D: continue
    default:
      switch scalar.properties.generalCategory {
      case .format, .control, .unassigned, .privateUse, .lineSeparator, .paragraphSeparator,
        .surrogate:
        return name
      default: continue
      }
    }
  }
  return nil
}

/// All scalars there are: 1,112,064.
var allScalars: some Sequence<Unicode.Scalar> {
  [0...0xD7FF, 0xE000...0x10FFFF].joined().lazy.compactMap { Unicode.Scalar(UInt32($0)) }
}
