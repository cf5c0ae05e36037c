/// The part of a text around the cursor that can be on the screen at once, so that laying out a
/// megabyte costs no more than a line.
struct PromptWindow {
  /// The lines of the part.
  var lines: [String]
  /// The cursor in bytes of the part, where each line ends with one byte more.
  var point: Int
  /// The byte of the text at which the part begins.
  var start: Int

  /// Whether the part begins where the text does.
  var isAtStart: Bool { start == 0 }

  init(line: String, point: Int, lines count: Int, width: Int) {
    // What is kept on each side, in bytes. Four bytes a column fill the rows with any script; only
    // long runs of marks fill fewer.
    let reach = min(max(2_048, min(count, 1_000) * min(width, 1_000) * 4), 65_536)
    var line = line
    (lines, self.point, self.start) = line.withUTF8 { bytes in
      let cursor = min(max(point, 0), bytes.count)
      let start = Self.start(in: bytes, before: cursor, lines: count, reach: reach)
      let end = Self.end(in: bytes, after: cursor, lines: count, reach: reach)
      let parts = bytes[start..<end].split(separator: 0x0A, omittingEmptySubsequences: false)
      return (parts.map { String(decoding: $0, as: UTF8.self) }, cursor - start, start)
    }
  }

  private static func start(
    in bytes: UnsafeBufferPointer<UInt8>, before cursor: Int, lines count: Int, reach: Int
  ) -> Int {
    // In steps, so that rows do not break anew at each key.
    let step = reach / 4
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
    in bytes: UnsafeBufferPointer<UInt8>, after cursor: Int, lines count: Int, reach: Int
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
