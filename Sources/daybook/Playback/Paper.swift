import ArgumentParser

/// The terminal that a drawing imitates: its background, its text and its 16 colours.
enum Paper: String, CaseIterable, ExpressibleByArgument {
  case light, dark

  /// The background.
  var ground: UInt32 { self == .light ? 0xFCFBF8 : 0x1B1E23 }

  /// The text.
  var ink: UInt32 { self == .light ? 0x2B2F36 : 0xD8DADD }

  /// The 16 colours, each readable on the background.
  var palette: [UInt32] {
    switch self {
    case .light:
      [
        0x2B2F36, 0xB3362B, 0x35702F, 0x8A5A00, 0x1F57A8, 0x86409A, 0x10696E, 0xE6E3DC,
        0x6B7078, 0xC9473B, 0x3F8438, 0xA06A00, 0x2C69C4, 0x9C52B0, 0x187F85, 0xFFFFFF,
      ]
    case .dark:
      [
        0x3A3F47, 0xE5786D, 0x98C379, 0xE3B55F, 0x7FB0EA, 0xC994D6, 0x74C3C5, 0xD8DADD,
        0x8A9099, 0xF08D83, 0xABD48D, 0xF0C678, 0x97C1F2, 0xD8AAE3, 0x8CD6D8, 0xFFFFFF,
      ]
    }
  }
}
