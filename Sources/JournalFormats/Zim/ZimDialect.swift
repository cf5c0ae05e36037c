import Journal

/// The markup of Zim.
enum ZimDialect {
  /// The dialect of a page.
  ///
  /// - Parameter directory: the path of the directory with the attachments of the page.
  static func dialect(attachments directory: String) -> MarkupDialect {
    var syntax = InlineSyntax(marks: [
      .init("**", .strong), .init("//", .emphasis), .init("__", .emphasis),
      .init("~~", .strikethrough), .init("''", .code),
    ])
    syntax.spansLines = true
    syntax.signs = Array("[{".utf8)
    syntax.replacement = { replacement(&$0, $1, directory) }
    return MarkupDialect(inline: syntax, line: line)
  }

  private static func replacement(
    _ scanner: inout InlineScanner, _ index: Int, _ directory: String
  ) -> InlineSyntax.Replacement? {
    if scanner.bytes[index] == UInt8(ascii: "[") {
      guard let found = scanner.enclosed(at: index, "[[", "]]"), !found.inner.isEmpty else {
        return nil
      }
      return .init(link(scanner.text(found.inner), directory), end: found.end)
    }
    guard let found = scanner.enclosed(at: index, "{{", "}}"), !found.inner.isEmpty,
      scanner.bytes[found.inner.lowerBound] != UInt8(ascii: "{")
    else { return nil }
    let text = scanner.text(found.inner)
    guard !text.hasPrefix("id:") else { return .init("", end: found.end) }
    let parts = text.split(separator: "|", maxSplits: 1)
    guard let place = parts.first?.split(separator: "?").first else { return nil }
    let words = parts.count > 1 ? String(parts[1]) : nil
    return .init(MarkupLinks.picture(file(String(place), directory), words), end: found.end)
  }

  /// `[[Page]]`, `[[:A:B|words]]`, `[[./file.pdf]]`, `[[https://…|words]]`.
  private static func link(_ text: String, _ directory: String) -> String {
    let parts = text.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    let target = String(parts[0])
    let words = parts.count > 1 ? String(parts[1]) : nil
    if ["./", "../", "/", "~/", "file:"].contains(where: target.hasPrefix) {
      return MarkupLinks.link(file(target, directory), words)
    }
    if MarkupLinks.isAddress(target) || target.contains("?") || target.contains("@") {
      return MarkupLinks.link(target, words)
    }
    return MarkupLinks.page(String(target.drop { ":+#".contains($0) }), words)
  }

  /// The path of an attachment in the notebook.
  private static func file(_ target: String, _ directory: String) -> String {
    guard target.hasPrefix("./") || target.hasPrefix(".\\") else { return target }
    let name = target.dropFirst(2).replacing("\\", with: "/")
    return directory.isEmpty ? String(name) : "\(directory)/\(name)"
  }

  // MARK: Lines

  private static func line(_ line: ArraySlice<UInt8>) -> MarkupLine {
    let text = ASCII.trimmed(line)
    guard let first = text.first else { return .none }
    if text.elementsEqual("'''".utf8) {
      return .code(language: []) { ASCII.trimmed($0).elementsEqual("'''".utf8) }
    }
    if text.starts(with: "{{{".utf8) {
      return .code(language: language(text)) { ASCII.trimmed($0).elementsEqual("}}}".utf8) }
    }
    switch first {
    case UInt8(ascii: "="):
      let level = line.prefix { $0 == first }.count
      let inner = text.dropFirst(level)
      if level >= 2, inner.first.map(ASCII.isSpace) == true {
        var title = ASCII.trimmed(inner)
        while title.last == first { title.removeLast() }
        // The most signs are the highest level.
        if !title.isEmpty { return .heading(level: 7 - min(level, 6), title) }
      }
    case UInt8(ascii: "-"):
      if text.count >= 5, text.count == line.count, text.allSatisfy({ $0 == first }) {
        return .rule
      }
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

  /// The language in `{{{code: lang="python"`.
  private static func language(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let start = text.firstRange(of: Array("lang=".utf8)) else { return [] }
    let value = text[start.upperBound...].drop { $0 == UInt8(ascii: "\"") }
    return value.prefix { InlineScanner.isWord($0) || "+#-".utf8.contains($0) }
  }

  /// `* text`, `[*] text`, `1. text`; the box of a task that moved stays as text.
  private static func item(_ line: ArraySlice<UInt8>) -> MarkupItem? {
    let indent = MarkupConverter.columns(line)
    var text = line.drop { $0 == 0x20 || $0 == 0x09 }
    guard let first = text.first else { return nil }
    if let box = MarkupBox.take(&text, open: " ", done: "*x") {
      return MarkupItem(indent: indent, box: box, text: text)
    }
    for sign in ["[>]", "[<]"] where text.starts(with: "\(sign) ".utf8) {
      return MarkupItem(indent: indent, text: text)
    }
    var number: Int?
    if first == UInt8(ascii: "*") {
      text = text.dropFirst()
    } else if text.starts(with: "•".utf8) {
      text = text.dropFirst("•".utf8.count)
    } else {
      let digits = text.prefix { ASCII.isDigit($0) }
      guard (1...9).contains(digits.count),
        text[digits.endIndex...].first == UInt8(ascii: ".")
      else { return nil }
      number = Int(String(decoding: digits, as: UTF8.self))
      text = text[digits.endIndex...].dropFirst()
    }
    guard let space = text.first, ASCII.isSpace(space) else { return nil }
    return MarkupItem(indent: indent, number: number, text: text)
  }
}
