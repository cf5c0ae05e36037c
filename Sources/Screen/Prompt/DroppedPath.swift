import Journal

/// A path that was pasted or dropped into a prompt: terminals quote it, put backslashes before its blanks, or give an
/// address that begins with `file://`.
package enum DroppedPath {
  /// The longest text that may be a path, in bytes.
  private static let longest = 4_096

  /// The path if a text is nothing else; it begins at the root or with `~/`.
  package static func path(in text: String) -> String? {
    guard text.utf8.count <= longest else { return nil }
    let blanks: Set<Character> = [" ", "\t", "\n", "\r\n"]
    let start = text.drop { blanks.contains($0) }
    // Each key in the prompt asks this, and few texts begin so.
    guard let first = start.utf8.first, "/~'\"\\f".utf8.contains(first) else { return nil }
    let end = start.lastIndex { !blanks.contains($0) }
    guard let end, !text.contains("\0") else { return nil }
    let word = String(start[...end])
    guard !word.contains(where: \.isNewline) else { return nil }
    let scheme = "file://"
    let found = word.hasPrefix(scheme) ? decoded(word.dropFirst(scheme.count)) : unquoted(word)
    guard let found, found.hasPrefix("/") || found.hasPrefix("~/"), !found.hasSuffix("/") else {
      return nil
    }
    return found
  }

  /// The path of an address, after the name of this computer, which is mostly left out.
  private static func decoded(_ address: Substring) -> String? {
    guard let slash = address.firstIndex(of: "/"),
      ["", "localhost"].contains(address[..<slash])
    else { return nil }
    return PercentEscapes.decoded(address[slash...].utf8)
  }

  /// A word without its quotation marks and backslashes, as a shell reads it; `nil` for several words.
  private static func unquoted(_ word: String) -> String? {
    var path = ""
    var quote: Character?
    var isEscaped = false
    for character in word {
      if isEscaped {
        path.append(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
      } else if quote == nil, character == " " || character == "\t" {
        return nil
      } else {
        path.append(character)
      }
    }
    return quote == nil && !isEscaped ? path : nil
  }
}
