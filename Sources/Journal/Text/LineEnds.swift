/// The line ends of texts that others wrote.
package enum LineEnds {
  /// Bytes with a line feed for each CR LF and each lone CR.
  ///
  /// - Complexity: linear in the bytes; without a CR nothing is copied.
  package static func unified(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(0x0D) else { return bytes }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var wasReturn = false
    for byte in bytes {
      if !(byte == 0x0A && wasReturn) { result.append(byte == 0x0D ? 0x0A : byte) }
      wasReturn = byte == 0x0D
    }
    return result
  }

  /// A text with such line ends.
  package static func unified(_ text: String) -> String {
    guard text.utf8.contains(0x0D) else { return text }
    return String(decoding: unified(Array(text.utf8)), as: UTF8.self)
  }
}
