import Journal

/// Converts the blocks of Roam to nested lists.
struct RoamBlocks {
  private(set) var markdown: [UInt8] = []
  /// Whether there is no list.
  var isParagraph = false
  /// The names of members that are left out.
  private(set) var unkept: Set<String> = []

  /// More levels would be code.
  private static let depthLimit = 10

  mutating func append(_ blocks: [JSONValue], depth: Int) {
    for block in blocks {
      append(block, depth: depth)
      append(block["children"]?.array ?? [], depth: depth + 1)
      if let align = block["text-align"]?.string, align != "left" { unkept.insert("text-align") }
    }
  }

  private mutating func append(_ block: JSONValue, depth: Int) {
    let text = LineEnds.unified(block["string"]?.string ?? "")
    guard !text.utf8.allSatisfy(ASCII.isSpace) else { return }
    let (box, words) = Self.box(text)
    let level = min(block["heading"]?.integer ?? 0, 3)
    let indent = min(depth, Self.depthLimit) * 2
    var lines = Self.lines(words)
    if level > 0 {
      lines[0] = Array(repeating: UInt8(ascii: "#"), count: level) + [0x20] + lines[0]
    }
    for (index, line) in lines.enumerated() {
      let marker = isParagraph && box.isEmpty ? "" : index == 0 ? "- \(box)" : "  "
      if line.isEmpty, index > 0 {
        markdown.append(0x0A)
        continue
      }
      markdown += Array(repeating: 0x20, count: indent) + Array(marker.utf8) + line + [0x0A]
    }
  }

  /// The box of a task before its words.
  private static func box(_ text: String) -> (box: String, words: String) {
    for (sign, box) in [
      ("{{[[TODO]]}}", "[ ] "), ("{{TODO}}", "[ ] "), ("{{[[DONE]]}}", "[x] "),
      ("{{DONE}}", "[x] "),
    ] where text.hasPrefix(sign) {
      return (box, String(text.dropFirst(sign.count)).trimmingSpace)
    }
    return ("", text)
  }

  /// The lines of a block; Roam ends code on its last line.
  private static func lines(_ text: String) -> [[UInt8]] {
    var text = text
    if text.contains("```") {
      var (parts, isCode) = ([String](), false)
      for part in text.split(separator: "```", omittingEmptySubsequences: false) {
        let needsEnd = isCode && !part.hasSuffix("\n") && part.contains("\n")
        parts.append(needsEnd ? part + "\n" : String(part))
        isCode.toggle()
      }
      text = parts.joined(separator: "```")
      return text.split(separator: "\n", omittingEmptySubsequences: false).map { Array($0.utf8) }
    }
    let markdown = InlineConverter.markdown(Array(text.utf8), syntax)
    return markdown.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
  }

  private static let syntax: InlineSyntax = {
    var syntax = InlineSyntax(marks: [
      .init("**", .strong), .init("__", .emphasis), .init("~~", .strikethrough), .init("`", .code),
      .init("^^", .plain), .init("$$", .verbatim),
    ])
    syntax.signs = Array("[#!(".utf8)
    syntax.replacement = { scanner, index in
      if let found = scanner.enclosed(at: index, "#[[", "]]"), !found.inner.isEmpty {
        return NoteTags.tag(scanner.text(found.inner)).map { .init($0, end: found.end) }
      }
      if let found = scanner.enclosed(at: index, "[[", "]]") {
        return .init("[[\(scanner.text(found.inner))]]", end: found.end)
      }
      if let found = scanner.enclosed(at: index, "((", "))") {
        return .init("((\(scanner.text(found.inner))))", end: found.end)
      }
      return link(&scanner, index)
    }
    return syntax
  }()

  /// `[words](address)` and `![words](address)` are Markdown.
  private static func link(
    _ scanner: inout InlineScanner, _ index: Int
  ) -> InlineSyntax.Replacement? {
    let start = scanner.bytes[index] == UInt8(ascii: "!") ? index + 1 : index
    guard let words = scanner.enclosed(at: start, "[", "]("),
      let close = scanner.position(of: [UInt8(ascii: ")")], from: words.end),
      close - words.end <= InlineScanner.linkLimit,
      !scanner.bytes[words.end..<close].contains(0x0A)
    else { return nil }
    return .init(scanner.text(index..<close + 1), end: close + 1)
  }
}
