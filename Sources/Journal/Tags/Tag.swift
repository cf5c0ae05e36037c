/// Tags: `#home`, `@anna` and nested `#work/api`, words of an entry's text.
///
/// There is no place but the text where tags are kept. A tag's name is what the JSON has: `home`
/// without `#`, `@anna` with `@`. Its key is the name folded; two tags are one when their keys are.
public enum Tag {
  /// The key of a tag, from its name or as it is typed: `#Café` and `CAFE` both give `cafe`.
  public static func key(of name: String) -> String {
    Folding.fold(name.utf8.first == UInt8(ascii: "#") ? String(name.dropFirst()) : name)
  }

  /// A name as it is typed in a text: `#home`, `@anna`.
  public static func typed(_ name: String) -> String {
    name.utf8.first == UInt8(ascii: "@") || name.utf8.first == UInt8(ascii: "#")
      ? name : "#" + name
  }

  /// The names of the tags in a text, as first typed, in order of appearance, each once.
  ///
  /// - Complexity: linear in the bytes of the text.
  public static func names(in text: String) -> [String] {
    Utf8.withBytes(of: text) { bytes in
      var seen: Set<String> = []
      var names: [String] = []
      TagScanner(bytes).forEachTag { range in
        let name = name(bytes, range)
        if seen.insert(Folding.fold(name)).inserted { names.append(name) }
      }
      return names
    }
  }

  /// Whether a tag is nested under another, at any depth: `work/api` is a child of `work`.
  ///
  /// Both are keys. No tag is its own child.
  public static func isChild(_ key: String, of parent: String) -> Bool {
    let parent = parent.utf8
    return key.utf8.count > parent.count + 1 && key.utf8.starts(with: parent)
      && key.utf8.dropFirst(parent.count).first == UInt8(ascii: "/")
  }

  /// The name of a tag that a person gave to a command: `home`, `#home`, `@anna`, `two words`.
  ///
  /// White space around it is left out, inside it becomes `-`.
  ///
  /// - Throws: ``TagError`` when it would not be read as one tag in a text.
  public static func parse(_ input: String) throws(TagError) -> String {
    let hyphened = input.split(whereSeparator: \.isWhitespace).joined(separator: "-")
    guard !hyphened.isEmpty else { throw TagError(input: input, problem: .empty) }
    let typed = typed(hyphened)
    guard let name = name(typed: typed) else {
      throw TagError(input: input, problem: .problem(in: typed))
    }
    return name
  }

  /// The name in a text that is nothing but one tag, sign included.
  static func name(typed: String) -> String? {
    Utf8.withBytes(of: typed) { bytes in
      var found: Range<Int>?
      TagScanner(bytes).forEachTag { found = found ?? $0 }
      return found == 0..<bytes.count ? name(bytes, 0..<bytes.count) : nil
    }
  }

  /// A text with a tag added at its end, unless it has the tag already.
  ///
  /// The tag stands behind a space, or at once when the text ends with white space.
  public static func text(adding name: String, to text: String) -> String {
    let wanted = key(of: name)
    if names(in: text).contains(where: { key(of: $0) == wanted }) { return text }
    let endsInSpace = text.unicodeScalars.last.map { $0.properties.isWhitespace } ?? true
    return text + (endsInSpace ? "" : " ") + typed(name)
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

  private static func name(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
  ) -> String {
    let isHash = bytes[range.lowerBound] == UInt8(ascii: "#")
    return Utf8.text(bytes, isHash ? range.lowerBound + 1..<range.upperBound : range)
  }
}
