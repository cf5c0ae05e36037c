/// A field of an imported entry: a line `place:: Vienna` at the end of its text.
package struct ImportedField: Hashable, Sendable {
  /// The name, in lower case with `-` between words.
  package var name: String
  /// The value, on one line.
  package var value: String

  package init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}
