/// Percent escapes of addresses, as of RFC 3986: they are written with capital digits and read with any.
package enum PercentEscapes {
  /// Appends bytes, some of them as escapes.
  package static func append(
    _ bytes: some Sequence<UInt8>, to buffer: inout [UInt8], where isEscaped: (UInt8) -> Bool
  ) {
    let digits = Array("0123456789ABCDEF".utf8)
    for byte in bytes {
      if isEscaped(byte) {
        buffer += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      } else {
        buffer.append(byte)
      }
    }
  }

  /// The text of an address; `nil` if it is no UTF-8, has a NUL, or an escape is broken.
  package static func decoded(_ bytes: some Sequence<UInt8>) -> String? {
    let (plain, isWhole) = plainBytes(of: bytes)
    return isWhole && !plain.contains(0) ? String(validating: plain, as: UTF8.self) : nil
  }

  /// The text of a word in which a sign that begins no escape stays.
  package static func text(of word: String) -> String {
    guard word.utf8.contains(UInt8(ascii: "%")) else { return word }
    return String(decoding: plainBytes(of: word.utf8).bytes, as: UTF8.self)
  }

  /// The bytes without escapes, and whether no escape is broken.
  private static func plainBytes(
    of escaped: some Sequence<UInt8>
  ) -> (bytes: [UInt8], isWhole: Bool) {
    let escaped = Array(escaped)
    var (plain, isWhole) = ([UInt8](), true)
    var index = 0
    while index < escaped.count {
      let byte = escaped[index]
      index += 1
      guard byte == UInt8(ascii: "%") else {
        plain.append(byte)
        continue
      }
      if index + 1 < escaped.count, let high = Hexadecimal.value(ofAnyCase: escaped[index]),
        let low = Hexadecimal.value(ofAnyCase: escaped[index + 1])
      {
        plain.append(high << 4 | low)
        index += 2
      } else {
        plain.append(byte)
        isWhole = false
      }
    }
    return (plain, isWhole)
  }
}
