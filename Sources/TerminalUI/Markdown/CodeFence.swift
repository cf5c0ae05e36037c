/// A fence that code stands behind: three or more backticks or tildes.
struct CodeFence: Equatable {
  private let sign: UInt8
  private let length: Int
  /// The columns before it, which its code may have too.
  let indent: Int
  /// The words behind it.
  let info: Range<Int>

  /// The fence that the rest of a line opens; nil when it is none.
  init?(opening cursor: LineCursor) {
    indent = cursor.indent.columns
    var ahead = cursor
    ahead.skipBlanks()
    guard let first = ahead.peek(), "`~".utf8.contains(first) else { return nil }
    sign = first
    length = ahead.skip(first)
    info = cursor.bytes.trimmed(ahead.rest)
    guard length >= 3 else { return nil }
    // `` ```code``` `` on one line is code in a paragraph.
    if sign == UInt8(ascii: "`"), cursor.bytes[info].contains(sign) { return nil }
  }

  /// Whether the rest of a line ends the code.
  func isClosed(by cursor: LineCursor) -> Bool {
    guard cursor.indent.columns < 4 else { return false }
    var ahead = cursor
    ahead.skipBlanks()
    return ahead.skip(sign) >= length && ahead.isBlank
  }
}

extension LineCursor {
  /// Goes over equal bytes and counts them.
  fileprivate mutating func skip(_ byte: UInt8) -> Int {
    let start = position
    while peek() == byte { advance() }
    return position - start
  }
}
