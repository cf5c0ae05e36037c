import Journal

/// The wikitext of TiddlyWiki.
enum TiddlyWikiDialect {
  static let dialect: MarkupDialect = {
    var dialect = MarkupDialect(inline: inline, line: line)
    dialect.continuesItems = false
    return dialect
  }()

  static let inline: InlineSyntax = {
    var syntax = InlineSyntax(marks: [
      .init("''", .strong), .init("//", .emphasis), .init("__", .emphasis),
      .init("~~", .strikethrough), .init("``", .code), .init("`", .code),
    ])
    syntax.spansLines = true
    syntax.signs = Array("[~".utf8)
    syntax.replacement = replacement
    return syntax
  }()

  private static func replacement(
    _ scanner: inout InlineScanner, _ index: Int
  ) -> InlineSyntax.Replacement? {
    if scanner.bytes[index] == UInt8(ascii: "~") {
      // `~WikiWord` is no link.
      let isBefore = index == 0 || ASCII.isSpace(scanner.bytes[index - 1])
      guard isBefore, index + 1 < scanner.bytes.count,
        (0x41...0x5A).contains(scanner.bytes[index + 1])
      else { return nil }
      return .init("", end: index + 1)
    }
    if let found = scanner.enclosed(at: index, "[img", "]]") {
      // `[img width=32 [words|photo.png]]`
      let text = scanner.text(found.inner)
      guard let open = text.firstIndex(of: "[") else { return nil }
      let (words, target) = parts(String(text[text.index(after: open)...]))
      return .init(MarkupLinks.picture(target, words), end: found.end)
    }
    if let found = scanner.enclosed(at: index, "[ext[", "]]") {
      let (words, target) = parts(scanner.text(found.inner))
      return .init(MarkupLinks.link(target, words), end: found.end)
    }
    guard let found = scanner.enclosed(at: index, "[[", "]]"), !found.inner.isEmpty else {
      return nil
    }
    let (words, target) = parts(scanner.text(found.inner))
    let link =
      MarkupLinks.isAddress(target)
      ? MarkupLinks.link(target, words) : MarkupLinks.page(target, words)
    return .init(link, end: found.end)
  }

  /// `words|target`, or the target alone.
  private static func parts(_ text: String) -> (words: String?, target: String) {
    guard let bar = text.lastIndex(of: "|") else { return (nil, text.trimmingSpace) }
    return (String(text[..<bar]), String(text[text.index(after: bar)...]).trimmingSpace)
  }

  // MARK: Lines

  private static func line(_ line: ArraySlice<UInt8>) -> MarkupLine {
    let text = ASCII.trimmed(line)
    guard let first = text.first else { return .none }
    switch first {
    case UInt8(ascii: "!"):
      let level = line.prefix { $0 == first }.count
      // `!` is followed by the words at once; more than one sign alone is an exclamation.
      if (1...6).contains(level), level < text.count {
        return .heading(level: level, withoutStyles(line.dropFirst(level)))
      }
    case UInt8(ascii: "`"):
      if text.starts(with: "```".utf8), !text.dropFirst(3).contains(first) {
        return .code(language: text.dropFirst(3)) { ASCII.trimmed($0).elementsEqual("```".utf8) }
      }
    case UInt8(ascii: "-"):
      if text.count >= 3, text.allSatisfy({ $0 == first }) { return .rule }
    case UInt8(ascii: "|"): if let row = row(text) { return row }
    case UInt8(ascii: "<"):
      if text.starts(with: "<<<".utf8) { return quotation(text) }
    case UInt8(ascii: "*"), UInt8(ascii: "#"), UInt8(ascii: ">"), UInt8(ascii: ";"),
      UInt8(ascii: ":"):
      if let item = item(line) { return item }
    case UInt8(ascii: "\\"):
      // A pragma, such as `\define`, is the program's own.
      if text.starts(with: "\\rules".utf8) || text.starts(with: "\\whitespace".utf8) {
        return MarkupLine.none
      }
    default: break
    }
    return .text(line)
  }

  /// `<<<` begins a quotation, and a second one, perhaps with a source, ends it.
  private static func quotation(_ text: ArraySlice<UInt8>) -> MarkupLine {
    .quoteToggles(ASCII.trimmed(text.dropFirst(3)))
  }

  /// A text without the classes before it, `.class text`.
  private static func withoutStyles(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard text.first == UInt8(ascii: "."), let space = text.firstIndex(of: 0x20) else {
      return text
    }
    return text[space...]
  }

  /// `|!head|cell|`; the row of a caption or a class stays as text.
  private static func row(_ text: ArraySlice<UInt8>) -> MarkupLine? {
    let bar = UInt8(ascii: "|")
    var row = text
    if let last = row.last, "hf".utf8.contains(last), row.dropLast().last == bar {
      row.removeLast()
    }
    guard row.count > 2, row.last == bar else { return nil }
    let cells = row.dropFirst().dropLast().split(separator: bar, omittingEmptySubsequences: false)
    return .row(
      cells.map { cell in
        let inner = ASCII.trimmed(cell)
        if inner.elementsEqual("<".utf8) || inner.elementsEqual("~".utf8) { return [] }
        return inner.first == UInt8(ascii: "!") ? inner.dropFirst() : inner
      })
  }

  /// `** text`, `## text`, `> text`: the number of signs is the depth, the last one the kind.
  private static func item(_ line: ArraySlice<UInt8>) -> MarkupLine? {
    let signs = line.prefix { "*#>;:".utf8.contains($0) }
    guard let kind = signs.last else { return nil }
    let text = ASCII.trimmed(withoutStyles(line[signs.endIndex...]))
    guard !text.isEmpty else { return nil }
    if signs.allSatisfy({ $0 == UInt8(ascii: ">") }) {
      return .quote(depth: signs.count, text)
    }
    // A colon or a semicolon at the start of prose is none of a list.
    if ";:".utf8.contains(kind), signs.count > 1 || line[signs.endIndex...].first != 0x20 {
      return nil
    }
    if kind == UInt8(ascii: ";") {
      return .text((Array("''".utf8) + text + Array("''".utf8))[...])
    }
    var words = text
    let box = MarkupBox.take(&words, open: " ", done: "xX")
    return .item(
      MarkupItem(
        indent: signs.count, number: kind == UInt8(ascii: "#") ? 1 : nil, box: box, text: words))
  }
}
