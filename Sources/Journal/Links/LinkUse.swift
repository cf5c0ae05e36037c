/// A link by what is typed between its brackets, in whichever text: links of several texts that are the same.
package struct LinkText: Hashable, Sendable {
  /// The key of the target.
  package let key: String
  private let heading: String?
  private let words: String?

  package init(_ link: Link) { (key, heading, words) = (link.key, link.heading, link.words) }

  /// The links of a text.
  package static func all(in text: String) -> Set<LinkText> {
    Marks.mayBeIn(text) ? Set(Link.all(in: text).map(LinkText.init)) : []
  }
}

/// A link by what it is: the entry that has it, and the key of its target.
package struct LinkUse: Hashable, Codable, Sendable {
  /// The number of the entry with the link.
  package var number: Int64
  /// The key of the target.
  package var key: String

  package init(number: Int64, key: String) { (self.number, self.key) = (number, key) }
}
