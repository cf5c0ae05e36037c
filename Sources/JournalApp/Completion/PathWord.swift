/// The word before the cursor where words may stand in quotation marks, as ``Command/words(_:)`` takes
/// a line apart.
struct PathWord: Equatable {
  /// What the word means as far as it is typed, without its quotation marks.
  var text = ""
  /// Its first byte in the line, the quotation mark included.
  var start: Int
  /// The quotation mark that is open at the cursor.
  var quote: Character?
  /// The words before it, without theirs.
  var before: [String] = []

  /// Finds the word that ends at a byte of the line.
  init(in line: String, endingAt point: Int) {
    start = 0
    var isWord = false
    var place = 0
    for character in String(decoding: line.utf8.prefix(max(0, point)), as: UTF8.self) {
      place += character.utf8.count
      if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        (quote, isWord) = (character, true)
      } else if quote == nil, character == " " {
        if isWord { before.append(text) }
        (text, isWord, start) = ("", false, place)
      } else {
        text.append(character)
        isWord = true
      }
    }
  }

  /// The word for a whole path, in quotation marks if it needs them or has begun with one.
  ///
  /// - Returns: `nil` for a path with both kinds of quotation marks, which no word can hold.
  func spelling(of path: String, isOpen: Bool) -> String? {
    let needsQuote = path.contains { $0 == " " || $0 == "'" || $0 == "\"" }
    guard let mark = quote ?? (needsQuote ? (path.contains("'") ? "\"" : "'") : nil) else {
      return path
    }
    guard !path.contains(mark) else { return nil }
    // More is to follow inside a folder.
    return String(mark) + path + (isOpen ? "" : String(mark))
  }
}
