/// What the screen makes of a scalar: the rows of the rules for showing text.
enum ScalarClass: Equatable {
  /// Takes columns of its own, and may carry marks.
  case spacing(Int)
  /// Takes columns of its own, but belongs to what stands before it.
  case spacingMark(Int)
  /// Takes no column and belongs to what stands before it.
  case mark
  /// ZWJ and ZWNJ: only between two scalars of one cluster.
  case joiner
  /// A variation selector: only right after a base that takes it.
  case variation
  /// Not to be seen, and dropped; shown by its number where nothing may be hidden.
  case hidden
  /// Not to be seen, and dropped always.
  case dropped
  /// Would drive or confuse the terminal, and is shown as a picture or by its number.
  case control
  /// U+2028 and U+2029: a new line in a body, otherwise like a control character.
  case separator
  /// Private use: nobody knows what it looks like or how wide it is.
  case privateUse
  /// Unassigned, or never a character.
  case invalid

  init(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0x20...0x7E, 0xA1...0xAC, 0xAE...0x2FF: self = .spacing(1)
    case 0...0x1F, 0x7F...0x9F: self = .control
    case 0x4E00...0x9FFF, 0xAC00...0xD7A3: self = .spacing(2)
    default: self = Self.special(scalar) ?? Self.byCategory(scalar)
    }
  }

  /// Whether a cluster can begin with it.
  var isBase: Bool {
    if case .spacing = self { true } else { false }
  }

  private static func special(_ scalar: Unicode.Scalar) -> ScalarClass? {
    switch scalar.value {
    case 0x200C, 0x200D: .joiner
    case 0xFE00...0xFE0F: .variation
    case 0x2028, 0x2029: .separator
    case 0x200E, 0x200F, 0x061C, 0xE0100...0xE01EF: .dropped
    case 0x200B, 0x2060...0x2064, 0x206A...0x206F, 0xFEFF, 0x00AD, 0x180E, 0x034F: .hidden
    case 0x115F, 0x1160, 0x3164, 0xFFA0: .hidden
    case 0x1161...0x11FF, 0xD7B0...0xD7C6, 0xD7CB...0xD7FB: .mark
    case 0xE0000...0xE007F: .control
    default: nil
    }
  }

  private static func byCategory(_ scalar: Unicode.Scalar) -> ScalarClass {
    let columns = TextWidth.isWide(scalar) ? 2 : 1
    return switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: .mark
    case .spacingMark: .spacingMark(columns)
    case .format, .control: .control
    case .privateUse: .privateUse
    case .unassigned, .surrogate: .invalid
    case .lineSeparator, .paragraphSeparator: .separator
    default: .spacing(columns)
    }
  }
}

extension Unicode.Scalar {
  /// Whether emoji sequences can begin or continue with it.
  var isPictographic: Bool {
    value > 0xFF && properties.isEmoji
  }

  /// Whether it is one of the five skin tones.
  var isSkinTone: Bool {
    (0x1F3FB...0x1F3FF).contains(value)
  }

  /// Whether a variation selector may stand after it without changing how terminals measure it.
  ///
  /// VS15 and VS16 make an emoji narrow or wide in some terminals only, so they stay only where they
  /// ask for the width it has anyway.
  func takes(variation selector: Unicode.Scalar) -> Bool {
    switch selector.value {
    case 0xFE0E: isPictographic && TextWidth.columns(of: self) == 1
    case 0xFE0F: isPictographic && TextWidth.columns(of: self) == 2
    default: acceptsStandardVariations
    }
  }

  private var acceptsStandardVariations: Bool {
    switch properties.generalCategory {
    case .otherLetter, .mathSymbol: true
    case .otherPunctuation: value >= 0x3000
    default: value == 0x30
    }
  }
}
