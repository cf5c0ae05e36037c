/// Values with a synthesised `Codable` as JSON, and back: for records of events, not for entries.
///
/// Strings keep every scalar and integers every digit, as ``JSONReader`` and ``JSONText`` do; other
/// numbers are not needed yet, and are refused.
///
/// ```swift
/// let json = try JSONCoding.value(of: event)
/// let again = try JSONCoding.decode(Event.self, from: json)
/// ```
package enum JSONCoding {
  /// A value as JSON.
  ///
  /// - Throws: the errors of the value's own `encode(to:)`.
  package static func value(of value: some Encodable) throws -> JSONValue {
    try Slot.encoding(value).json
  }

  /// The value that JSON has been made of.
  ///
  /// - Throws: `DecodingError` with the path to the member that is missing or is something else.
  package static func decode<Value: Decodable>(
    _ type: Value.Type, from json: JSONValue
  ) throws -> Value {
    try JSONDecoding(json: json, codingPath: []).decode(type)
  }
}

/// A value that is one JSON value by itself.
private protocol JSONScalar {
  init?(json: JSONValue)
  var json: JSONValue { get }
}

extension Bool: JSONScalar {
  fileprivate init?(json: JSONValue) {
    guard let value = json.bool else { return nil }
    self = value
  }

  fileprivate var json: JSONValue { .bool(self) }
}

extension String: JSONScalar {
  fileprivate init?(json: JSONValue) {
    guard let text = json.string else { return nil }
    self = text
  }

  fileprivate var json: JSONValue { .string(self) }
}

extension FixedWidthInteger {
  fileprivate init?(json: JSONValue) {
    guard case .number(let text) = json, let value = Self(text) else { return nil }
    self = value
  }

  fileprivate var json: JSONValue { .number(String(self)) }
}

extension Int: JSONScalar {}
extension Int32: JSONScalar {}
extension Int64: JSONScalar {}
extension UInt32: JSONScalar {}

// MARK: - Encoding

/// A place in the JSON that is being written.
private final class Slot {
  private enum Content {
    case value(JSONValue)
    case array([Slot])
    case object([(name: String, slot: Slot)])
  }

  private var content = Content.value(.null)

  static func encoding(_ value: some Encodable) throws -> Slot {
    let slot = Slot()
    if let scalar = value as? any JSONScalar {
      slot.content = .value(scalar.json)
    } else {
      try value.encode(to: JSONEncoding(slot: slot))
    }
    return slot
  }

  var json: JSONValue {
    switch content {
    case .value(let value): value
    case .array(let slots): .array(slots.map(\.json))
    case .object(let members): .object(members.map { JSONMember($0.name, $0.slot.json) })
    }
  }

  /// The number of elements.
  var count: Int { if case .array(let slots) = content { slots.count } else { 0 } }

  func become(_ other: Slot) { content = other.content }

  /// Makes it an array or an object, also an empty one.
  func begin(isArray: Bool) {
    if case .value = content { content = isArray ? .array([]) : .object([]) }
  }

  func append(_ slot: Slot) {
    guard case .array(var slots) = content else { return }
    // The array has one owner while it grows.
    content = .value(.null)
    slots.append(slot)
    content = .array(slots)
  }

  func add(_ slot: Slot, named name: String) {
    guard case .object(var members) = content else { return }
    content = .value(.null)
    members.append((name, slot))
    content = .object(members)
  }
}

private struct JSONEncoding: Encoder {
  let slot: Slot
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    slot.begin(isArray: false)
    return KeyedEncodingContainer(Members<Key>(slot: slot))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    slot.begin(isArray: true)
    return Elements(slot: slot)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { Single(slot: slot) }

  // The generic methods serve for all types of numbers, which the protocols list one by one.

  private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let slot: Slot
    let codingPath: [any CodingKey] = []

    func encodeNil(forKey key: Key) { slot.add(Slot(), named: key.stringValue) }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
      slot.add(try Slot.encoding(value), named: key.stringValue)
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
      JSONEncoding(slot: new(key)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      JSONEncoding(slot: new(key)).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { JSONEncoding(slot: slot) }
    func superEncoder(forKey key: Key) -> any Encoder { JSONEncoding(slot: new(key)) }

    private func new(_ key: Key) -> Slot {
      let new = Slot()
      slot.add(new, named: key.stringValue)
      return new
    }
  }

  private struct Elements: UnkeyedEncodingContainer {
    let slot: Slot
    let codingPath: [any CodingKey] = []

    var count: Int { slot.count }

    func encodeNil() { slot.append(Slot()) }

    func encode<Value: Encodable>(_ value: Value) throws {
      slot.append(try Slot.encoding(value))
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type
    ) -> KeyedEncodingContainer<Nested> {
      JSONEncoding(slot: new()).container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
      JSONEncoding(slot: new()).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { JSONEncoding(slot: new()) }

    private func new() -> Slot {
      let new = Slot()
      slot.append(new)
      return new
    }
  }

  private struct Single: SingleValueEncodingContainer {
    let slot: Slot
    let codingPath: [any CodingKey] = []

    func encodeNil() {}

    func encode<Value: Encodable>(_ value: Value) throws { slot.become(try Slot.encoding(value)) }
  }
}

// MARK: - Decoding

private struct JSONDecoding: Decoder {
  let json: JSONValue
  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any] = [:]

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    guard let scalar = type as? any JSONScalar.Type else { return try Value(from: self) }
    guard let value = scalar.init(json: json) as? Value else { throw wrong("\(type)") }
    return value
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard let members = json.members else { throw wrong("an object") }
    return KeyedDecodingContainer(Members<Key>(members: members, decoding: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard let values = json.array else { throw wrong("an array") }
    return Elements(values: values, decoding: self)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { Single(decoding: self) }

  private func wrong(_ expected: String) -> DecodingError {
    .dataCorrupted(
      .init(codingPath: codingPath, debugDescription: "\(json.kind) instead of \(expected)"))
  }

  private func part(_ json: JSONValue, at key: any CodingKey) -> JSONDecoding {
    JSONDecoding(json: json, codingPath: codingPath + [key])
  }

  private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: [JSONMember]
    let decoding: JSONDecoding

    var codingPath: [any CodingKey] { decoding.codingPath }
    var allKeys: [Key] { members.compactMap { Key(stringValue: $0.name) } }

    func contains(_ key: Key) -> Bool { decoding.json[key.stringValue] != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try part(key).json.isNull }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      try part(key).decode(type)
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
      try part(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      try part(key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { decoding }
    func superDecoder(forKey key: Key) throws -> any Decoder { try part(key) }

    private func part(_ key: Key) throws -> JSONDecoding {
      guard let value = decoding.json[key.stringValue] else {
        throw DecodingError.keyNotFound(
          key, .init(codingPath: codingPath, debugDescription: "no \(key.stringValue)"))
      }
      return decoding.part(value, at: key)
    }
  }

  private struct Elements: UnkeyedDecodingContainer {
    let values: [JSONValue]
    let decoding: JSONDecoding
    private(set) var currentIndex = 0

    init(values: [JSONValue], decoding: JSONDecoding) {
      (self.values, self.decoding) = (values, decoding)
    }

    private struct Index: CodingKey {
      let intValue: Int?
      var stringValue: String { intValue.map(String.init) ?? "" }

      init(intValue: Int) { self.intValue = intValue }
      init?(stringValue: String) { nil }
    }

    var codingPath: [any CodingKey] { decoding.codingPath }
    var count: Int? { values.count }
    var isAtEnd: Bool { currentIndex >= values.count }

    mutating func decodeNil() throws -> Bool {
      guard try peek().json.isNull else { return false }
      currentIndex += 1
      return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      try next().decode(type)
    }

    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
      try next().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
      try next().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder { try next() }

    private func peek() throws -> JSONDecoding {
      guard !isAtEnd else { throw decoding.wrong("a longer array") }
      return decoding.part(values[currentIndex], at: Index(intValue: currentIndex))
    }

    private mutating func next() throws -> JSONDecoding {
      let part = try peek()
      currentIndex += 1
      return part
    }
  }

  private struct Single: SingleValueDecodingContainer {
    let decoding: JSONDecoding

    var codingPath: [any CodingKey] { decoding.codingPath }

    func decodeNil() -> Bool { decoding.json.isNull }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      try decoding.decode(type)
    }
  }
}
