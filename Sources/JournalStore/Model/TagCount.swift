/// How many entries outside the trash carry a tag.
public struct TagCount: Hashable, Sendable {
  /// The folded tag, by which tags are compared.
  public var key: String
  /// The tag as its earliest entry typed it.
  public var tag: String
  /// The number of entries.
  public var count: Int

  /// Makes a count.
  public init(key: String, tag: String, count: Int) {
    self.key = key
    self.tag = tag
    self.count = count
  }
}
