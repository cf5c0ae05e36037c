/// Text inside HTML.
enum HTMLText {
  /// Appends bytes so that a browser shows them as they are, whatever they are: inside an element as
  /// well as between the quotation marks of an attribute.
  ///
  /// - Complexity: linear in the bytes.
  static func append(_ text: some Sequence<UInt8>, to buffer: inout [UInt8]) {
    for byte in text {
      switch byte {
      case UInt8(ascii: "&"): buffer.append(contentsOf: "&amp;".utf8)
      case UInt8(ascii: "<"): buffer.append(contentsOf: "&lt;".utf8)
      case UInt8(ascii: ">"): buffer.append(contentsOf: "&gt;".utf8)
      case UInt8(ascii: "\""): buffer.append(contentsOf: "&quot;".utf8)
      case UInt8(ascii: "'"): buffer.append(contentsOf: "&#39;".utf8)
      default: buffer.append(byte)
      }
    }
  }

  /// Whether a page may link to an address: only what leads to a page or a letter, never a script.
  static func isSafe(_ address: ArraySlice<UInt8>) -> Bool {
    let head = String(decoding: address.prefix(8), as: UTF8.self).lowercased()
    guard ["http://", "https://", "mailto:"].contains(where: head.hasPrefix) else { return false }
    return address.allSatisfy { $0 > 0x20 && $0 != 0x7F }
  }
}
