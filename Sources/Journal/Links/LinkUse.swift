/// A link by what it is: the entry that has it, and the key of its target.
package struct LinkUse: Hashable, Codable, Sendable {
  /// The number of the entry with the link.
  package var number: Int64
  /// The key of the target.
  package var key: String

  package init(number: Int64, key: String) { (self.number, self.key) = (number, key) }
}
