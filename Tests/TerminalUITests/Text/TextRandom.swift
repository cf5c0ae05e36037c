/// A seeded generator (SplitMix64), so that a failing case can be run again.
struct TextRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A text of scalars that do something: letters of many scripts, marks, emoji, joiners, controls.
  mutating func text(length: Int) -> String {
    let pool: [ClosedRange<UInt32>] = [
      0x20...0x7E, 0x20...0x7E, 0...0x1F, 0x7F...0x9F, 0x300...0x36F, 0x5D0...0x5EA, 0x600...0x6FF,
      0x900...0x97F, 0xE00...0xE5B, 0x1100...0x11FF, 0x2000...0x206F, 0x2190...0x27BF,
      0x3000...0x30FF, 0x4E00...0x4E80, 0xAC00...0xAC80, 0xE000...0xE010, 0xFE00...0xFE0F,
      0xFF00...0xFFEF, 0x1F1E6...0x1F1FF, 0x1F3F4...0x1F3FF, 0x1F466...0x1F469, 0x200D...0x200D,
      0xFE0F...0xFE0F, 0xE0020...0xE007F, 0x10FFF0...0x10FFFF,
    ]
    var text = ""
    for _ in 0..<length {
      let range = pool.randomElement(using: &self) ?? 0x20...0x7E
      if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &self)) {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
