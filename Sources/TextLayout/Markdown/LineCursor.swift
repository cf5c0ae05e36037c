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

/// The signs with which Markdown's blocks begin.
extension LineCursor {
  /// Goes over the sign of a quote, if there is one.
  ///
  /// `>5 km`, `>_<` and `>:(` are what people write, and no quotes.
  mutating func skipQuoteSign() -> Bool {
    let indent = indent
    guard indent.columns < 4, indent.end < end, bytes[indent.end] == UInt8(ascii: ">") else {
      return false
    }
    if indent.end + 1 < end {
      let next = bytes[indent.end + 1]
      guard next.isBlank || next.isLetter || next == UInt8(ascii: ">") else { return false }
    }
    skipBlanks()
    advance()
    skipBlanks(1)
    return true
  }

  /// Goes over the sign of a list item, and the box of a task, if there is one.
  ///
  /// - Parameter inParagraph: whether the line would otherwise continue a paragraph, where a number
  ///   is more likely part of a sentence.
  mutating func skipItemSign(inParagraph: Bool) -> MarkdownContainer.Item? {
    let before = indent.columns
    var ahead = self
    ahead.skipBlanks()
    let start = ahead.position
    guard let isNumber = ahead.skipBulletOrNumber(onlyOne: inParagraph) else { return nil }
    let sign = start..<ahead.position
    guard let next = ahead.peek(), next.isBlank, !inParagraph || !ahead.isBlank else { return nil }
    let after = ahead.indent
    let gap = after.end == end || after.columns > 4 ? 1 : after.columns
    ahead.skipBlanks(gap)
    let width = before + sign.count
    var item = MarkdownContainer.Item(
      marker: isNumber ? .number(sign) : .bullet(sign), least: min(before + 2, width + gap),
      indent: width + gap)
    if !isNumber, let (task, box) = ahead.skipTaskBox() { item.marker = .task(task, box) }
    self = ahead
    return item
  }

  /// Goes over `-`, `+`, `*`, `1.` or `1)`; tells whether it was a number.
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

  private mutating func skipTaskBox() -> (StyledLine.Task, Range<Int>)? {
    guard peek() == UInt8(ascii: "["), peek(2) == UInt8(ascii: "]"), let sign = peek(1),
      peek(3)?.isBlank ?? true, " xX".utf8.contains(sign)
    else { return nil }
    let box = position..<position + 3
    advance(3)
    skipBlanks(1)
    return (sign == 0x20 ? .open : .done, box)
  }

  /// Whether the rest is a line across: three or more of `-`, `*` or `_` and nothing else.
  var isRule: Bool {
    let indent = indent
    guard indent.columns < 4, indent.end < end, "-*_".utf8.contains(bytes[indent.end]) else {
      return false
    }
    var count = 0
    for byte in bytes[indent.end..<end] {
      if byte == bytes[indent.end] { count += 1 } else if !byte.isBlank { return false }
    }
    return count >= 3
  }

  /// The heading that the rest is: one to six `#`, a blank, and some text.
  ///
  /// `#tag` is none.
  var heading: (level: Int, text: Range<Int>)? {
    var ahead = self
    ahead.skipBlanks()
    var level = 0
    while ahead.peek() == UInt8(ascii: "#"), level < 7 {
      ahead.advance()
      level += 1
    }
    guard (1...6).contains(level), let next = ahead.peek(), next.isBlank, !ahead.isBlank else {
      return nil
    }
    ahead.skipBlanks()
    return (level, ahead.withoutClosingSigns)
  }

  /// The rest without white space at its end, and without the `#` that may close a heading.
  private var withoutClosingSigns: Range<Int> {
    let text = bytes.trimmed(rest)
    var end = text.upperBound
    while end > text.lowerBound, bytes[end - 1] == UInt8(ascii: "#") { end -= 1 }
    guard end > text.lowerBound, end < text.upperBound, bytes[end - 1].isBlank else { return text }
    return bytes.trimmed(text.lowerBound..<end)
  }
}

extension UInt8 {
  /// Whether it is a space or a tab.
  var isBlank: Bool { self == 0x20 || self == 0x09 }
  var isDigit: Bool { (0x30...0x39).contains(self) }
  /// Whether it is an ASCII letter, or part of any other character.
  var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) || self >= 0x80 }
  var isPunctuation: Bool { (0x21...0x7E).contains(self) && !isDigit && !isLetter }
}

extension [UInt8] {
  /// A range of bytes without the white space at its ends.
  func trimmed(_ range: Range<Int>) -> Range<Int> {
    var start = range.lowerBound
    var end = range.upperBound
    while start < end, self[start].isBlank { start += 1 }
    while start < end, self[end - 1].isBlank { end -= 1 }
    return start..<end
  }
}
