import Journal

/// Tags of programs for notes that Daybook writes otherwise.
enum NoteTags {
  /// The tag of several words, `#two-words`; `nil` if they are none.
  static func tag(_ words: String) -> String? {
    ImportedTag.name(words.trimmingSpace).map(Tag.typed)
  }

  /// A text with `#[[two words]]` as `#two-words`, but in code.
  ///
  /// - Complexity: linear in the bytes of the text.
  static func convertingBrackets(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "[")), text.contains("#[[") else { return text }
    var fences = CodeFences()
    var result: [UInt8] = []
    for (index, line) in Array(text.utf8).split(separator: 0x0A, omittingEmptySubsequences: false)
      .enumerated()
    {
      if index > 0 { result.append(0x0A) }
      let isCode = fences.holds(line)
      result += isCode ? Array(line) : converted(line)
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func converted(_ line: ArraySlice<UInt8>) -> [UInt8] {
    guard line.contains(UInt8(ascii: "#")) else { return Array(line) }
    var scanner = InlineScanner(Array(line))
    var result: [UInt8] = []
    var index = 0
    var isCode = false
    while index < scanner.bytes.count {
      let byte = scanner.bytes[index]
      if byte == UInt8(ascii: "`") { isCode.toggle() }
      if !isCode, byte == UInt8(ascii: "#"),
        let found = scanner.enclosed(at: index, "#[[", "]]"),
        let tag = tag(scanner.text(found.inner))
      {
        result += tag.utf8
        index = found.end
      } else {
        result.append(byte)
        index += 1
      }
    }
    return result
  }
}
