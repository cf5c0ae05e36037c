/// Tags: `#home`, `@anna` and nested `#work/api`, words of an entry's text.
///
/// There is no place but the text where tags are kept. A tag's name is what the JSON has: `home`
/// without `#`, `@anna` with `@`. Its key is the name folded; two tags are one when their keys are.
public enum Tag {
  /// The key of a tag, from its name or as it is typed: `#Café` and `CAFE` both give `cafe`.
  public static func key(of name: String) -> String {
    let isTyped = name.utf8.first == UInt8(ascii: "#")
    return Folding.fold(isTyped ? String(name.unicodeScalars.dropFirst()) : name)
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

  static func name(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
  ) -> String {
    let isHash = bytes[range.lowerBound] == UInt8(ascii: "#")
    return Utf8.text(bytes, isHash ? range.lowerBound + 1..<range.upperBound : range)
  }
}
