/// Task items of a text: list items that begin with `[ ]` or `[x]`, as Markdown writes them.
package enum TaskItems {
  /// The open items, each with its indentation and sign as it stands in the text: `- [ ] buy bread`.
  ///
  /// - Complexity: linear in the bytes of the text.
  package static func open(in text: String) -> [String] {
    lines(of: text).compactMap { line in
      guard let box = box(in: line), line[box] == " " else { return nil }
      return String(line.last == "\r" ? line.dropLast() : line)
    }
  }

  /// The text with the item on a line, from 0, ticked, or open again; `nil` if there is no item.
  ///
  /// Nothing but the character between the brackets changes.
  package static func toggled(line number: Int, of text: String) -> String? {
    var lines = lines(of: text)
    guard lines.indices.contains(number), let box = box(in: lines[number]) else { return nil }
    let line = lines[number]
    let sign: Character = line[box] == " " ? "x" : " "
    let rest = line[line.index(after: box)...]
    lines[number] = line[..<box] + String(sign) + rest
    return lines.joined(separator: "\n")
  }

  /// What the item on a line, from 0, says; `nil` if there is no item.
  package static func text(line number: Int, of text: String) -> String? {
    let lines = lines(of: text)
    guard lines.indices.contains(number), let box = box(in: lines[number]) else { return nil }
    let words = lines[number][box...].dropFirst(2).drop(while: \.isWhitespace)
    return String(words.last == "\r" ? words.dropLast() : words)
  }

  /// Lines end at line feeds, of which Swift sees those behind a carriage return as one character.
  private static func lines(of text: String) -> [Substring] {
    text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { Substring($0) }
  }

  /// Where the character between the brackets stands; `nil` in a line that is no item.
  private static func box(in line: Substring) -> String.Index? {
    let item = line.drop { $0 == " " || $0 == "\t" || $0 == ">" }
    guard let afterSign = afterSign(of: item) else { return nil }
    let content = item[afterSign...].drop { $0 == " " }
    guard content.startIndex > afterSign, content.first == "[" else { return nil }
    let box = content.index(after: content.startIndex)
    guard box < content.endIndex, " xX".contains(content[box]) else { return nil }
    let close = content.index(after: box)
    guard close < content.endIndex, content[close] == "]" else { return nil }
    let behind = content.index(after: close)
    return behind == content.endIndex || content[behind].isWhitespace ? box : nil
  }

  /// The place behind `-`, `*`, `+`, `1.` or `1)`.
  private static func afterSign(of item: Substring) -> String.Index? {
    guard let first = item.first else { return nil }
    if "-*+".contains(first) { return item.index(after: item.startIndex) }
    let digits = item.prefix { $0.isASCII && $0.isNumber }
    guard (1...9).contains(digits.count), digits.endIndex < item.endIndex,
      ".)".contains(item[digits.endIndex])
    else { return nil }
    return item.index(after: digits.endIndex)
  }
}
