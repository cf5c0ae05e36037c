/// Writing strings as JSON.
public enum JSONText {
  /// Appends a string with its quotation marks.
  ///
  /// - Complexity: linear in the bytes of the string; runs without an escape are copied at once.
  public static func append(_ text: String, to buffer: inout [UInt8]) {
    buffer.append(UInt8(ascii: "\""))
    Utf8.withBytes(of: text) { bytes in
      var copied = 0
      var index = 0
      while true {
        index = EscapeSearch.next(in: bytes, from: index)
        guard index < bytes.count else { break }
        guard let (escape, length) = escape(at: index, in: bytes) else {
          index += 1
          continue
        }
        buffer.append(contentsOf: bytes[copied..<index])
        buffer.append(contentsOf: escape.utf8)
        index += length
        copied = index
      }
      buffer.append(contentsOf: bytes[copied...])
    }
    buffer.append(UInt8(ascii: "\""))
  }

  /// How the character at a place is escaped and how many bytes it has; nothing when it stands as it
  /// is.
  private static func escape(
    at index: Int, in bytes: UnsafeBufferPointer<UInt8>
  ) -> (text: String, length: Int)? {
    switch bytes[index] {
    case UInt8(ascii: "\""): ("\\\"", 1)
    case UInt8(ascii: "\\"): ("\\\\", 1)
    case 0x0A: ("\\n", 1)
    case 0x0D: ("\\r", 1)
    case 0x09: ("\\t", 1)
    case 0x08: ("\\b", 1)
    case 0x0C: ("\\f", 1)
    case 0x00..<0x20, 0x7F: (unicode(UInt32(bytes[index])), 1)
    case 0xC2 where bytes[index + 1] < 0xA0: (unicode(UInt32(bytes[index + 1])), 2)
    case 0xE2 where reordersText(bytes[index + 1], bytes[index + 2]):
      (unicode(0x2000 | UInt32(bytes[index + 1] & 1) << 6 | UInt32(bytes[index + 2] & 0x3F)), 3)
    default: nil
    }
  }

  /// Whether U+2000 and up, by its last two bytes, ends a line or makes a terminal show the text
  /// around it in another order: U+200E, U+200F, U+2028-202E, U+2066-2069.
  private static func reordersText(_ second: UInt8, _ third: UInt8) -> Bool {
    switch (second, third) {
    case (0x80, 0x8E...0x8F), (0x80, 0xA8...0xAE), (0x81, 0xA6...0xA9): true
    default: false
    }
  }

  private static func unicode(_ value: UInt32) -> String {
    let digits = String(value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
