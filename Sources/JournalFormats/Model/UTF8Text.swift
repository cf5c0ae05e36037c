import Journal

/// Bytes of a file as text: strictly, or with U+FFFD for what is no UTF-8.
public enum UTF8Text {
  /// The text that bytes are.
  ///
  /// - Throws: ``FormatError`` naming the byte, from 1, unless the reading is lossy.
  public static func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, isLossy: Bool, at place: ImportPlace = ImportPlace()
  ) throws(FormatError) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    if isLossy { return String(decoding: bytes, as: UTF8.self) }
    throw FormatError("invalid UTF-8 at byte \(Utf8.validPrefix(of: bytes) + 1)", at: place)
  }

  /// The same for an array.
  public static func decode(
    _ bytes: [UInt8], isLossy: Bool, at place: ImportPlace = ImportPlace()
  ) throws(FormatError) -> String {
    try bytes.withUnsafeBufferPointer { buffer throws(FormatError) in
      try decode(buffer, isLossy: isLossy, at: place)
    }
  }
}
