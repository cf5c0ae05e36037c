/// Any value of JSON, as it stood in a file.
///
/// Members keep the order of the file, and numbers the digits: what an importer does not know loses
/// nothing by having been read.
public enum JSONValue: Hashable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number, spelt as in the file.
  case number(String)
  /// A string, its escapes resolved.
  case string(String)
  /// The elements of an array.
  case array([JSONValue])
  /// The members of an object.
  case object([JSONMember])
}

extension JSONValue {
  /// Reads one value, with nothing but white space around it.
  ///
  /// - Throws: ``JSONError`` saying what is wrong and at which byte.
  /// - Complexity: linear in the bytes.
  public init(_ bytes: [UInt8], options: JSONOptions = JSONOptions()) throws(JSONError) {
    self = try bytes.withUnsafeBufferPointer { buffer throws(JSONError) in
      var reader = JSONReader(buffer, options: options)
      let value = try reader.value()
      try reader.end()
      return value
    }
  }

  /// The value of the last member of a name; `nil` where there is none, and for what is no object.
  ///
  /// - Complexity: linear in the number of members.
  public subscript(name: String) -> JSONValue? {
    members?.last { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  /// The text of a string.
  public var string: String? { if case .string(let text) = self { text } else { nil } }
  /// The value of a bool.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The value of a number that is whole and fits, however it is spelt: `7`, `7.0`, `70e-1`.
  public var integer: Int? {
    guard case .number(let text) = self else { return nil }
    return Int(text) ?? Double(text).flatMap(Int.init(exactly:))
  }
  /// The elements of an array.
  public var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }
  /// The members of an object.
  public var members: [JSONMember]? { if case .object(let members) = self { members } else { nil } }
  /// Whether it is `null`.
  public var isNull: Bool { self == .null }

  /// What a value is called in a message: `a string`.
  public var kind: String {
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
