import Journal

/// How another program finds tags in a text.
public enum ForeignTagStyle: Sendable {
  /// jrnl: `@` or `#` after white space, and letters, digits, `-`, `+`, `*`, `#`, `/` and `_`.
  case jrnl
  /// Programs of Markdown notes: `#` and anything but white space and punctuation, also emoji; Logseq
  /// has `#[[several words]]` too.
  case markdown

  /// The tags of a text that are other ones here.
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
        // A tag that is longer here has signs that theirs cannot have, and is no loss.
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

  /// The word that bytes begin with, up to white space; `#[[several words]]` is one of Markdown.
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

  /// The tag that a word begins with, for the other program; nothing where it has none.
  private func tag(in word: String) -> String? {
    if self == .markdown, word.hasPrefix("#[["), word.hasSuffix("]]") { return word }
    let name = word.dropFirst().prefix(while: isAllowed)
    guard name.contains(where: { $0.isLetter || $0.isNumber || isEmoji($0) }) else { return nil }
    // Obsidian takes no number alone for a tag.
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
