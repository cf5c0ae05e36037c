import Journal

/// A Markdown heading, `## text`.
struct Heading {
  /// The level, 1 to 6.
  var level: Int
  /// The text after the `#` signs and spaces.
  var text: ArraySlice<UInt8>

  /// Parses a line; `nil` if it is not a heading.
  init?(_ line: ArraySlice<UInt8>) {
    let rest = line.drop { $0 == UInt8(ascii: "#") }
    level = rest.startIndex - line.startIndex
    guard (1...6).contains(level), rest.isEmpty || rest.first.map(ASCII.isSpace) == true else {
      return nil
    }
    text = rest.drop { $0 == 0x20 || $0 == 0x09 }
  }

  /// The time at the start of a heading, in seconds after midnight, and the text after it: `09:15`,
  /// `9:15 PM - Title`.
  var time: (second: Int, rest: ArraySlice<UInt8>)? {
    guard text.first.map(ASCII.isDigit) == true else { return nil }
    let words = text.prefix(40).split(separator: 0x20, maxSplits: 2)
    for count in [2, 1] where words.count >= count {
      let end = words[count - 1].endIndex
      guard let second = DateText.time(text[text.startIndex..<end]) else { continue }
      return (second, text[end...])
    }
    return nil
  }
}
