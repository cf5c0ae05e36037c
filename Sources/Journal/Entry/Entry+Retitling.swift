extension Entry {
  /// A text with another title: what ``title(of:)`` reads from it is replaced, and nothing else.
  ///
  /// A title cut for its length gives way as far as it is shown; the rest of its line stays.
  public static func text(_ text: String, titled title: String) -> String {
    let old = Entry.title(of: text)
    return Utf8.withBytes(of: text) { bytes in
      guard let line = TextLine.firstNonBlank(in: bytes) else { return title }
      let start = line.content.lowerBound
      return Utf8.text(bytes, 0..<start) + title
        + Utf8.text(bytes, (start + old.utf8.count)..<bytes.count)
    }
  }
}
