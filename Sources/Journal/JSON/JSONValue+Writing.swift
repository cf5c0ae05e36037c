extension JSONValue {
  /// Appends the value's JSON: without white space, members in their order, numbers as they are spelt,
  /// strings as ``JSONText`` writes them.
  ///
  /// What was read and is written again means the same, and writing it once more changes no byte.
  ///
  /// - Complexity: linear in what is appended.
  public func append(to buffer: inout [UInt8]) {
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
  public func append(to buffer: inout [UInt8]) {
    JSONText.append(name, to: &buffer)
    buffer.append(UInt8(ascii: ":"))
    value.append(to: &buffer)
  }
}
