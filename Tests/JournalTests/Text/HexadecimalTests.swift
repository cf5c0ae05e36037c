import TestSupport
import Testing

@testable import Journal

@Suite("Hexadecimal digits")
struct HexadecimalTests {
  @Test("bytes come back from their digits, whatever holds them")
  func roundTrip() {
    var random = SeededGenerator(seed: 3)
    for count in 0..<70 {
      let bytes = (0..<count).map { _ in UInt8(random.below(256)) }
      let digits = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
      #expect(Hexadecimal.text(of: bytes) == digits)
      #expect(Hexadecimal.text(of: bytes.lazy.map { $0 }) == digits)
      #expect(Hexadecimal.text(of: (bytes + bytes)[count...]) == digits)
      #expect(Hexadecimal.bytes(of: digits.utf8) == bytes)
      #expect(Hexadecimal.bytes(of: digits.utf8.lazy.map { $0 }) == bytes)
    }
  }

  @Test("an odd number of digits and any other character are refused")
  func wrong() {
    for text in ["a", "abc", "AB", "0g", "0 ", "é0", "00\n0"] {
      #expect(Hexadecimal.bytes(of: text.utf8) == nil, "\(text)")
    }
  }
}
