/// A heading of Markdown, `## text`.
struct Heading {
  /// 1 to 6.
  var level: Int
  /// What follows the signs and one space or more.
  var text: ArraySlice<UInt8>

  /// Reads a line; nothing when it is no heading.
  init?(_ line: ArraySlice<UInt8>) {
    let rest = line.drop { $0 == UInt8(ascii: "#") }
    level = rest.startIndex - line.startIndex
    guard (1...6).contains(level), rest.isEmpty || rest.first.map(ASCII.isSpace) == true else {
      return nil
    }
    text = rest.drop { $0 == 0x20 || $0 == 0x09 }
  }

  /// The time a heading begins with, in seconds after midnight, and what follows: `09:15`,
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

/// Whether lines stand in fenced code, told line by line.
struct CodeFences {
  private var fence: (sign: UInt8, count: Int)?

  /// Whether the next line stands inside code, or ends it.
  var isOpen: Bool { fence != nil }

  /// Whether a line belongs to fenced code, the fences themselves included.
  mutating func holds(_ line: ArraySlice<UInt8>) -> Bool {
    let indent = line.prefix(while: { $0 == 0x20 }).count
    let content = line.dropFirst(indent)
    guard indent < 4, let sign = content.first,
      sign == UInt8(ascii: "`") || sign == UInt8(ascii: "~")
    else { return fence != nil }
    let count = content.prefix(while: { $0 == sign }).count
    let rest = content.dropFirst(count)
    if let fence {
      let isEnd = sign == fence.sign && count >= fence.count && rest.allSatisfy(ASCII.isSpace)
      if isEnd { self.fence = nil }
      return true
    }
    guard count >= 3, sign == UInt8(ascii: "~") || !rest.contains(sign) else { return false }
    fence = (sign, count)
    return true
  }
}
