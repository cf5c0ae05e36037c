import Journal

/// The default markup of vimwiki.
enum VimwikiDialect {
  static let dialect: MarkupDialect = {
    var dialect = MarkupDialect(inline: inline, line: line)
    dialect.quotesIndented = true
    return dialect
  }()

  static let inline: InlineSyntax = {
    var syntax = InlineSyntax(marks: [
      .init("*", .strong, .words), .init("_", .emphasis, .words), .init("~~", .strikethrough),
      .init("`", .code), .init("$", .verbatim, .words),
    ])
    syntax.spansLines = true
    syntax.signs = Array("[{:".utf8)
    syntax.replacement = replacement
    return syntax
  }()

  private static func replacement(
    _ scanner: inout InlineScanner, _ index: Int
  ) -> InlineSyntax.Replacement? {
    switch scanner.bytes[index] {
    case UInt8(ascii: "["):
      guard let found = scanner.enclosed(at: index, "[[", "]]"), !found.inner.isEmpty else {
        return nil
      }
      return .init(link(scanner.text(found.inner)), end: found.end)
    case UInt8(ascii: "{"):
      guard let found = scanner.enclosed(at: index, "{{", "}}"), !found.inner.isEmpty,
        scanner.bytes[found.inner.lowerBound] != UInt8(ascii: "{")
      else { return nil }
      let parts = scanner.text(found.inner).split(separator: "|", omittingEmptySubsequences: false)
      let words = parts.count > 1 ? String(parts[1]) : nil
      return .init(MarkupLinks.picture(target(String(parts[0])), words), end: found.end)
    default: return tags(scanner, index)
    }
  }

  /// `[[Page]]`, `[[Page|words]]`, `[[https://…|words]]`, `[[diary:2024-01-05]]`.
  private static func link(_ text: String) -> String {
    let parts = text.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    let place = String(parts[0])
    let words = parts.count > 1 ? String(parts[1]) : nil
    if let words, let picture = words.firstRange(of: "{{"), picture.lowerBound == words.startIndex {
      return MarkupLinks.link(target(place), words.filter { !"{}".contains($0) })
    }
    if place.hasPrefix("diary:") {
      return MarkupLinks.page(String(place.dropFirst(6)), words)
    }
    if MarkupLinks.isAddress(place) || ["file:", "local:", "//"].contains(where: place.hasPrefix) {
      let target = target(place)
      return MarkupLinks.isPicture(target) && words == nil
        ? MarkupLinks.picture(target) : MarkupLinks.link(target, words)
    }
    return MarkupLinks.page(String(place.drop { $0 == "/" || $0 == "#" }), words)
  }

  /// A path without the scheme of vimwiki.
  private static func target(_ place: String) -> String {
    for scheme in ["file:", "local:"] where place.hasPrefix(scheme) && !place.hasPrefix("file://") {
      return String(place.dropFirst(scheme.count))
    }
    return place
  }

  /// `:diary:walk:` are tags.
  private static func tags(
    _ scanner: InlineScanner, _ index: Int
  ) -> InlineSyntax.Replacement? {
    guard index == 0 || ASCII.isSpace(scanner.bytes[index - 1]) else { return nil }
    let word = scanner.bytes[index...].prefix(400).prefix { !ASCII.isSpace($0) }
    guard word.count > 2, word.count < 400, word.last == UInt8(ascii: ":") else { return nil }
    let names = word.dropFirst().dropLast().split(
      separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    let isName: (ArraySlice<UInt8>) -> Bool = { name in
      !name.isEmpty && name.allSatisfy { InlineScanner.isWord($0) || "-_/+.".utf8.contains($0) }
    }
    guard names.allSatisfy(isName) else { return nil }
    let words = names.map { name in
      let text = String(decoding: name, as: UTF8.self)
      return Tag.typed(ImportedTag.name(text) ?? text)
    }
    return .init(words.joined(separator: " "), end: word.endIndex)
  }

  // MARK: Lines

  private static func line(_ line: ArraySlice<UInt8>) -> MarkupLine {
    let text = ASCII.trimmed(line)
    guard let first = text.first else { return .none }
    if text.starts(with: "{{{".utf8) {
      let info = text.dropFirst(3).prefix { !ASCII.isSpace($0) && $0 != UInt8(ascii: "=") }
      return .code(language: info) { ASCII.trimmed($0).elementsEqual("}}}".utf8) }
    }
    if text.starts(with: "{{$".utf8) {
      return .code(language: Array("latex".utf8)[...]) {
        ASCII.trimmed($0).elementsEqual("}}$".utf8)
      }
    }
    switch first {
    case UInt8(ascii: "="):
      let level = text.prefix { $0 == first }.count
      if level <= 6, text.count > 2 * level, text.suffix(level).allSatisfy({ $0 == first }),
        text[text.startIndex + level] == 0x20
      {
        return .heading(level: level, text.dropFirst(level).dropLast(level))
      }
    case UInt8(ascii: "-"):
      if text.count >= 4, text.allSatisfy({ $0 == first }) { return .rule }
    case UInt8(ascii: "|"):
      if text.last == first, text.count > 2 {
        if text.allSatisfy({ "|-: ".utf8.contains($0) }), text.contains(UInt8(ascii: "-")) {
          return .tableRule
        }
        return .row(
          text.dropFirst().dropLast().split(separator: first, omittingEmptySubsequences: false))
      }
    default: break
    }
    return item(line).map { .item($0) } ?? .text(line)
  }

  /// `* text`, `- [X] text`, `# text` and `1. text`, which are numbered.
  private static func item(_ line: ArraySlice<UInt8>) -> MarkupItem? {
    let indent = MarkupConverter.columns(line)
    var text = line.drop { $0 == 0x20 || $0 == 0x09 }
    guard let first = text.first else { return nil }
    var number: Int?
    if "-*".utf8.contains(first) {
      text = text.dropFirst()
    } else if first == UInt8(ascii: "#") {
      number = 1
      text = text.dropFirst()
    } else {
      let digits = text.prefix { ASCII.isDigit($0) }
      guard (1...9).contains(digits.count), let sign = text[digits.endIndex...].first,
        ".)".utf8.contains(sign)
      else { return nil }
      number = Int(String(decoding: digits, as: UTF8.self))
      text = text[digits.endIndex...].dropFirst()
    }
    guard let space = text.first, ASCII.isSpace(space) else { return nil }
    text = ASCII.trimmed(text)
    let box = MarkupBox.take(&text, open: " .oO", done: "Xx")
    return MarkupItem(indent: indent, number: number, box: box, text: text)
  }
}
