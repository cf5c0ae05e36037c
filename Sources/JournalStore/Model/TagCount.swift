/// How many entries outside the trash carry a tag.
package struct TagCount: Hashable, Sendable {
  /// The folded tag, by which tags are compared.
  package var key: String
  /// The tag as its earliest entry typed it.
  package var tag: String
  /// The number of entries.
  package var count: Int

  /// Makes a count.
  package init(key: String, tag: String, count: Int) {
    self.key = key
    self.tag = tag
    self.count = count
  }
}
