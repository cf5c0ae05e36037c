/// What formats of text files ask about bytes.
enum ASCII {
  /// Space, tab, line ends, vertical tab and form feed.
  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  /// `0` to `9`.
  static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// A letter without accents.
  static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  /// What CommonMark calls punctuation: what a backslash escapes.
  static func isPunctuation(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
  }

  /// Bytes without white space at their ends.
  static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let first = bytes.firstIndex(where: { !isSpace($0) }),
      let last = bytes.lastIndex(where: { !isSpace($0) })
    else { return bytes[bytes.endIndex...] }
    return bytes[first...last]
  }

  /// Appends a number with zeros in front, at least so many digits wide.
  static func append(_ number: Int, width: Int, to buffer: inout [UInt8]) {
    let digits = String(number)
    for _ in 0..<max(width - digits.utf8.count, 0) { buffer.append(UInt8(ascii: "0")) }
    buffer.append(contentsOf: digits.utf8)
  }
}
