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
    let isThere = !words.isEmpty && letters(text.prefix(4 * title.count + 80)).starts(with: words)
    return isThere ? text : "\(title)\n\n\(text)"
  }

  /// The letters of a text in lower case, without the signs of Markdown and spaces.
  private static func letters(_ text: some StringProtocol) -> [Character] {
    text.lowercased().filter { !$0.isWhitespace && !"#*_`[]\\~>".contains($0) }
  }
}

/// Instants as other programs write them.
enum ForeignInstant {
  /// The moment of a date with a time.
  ///
  /// An instant in UTC says nothing of where it was written, and is shown on the clock; another
  /// offset is kept. A time without an offset is on the clock.
  static func moment(_ text: String, _ clock: WallClock) -> Moment? {
    let text = compact(text) ?? text
    if let moment = Moment(text) {
      let isUniversal = DateText.isUniversal(Array(text.utf8)[...]) || text.hasSuffix("+00:00")
      return isUniversal ? clock.moment(at: moment.seconds) : moment
    }
    guard case .date(let time, _, let offset) = DateText.read(text) else { return nil }
    let moment = time.moment(offset: offset, clock)
    return offset == 0 ? clock.moment(at: moment.seconds) : moment
  }

  /// `20240105T081500Z` as `2024-01-05T08:15:00Z`.
  private static func compact(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 15, bytes[8] == UInt8(ascii: "T"),
      (bytes[..<8] + bytes[9..<15]).allSatisfy(ASCII.isDigit)
    else { return nil }
    let part = { (range: Range<Int>) in String(decoding: bytes[range], as: UTF8.self) }
    return "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))T\(part(9..<11)):\(part(11..<13)):"
      + "\(part(13..<15))\(part(15..<bytes.count))"
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
