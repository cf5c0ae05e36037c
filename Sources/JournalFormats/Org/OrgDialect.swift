import Journal

/// The markup of Org mode.
enum OrgDialect {
  /// The dialect of a text whose own headings are at a level.
  ///
  /// - Parameter base: the level of the heading above the text, which its own ones follow.
  static func dialect(below base: Int) -> MarkupDialect {
    var dialect = MarkupDialect(inline: inline) { line($0, base) }
    dialect.codeText = unescaped
    return dialect
  }

  static let inline: InlineSyntax = {
    var syntax = InlineSyntax(marks: [
      .init("*", .strong, .words), .init("/", .emphasis, .words), .init("_", .emphasis, .words),
      .init("+", .strikethrough, .words), .init("=", .code, .words), .init("~", .code, .words),
    ])
    syntax.spansLines = true
    syntax.signs = Array("[<\\".utf8)
    syntax.replacement = replacement
    return syntax
  }()

  private static func replacement(
    _ scanner: inout InlineScanner, _ index: Int
  ) -> InlineSyntax.Replacement? {
    switch scanner.bytes[index] {
    case UInt8(ascii: "\\"):
      // `\\` breaks the line, which every line end does here.
      let isBreak = scanner.begins(Array("\\\\".utf8), at: index)
      let end = index + 2
      guard isBreak, end == scanner.bytes.count || scanner.bytes[end] == 0x0A else { return nil }
      return .init("", end: end)
    case UInt8(ascii: "<"):
      guard let found = scanner.enclosed(at: index, "<", ">"),
        MarkupLinks.isAddress(scanner.text(found.inner)),
        !scanner.bytes[found.inner].contains(0x20)
      else { return nil }
      return .init("<\(scanner.text(found.inner))>", end: found.end)
    default:
      // The priority of a task is no tag.
      if let found = scanner.enclosed(at: index, "[#", "]"), found.inner.count == 1 {
        return .init("[\\#\(scanner.text(found.inner))]", end: found.end)
      }
      return link(&scanner, index)
    }
  }

  /// `[[target]]` and `[[target][words]]`.
  private static func link(
    _ scanner: inout InlineScanner, _ index: Int
  ) -> InlineSyntax.Replacement? {
    guard let found = scanner.enclosed(at: index, "[[", "]]"), !found.inner.isEmpty else {
      return nil
    }
    let parts = scanner.text(found.inner).split(separator: "][", maxSplits: 1)
    guard var target = parts.first.map(String.init) else { return nil }
    let words = parts.count > 1 ? String(parts[1]) : nil
    for scheme in ["file+sys:", "file+emacs:", "file:", "attachment:"]
    where target.hasPrefix(scheme) && !target.hasPrefix("file://") {
      target = String(target.dropFirst(scheme.count))
      let bare = target.split(separator: "::", maxSplits: 1).first.map(String.init) ?? target
      return .init(file(bare, words), end: found.end)
    }
    if ["./", "../", "/", "~/"].contains(where: target.hasPrefix) {
      return .init(file(target, words), end: found.end)
    }
    if MarkupLinks.isAddress(target) || target.contains(":") && !target.contains(" ") {
      return .init(MarkupLinks.link(target, words), end: found.end)
    }
    let name = String(target.drop { "*#".contains($0) })
    return .init(MarkupLinks.page(name, words), end: found.end)
  }

  private static func file(_ target: String, _ words: String?) -> String {
    if MarkupLinks.isPicture(target), words == nil { return MarkupLinks.picture(target) }
    return MarkupLinks.link(target, words)
  }

  // MARK: Lines

  /// A line of code without the comma before `*` or `#+`.
  private static func unescaped(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let text = line.drop { $0 == 0x20 || $0 == 0x09 }
    guard text.first == UInt8(ascii: ",") else { return line }
    let rest = text.drop { $0 == UInt8(ascii: ",") }
    guard rest.first == UInt8(ascii: "*") || rest.starts(with: "#+".utf8) else { return line }
    return (line[..<text.startIndex] + text.dropFirst())[...]
  }

  private static func line(_ line: ArraySlice<UInt8>, _ base: Int) -> MarkupLine {
    if let heading = OrgHeading(line) {
      return .heading(level: heading.level - base, heading.markdown)
    }
    let text = ASCII.trimmed(line)
    guard let first = text.first else { return .none }
    switch first {
    case UInt8(ascii: "#"):
      if let block = block(text) { return block }
    case UInt8(ascii: "|"):
      if text.dropFirst().first == UInt8(ascii: "-") { return .tableRule }
      let cells = text.dropFirst().split(separator: first, omittingEmptySubsequences: false)
      return .row(text.last == first ? cells.dropLast() : cells)
    case UInt8(ascii: ":"):
      if text.count == 1 { return .codeLine([]) }
      if text.dropFirst().first == 0x20 { return .codeLine(text.dropFirst(2)) }
    case UInt8(ascii: "-"):
      if text.count >= 5, text.allSatisfy({ $0 == first }) { return .rule }
    default: break
    }
    return item(line).map { .item($0) } ?? .text(line)
  }

  /// `#+begin_src swift` and other blocks; a keyword is a line of text.
  private static func block(_ text: ArraySlice<UInt8>) -> MarkupLine? {
    let words = text.split(maxSplits: 2, whereSeparator: ASCII.isSpace)
    guard let first = words.first else { return nil }
    switch String(decoding: first, as: UTF8.self).lowercased() {
    case "#+begin_src": return code(words.dropFirst().first ?? [], "#+end_src")
    case "#+begin_example": return code([], "#+end_example")
    case "#+begin_export": return code(words.dropFirst().first ?? [], "#+end_export")
    case "#+begin_comment": return code([], "#+end_comment")
    case "#+begin_quote", "#+begin_verse": return .quoteBegins
    case "#+end_quote", "#+end_verse": return .quoteEnds
    case "#+begin_center", "#+end_center", "#+results:": return MarkupLine.none
    default: return nil
    }
  }

  private static func code(_ language: ArraySlice<UInt8>, _ end: String) -> MarkupLine {
    .code(language: language) { line in
      String(decoding: ASCII.trimmed(line).prefix(40), as: UTF8.self).lowercased() == end
    }
  }

  /// `- text`, `+ [X] text`, `1. text`, `2) text`, and ` * text`, which is a heading at the margin.
  private static func item(_ line: ArraySlice<UInt8>) -> MarkupItem? {
    let indent = MarkupConverter.columns(line)
    var text = line.drop { $0 == 0x20 || $0 == 0x09 }
    guard let first = text.first else { return nil }
    var number: Int?
    if "-+".utf8.contains(first) || first == UInt8(ascii: "*") && indent > 0 {
      text = text.dropFirst()
    } else {
      let digits = text.prefix { ASCII.isDigit($0) }
      guard (1...9).contains(digits.count) else { return nil }
      number = Int(String(decoding: digits, as: UTF8.self))
      text = text[digits.endIndex...]
      guard let sign = text.first, ".)".utf8.contains(sign) else { return nil }
      text = text.dropFirst()
    }
    guard text.isEmpty || ASCII.isSpace(text.first ?? 0) else { return nil }
    text = ASCII.trimmed(text)
    if text.starts(with: "[@".utf8), let end = text.prefix(12).firstIndex(of: UInt8(ascii: "]")) {
      text = ASCII.trimmed(text[(end + 1)...])
    }
    let box = MarkupBox.take(&text, open: " -", done: "Xx")
    return MarkupItem(indent: indent, number: number, box: box, text: definition(text))
  }

  /// `term :: definition` is the term in bold.
  private static func definition(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let sign = Array(" :: ".utf8)
    guard text.contains(UInt8(ascii: ":")), let range = text.firstRange(of: sign),
      range.lowerBound > text.startIndex, !text[..<range.lowerBound].contains(UInt8(ascii: "*"))
    else { return text }
    let star = UInt8(ascii: "*")
    return
      ([star] + text[..<range.lowerBound] + [star, 0x3A, 0x20] + text[range.upperBound...])[...]
  }
}

/// The boxes of tasks.
enum MarkupBox {
  /// Removes `[ ]` from the start of a text; `nil` without a box of these signs.
  static func take(
    _ text: inout ArraySlice<UInt8>, open: StaticString, done: StaticString
  ) -> Bool? {
    let start = text.startIndex
    guard text.count >= 3, text[start] == UInt8(ascii: "["), text[start + 2] == UInt8(ascii: "]"),
      text.count == 3 || ASCII.isSpace(text[start + 3])
    else { return nil }
    let sign = text[start + 1]
    let isDone = done.withUTF8Buffer { $0.contains(sign) }
    guard isDone || open.withUTF8Buffer({ $0.contains(sign) }) else { return nil }
    text = ASCII.trimmed(text.dropFirst(3))
    return isDone
  }
}
