import Journal

/// Titles that other programs keep beside the text.
enum ForeignTitle {
  /// A text with its title as first line, unless the title is the day of the entry, or the text begins with it.
  ///
  /// - Parameter title: the title as plain text; white space is collapsed.
  static func joined(_ title: String, _ text: String, on day: Day) -> String {
    let title = collapsed(title)
    guard !title.isEmpty else { return text }
    guard text.utf8.contains(where: { !ASCII.isSpace($0) }) else { return title }
    if date(title) == day { return text }
    return begins(text, with: title) ? text : "\(title)\n\n\(text)"
  }

  /// The day that a title is; `nil` for any other title.
  fileprivate static func date(_ title: String) -> Day? {
    if case .date(let time, _, _) = DateText.read(collapsed(title)) { time.day } else { nil }
  }

  /// A title on one line.
  private static func collapsed(_ title: String) -> String {
    var last: UInt8 = 0x20
    let isPlain = title.utf8.allSatisfy { byte in
      defer { last = byte }
      return (0x21...0x7E).contains(byte) || byte == 0x20 && last != 0x20
    }
    if isPlain, last != 0x20 { return title }
    return title.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Whether a text begins with the letters of a title.
  private static func begins(_ text: String, with title: String) -> Bool {
    let words = title.prefix { $0 != "…" }
    // No letter in lower case has more than twice its bytes, and signs between letters are few.
    let head = text.utf8.prefix(4 * title.utf8.count + 200)
    if words.utf8.allSatisfy({ $0 < 0x80 }), head.allSatisfy({ $0 < 0x80 }) {
      let wanted = words.utf8.lazy.filter(isLetter).map(ASCII.lowercased)
      var rest = head.lazy.filter(isLetter).map(ASCII.lowercased).makeIterator()
      return wanted.first != nil && wanted.allSatisfy { $0 == rest.next() }
    }
    let wanted = letters(words)
    return !wanted.isEmpty && letters(String(decoding: head, as: UTF8.self)).starts(with: wanted)
  }

  /// Whether a byte of ASCII is neither a sign of Markdown nor a space.
  private static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "#"), UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "`"),
      UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "\\"), UInt8(ascii: "~"),
      UInt8(ascii: ">"):
      false
    default: !ASCII.isSpace(byte)
    }
  }

  /// The letters of a text in lower case, without the signs of Markdown and spaces.
  private static func letters(_ text: some StringProtocol) -> [Unicode.Scalar] {
    text.lowercased().unicodeScalars.filter { scalar in
      scalar.isASCII
        ? isLetter(UInt8(truncatingIfNeeded: scalar.value)) : !scalar.properties.isWhitespace
    }
  }
}

extension ImportedEntry {
  /// Puts a title above the text, unless it says nothing that the entry does not have.
  mutating func take(title: String) {
    let day = day ?? created.localDay
    let titled = ForeignTitle.joined(title, text, on: day)
    if titled != text, ForeignTitle.date(title) != nil {
      // Earlier builds left every date out.
      former = Former(text: text, time: wallTime ?? created)
    }
    text = titled
  }
}

/// Paths of files in an export, as targets of links.
enum ForeignPath {
  /// A path inside a directory, without the steps that would leave it; `nil` for none.
  static func inside(_ directory: String, _ path: String) -> String? {
    var parts = directory.split(separator: "/").map { String($0) }
    for part in path.split(separator: "/") where part != "." {
      if part == ".." {
        guard parts.popLast() != nil else { return nil }
      } else {
        parts.append(part.filter { !$0.isNewline })
      }
    }
    return parts.isEmpty ? nil : parts.joined(separator: "/")
  }

  /// The directory of a file: empty at the root.
  static func directory(of file: String) -> String {
    file.lastIndex(of: "/").map { String(file[..<$0]) } ?? ""
  }
}
