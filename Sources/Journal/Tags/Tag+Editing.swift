extension Tag {
  /// A text with a tag added at its end, unless it has the tag already.
  ///
  /// The tag stands after a space, unless the text ends with a blank or with a line end that is shown as one:
  /// LF, CRLF, U+2028 or U+2029. A lone CR, VT, FF or NEL begins no line, and is shown as a sign in it.
  public static func text(adding name: String, to text: String) -> String {
    self.text(adding: [name], to: text)
  }

  /// A text with tags added at its end, in their order, each unless the text has it already.
  ///
  /// - Complexity: linear in the bytes of the text and the tags.
  public static func text(adding names: [String], to text: String) -> String {
    guard !names.isEmpty else { return text }
    var keys = Set(self.names(in: text).map(key))
    var result = text
    for name in names where keys.insert(key(of: name)).inserted {
      append(typed(name), to: &result)
    }
    return result
  }

  /// Appends a tag or another word to a text, behind a space unless the text ends with a blank.
  public static func append(_ word: String, to text: inout String) {
    if let last = text.unicodeScalars.last, !isBlank(last) { text += " " }
    text += word
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .spaceSeparator, .lineSeparator, .paragraphSeparator: true
    default: scalar == "\n" || scalar == "\t"
    }
  }

  /// A text without the words that are a tag, and one space beside each of them.
  ///
  /// Only the tag itself goes, whatever its case; its children stay.
  public static func text(removing name: String, from text: String) -> String {
    let wanted = key(of: name)
    return Utf8.withBytes(of: text) { bytes in
      var kept: [UInt8] = []
      var copied = 0
      TagScanner(bytes).forEachTag { range in
        guard Folding.fold(Tag.name(bytes, range)) == wanted else { return }
        let cut = withNeighbour(bytes, range, after: copied)
        kept.append(contentsOf: bytes[copied..<cut.lowerBound])
        copied = cut.upperBound
      }
      if copied == 0 { return text }
      kept.append(contentsOf: bytes[copied...])
      return String(decoding: kept, as: UTF8.self)
    }
  }

  /// A text in which a tag has another name, and its children stand under the new one.
  ///
  /// `#work` becomes `#job` and `#work/api` becomes `#job/api`.
  public static func text(renaming old: String, to new: String, in text: String) -> String {
    let wanted = key(of: old)
    let depth = wanted.utf8.count { $0 == UInt8(ascii: "/") } + 1
    return Utf8.withBytes(of: text) { bytes in
      var kept: [UInt8] = []
      var copied = 0
      TagScanner(bytes).forEachTag { range in
        let parts = Tag.name(bytes, range).split(separator: "/")
        guard key(of: parts.prefix(depth).joined(separator: "/")) == wanted else { return }
        kept.append(contentsOf: bytes[copied..<range.lowerBound])
        let renamed = [typed(new)] + parts.dropFirst(depth).map { String($0) }
        kept.append(contentsOf: renamed.joined(separator: "/").utf8)
        copied = range.upperBound
      }
      if copied == 0 { return text }
      kept.append(contentsOf: bytes[copied...])
      return String(decoding: kept, as: UTF8.self)
    }
  }

  /// A tag's place together with the space before it, or else the one behind it.
  private static func withNeighbour(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, after start: Int
  ) -> Range<Int> {
    let space = UInt8(ascii: " ")
    if range.lowerBound > start, bytes[range.lowerBound - 1] == space {
      return range.lowerBound - 1..<range.upperBound
    }
    if range.upperBound < bytes.count, bytes[range.upperBound] == space {
      return range.lowerBound..<range.upperBound + 1
    }
    return range
  }
}
