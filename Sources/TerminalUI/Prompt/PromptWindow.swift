/// The part of a text around the cursor that can be on the screen at once, so that laying out a
/// megabyte costs no more than a line.
struct PromptWindow {
  /// The lines of the part.
  var lines: [String]
  /// The cursor in bytes of the part, where each line ends with one byte more.
  var point: Int
  /// Whether the part begins where the text does.
  var isAtStart: Bool

  /// What is kept on each side, in bytes: more than the largest screen holds.
  private static let reach = 32_768
  /// The part moves in such steps, so that rows do not break anew at each key.
  private static let step = 8_192

  init(line: String, point: Int, lines count: Int) {
    var line = line
    (lines, self.point, isAtStart) = line.withUTF8 { bytes in
      let cursor = min(max(point, 0), bytes.count)
      let start = Self.start(in: bytes, before: cursor, lines: count)
      let end = Self.end(in: bytes, after: cursor, lines: count)
      let parts = bytes[start..<end].split(separator: 0x0A, omittingEmptySubsequences: false)
      return (parts.map { String(decoding: $0, as: UTF8.self) }, cursor - start, start == 0)
    }
  }

  private static func start(
    in bytes: UnsafeBufferPointer<UInt8>, before cursor: Int, lines count: Int
  ) -> Int {
    let furthest = max(0, (cursor - reach) / step * step)
    var index = cursor
    var seen = 0
    while index > furthest {
      if bytes[index - 1] == 0x0A {
        seen += 1
        if seen > count { return index }
      }
      index -= 1
    }
    return align(index, in: bytes)
  }

  private static func end(
    in bytes: UnsafeBufferPointer<UInt8>, after cursor: Int, lines count: Int
  ) -> Int {
    let furthest = min(bytes.count, cursor + reach)
    var index = cursor
    var seen = 0
    while index < furthest {
      if bytes[index] == 0x0A {
        seen += 1
        if seen > count { return index }
      }
      index += 1
    }
    return align(index, in: bytes)
  }

  /// The first byte of a character at or behind a place.
  private static func align(_ index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var index = index
    while index < bytes.count, bytes[index] & 0xC0 == 0x80 { index += 1 }
    return index
  }
}
