/// The tags at the right of a row: only those that its title does not show anyway.
enum RowTags {
  /// The tags, as they are written, as many as fit into `columns`.
  static func text(_ content: RowContent, columns: Int) -> [Cluster] {
    var shown: [Cluster] = []
    var left = columns
    let title = content.title.lowercased()
    for tag in content.tags {
      let word = tag.hasPrefix("@") ? tag : "#" + tag
      if contains(title, word.lowercased()) { continue }
      let clusters = Sanitizer.line(shown.isEmpty ? word : " " + word, columns: left + 1)
      left -= TextLayout.columns(of: clusters)
      if left < 0 { break }
      shown += clusters
    }
    return shown
  }

  /// Whether a title has a tag as a whole word.
  ///
  /// Both are in lower case.
  private static func contains(_ title: String, _ word: String) -> Bool {
    var rest = title[...]
    while let mark = word.first, let start = rest.firstIndex(of: mark) {
      rest = rest[start...]
      if rest.hasPrefix(word), !continues(rest.dropFirst(word.count).first) { return true }
      rest = rest.dropFirst()
    }
    return false
  }

  private static func continues(_ character: Character?) -> Bool {
    guard let character else { return false }
    return character.isLetter || character.isNumber || "-_/".contains(character)
  }
}
