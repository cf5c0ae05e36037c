import Journal

/// The markup of RedNotebook, which is txt2tags with links and pictures of its own.
enum RedNotebookDialect {
  static let dialect = MarkupDialect(inline: inline, line: line)

  static let inline: InlineSyntax = {
    var syntax = InlineSyntax(marks: [
      .init("**", .strong), .init("//", .emphasis), .init("__", .emphasis),
      .init("--", .strikethrough), .init("``", .code), .init("\"\"", .literal),
      .init("''", .literal), .init("$$", .verbatim), .init("\\(", "\\)", .verbatim),
      .init("\\[", "\\]", .verbatim),
    ])
    syntax.signs = Array("[{\\".utf8)
    syntax.replacement = replacement
    return syntax
  }()

  private static func replacement(
    _ scanner: inout InlineScanner, _ index: Int
  ) -> InlineSyntax.Replacement? {
    switch scanner.bytes[index] {
    case UInt8(ascii: "\\"):
      // Two backslashes at the end of a line break it.
      let line = scanner.bytes[index...].prefix { $0 == UInt8(ascii: "\\") }
      guard line.count == 2,
        line.endIndex == scanner.bytes.count
          || scanner.bytes[line.endIndex] == 0x0A
      else { return nil }
      return .init("", end: line.endIndex)
    case UInt8(ascii: "{"):
      // The color of a text is left out.
      guard let found = scanner.enclosed(at: index, "{", "}") else { return nil }
      let parts = scanner.text(found.inner).split(
        separator: "|color:", omittingEmptySubsequences: false)
      guard parts.count == 2 else { return nil }
      let words = InlineConverter.markdown(Array(parts[0].utf8), inline)
      return .init(String(decoding: words, as: UTF8.self), end: found.end)
    default: return bracket(&scanner, index)
    }
  }

  private static func bracket(
    _ scanner: inout InlineScanner, _ index: Int
  ) -> InlineSyntax.Replacement? {
    guard let found = scanner.enclosed(at: index, "[", "]"), !found.inner.isEmpty else {
      return nil
    }
    let text = scanner.text(found.inner)
    // `[""/path/picture"".png?300]`
    if text.hasPrefix("\"\""), let end = text.range(of: "\"\"", after: 2) {
      let name = text[text.index(text.startIndex, offsetBy: 2)..<end.lowerBound]
      let ending = text[end.upperBound...].split(separator: "?", maxSplits: 1)
      let path = "\(name)\(ending.first ?? "")"
      guard MarkupLinks.isPicture(path) else { return nil }
      return .init(MarkupLinks.picture(path), end: found.end)
    }
    // `[words ""address""]`
    if text.hasSuffix("\"\""), let start = text.range(of: " \"\"", after: 1) {
      let target = text[start.upperBound...].dropLast(2)
      return .init(
        MarkupLinks.link(String(target), String(text[..<start.lowerBound])), end: found.end)
    }
    let words = text.split(separator: " ")
    guard let last = words.last.map(String.init) else { return nil }
    let before = words.dropLast().joined(separator: " ")
    if last.utf8.count == 10, let day = Day(last) {
      return .init(MarkupLinks.page("\(day)", before.isEmpty ? nil : before), end: found.end)
    }
    if words.count == 1, MarkupLinks.isPicture(String(last.split(separator: "?")[0])) {
      return .init(MarkupLinks.picture(String(last.split(separator: "?")[0])), end: found.end)
    }
    guard words.count > 1 else { return nil }
    if MarkupLinks.isAddress(last) {
      return .init(MarkupLinks.link(last, before), end: found.end)
    }
    let isFile = last.hasPrefix("/") || last.hasPrefix("./") || last.hasPrefix("www.")
    return isFile ? .init(MarkupLinks.link(last, before), end: found.end) : nil
  }

  // MARK: Lines

  private static func line(_ line: ArraySlice<UInt8>) -> MarkupLine {
    let text = ASCII.trimmed(line)
    guard let first = text.first else { return .none }
    if line.first == 0x09 {
      let depth = line.prefix { $0 == 0x09 }.count
      return .quote(depth: depth, text)
    }
    switch first {
    case UInt8(ascii: "`"):
      if text.elementsEqual("```".utf8) { return .code(language: [], isEnd: isFence("```")) }
      if text.starts(with: "``` ".utf8) { return .codeLine(text.dropFirst(4)) }
    case UInt8(ascii: "\""):
      if text.elementsEqual("\"\"\"".utf8) {
        return .code(language: [], isEnd: isFence("\"\"\""))
      }
    case UInt8(ascii: "="), UInt8(ascii: "+"):
      if text.count >= 20, text.allSatisfy({ $0 == first }) { return .rule }
      if let heading = title(text, first) { return heading }
    case UInt8(ascii: "-"), UInt8(ascii: "_"):
      if text.count >= 20, text.allSatisfy({ $0 == first }) { return .rule }
    case UInt8(ascii: "|"):
      if let row = row(text) { return row }
    default: break
    }
    return item(line).map { .item($0) } ?? .text(line)
  }

  private static func isFence(_ fence: String) -> (ArraySlice<UInt8>) -> Bool {
    { ASCII.trimmed($0).elementsEqual(fence.utf8) }
  }

  /// `== Title ==`, `++ Numbered ++`, with a label after it at most.
  private static func title(_ text: ArraySlice<UInt8>, _ sign: UInt8) -> MarkupLine? {
    let level = text.prefix { $0 == sign }.count
    var text = text
    if text.last == UInt8(ascii: "]"), let label = text.lastIndex(of: UInt8(ascii: "[")),
      text[label...].count < 60, label > text.startIndex, text[label - 1] == sign
    {
      text = text[..<label]
    }
    guard (1...5).contains(level), text.count > 2 * level,
      text.suffix(level).allSatisfy({ $0 == sign })
    else { return nil }
    let inner = text.dropFirst(level).dropLast(level)
    guard inner.first != sign, inner.last != sign, !inner.allSatisfy(ASCII.isSpace) else {
      return nil
    }
    return .heading(level: level, inner)
  }

  /// `| a | b |`, `|| head | b |`.
  private static func row(_ text: ArraySlice<UInt8>) -> MarkupLine? {
    let bar = UInt8(ascii: "|")
    let start = text.dropFirst(text.dropFirst().first == bar ? 2 : 1)
    guard start.first == 0x20, text.count > 3 else { return nil }
    let inner = text.last == bar ? start.dropLast() : start
    return .row(inner.split(separator: bar, omittingEmptySubsequences: false))
  }

  /// `- text` and `+ text`, which is numbered; a box is that of a task.
  private static func item(_ line: ArraySlice<UInt8>) -> MarkupItem? {
    let indent = line.prefix { $0 == 0x20 }.count
    let text = line.dropFirst(indent)
    guard let sign = text.first, "-+".utf8.contains(sign), text.dropFirst().first == 0x20,
      let next = text.dropFirst(2).first, next != 0x20
    else { return nil }
    var words = text.dropFirst(2)
    let box = MarkupBox.take(&words, open: " ", done: "xX")
    return MarkupItem(
      indent: indent, number: sign == UInt8(ascii: "+") ? 1 : nil, box: box, text: words)
  }
}

extension String {
  /// The range of a text after a number of characters.
  fileprivate func range(of text: String, after count: Int) -> Range<String.Index>? {
    guard let start = index(startIndex, offsetBy: count, limitedBy: endIndex) else { return nil }
    return self[start...].firstRange(of: text)
  }
}
