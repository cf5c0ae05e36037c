/// What text must be like to enter a prompt, and where its lines are.
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

  /// The byte offset one line further up or down at the same distance from the start of its
  /// line, counted in characters; nil when there is no such line.
  static func point(in text: String, from point: Int, movedBy step: Int) -> Int? {
    let utf8 = text.utf8
    let cursor = utf8.index(utf8.startIndex, offsetBy: point)
    let lineStart = start(of: text, before: cursor)
    let column = text[lineStart..<cursor].count
    let targetStart: String.Index
    if step < 0 {
      guard lineStart > text.startIndex else { return nil }
      targetStart = start(of: text, before: utf8.index(before: lineStart))
    } else {
      guard let end = utf8[cursor...].firstIndex(of: 0x0A) else { return nil }
      targetStart = utf8.index(after: end)
    }
    let targetEnd = utf8[targetStart...].firstIndex(of: 0x0A) ?? text.endIndex
    let target = text[targetStart..<targetEnd]
    let index = target.index(targetStart, offsetBy: column, limitedBy: targetEnd) ?? targetEnd
    return utf8.distance(from: utf8.startIndex, to: index)
  }

  private static func start(of text: String, before index: String.Index) -> String.Index {
    let utf8 = text.utf8
    guard let end = utf8[..<index].lastIndex(of: 0x0A) else { return text.startIndex }
    return utf8.index(after: end)
  }
}
