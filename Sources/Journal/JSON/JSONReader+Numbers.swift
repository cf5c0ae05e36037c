extension JSONReader {
  /// The next value, a number, spelt as in the file.
  public mutating func number() throws(JSONError) -> String {
    guard try kind() == .number else { throw unexpected("a number") }
    let range = try numberRange()
    return String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
  }

  /// Steps over a number: a sign, digits without a zero in front, a fraction, an exponent.
  mutating func numberRange() throws(JSONError) -> Range<Int> {
    let start = offset
    if peek() == UInt8(ascii: "-") { offset += 1 }
    if peek() == UInt8(ascii: "0") {
      offset += 1
      if isDigit(peek()) { throw JSONError("a number begins with 0", at: start) }
    } else {
      try digits()
    }
    if peek() == UInt8(ascii: ".") {
      offset += 1
      try digits()
    }
    if peek() | 0x20 == UInt8(ascii: "e") {
      offset += 1
      if peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") { offset += 1 }
      try digits()
    }
    return start..<offset
  }

  private mutating func digits() throws(JSONError) {
    guard isDigit(peek()) else { throw unexpected("a digit") }
    while isDigit(peek()) { offset += 1 }
  }

  private func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
