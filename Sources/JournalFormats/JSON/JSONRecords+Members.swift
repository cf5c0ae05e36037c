import Journal

extension JSONRecords {
  /// The next record, reduced to the members of these names; what is no object comes as it is.
  ///
  /// Values of other names are passed by without being built.
  func next(members names: Set<String>) throws -> Record<JSONValue>? {
    try next { reader, _ throws(JSONError) in
      guard try reader.kind() == .object else { return try reader.value() }
      var members: [JSONMember] = []
      try reader.object { name, reader throws(JSONError) in
        if names.contains(name) {
          members.append(JSONMember(name, try reader.value()))
        } else {
          try reader.skip()
        }
      }
      return .object(members)
    }
  }

  /// The next record as an item.
  ///
  /// - Parameter entry: makes an entry of an object, or throws ``FormatError`` saying why it is none.
  func nextItem(
    members names: Set<String>, _ entry: (JSONValue, ImportPlace) throws -> ImportedEntry
  ) throws -> ImportItem? {
    switch try next(members: names) {
    case nil: return nil
    case .broken(let error): return .problem(error.reason, error.place)
    case .value(let value, let line):
      let place = ImportPlace(line: line)
      guard value.members != nil else { return .problem("\(value.kind) is no entry", place) }
      do {
        return .entry(try entry(value, place), place)
      } catch let error as FormatError {
        return .problem(error.reason, place)
      }
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
