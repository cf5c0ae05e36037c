/// A field of another program that becomes a line `place:: Vienna` at the end of a text.
package struct ImportedField: Hashable, Sendable {
  /// Its name, lower-case words with `-`.
  package var name: String
  /// Its value on one line.
  package var value: String

  package init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}
