import Journal

/// Tags that an import appended to a text, taken off again for a format that keeps tags apart.
enum TrailingTags {
  /// A text without the tags at its very end, as far as appending `tags` in their order, each unless
  /// the text has it, gives the text back; otherwise the text itself.
  ///
  /// - Complexity: linear in the bytes of the text; at most 32 tags are looked at.
  static func split(_ text: String, tags: [String]) -> String {
    guard !tags.isEmpty, tags.count <= 32 else { return text }
    var rest = text[...].utf8
    var count = 0
    while count < tags.count, let shorter = withoutLastTag(rest) {
      rest = shorter
      count += 1
    }
    guard count > 0 else { return text }
    let bare = String(Substring(rest))
    let again = Tag.text(adding: tags, to: bare)
    return again.utf8.elementsEqual(text.utf8) ? bare : text
  }

  /// A text without the tag it ends with and the one space before it, where a word precedes that.
  private static func withoutLastTag(_ text: Substring.UTF8View) -> Substring.UTF8View? {
    guard let space = text.suffix(300).lastIndex(of: 0x20), space > text.startIndex else {
      return nil
    }
    let sign = text.index(after: space)
    guard sign < text.endIndex, text[sign] == UInt8(ascii: "#") || text[sign] == UInt8(ascii: "@"),
      !text[sign...].contains(0x0A), !ASCII.isSpace(text[text.index(before: space)])
    else { return nil }
    return text[..<space]
  }
}
