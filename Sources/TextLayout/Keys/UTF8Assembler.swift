/// Puts UTF-8 together byte by byte, strictly: no overlong form, no surrogate, nothing above
/// U+10FFFF.
///
/// The ranges are those of table 3-7 of the Unicode standard. An ill-formed sequence ends at the
/// first byte that cannot continue it, which makes one U+FFFD for each maximal ill-formed part.
package struct UTF8Assembler: Sendable {
  /// What one byte did.
  package enum Step: Equatable {
    /// More bytes are needed.
    case more
    /// A scalar is whole.
    case scalar(Unicode.Scalar)
    /// What came before, or this byte alone, is ill-formed; when `again` is true this byte is no
    /// part of it and must be pushed again.
    case illFormed(again: Bool)
  }

  private var value: UInt32 = 0
  private var missing = 0
  private var lower: UInt8 = 0x80
  private var upper: UInt8 = 0xBF

  /// Makes an assembler between two scalars.
  package init() {}

  /// Whether a sequence has begun and is not whole.
  var isPartial: Bool { missing > 0 }

  /// Takes the next byte.
  package mutating func push(_ byte: UInt8) -> Step {
    guard missing > 0 else { return begin(byte) }
    guard byte >= lower, byte <= upper else {
      reset()
      return .illFormed(again: true)
    }
    value = value << 6 | UInt32(byte & 0x3F)
    missing -= 1
    lower = 0x80
    upper = 0xBF
    guard missing == 0 else { return .more }
    guard let scalar = Unicode.Scalar(value) else { return .illFormed(again: false) }
    return .scalar(scalar)
  }

  /// Forgets a sequence that is not whole.
  package mutating func reset() {
    self = UTF8Assembler()
  }

  private mutating func begin(_ byte: UInt8) -> Step {
    switch byte {
    case 0x00...0x7F: return .scalar(Unicode.Scalar(byte))
    case 0xC2...0xDF: expect(1, byte & 0x1F)
    case 0xE0: expect(2, byte & 0x0F, lower: 0xA0)
    case 0xED: expect(2, byte & 0x0F, upper: 0x9F)
    case 0xE1...0xEF: expect(2, byte & 0x0F)
    case 0xF0: expect(3, byte & 0x07, lower: 0x90)
    case 0xF4: expect(3, byte & 0x07, upper: 0x8F)
    case 0xF1...0xF3: expect(3, byte & 0x07)
    default: return .illFormed(again: false)
    }
    return .more
  }

  private mutating func expect(
    _ count: Int, _ bits: UInt8, lower: UInt8 = 0x80, upper: UInt8 = 0xBF
  ) {
    missing = count
    value = UInt32(bits)
    self.lower = lower
    self.upper = upper
  }
}

extension UTF8Assembler {
  /// Where bytes are no text, each maximal ill-formed part by itself, in order.
  package static func illFormedRanges(in bytes: [UInt8]) -> [Range<Int>] {
    var assembler = UTF8Assembler()
    var ranges: [Range<Int>] = []
    var start = 0
    var index = 0
    while index < bytes.count {
      switch assembler.push(bytes[index]) {
      case .more: index += 1
      case .scalar:
        index += 1
        start = index
      case .illFormed(let again):
        index += again ? 0 : 1
        ranges.append(start..<index)
        start = index
      }
    }
    return assembler.isPartial ? ranges + [start..<index] : ranges
  }
}
