/// Checks the syntax of TOML 1.0 and the nesting depth of a text.
///
/// The TOML parser, toml++, is built with its assertions and ends the process for many invalid
/// texts. A text that passes this check it parses, or rejects with an error. So every text is
/// checked here first; only rules about the whole document, such as duplicate keys, are left to the
/// parser.
///
/// ```swift
/// try TOMLSyntax.check(text)
/// let table = try TOMLTable(string: text)
/// ```
package struct TOMLSyntax {
  /// An error in the syntax, with its position.
  package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, from 1.
    package let line: Int
    /// The column in characters, from 1.
    package let column: Int
    /// The error.
    package let reason: String

    /// The error, without its position.
    package var description: String { reason }
  }

  /// The maximum nesting depth of tables and arrays; each part of a dotted key counts as one.
  package static let depthLimit = 64

  let bytes: [UInt8]
  var index = 0

  private init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// Checks a text.
  ///
  /// - Throws: ``Problem`` for the first syntax error.
  /// - Complexity: linear in the length of the text.
  package static func check(_ text: String) throws(Problem) {
    var syntax = TOMLSyntax(text)
    if syntax.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { syntax.index = 3 }
    try syntax.document()
  }

  // MARK: Lines

  private mutating func document() throws(Problem) {
    var depth = 0
    while true {
      skipBlanks()
      switch peek {
      case nil: return
      case UInt8(ascii: "["): depth = try header()
      case UInt8(ascii: "#"), 0x0A, 0x0D: break
      default: try pair(depth)
      }
      try endOfLine()
    }
  }

  /// `[a.b]` or `[[a.b]]`.
  ///
  /// - Returns: the depth of the following keys.
  private mutating func header() throws(Problem) -> Int {
    index += 1
    let isArray = take("[")
    skipBlanks()
    let depth = try key(isArray ? 1 : 0)
    skipBlanks()
    guard take("]"), !isArray || take("]") else {
      throw problem(isArray ? "expected ]] after the name of a table" : "expected ] after a name")
    }
    return depth
  }

  /// A key with its value.
  private mutating func pair(_ depth: Int) throws(Problem) {
    let inner = try key(depth)
    skipBlanks()
    guard take("=") else { throw problem("expected = after the key") }
    skipBlanks()
    try value(inner)
  }

  /// Blanks, a comment, and the end of the line or of the text.
  private mutating func endOfLine() throws(Problem) {
    skipBlanks()
    if peek == UInt8(ascii: "#") { try comment() }
    guard isAtEnd || takeNewline() else { throw problem("expected the end of the line") }
  }

  private mutating func comment() throws(Problem) {
    while let byte = peek, byte != 0x0A, !isNewline {
      try checkControl(byte)
      index += 1
    }
  }

  // MARK: Keys

  /// A key with its parts.
  ///
  /// - Returns: the depth of its value.
  private mutating func key(_ depth: Int) throws(Problem) -> Int {
    var depth = depth
    repeat {
      skipBlanks()
      depth += 1
      try checkDepth(depth)
      switch peek {
      case UInt8(ascii: "\""): try basicString()
      case UInt8(ascii: "'"): try literalString()
      case let byte? where Self.isBare(byte):
        while let byte = peek, Self.isBare(byte) { index += 1 }
      default: throw problem("expected a key")
      }
      skipBlanks()
    } while take(".")
    return depth
  }

  private static func isBare(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  // MARK: Values

  private mutating func value(_ depth: Int) throws(Problem) {
    switch peek {
    case UInt8(ascii: "\""):
      if starts(with: "\"\"\"") { try blockString(UInt8(ascii: "\"")) } else { try basicString() }
    case UInt8(ascii: "'"):
      if starts(with: "'''") { try blockString(UInt8(ascii: "'")) } else { try literalString() }
    case UInt8(ascii: "["): try array(depth + 1)
    case UInt8(ascii: "{"): try inlineTable(depth)
    case nil: throw problem("expected a value")
    default: try scalar()
    }
  }

  private mutating func array(_ depth: Int) throws(Problem) {
    try checkDepth(depth)
    let start = index
    index += 1
    while true {
      try skipLines()
      if take("]") { return }
      if isAtEnd { break }
      try value(depth)
      try skipLines()
      if take("]") { return }
      if isAtEnd { break }
      guard take(",") else { throw problem("expected , or ] in an array") }
    }
    index = start
    throw problem("the bracket is never closed")
  }

  /// Skips blanks, comments and line ends between the values of an array.
  private mutating func skipLines() throws(Problem) {
    repeat {
      skipBlanks()
      if peek == UInt8(ascii: "#") { try comment() }
    } while takeNewline()
  }

  private mutating func inlineTable(_ depth: Int) throws(Problem) {
    try checkDepth(depth)
    index += 1
    skipBlanks()
    if take("}") { return }
    repeat {
      skipBlanks()
      try pair(depth)
      skipBlanks()
    } while take(",")
    guard take("}") else { throw problem("expected , or } in an inline table") }
  }

  /// A number, a date or a word: up to a blank, a comma, a bracket or a comment.
  private mutating func scalar() throws(Problem) {
    let start = index
    while let byte = peek, !Self.endsScalar(byte) { index += 1 }
    var word = bytes[start..<index]
    // A date and its time may be separated by a space.
    if word.count == 10, peek == UInt8(ascii: " "), index + 1 < bytes.count,
      TOMLScalar.isDigit(bytes[index + 1]), TOMLScalar.isDate(word)
    {
      index += 1
      while let byte = peek, !Self.endsScalar(byte) { index += 1 }
      word = bytes[start..<index]
    }
    guard TOMLScalar.isValid(word) else {
      index = start
      throw problem(word.isEmpty ? "expected a value" : "invalid value; a string needs quotes")
    }
  }

  private static func endsScalar(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"),
      UInt8(ascii: "#"):
      true
    default: false
    }
  }

  // MARK: Strings

  private mutating func basicString() throws(Problem) {
    let start = index
    index += 1
    while let byte = peek, byte != 0x0A {
      if byte == UInt8(ascii: "\"") {
        index += 1
        return
      }
      if byte == UInt8(ascii: "\\") { try escape() } else { try character(byte) }
    }
    index = start
    throw problem("the quotation mark is never closed")
  }

  private mutating func literalString() throws(Problem) {
    let start = index
    index += 1
    while let byte = peek, byte != 0x0A {
      if byte == UInt8(ascii: "'") {
        index += 1
        return
      }
      try character(byte)
    }
    index = start
    throw problem("the quotation mark is never closed")
  }

  /// A multi-line string in three quotation marks; up to two more of them belong to it.
  private mutating func blockString(_ quote: UInt8) throws(Problem) {
    let start = index
    index += 3
    while let byte = peek {
      if byte == quote {
        var count = 0
        while peek == quote, count < 5 {
          count += 1
          index += 1
        }
        if count >= 3 { return }
      } else if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        if !takeContinuation() { try escape() }
      } else if !takeNewline() {
        try character(byte)
      }
    }
    index = start
    throw problem("the quotation marks are never closed")
  }

  /// A backslash at the end of a line.
  private mutating func takeContinuation() -> Bool {
    let start = index
    index += 1
    skipBlanks()
    if takeNewline() { return true }
    index = start
    return false
  }

  private mutating func escape() throws(Problem) {
    let start = index
    index += 1
    let letter = peek
    index += 1
    switch letter {
    case UInt8(ascii: "b"), UInt8(ascii: "t"), UInt8(ascii: "n"), UInt8(ascii: "f"),
      UInt8(ascii: "r"), UInt8(ascii: "\""), UInt8(ascii: "\\"):
      return
    case UInt8(ascii: "u"): if takeScalar(digits: 4) { return }
    case UInt8(ascii: "U"): if takeScalar(digits: 8) { return }
    default: break
    }
    index = start
    throw problem("invalid escape sequence")
  }

  private mutating func takeScalar(digits: Int) -> Bool {
    var value: UInt32 = 0
    for _ in 0..<digits {
      guard let byte = peek, let digit = TOMLScalar.value(ofHex: byte) else { return false }
      value = value << 4 | UInt32(digit)
      index += 1
    }
    return Unicode.Scalar(value) != nil
  }

  private mutating func character(_ byte: UInt8) throws(Problem) {
    try checkControl(byte)
    index += 1
  }

  // MARK: Bytes

  var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  private var isAtEnd: Bool { index >= bytes.count }

  private var isNewline: Bool {
    peek == 0x0A || (peek == 0x0D && index + 1 < bytes.count && bytes[index + 1] == 0x0A)
  }

  private mutating func takeNewline() -> Bool {
    guard isNewline else { return false }
    index += peek == 0x0A ? 1 : 2
    return true
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard let byte = peek, UInt32(byte) == character.value else { return false }
    index += 1
    return true
  }

  private func starts(with marks: String) -> Bool { bytes[index...].starts(with: marks.utf8) }

  private mutating func skipBlanks() {
    while peek == 0x20 || peek == 0x09 { index += 1 }
  }

  private func checkControl(_ byte: UInt8) throws(Problem) {
    if (byte < 0x20 && byte != 0x09) || byte == 0x7F { throw problem("a control character") }
  }

  private func checkDepth(_ depth: Int) throws(Problem) {
    if depth > Self.depthLimit {
      throw problem("tables and arrays nested deeper than \(Self.depthLimit) levels")
    }
  }

  private func problem(_ reason: String) -> Problem {
    let place = min(index, bytes.count)
    let line = bytes[..<place].count { $0 == 0x0A } + 1
    let start = bytes[..<place].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let column = String(decoding: bytes[start..<place], as: UTF8.self).count + 1
    return Problem(line: line, column: column, reason: reason)
  }
}
