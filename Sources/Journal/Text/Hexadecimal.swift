/// Bytes as pairs of hexadecimal digits in lower case.
package enum Hexadecimal {
  /// The digits of bytes.
  package static func text(of bytes: some Sequence<UInt8>) -> String {
    bytes.withContiguousStorageIfAvailable(text) ?? Array(bytes).withUnsafeBufferPointer(text)
  }

  // Not generic: names of a hundred thousand files pass through it.
  private static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    String(unsafeUninitializedCapacity: bytes.count * 2) { digits in
      for (place, byte) in bytes.enumerated() {
        digits[2 * place] = digit(byte >> 4)
        digits[2 * place + 1] = digit(byte & 15)
      }
      return bytes.count * 2
    }
  }

  /// The digit of a value below 16.
  static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  /// The bytes of digits; `nil` for an odd number of them, or for any other character.
  package static func bytes(of digits: some Collection<UInt8>) -> [UInt8]? {
    digits.withContiguousStorageIfAvailable(bytes)
      ?? Array(digits).withUnsafeBufferPointer(bytes)
  }

  private static func bytes(_ digits: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    for place in stride(from: 0, to: digits.count, by: 2) {
      guard let high = value(of: digits[place]), let low = value(of: digits[place + 1]) else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  /// The value of a digit, in lower or upper case; `nil` for another byte.
  static func value(ofAnyCase digit: UInt8) -> UInt8? {
    value(of: UInt8(ascii: "A")...UInt8(ascii: "F") ~= digit ? digit | 0x20 : digit)
  }

  /// The value of a digit, in lower case; `nil` for another byte.
  static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
