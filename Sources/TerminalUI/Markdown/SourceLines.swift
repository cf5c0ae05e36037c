/// The lines of a text as bytes, with their numbers, without their ends.
///
/// Lines end where those of a body do: at line feeds, with or without a carriage return, and at
/// U+2028 and U+2029, which begin a new line without counting one.
struct SourceLines: Sequence, IteratorProtocol {
  let bytes: [UInt8]
  private var position = 0
  private var number = 0
  private var isAtEnd = false

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func next() -> MarkdownBlock.Line? {
    if isAtEnd { return nil }
    let start = position
    while position < bytes.count {
      let length = lineEnd(at: position)
      if length == 0 {
        position += 1
        continue
      }
      defer {
        number += bytes[position + length - 1] == 0x0A ? 1 : 0
        position += length
      }
      return MarkdownBlock.Line(range: start..<position, number: number)
    }
    isAtEnd = true
    return MarkdownBlock.Line(range: start..<position, number: number)
  }

  /// The bytes of the line end at a place; 0 when there is none.
  private func lineEnd(at index: Int) -> Int {
    switch bytes[index] {
    case 0x0A: return 1
    case 0x0D: return index + 1 < bytes.count && bytes[index + 1] == 0x0A ? 2 : 0
    case 0xE2:
      guard index + 2 < bytes.count, bytes[index + 1] == 0x80 else { return 0 }
      return bytes[index + 2] == 0xA8 || bytes[index + 2] == 0xA9 ? 3 : 0
    default: return 0
    }
  }
}
