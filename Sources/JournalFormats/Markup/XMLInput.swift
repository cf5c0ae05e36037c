/// Prepares the bytes of an XML file for the parser, piece by piece: without control characters,
/// which other programs write although XML has none.
struct XMLInput {
  private let isLossy: Bool
  private var isFirst = true
  /// Whether the file is UTF-8.
  private var isUTF8 = true
  /// The start of a character whose end is in the next piece.
  private var rest: [UInt8] = []
  /// A line near the first invalid UTF-8.
  private(set) var invalidLine: Int?

  init(isLossy: Bool) {
    self.isLossy = isLossy
  }

  /// The bytes of a piece.
  ///
  /// - Throws: ``FormatError`` for UTF-16.
  mutating func cleaned(
    _ bytes: [UInt8], isLast: Bool, line: Int
  ) throws(FormatError) -> [UInt8] {
    if isFirst, !bytes.isEmpty {
      isFirst = false
      if TextEncoding.recognised(bytes) == .utf16 {
        throw FormatError("is XML in UTF-16; convert it by iconv -f UTF-16 -t UTF-8")
      }
      isUTF8 = Self.isUTF8(bytes)
    }
    guard isUTF8 else { return bytes }
    let whole = rest + bytes
    rest = []
    guard whole.contains(where: { $0 < 0x20 && !ASCII.isSpace($0) || $0 >= 0x7F }) else {
      return whole
    }
    var text = whole[...]
    if !isLast {
      rest = Array(Self.beginningOfCharacter(whole))
      text = text.dropLast(rest.count)
    }
    return repaired(text, line)
  }

  private mutating func repaired(_ text: ArraySlice<UInt8>, _ line: Int) -> [UInt8] {
    let isValid = text.withUnsafeBufferPointer { String(validating: $0, as: UTF8.self) != nil }
    var bytes = isValid ? Array(text) : Array(String(decoding: text, as: UTF8.self).utf8)
    if !isValid, !isLossy, invalidLine == nil { invalidLine = line }
    bytes.removeAll { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    return bytes
  }

  /// The first bytes of a character at the end of some bytes.
  private static func beginningOfCharacter(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    for count in 1...3 where count <= bytes.count {
      let byte = bytes[bytes.count - count]
      if byte & 0xC0 == 0x80 { continue }
      let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      return length > count ? bytes.suffix(count) : []
    }
    return []
  }

  /// Whether the declaration of a file names no other encoding.
  private static func isUTF8(_ bytes: [UInt8]) -> Bool {
    let head = String(decoding: bytes.prefix(200), as: UTF8.self).lowercased()
    guard head.hasPrefix("<?xml"), let end = head.firstRange(of: "?>"),
      let name = head[..<end.lowerBound].firstRange(of: "encoding")
    else { return true }
    let value = head[name.upperBound..<end.lowerBound]
    return value.contains("utf-8") || value.contains("utf8") || value.contains("ascii")
  }
}
