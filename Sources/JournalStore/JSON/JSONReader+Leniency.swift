import Journal

/// Members of another kind than ours count as missing: what people write by hand is taken as far as it
/// can be.
extension JSONReader {
  /// The next value if it is a string.
  mutating func stringIfAny() throws(JSONError) -> String? {
    try kind() == .string ? try string() : try value().string
  }

  /// The next value if it is `true` or `false`, or a number that stands for one of them.
  mutating func boolIfAny() throws(JSONError) -> Bool? {
    let value = try value()
    return switch value.integer {
    case 0: false
    case 1: true
    default: value.bool
    }
  }

  /// The next value if it is a whole number.
  mutating func integerIfAny() throws(JSONError) -> Int64? { try value().integer.map(Int64.init) }

  /// The next value if it is an instant.
  mutating func momentIfAny() throws(JSONError) -> Moment? {
    try stringIfAny().flatMap { Moment($0) }
  }

  /// The elements of the next value if it is an array, each as `element` makes it of an object; `nil`
  /// for what is no object.
  mutating func objectsIfAny<Element>(
    _ element: (inout JSONReader) throws(JSONError) -> Element?
  ) throws(JSONError) -> [Element?]? {
    guard try kind() == .array else {
      _ = try value()
      return nil
    }
    var elements: [Element?] = []
    try array { reader throws(JSONError) in
      if try reader.kind() == .object {
        elements.append(try element(&reader))
      } else {
        _ = try reader.value()
        elements.append(nil)
      }
    }
    return elements
  }
}
