/// A position in a line that counts columns: a tab reaches the next multiple of four.
struct LineCursor {
  let line: ArraySlice<UInt8>
  private(set) var position: Int
  private var column = 0

  init(_ line: ArraySlice<UInt8>) {
    self.line = line
    position = line.startIndex
  }

  var end: Int { line.endIndex }

  /// The rest of the line.
  var rest: Range<Int> { position..<end }

  /// The byte at a distance; `nil` after the end.
  func peek(_ distance: Int = 0) -> UInt8? {
    position + distance < end ? line[position + distance] : nil
  }

  /// The columns of white space ahead, and the position after it.
  var indent: (columns: Int, end: Int) {
    var ahead = self
    while ahead.isAtBlank { ahead.advance() }
    return (ahead.column - column, ahead.position)
  }

  /// Whether only white space is left.
  var isBlank: Bool { indent.end == end }

  mutating func advance(_ count: Int = 1) {
    for _ in 0..<count where position < end {
      column += line[position] == 0x09 ? 4 - column % 4 : 1
      position += 1
    }
  }

  /// Skips white space of at most so many columns; a tab is never split.
  mutating func skipBlanks(_ columns: Int = .max) {
    let start = column
    while isAtBlank, column - start < columns { advance() }
  }

  /// Skips equal bytes and counts them.
  mutating func skip(_ byte: UInt8) -> Int {
    let start = position
    while peek() == byte { advance() }
    return position - start
  }

  private var isAtBlank: Bool { peek()?.isBlank == true }
}

/// The markers with which blocks begin.
extension LineCursor {
  /// Skips the marker of a quote, if there is one.
  ///
  /// `>5 km`, `>_<` and `>:(` occur in prose, and are not quotes.
  mutating func skipQuoteMarker() -> Bool {
    let indent = indent
    guard indent.columns < 4, indent.end < end, line[indent.end] == UInt8(ascii: ">") else {
      return false
    }
    if indent.end + 1 < end {
      let next = line[indent.end + 1]
      guard next.isBlank || next.isLetter || next == UInt8(ascii: ">") else { return false }
    }
    skipBlanks()
    advance()
    skipBlanks(1)
    return true
  }

  /// Skips the marker of a list item and the box of a task, if there is one.
  ///
  /// - Parameters:
  ///   - source: the whole source line.
  ///   - inParagraph: whether the line would otherwise continue a paragraph, in which a number is
  ///   probably part of a sentence.
  mutating func skipItemMarker(_ source: Block.Line, inParagraph: Bool) -> ListItem? {
    let before = indent.columns
    var ahead = self
    ahead.skipBlanks()
    let start = ahead.position
    guard let isNumbered = ahead.skipBulletOrNumber(onlyOne: inParagraph) else { return nil }
    let marker = start..<ahead.position
    guard ahead.isAtBlank, !inParagraph || !ahead.isBlank else { return nil }
    let after = ahead.indent
    let gap = after.end == end || after.columns > 4 ? 1 : after.columns
    ahead.skipBlanks(gap)
    let indent = before + marker.count + gap
    let item = ListItem(
      marker: marker, isNumbered: isNumbered, box: ahead.skipTaskBox(), line: source,
      leastIndent: min(before + 2, indent), indent: indent)
    self = ahead
    return item
  }

  /// Skips `-`, `+`, `*`, `1.` or `1)`; returns whether it was a number.
  private mutating func skipBulletOrNumber(onlyOne: Bool) -> Bool? {
    guard let first = peek() else { return nil }
    if "-+*".utf8.contains(first) {
      advance()
      return false
    }
    var digits = 0
    while let byte = peek(digits), byte.isDigit, digits < 10 { digits += 1 }
    guard (1...9).contains(digits), let sign = peek(digits), ".)".utf8.contains(sign) else {
      return nil
    }
    if onlyOne, digits > 1 || first != UInt8(ascii: "1") { return nil }
    advance(digits + 1)
    return true
  }

  private mutating func skipTaskBox() -> TaskBox? {
    guard peek() == UInt8(ascii: "["), peek(2) == UInt8(ascii: "]"), let sign = peek(1),
      peek(3)?.isBlank ?? true, " xX".utf8.contains(sign)
    else { return nil }
    let box = position..<position + 3
    advance(3)
    skipBlanks(1)
    return TaskBox(state: sign == 0x20 ? .open : .done, range: box)
  }

  /// Whether the rest is a thematic break: three or more of `-`, `*` or `_` only.
  var isThematicBreak: Bool {
    let indent = indent
    guard indent.columns < 4, indent.end < end, "-*_".utf8.contains(line[indent.end]) else {
      return false
    }
    var count = 0
    for byte in line[indent.end...] {
      if byte == line[indent.end] { count += 1 } else if !byte.isBlank { return false }
    }
    return count >= 3
  }

  /// The rest as a heading: one to six `#`, a blank, and some text.
  ///
  /// `#tag` is not a heading.
  var heading: (level: Int, text: Range<Int>)? {
    var ahead = self
    ahead.skipBlanks()
    let level = ahead.skip(UInt8(ascii: "#"))
    guard (1...6).contains(level), ahead.isAtBlank, !ahead.isBlank else { return nil }
    ahead.skipBlanks()
    return (level, ahead.restWithoutClosingSequence)
  }

  /// The rest without trailing white space, and without the closing `#` of a heading.
  private var restWithoutClosingSequence: Range<Int> {
    let text = line[rest].trimmed
    let signs = text.reversed().prefix { $0 == UInt8(ascii: "#") }.count
    let before = text.dropLast(signs)
    guard signs > 0, before.last?.isBlank == true else { return text.indices }
    return before.trimmed.indices
  }
}

/// The opening fence of a code block: three or more backticks or tildes.
package struct CodeFence: Equatable, Sendable {
  private let sign: UInt8
  private let length: Int
  /// The columns before it, which are removed from its code too.
  let indent: Int
  /// The info string.
  let info: Range<Int>

  /// The fence that a line opens; `nil` for any other line.
  package init?(opening line: ArraySlice<UInt8>) {
    self.init(opening: LineCursor(line))
  }

  /// Whether a line is the closing fence.
  package func isClosed(by line: ArraySlice<UInt8>) -> Bool { isClosed(by: LineCursor(line)) }

  /// The fence that the rest of a line opens; `nil` for any other line.
  init?(opening cursor: LineCursor) {
    indent = cursor.indent.columns
    var ahead = cursor
    ahead.skipBlanks()
    guard indent < 4, let first = ahead.peek(), "`~".utf8.contains(first) else { return nil }
    sign = first
    length = ahead.skip(first)
    info = ahead.line[ahead.rest].trimmed.indices
    guard length >= 3 else { return nil }
    // `` ```code``` `` on one line is code in a paragraph.
    if sign == UInt8(ascii: "`"), ahead.line[info].contains(sign) { return nil }
  }

  func isClosed(by cursor: LineCursor) -> Bool {
    guard cursor.indent.columns < 4 else { return false }
    var ahead = cursor
    ahead.skipBlanks()
    return ahead.skip(sign) >= length && ahead.isBlank
  }
}

extension UInt8 {
  /// Whether it is a space or a tab.
  var isBlank: Bool { self == 0x20 || self == 0x09 }
  var isDigit: Bool { (0x30...0x39).contains(self) }
  /// Whether it is an ASCII letter, or a byte of a non-ASCII character.
  var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) || self >= 0x80 }
  var isPunctuation: Bool { (0x21...0x7E).contains(self) && !isDigit && !isLetter }
}

extension ArraySlice<UInt8> {
  /// The bytes without leading and trailing white space.
  var trimmed: ArraySlice<UInt8> {
    let rest = self.drop(while: \.isBlank)
    let last = rest.lastIndex { !$0.isBlank }
    return rest[..<(last.map { $0 + 1 } ?? rest.startIndex)]
  }
}
