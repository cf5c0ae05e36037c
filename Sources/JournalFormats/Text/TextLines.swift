/// The lines of a text file, with their numbers.
///
/// A file whose first line ends with CR LF is one of Windows, and the CR before each LF belongs to the
/// line's end. In any other file a CR is part of the text: what we write ourselves comes back byte by
/// byte.
struct TextLines {
  /// A line by the place of its bytes.
  struct Line {
    /// Its bytes without the line's end.
    var range: Range<Int>
    /// Its number, from 1.
    var number: Int
  }

  /// All bytes.
  let bytes: [UInt8]
  private let isPaired: Bool
  private var position = 0
  private var number = 0

  /// Makes lines of a file's bytes; a byte order mark in front is no part of the first.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let end = bytes.firstIndex(of: 0x0A) ?? 0
    isPaired = end > 0 && bytes[end - 1] == 0x0D
  }

  /// The next line; a line end at the very end of the file starts no further one.
  mutating func next() -> Line? {
    guard position < bytes.count else { return nil }
    let start = position
    var end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
    position = end + 1
    number += 1
    if isPaired, end > start, bytes[end - 1] == 0x0D { end -= 1 }
    return Line(range: start..<end, number: number)
  }

  /// The next line, which stays the next one.
  func peek() -> Line? {
    var copy = self
    return copy.next()
  }

  /// Whether a line has nothing but ASCII white space.
  func isBlank(_ line: Line) -> Bool {
    bytes[line.range].allSatisfy(ASCII.isSpace)
  }

  /// Whether a line begins with a text.
  func line(_ line: Line, startsWith prefix: StaticString) -> Bool {
    prefix.withUTF8Buffer { bytes[line.range].starts(with: $0) }
  }
}
