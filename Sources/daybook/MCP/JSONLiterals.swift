import Journal

// JSON values as Swift literals: `["jsonrpc": "2.0", "id": 1]`; members keep their order.

extension JSONValue: ExpressibleByStringLiteral {
  package init(stringLiteral value: String) { self = .string(value) }
}

extension JSONValue: ExpressibleByIntegerLiteral {
  package init(integerLiteral value: Int) { self = .number(String(value)) }
}

extension JSONValue: ExpressibleByBooleanLiteral {
  package init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSONValue: ExpressibleByArrayLiteral {
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { JSONMember($0.0, $0.1) })
  }
}

extension JSONValue {
  /// A number.
  init(_ value: Int) { self = .number(String(value)) }

  /// The JSON on one line.
  var line: String {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// This object with further members at its end.
  func adding(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
    adding(members.map { JSONMember($0.key, $0.value) })
  }

  /// This object with further members at its end.
  func adding(_ members: [JSONMember]) -> JSONValue { .object((self.members ?? []) + members) }

  /// This object without some of its members.
  func removing(_ names: Set<String>) -> JSONValue {
    .object((members ?? []).filter { !names.contains($0.name) })
  }
}
