/// A strict byte-by-byte UTF-8 decoder: no overlong forms, no surrogates, nothing above U+10FFFF.
///
/// The ranges are those of table 3-7 of the Unicode standard. An invalid sequence ends at the first
/// byte that cannot continue it, which gives one U+FFFD for each maximal invalid part.
package struct UTF8Assembler: Sendable {
  /// The result of one byte.
  package enum Step: Equatable {
    /// More bytes are needed.
    case more
    /// A complete scalar.
    case scalar(Unicode.Scalar)
    /// The bytes before, or this byte alone, are invalid; if `again` is true, this byte does not
    /// belong to them and must be pushed again.
    case illFormed(again: Bool)
  }

  private var value: UInt32 = 0
  private var missing = 0
  private var lower: UInt8 = 0x80
  private var upper: UInt8 = 0xBF

  /// Makes a decoder at a scalar boundary.
  package init() {}

  /// Whether a sequence is incomplete.
  var isPartial: Bool { missing > 0 }

  /// Decodes the next byte.
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

  /// Drops an incomplete sequence.
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
  /// The ranges of invalid UTF-8, one per maximal invalid part, in order.
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
