/// A place in a line, which knows columns: a tab reaches to the next multiple of four.
struct LineCursor {
  let bytes: [UInt8]
  let end: Int
  private(set) var position: Int
  private var column = 0

  init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
  }

  /// The rest of the line.
  var rest: Range<Int> { position..<end }

  /// The byte so many places ahead; nil behind the end.
  func peek(_ distance: Int = 0) -> UInt8? {
    position + distance < end ? bytes[position + distance] : nil
  }

  /// The columns of white space ahead, and the place behind it.
  var indent: (columns: Int, end: Int) {
    var ahead = self
    while ahead.isAtBlank { ahead.advance() }
    return (ahead.column - column, ahead.position)
  }

  /// Whether only white space is left.
  var isBlank: Bool { indent.end == end }

  /// Goes over so many bytes.
  mutating func advance(_ count: Int = 1) {
    for _ in 0..<count where position < end {
      column += bytes[position] == 0x09 ? 4 - column % 4 : 1
      position += 1
    }
  }

  /// Goes over white space, at most so many columns; a tab is never halved.
  mutating func skipBlanks(_ columns: Int = .max) {
    let start = column
    while isAtBlank, column - start < columns { advance() }
  }

  private var isAtBlank: Bool { peek() == 0x20 || peek() == 0x09 }
}
