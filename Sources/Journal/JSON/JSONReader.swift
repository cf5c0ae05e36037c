/// A pull parser for JSON bytes, strictly by RFC 8259.
///
/// The caller requests the expected value: ``value()`` builds any value, ``object(_:)`` and
/// ``array(_:)`` iterate over the parts without building them, ``string()`` reads a text,
/// ``skip()`` checks the syntax of a value without building it. So an importer of four fields
/// allocates four strings and nothing else. Every byte is read once.
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
  /// The index of the next byte.
  package internal(set) var offset: Int
  private var depth = 0
  /// The offset from which the next value asks whether the work is given up.
  private var question = 1 << 18
  /// The bytes of a string with escapes, reused to avoid allocations.
  var scratch: [UInt8] = []

  /// Makes a reader at the first byte.
  package init(_ bytes: UnsafeBufferPointer<UInt8>, options: JSONOptions = JSONOptions()) {
    self.bytes = bytes
    self.options = options
    offset = 0
  }

  /// The bytes of a part of the input.
  package func bytes(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes[range])
  }

  /// The kind of a value, by its first byte.
  package enum Kind: Sendable {
    case null
    /// `true` or `false`.
    case bool
    case number
    case string
    case array
    case object
  }

  /// The kind of the next value, after white space.
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

  /// Skips the next value.
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

  /// Iterates over an object; `body` must read or skip the value of each member with one call.
  package mutating func object(
    _ body: (String, inout JSONReader) throws(JSONError) -> Void
  ) throws(JSONError) {
    try members { reader throws(JSONError) in
      let name = try reader.string()
      try reader.colon()
      try body(name, &reader)
    }
  }

  /// Iterates over an array; `body` must read or skip each element with one call.
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

  /// Checks that only white space follows.
  package mutating func end() throws(JSONError) {
    skipSpace()
    guard offset == bytes.count else { throw unexpected("the end") }
  }
}

extension JSONReader {
  /// Iterates over the members of an object with their names.
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
      throw JSONError("nested deeper than \(options.depthLimit) levels", at: offset)
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
      if offset >= question {
        question = offset + 1 << 18
        if GivenUp.isDue { throw JSONError("given up", at: offset) }
      }
      try body(&self)
      skipSpace()
      let byte = peek()
      guard byte == UInt8(ascii: ",") || byte == close else { throw unexpected(expected) }
      offset += 1
      if byte == close { break }
    }
    depth -= 1
  }

  /// The next byte, 0 at the end, with which no value begins.
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

  /// The error for an unexpected byte.
  func unexpected(_ expected: String) -> JSONError {
    guard offset < bytes.count else {
      return JSONError("unexpected end, expected \(expected)", at: offset)
    }
    let byte = bytes[offset]
    let isVisible = (0x21...0x7E).contains(byte)
    let found = isVisible ? "\"\(Unicode.Scalar(byte))\"" : "another character"
    return JSONError("expected \(expected), found \(found)", at: offset)
  }
}

extension JSONReader {
  /// The next value, a number, spelled as in the file.
  package mutating func number() throws(JSONError) -> String {
    guard try kind() == .number else { throw unexpected("a number") }
    let range = try numberRange()
    return String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
  }

  /// Skips a number: a sign, digits without a leading zero, a fraction, an exponent.
  mutating func numberRange() throws(JSONError) -> Range<Int> {
    let start = offset
    if peek() == UInt8(ascii: "-") { offset += 1 }
    if peek() == UInt8(ascii: "0") {
      offset += 1
      if isDigit(peek()) { throw JSONError("leading zero in a number", at: start) }
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

/// The reason why bytes are not JSON.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error: `unterminated string`.
  package var reason: String
  /// The index of the byte in the input, from 0.
  package var offset: Int
  /// Whether ``JSONOptions/isLossy`` accepts it.
  package var isMendable: Bool

  package init(_ reason: String, at offset: Int, isMendable: Bool = false) {
    self.reason = reason
    self.offset = offset
    self.isMendable = isMendable
  }

  /// The reason and the byte, counted from 1.
  package var description: String { "\(reason) at byte \(offset + 1)" }

  /// The number of line ends before the byte, and the index of the byte in its line, from 1.
  ///
  /// - Parameter bytes: the input.
  package func place(in bytes: UnsafeBufferPointer<UInt8>) -> (line: Int, byte: Int) {
    let before = bytes.prefix(offset)
    let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return (before.count { $0 == 0x0A }, offset - start + 1)
  }
}

/// Options for reading JSON.
package struct JSONOptions: Hashable, Sendable {
  /// Whether to replace invalid UTF-8 and unpaired surrogates by U+FFFD; otherwise they are errors.
  package var isLossy: Bool
  /// The maximum nesting depth of arrays and objects.
  package var depthLimit: Int

  package init(isLossy: Bool = false, depthLimit: Int = 512) {
    self.isLossy = isLossy
    self.depthLimit = depthLimit
  }
}
