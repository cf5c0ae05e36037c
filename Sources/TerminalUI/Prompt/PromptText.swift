/// What text must be like to enter a prompt.
enum PromptText {
  /// The text with line ends as line feeds, or as spaces where the answer is one line.
  ///
  /// readline keeps C strings, so a NUL would cut the text: it becomes U+FFFD, to be seen.
  static func clean(_ text: String, kind: PromptKind) -> String {
    let lineEnd: UInt8 = kind.isMultiline ? 0x0A : 0x20
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    var previous: UInt8 = 0
    for byte in text.utf8 {
      switch byte {
      case 0x0A where previous == 0x0D: break
      case 0x0A, 0x0D: bytes.append(lineEnd)
      case 0x00: bytes.append(contentsOf: KeyStroke.replacement.bytes)
      default: bytes.append(byte)
      }
      previous = byte
    }
    // A pasted line brings its end along, which means nothing in an answer of one line.
    if !kind.isMultiline, previous == 0x0A || previous == 0x0D { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}
