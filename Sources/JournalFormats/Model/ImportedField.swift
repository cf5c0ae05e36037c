import Journal

/// A field of another program that an entry has no place for, such as the weather.
///
/// It becomes a line `weather:: sunny` below the text.
package struct ImportedField: Hashable, Sendable {
  /// The name in lower case with `-`: `place`, `weather`, `mood`.
  package var name: String
  /// The value on one line.
  package var value: String

  package init(name: String, value: String) {
    self.name = name
    self.value = value
  }

  /// The line of the field; `nil` if name or value say nothing.
  var line: String? {
    let value = value.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let name = ImportedField.name(name)
    return value.isEmpty || name.isEmpty ? nil : "\(name):: \(value)"
  }

  /// A name in lower case, with `-` for anything that is not a letter, a digit or `_`.
  static func name(_ name: String) -> String {
    name.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "_" }.joined(separator: "-")
  }
}
