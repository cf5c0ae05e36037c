/// Pulls values out of JSON bytes one after the other, strictly after RFC 8259.
///
/// The caller says what it expects next: ``value()`` builds any value, ``object(_:)`` and
/// ``array(_:)`` walk through the parts without building them, ``string()`` takes a text, ``skip()``
/// passes a value by, checking its syntax all the same. So an importer that wants four fields of an
/// entry makes four strings, and nothing else is allocated. Every byte is looked at once.
///
/// The bytes must outlive the reader.
///
/// ```swift
/// try reader.object { name, reader throws(JSONError) in
///   if name == "text" { text = try reader.string() } else { try reader.skip() }
/// }
/// ```
package struct JSONReader {
  let bytes: UnsafeBufferPointer<UInt8>
  let options: JSONOptions
  /// The byte that comes next.
  package internal(set) var offset: Int
  private var depth = 0
  /// The bytes of a string with escapes, kept so that the next one needs no room of its own.
  var scratch: [UInt8] = []

  /// Makes a reader at the first byte.
  package init(_ bytes: UnsafeBufferPointer<UInt8>, options: JSONOptions = JSONOptions()) {
    self.bytes = bytes
    self.options = options
    offset = 0
  }

  /// The kinds of value, told by the first byte.
  package enum Kind: Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool
    /// A number.
    case number
    /// A string.
    case string
    /// An array.
    case array
    /// An object.
    case object
  }

  /// What comes next, behind white space.
  ///
  /// - Throws: ``JSONError`` when no value begins there.
  package mutating func kind() throws(JSONError) -> Kind {
    skipSpace()
    switch peek() {
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "\""): return .string
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
    case UInt8(ascii: "n"): return .null
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
    default: throw unexpected("a value")
    }
  }

  /// The next value, whole.
  package mutating func value() throws(JSONError) -> JSONValue {
    switch try kind() {
    case .null:
      try word("null")
      return .null
    case .bool: return .bool(try bool())
    case .number: return .number(try number())
    case .string: return .string(try string())
    case .array:
      var values: [JSONValue] = []
      try array { reader throws(JSONError) in values.append(try reader.value()) }
      return .array(values)
    case .object:
      var members: [JSONMember] = []
      try object { name, reader throws(JSONError) in
        members.append(JSONMember(name, try reader.value()))
      }
      return .object(members)
    }
  }

  /// Passes the next value by.
  package mutating func skip() throws(JSONError) {
    switch try kind() {
    case .null: try word("null")
    case .bool: _ = try bool()
    case .number: _ = try numberRange()
    case .string: try skipString()
    case .array: try array { reader throws(JSONError) in try reader.skip() }
    case .object:
      try members { reader throws(JSONError) in
        try reader.skipString()
        try reader.colon()
        try reader.skip()
      }
    }
  }

  /// Walks through an object; `body` takes the value of each member with one call, or skips it.
  package mutating func object(
    _ body: (String, inout JSONReader) throws(JSONError) -> Void
  ) throws(JSONError) {
    try members { reader throws(JSONError) in
      let name = try reader.string()
      try reader.colon()
      try body(name, &reader)
    }
  }

  /// Walks through an array; `body` takes each element with one call, or skips it.
  package mutating func array(
    _ body: (inout JSONReader) throws(JSONError) -> Void
  ) throws(JSONError) {
    try parts(from: UInt8(ascii: "["), to: UInt8(ascii: "]"), "\",\" or \"]\"", body)
  }

  /// The next value, `true` or `false`.
  package mutating func bool() throws(JSONError) -> Bool {
    guard try kind() == .bool else { throw unexpected("true or false") }
    if peek() == UInt8(ascii: "t") {
      try word("true")
      return true
    }
    try word("false")
    return false
  }

  /// Makes sure that nothing follows but white space.
  package mutating func end() throws(JSONError) {
    skipSpace()
    guard offset == bytes.count else { throw unexpected("the end") }
  }
}

extension JSONReader {
  /// Walks through an object by its members, names included.
  private mutating func members(
    _ body: (inout JSONReader) throws(JSONError) -> Void
  ) throws(JSONError) {
    try parts(from: UInt8(ascii: "{"), to: UInt8(ascii: "}"), "\",\" or \"}\"") {
      reader throws(JSONError) in
      reader.skipSpace()
      guard reader.peek() == UInt8(ascii: "\"") else { throw reader.unexpected("a name") }
      try body(&reader)
    }
  }

  private mutating func colon() throws(JSONError) {
    skipSpace()
    guard peek() == UInt8(ascii: ":") else { throw unexpected("\":\"") }
    offset += 1
  }

  private mutating func parts(
    from open: UInt8, to close: UInt8, _ expected: String,
    _ body: (inout JSONReader) throws(JSONError) -> Void
  ) throws(JSONError) {
    skipSpace()
    guard peek() == open else { throw unexpected("\"\(Unicode.Scalar(open))\"") }
    guard depth < options.depthLimit else {
      throw JSONError("more than \(options.depthLimit) values stand inside each other", at: offset)
    }
    offset += 1
    depth += 1
    skipSpace()
    if peek() == close {
      offset += 1
      depth -= 1
      return
    }
    while true {
      try body(&self)
      skipSpace()
      let byte = peek()
      guard byte == UInt8(ascii: ",") || byte == close else { throw unexpected(expected) }
      offset += 1
      if byte == close { break }
    }
    depth -= 1
  }

  /// The next byte, 0 at the end: no value begins with it.
  @inline(__always)
  func peek() -> UInt8 { offset < bytes.count ? bytes[offset] : 0 }

  @inline(__always)
  mutating func skipSpace() {
    while offset < bytes.count, JSONReader.isSpace(bytes[offset]) { offset += 1 }
  }

  /// Whether a byte is white space between values: a space, a tab, a line feed, a carriage return.
  @inlinable
  package static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  mutating func word(_ word: StaticString) throws(JSONError) {
    let count = word.utf8CodeUnitCount
    let rest = UnsafeBufferPointer(rebasing: bytes[offset..<min(offset + count, bytes.count)])
    guard word.withUTF8Buffer({ rest.elementsEqual($0) }) else { throw unexpected("a value") }
    offset += count
  }

  /// What to say where something else was needed.
  func unexpected(_ expected: String) -> JSONError {
    guard offset < bytes.count else {
      return JSONError("it ends where \(expected) should follow", at: offset)
    }
    let byte = bytes[offset]
    let isVisible = (0x21...0x7E).contains(byte)
    let found = isVisible ? "\"\(Unicode.Scalar(byte))\"" : "another character"
    return JSONError("\(found) stands where \(expected) should", at: offset)
  }
}

extension JSONReader {
  /// The next value, a number, spelt as in the file.
  package mutating func number() throws(JSONError) -> String {
    guard try kind() == .number else { throw unexpected("a number") }
    let range = try numberRange()
    return String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
  }

  /// Steps over a number: a sign, digits without a zero in front, a fraction, an exponent.
  mutating func numberRange() throws(JSONError) -> Range<Int> {
    let start = offset
    if peek() == UInt8(ascii: "-") { offset += 1 }
    if peek() == UInt8(ascii: "0") {
      offset += 1
      if isDigit(peek()) { throw JSONError("a number begins with 0", at: start) }
    } else {
      try digits()
    }
    if peek() == UInt8(ascii: ".") {
      offset += 1
      try digits()
    }
    if peek() | 0x20 == UInt8(ascii: "e") {
      offset += 1
      if peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") { offset += 1 }
      try digits()
    }
    return start..<offset
  }

  private mutating func digits() throws(JSONError) {
    guard isDigit(peek()) else { throw unexpected("a digit") }
    while isDigit(peek()) { offset += 1 }
  }

  private func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

/// Why bytes are no JSON.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong: `a string has no end`.
  package var reason: String
  /// At which byte, from 0, of what was read.
  package var offset: Int
  /// Whether reading with ``JSONOptions/isLossy`` takes it.
  package var isMendable: Bool

  /// Makes an error.
  package init(_ reason: String, at offset: Int, isMendable: Bool = false) {
    self.reason = reason
    self.offset = offset
    self.isMendable = isMendable
  }

  /// The reason and the byte, counted from 1.
  package var description: String { "\(reason) at byte \(offset + 1)" }

  /// How many lines end before the byte, and which byte of its line it is, from 1.
  ///
  /// - Parameter bytes: what was read.
  package func place(in bytes: UnsafeBufferPointer<UInt8>) -> (line: Int, byte: Int) {
    let before = bytes.prefix(offset)
    let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return (before.count { $0 == 0x0A }, offset - start + 1)
  }
}

/// How JSON is read.
package struct JSONOptions: Hashable, Sendable {
  /// Whether invalid UTF-8 and lone surrogates are taken as U+FFFD; otherwise they are errors.
  package var isLossy: Bool
  /// How many arrays and objects may stand inside each other.
  package var depthLimit: Int

  /// Makes options.
  package init(isLossy: Bool = false, depthLimit: Int = 512) {
    self.isLossy = isLossy
    self.depthLimit = depthLimit
  }
}
