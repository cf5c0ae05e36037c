import Journal

/// Titles that other programs keep beside the text.
enum ForeignTitle {
  /// A text with its title as first line, unless the title is a date, or the text begins with it.
  ///
  /// - Parameter title: the title as plain text; white space is collapsed.
  static func joined(_ title: String, _ text: String) -> String {
    let title = title.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard !title.isEmpty else { return text }
    guard text.utf8.contains(where: { !ASCII.isSpace($0) }) else { return title }
    if case .date = DateText.read(title) { return text }
    let words = letters(title.prefix { $0 != "…" })
    // No letter in lower case has more than twice its bytes, and signs between letters are few.
    let head = String(decoding: text.utf8.prefix(4 * title.utf8.count + 200), as: UTF8.self)
    let isThere = !words.isEmpty && letters(head).starts(with: words)
    return isThere ? text : "\(title)\n\n\(text)"
  }

  /// The letters of a text in lower case, without the signs of Markdown and spaces.
  private static func letters(_ text: some StringProtocol) -> [Unicode.Scalar] {
    text.lowercased().unicodeScalars.filter { scalar in
      if scalar.isASCII {
        let byte = UInt8(truncatingIfNeeded: scalar.value)
        return !ASCII.isSpace(byte) && !"#*_`[]\\~>".utf8.contains(byte)
      }
      return !scalar.properties.isWhitespace
    }
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
