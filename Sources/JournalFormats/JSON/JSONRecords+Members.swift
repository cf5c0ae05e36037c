import Journal

extension JSONRecords {
  /// The next record, reduced to the members of these names, and the names of other members that say
  /// something; what is no object comes as it is.
  ///
  /// Values of other names are passed by without being built.
  func next(
    members names: Set<String>
  ) throws -> Record<(value: JSONValue, unkept: [String])>? {
    try next { reader, _ throws(JSONError) in
      guard try reader.kind() == .object else { return (try reader.value(), []) }
      var members: [JSONMember] = []
      var unkept: [String] = []
      try reader.object { name, reader throws(JSONError) in
        if names.contains(name) {
          members.append(JSONMember(name, try reader.value()))
        } else if try !reader.skipSayingNothing() {
          unkept.append(name)
        }
      }
      return (.object(members), unkept)
    }
  }

  /// The next record as an item.
  ///
  /// - Parameters:
  ///   - names: the members that entries are made of.
  ///   - derived: other members, which say again what those say, or are the other program's own.
  ///   - entry: makes an entry of an object, or throws ``FormatError`` saying why it is none.
  func nextItem(
    members names: Set<String>, derived: Set<String> = [],
    _ entry: (JSONValue, ImportPlace) throws -> ImportedEntry
  ) throws -> ImportItem? {
    switch try next(members: names) {
    case nil: return nil
    case .broken(let error): return .problem(error.reason, error.place)
    case .value(let (value, unkept), let line):
      let place = ImportPlace(line: line)
      guard value.members != nil else { return .problem("\(value.kind) is no entry", place) }
      do {
        var entry = try entry(value, place)
        entry.unkept += unkept.filter { !derived.contains($0) }
        return .entry(entry, place)
      } catch let error as FormatError {
        return .problem(error.reason, place)
      }
    }
  }
}

extension JSONReader {
  /// Passes the next value by, and tells whether nothing is lost with it: `null`, `false`, 0, or an
  /// empty string, array or object.
  mutating func skipSayingNothing() throws(JSONError) -> Bool {
    switch try kind() {
    case .null:
      try skip()
      return true
    case .bool: return try !bool()
    case .number: return Double(try number()) == 0
    case .string: return try string().isEmpty
    case .array:
      var isEmpty = true
      try array { reader throws(JSONError) in
        if try !reader.skipSayingNothing() { isEmpty = false }
      }
      return isEmpty
    case .object:
      var isEmpty = true
      try object { _, reader throws(JSONError) in
        if try !reader.skipSayingNothing() { isEmpty = false }
      }
      return isEmpty
    }
  }
}

extension JSONValue {
  /// The text of a member; empty where it is missing or `null`.
  ///
  /// - Throws: ``FormatError`` for a value of another kind, whose text we could only guess.
  func text(_ name: String) throws(FormatError) -> String {
    switch self[name] {
    case nil, .null?: return ""
    case .string(let text)?: return text
    case .number(let text)?: return text
    case let value?: throw FormatError("\(name) is \(value.kind), not a text")
    }
  }

  /// The texts of a list; other values in it are passed by.
  func texts(_ name: String) -> [String] { self[name]?.array?.compactMap(\.string) ?? [] }
}
