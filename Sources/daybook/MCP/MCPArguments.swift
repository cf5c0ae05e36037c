import Journal

/// A parameter of a tool: what its JSON Schema says, and what an argument is checked for.
struct MCPParameter {
  /// The type of the argument.
  enum Kind {
    case text
    /// A number or a text, such as the number or the UUID of an entry.
    case textOrNumber
    case number(ClosedRange<Int>)
    case flag
    case texts(most: Int)
    case choice([String])
  }

  let name: String
  let kind: Kind
  let help: String
  var isRequired = false

  /// The parameter as JSON Schema.
  var schema: JSONValue {
    let schema: JSONValue =
      switch kind {
      case .text: ["type": "string"]
      case .textOrNumber: ["type": ["string", "integer"]]
      case .number(let range):
        [
          "type": "integer", "minimum": JSONValue(range.lowerBound),
          "maximum": JSONValue(range.upperBound),
        ]
      case .flag: ["type": "boolean"]
      case .texts(let most):
        ["type": "array", "items": ["type": "string"], "maxItems": JSONValue(most)]
      case .choice(let words):
        ["type": "string", "enum": .array(words.map { .string($0) })]
      }
    return schema.adding(["description": .string(help)])
  }

  /// The required form of an argument, for a message; `nil` if it has that.
  func problem(with value: JSONValue) -> String? {
    switch kind {
    case .text: return value.string == nil ? "a string" : nil
    case .textOrNumber:
      return value.string == nil && value.integer == nil ? "a string or an integer" : nil
    case .number(let range):
      let isInside = value.integer.map(range.contains) ?? false
      return isInside ? nil : "an integer from \(range.lowerBound) to \(range.upperBound)"
    case .flag: return value.bool == nil ? "true or false" : nil
    case .texts(let most):
      let isRight = value.array.map { $0.count <= most && $0.allSatisfy { $0.string != nil } }
      return isRight == true ? nil : "an array of at most \(most) strings"
    case .choice(let words):
      let isOne = value.string.map(words.contains) ?? false
      return isOne ? nil : "one of \(words.joined(separator: ", "))"
    }
  }
}

/// The arguments of a call, as its tool describes them.
struct MCPArguments {
  /// An argument that is not as described.
  struct Problem: Error {
    var message: String
  }

  private let values: JSONValue

  /// Checks arguments.
  ///
  /// A member that is null counts as missing.
  init(_ given: JSONValue, _ parameters: [MCPParameter]) throws(Problem) {
    values = given
    for member in given.members ?? [] {
      guard let parameter = parameters.first(where: { $0.name == member.name }) else {
        let names = parameters.map(\.name).joined(separator: ", ")
        throw Problem(
          message: "unknown argument \(member.name)"
            + (names.isEmpty ? "; there are none" : "; there are: \(names)"))
      }
      if !member.value.isNull, let problem = parameter.problem(with: member.value) {
        throw Problem(message: "\(member.name) must be \(problem), not \(member.value.line)")
      }
    }
    for parameter in parameters where parameter.isRequired {
      guard self[parameter.name] != nil else {
        throw Problem(message: "the argument \(parameter.name) is missing")
      }
    }
  }

  private subscript(name: String) -> JSONValue? {
    values[name].flatMap { $0.isNull ? nil : $0 }
  }

  func text(_ name: String) -> String? { self[name]?.string }
  func number(_ name: String) -> Int? { self[name]?.integer }
  func flag(_ name: String) -> Bool { self[name]?.bool ?? false }
  func texts(_ name: String) -> [String] { self[name]?.array?.compactMap(\.string) ?? [] }
}
