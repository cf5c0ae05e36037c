import Journal

/// An encoding of texts by other programs.
package enum TextEncoding: String, CaseIterable, Sendable {
  /// The encoding of the program itself.
  case utf8 = "utf-8"
  /// UTF-16 in either byte order, with a byte order mark or without.
  case utf16 = "utf-16"
  /// ISO 8859-1 with the signs that Windows added, such as `€` and quotation marks.
  case latin1 = "latin-1"

  /// The encoding of a text that is not UTF-8; `nil` for UTF-8, and for bytes of an unknown one.
  ///
  /// UTF-16 has a mark, or a zero in every other byte of most of its letters. A text with letters
  /// above ASCII of which none is UTF-8 is Latin-1.
  ///
  /// - Complexity: linear in the bytes.
  package static func recognised(_ bytes: [UInt8]) -> TextEncoding? {
    if byteOrder(bytes) != nil { return .utf16 }
    guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
    var (index, high) = (0, 0)
    while index < bytes.count {
      if index & 0xF_FFFF == 0, GivenUp.isDue { return nil }
      let byte = bytes[index]
      guard byte >= 0x80 else {
        // Binary files have other controls.
        if byte < 0x20, !ASCII.isSpace(byte) { return nil }
        index += 1
        continue
      }
      guard !beginsCharacter(bytes[index...]), Windows1252.scalar(byte) != nil else { return nil }
      high += 1
      index += 1
    }
    // A few words may be mostly such letters; in a long text they are rare.
    return high * (bytes.count < 64 ? 2 : 4) <= bytes.count ? .latin1 : nil
  }

  /// The bytes of the same text in UTF-8.
  package func utf8(_ bytes: [UInt8]) -> [UInt8] {
    switch self {
    case .utf8: return bytes
    case .latin1:
      var result: [UInt8] = []
      result.reserveCapacity(bytes.count + bytes.count / 8)
      for byte in bytes {
        if byte < 0x80 {
          result.append(byte)
        } else {
          result.append(contentsOf: String(Windows1252.scalar(byte) ?? "\u{FFFD}").utf8)
        }
      }
      return result
    case .utf16:
      let isBig = TextEncoding.byteOrder(bytes) == .big
      let start = TextEncoding.hasMark(bytes) ? 2 : 0
      let units = stride(from: start, to: bytes.count - 1, by: 2).map { index in
        let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
        return isBig ? first << 8 | second : second << 8 | first
      }
      return Array(String(decoding: units, as: UTF16.self).utf8)
    }
  }

  private enum ByteOrder { case little, big }

  private static func hasMark(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
  }

  /// The byte order of UTF-16; `nil` for another encoding.
  private static func byteOrder(_ bytes: [UInt8]) -> ByteOrder? {
    if bytes.starts(with: [0xFF, 0xFE]) { return .little }
    if bytes.starts(with: [0xFE, 0xFF]) { return .big }
    let head = bytes.prefix(4096)
    guard head.count >= 8 else { return nil }
    var zeros = [0, 0]
    for index in head.indices where head[index] == 0 { zeros[index & 1] += 1 }
    // The other byte of a pair is zero in no text.
    if zeros[0] == 0, zeros[1] * 10 >= head.count * 3 { return .little }
    return zeros[1] == 0 && zeros[0] * 10 >= head.count * 3 ? .big : nil
  }

  /// Whether bytes begin with a character of several bytes in UTF-8.
  static func beginsCharacter(_ bytes: ArraySlice<UInt8>) -> Bool {
    (2...4).contains { String(validating: bytes.prefix($0), as: UTF8.self) != nil }
  }
}

/// The code page of Windows for Western Europe.
private enum Windows1252 {
  private static let added: [UInt8: Unicode.Scalar] = [
    0x80: "€", 0x82: "‚", 0x83: "ƒ", 0x84: "„", 0x85: "…", 0x86: "†", 0x87: "‡", 0x88: "ˆ",
    0x89: "‰", 0x8A: "Š", 0x8B: "‹", 0x8C: "Œ", 0x8E: "Ž", 0x91: "‘", 0x92: "’", 0x93: "“",
    0x94: "”", 0x95: "•", 0x96: "–", 0x97: "—", 0x98: "˜", 0x99: "™", 0x9A: "š", 0x9B: "›",
    0x9C: "œ", 0x9E: "ž", 0x9F: "Ÿ",
  ]

  /// The character of a byte; `nil` for one that the code page lacks.
  static func scalar(_ byte: UInt8) -> Unicode.Scalar? {
    (0x80..<0xA0).contains(byte) ? added[byte] : Unicode.Scalar(byte)
  }
}
