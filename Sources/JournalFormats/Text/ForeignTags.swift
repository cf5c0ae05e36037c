import Journal

/// Another program's syntax of tags.
package enum ForeignTagStyle: Sendable {
  /// jrnl: `@` or `#` after white space, then letters, digits, `-`, `+`, `*`, `#`, `/` and `_`.
  case jrnl
  /// Programs for Markdown notes: `#` and anything except white space and punctuation, including
  /// emoji; Logseq also has `#[[several words]]`.
  case markdown

  /// The tags of a text that differ in Daybook.
  ///
  /// - Complexity: linear in the bytes of the text.
  func changes(in text: String) -> [TagChange] {
    let bytes = Array(text.utf8)
    guard bytes.contains(where: isSign) else { return [] }
    let ours = Dictionary(Tag.places(in: text).map { ($0.lowerBound, $0) }) { first, _ in first }
    var changes: [TagChange] = []
    var index = 0
    while index < bytes.count {
      guard isSign(bytes[index]), index == 0 || ASCII.isSpace(bytes[index - 1]) else {
        index += 1
        continue
      }
      let word = word(bytes[index...])
      if let theirs = tag(in: word), ours[index].map({ $0.count < theirs.utf8.count }) ?? true {
        // A tag that is longer here has characters that theirs cannot have, and is no loss.
        let name = ours[index].map { String(decoding: bytes[$0], as: UTF8.self) }
        changes.append(
          TagChange(from: theirs, to: name.map { $0.hasPrefix("#") ? String($0.dropFirst()) : $0 }))
      }
      index += max(word.utf8.count, 1)
    }
    return changes
  }

  private func isSign(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "#") || (self == .jrnl && byte == UInt8(ascii: "@"))
  }

  /// The word at the start of some bytes, up to white space; `#[[several words]]` is one word in
  /// Markdown.
  private func word(_ bytes: ArraySlice<UInt8>) -> String {
    if self == .markdown, bytes.starts(with: "#[[".utf8) {
      let line = bytes.prefix(200).prefix { $0 != 0x0A }
      let closing = UInt8(ascii: "]")
      if let end = line.firstIndex(of: closing), line[end...].starts(with: [closing, closing]) {
        return String(decoding: line[...(end + 1)], as: UTF8.self)
      }
    }
    return String(decoding: bytes.prefix { !ASCII.isSpace($0) }, as: UTF8.self)
  }

  /// The other program's tag at the start of a word; `nil` if there is none.
  private func tag(in word: String) -> String? {
    if self == .markdown, word.hasPrefix("#[["), word.hasSuffix("]]") { return word }
    let name = word.dropFirst().prefix(while: isAllowed)
    guard name.contains(where: { $0.isLetter || $0.isNumber || isEmoji($0) }) else { return nil }
    // Obsidian does not accept a number alone as a tag.
    if self == .markdown, name.allSatisfy(\.isNumber) { return nil }
    return String(word.prefix(1)) + String(name)
  }

  private func isAllowed(_ character: Character) -> Bool {
    if character.isLetter || character.isNumber || "-_/".contains(character) { return true }
    switch self {
    case .jrnl: return "+*#".contains(character)
    case .markdown: return isEmoji(character)
    }
  }

  private func isEmoji(_ character: Character) -> Bool {
    guard let first = character.unicodeScalars.first, first.value > 0x7F else { return false }
    return first.properties.isEmoji
  }
}

/// Removes tags that an import appended to a text, for a format that stores tags separately.
enum TrailingTags {
  /// A text without the tags at its end, if appending `tags` in their order, except existing ones,
  /// restores the text; otherwise the text itself.
  ///
  /// - Complexity: linear in the bytes of the text; at most 32 tags are tried.
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

  /// A text without its last tag and the one space, or the blank line, before it, if a word precedes
  /// that.
  private static func withoutLastTag(_ text: Substring.UTF8View) -> Substring.UTF8View? {
    guard let space = text.suffix(300).lastIndex(where: { $0 == 0x20 || $0 == 0x0A }),
      space > text.startIndex
    else { return nil }
    if text[space] == 0x0A {
      let word = text[text.index(after: space)...]
      let before = text[..<space]
      let isTag = word.first == UInt8(ascii: "#") || word.first == UInt8(ascii: "@")
      guard isTag, before.last == 0x0A, before.count > 1 else { return nil }
      return before.dropLast()
    }
    let sign = text.index(after: space)
    guard sign < text.endIndex, text[sign] == UInt8(ascii: "#") || text[sign] == UInt8(ascii: "@"),
      !text[sign...].contains(0x0A), !ASCII.isSpace(text[text.index(before: space)])
    else { return nil }
    return text[..<space]
  }
}

/// A text in formats that store its first line separately: without surrounding blank lines, and
/// without white space around its title.
struct PlainLines {
  /// The first non-blank line, trimmed; never empty for the text of an entry.
  let title: ArraySlice<UInt8>
  /// The text after the title's line, without blank lines at the end.
  let body: ArraySlice<UInt8>
  /// Whether title and body, joined by a line feed, are less than the text.
  let isTrimmed: Bool

  /// Splits a text.
  ///
  /// - Complexity: linear in its bytes.
  init(_ text: String) {
    let bytes = Array(text.utf8)
    let whole = ASCII.trimmed(bytes[...])
    let end = whole.firstIndex(of: 0x0A)
    title = ASCII.trimmed(whole[..<(end ?? whole.endIndex)])
    body = end.map { whole[($0 + 1)...] } ?? []
    isTrimmed = title.count + (end == nil ? 0 : 1 + body.count) < bytes.count
  }

  /// Title and body joined.
  static func joined(_ title: ArraySlice<UInt8>, _ body: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    body.isEmpty ? title : title + [0x0A] + body
  }
}

/// Tests of ASCII bytes for text formats.
enum ASCII {
  /// Space, tab, line ends, vertical tab and form feed.
  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  /// `0` to `9`.
  static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// A letter without accents.
  static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  /// A byte in lower case, if it is a letter without accents.
  static func lowercased(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }

  /// ASCII punctuation in CommonMark: the characters that a backslash escapes.
  static func isPunctuation(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
  }

  /// Bytes without white space at their ends.
  static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let first = bytes.firstIndex(where: { !isSpace($0) }),
      let last = bytes.lastIndex(where: { !isSpace($0) })
    else { return bytes[bytes.endIndex...] }
    return bytes[first...last]
  }

  /// Appends a number with leading zeros, at least `width` digits.
  static func append(_ number: Int, width: Int, to buffer: inout [UInt8]) {
    let digits = String(number)
    for _ in 0..<max(width - digits.utf8.count, 0) { buffer.append(UInt8(ascii: "0")) }
    buffer.append(contentsOf: digits.utf8)
  }
}
