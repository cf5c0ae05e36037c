/// Any JSON value, as written in a file.
///
/// Members keep the order of the file, and numbers their digits: reading loses no data that an
/// importer does not know.
package enum JSONValue: Hashable, Sendable {
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number, spelled as in the file.
  case number(String)
  /// A string, with its escapes resolved.
  case string(String)
  /// The elements of an array.
  case array([JSONValue])
  /// The members of an object.
  case object([JSONMember])
}

extension JSONValue {
  /// Reads one value with surrounding white space.
  ///
  /// - Throws: ``JSONError`` with the error and the byte.
  /// - Complexity: linear in the bytes.
  package init(_ bytes: [UInt8], options: JSONOptions = JSONOptions()) throws(JSONError) {
    self = try bytes.withUnsafeBufferPointer { buffer throws(JSONError) in
      var reader = JSONReader(buffer, options: options)
      let value = try reader.value()
      try reader.end()
      return value
    }
  }

  /// The value of the last member with a name; `nil` if there is none, or the value is not an
  /// object.
  ///
  /// - Complexity: linear in the number of members.
  package subscript(name: String) -> JSONValue? {
    members?.last { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  /// The text of a string.
  package var string: String? { if case .string(let text) = self { text } else { nil } }
  /// The value of a bool.
  package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The value of a number that is an integer in range, in any spelling: `7`, `7.0`, `70e-1`.
  package var integer: Int? {
    guard case .number(let text) = self else { return nil }
    return Int(text) ?? Double(text).flatMap(Int.init(exactly:))
  }
  /// The elements of an array.
  package var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }
  /// The members of an object.
  package var members: [JSONMember]? {
    if case .object(let members) = self { members } else { nil }
  }
  /// Whether it is `null`.
  package var isNull: Bool { self == .null }

  /// The kind of the value in messages: `a string`.
  package var kind: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension JSONValue {
  /// Appends the value's JSON: without white space, members in their order, numbers with their
  /// digits, strings as ``JSONText`` writes them.
  ///
  /// Reading and writing preserves the meaning, and repeating it changes no byte.
  ///
  /// - Complexity: linear in the appended bytes.
  package func append(to buffer: inout [UInt8]) {
    switch self {
    case .null: buffer.append(contentsOf: "null".utf8)
    case .bool(let value): buffer.append(contentsOf: (value ? "true" : "false").utf8)
    case .number(let text): buffer.append(contentsOf: text.utf8)
    case .string(let text): JSONText.append(text, to: &buffer)
    case .array(let values):
      JSONValue.append(values, between: ("[", "]"), to: &buffer) { $0.append(to: &$1) }
    case .object(let members):
      JSONValue.append(members, between: ("{", "}"), to: &buffer) { $0.append(to: &$1) }
    }
  }

  private static func append<Part>(
    _ parts: [Part], between brackets: (open: Unicode.Scalar, close: Unicode.Scalar),
    to buffer: inout [UInt8], _ append: (Part, inout [UInt8]) -> Void
  ) {
    buffer.append(UInt8(ascii: brackets.open))
    for (index, part) in parts.enumerated() {
      if index > 0 { buffer.append(UInt8(ascii: ",")) }
      append(part, &buffer)
    }
    buffer.append(UInt8(ascii: brackets.close))
  }
}

extension JSONMember {
  /// Appends the name, a colon and the value.
  package func append(to buffer: inout [UInt8]) {
    JSONText.append(name, to: &buffer)
    buffer.append(UInt8(ascii: ":"))
    value.append(to: &buffer)
  }
}

/// One member of an object.
package struct JSONMember: Hashable, Sendable {
  package var name: String
  package var value: JSONValue

  package init(_ name: String, _ value: JSONValue) {
    self.name = name
    self.value = value
  }
}

/// Writing strings as JSON.
package enum JSONText {
  /// Appends a string with its quotation marks.
  ///
  /// - Complexity: linear in the bytes of the string; runs without an escape are copied at once.
  package static func append(_ text: String, to buffer: inout [UInt8]) {
    buffer.append(UInt8(ascii: "\""))
    Utf8.withBytes(of: text) { bytes in
      var copied = 0
      var index = 0
      while true {
        index = EscapeSearch.next(in: bytes, from: index)
        guard index < bytes.count else { break }
        guard let (escape, length) = escape(at: index, in: bytes) else {
          index += 1
          continue
        }
        buffer.append(contentsOf: bytes[copied..<index])
        buffer.append(contentsOf: escape.utf8)
        index += length
        copied = index
      }
      buffer.append(contentsOf: bytes[copied...])
    }
    buffer.append(UInt8(ascii: "\""))
  }

  /// The escape of the character at an index and its length in bytes; `nil` if it needs none.
  private static func escape(
    at index: Int, in bytes: UnsafeBufferPointer<UInt8>
  ) -> (text: String, length: Int)? {
    switch bytes[index] {
    case UInt8(ascii: "\""): ("\\\"", 1)
    case UInt8(ascii: "\\"): ("\\\\", 1)
    case 0x0A: ("\\n", 1)
    case 0x0D: ("\\r", 1)
    case 0x09: ("\\t", 1)
    case 0x08: ("\\b", 1)
    case 0x0C: ("\\f", 1)
    case 0x00..<0x20, 0x7F: (unicode(UInt32(bytes[index])), 1)
    case 0xC2 where bytes[index + 1] < 0xA0: (unicode(UInt32(bytes[index + 1])), 2)
    // The Arabic letter mark reorders text as U+200E does.
    case 0xD8 where bytes[index + 1] == 0x9C: (unicode(0x061C), 2)
    case 0xE2 where reordersText(bytes[index + 1], bytes[index + 2]):
      (unicode(0x2000 | UInt32(bytes[index + 1] & 1) << 6 | UInt32(bytes[index + 2] & 0x3F)), 3)
    default: nil
    }
  }

  /// Whether U+2000 and following, given by the last two bytes, ends a line or makes a terminal
  /// reorder the text around it: U+200E, U+200F, U+2028-202E, U+2066-2069.
  private static func reordersText(_ second: UInt8, _ third: UInt8) -> Bool {
    switch (second, third) {
    case (0x80, 0x8E...0x8F), (0x80, 0xA8...0xAE), (0x81, 0xA6...0xA9): true
    default: false
    }
  }

  private static func unicode(_ value: UInt32) -> String {
    let digits = String(value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
