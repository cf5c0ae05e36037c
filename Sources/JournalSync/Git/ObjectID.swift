/// The SHA-1 name of a git object.
///
/// It holds 20 bytes without an allocation, since a journal may have a million of them.
package struct ObjectID: Hashable, Sendable, Comparable, CustomStringConvertible {
  private let high: UInt64
  private let middle: UInt64
  private let low: UInt32

  /// The name of git's empty tree, which every repository knows without storing it.
  package static let emptyTree = ObjectID(
    high: 0x4B82_5DC6_42CB_6EB9, middle: 0xA060_E54B_F8D6_9288, low: 0xFBEE_4904)

  /// The number of its hexadecimal digits.
  static let digits = 40

  private init(high: UInt64, middle: UInt64, low: UInt32) {
    self.high = high
    self.middle = middle
    self.low = low
  }

  /// Reads 40 lower-case hexadecimal digits; nil for anything else.
  package init?(_ text: some Collection<UInt8>) {
    guard text.count == Self.digits else { return nil }
    var parts: (UInt64, UInt64, UInt64) = (0, 0, 0)
    var index = 0
    for byte in text {
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      default: return nil
      }
      if index < 16 {
        parts.0 = parts.0 << 4 | UInt64(digit)
      } else if index < 32 {
        parts.1 = parts.1 << 4 | UInt64(digit)
      } else {
        parts.2 = parts.2 << 4 | UInt64(digit)
      }
      index += 1
    }
    self.init(high: parts.0, middle: parts.1, low: UInt32(truncatingIfNeeded: parts.2))
  }

  /// Reads 40 lower-case hexadecimal digits; nil for anything else.
  package init?(_ text: String) {
    self.init(Array(text.utf8))
  }

  /// The 40 digits as ASCII.
  package var hex: [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(Self.digits)
    func append(_ value: UInt64, digits: Int) {
      for place in (0..<digits).reversed() {
        let digit = UInt8(truncatingIfNeeded: value >> (4 * place)) & 0xF
        text.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
    }
    append(high, digits: 16)
    append(middle, digits: 16)
    append(UInt64(low), digits: 8)
    return text
  }

  package var description: String { String(decoding: hex, as: UTF8.self) }

  /// The order of the digits.
  package static func < (left: ObjectID, right: ObjectID) -> Bool {
    (left.high, left.middle, left.low) < (right.high, right.middle, right.low)
  }
}
