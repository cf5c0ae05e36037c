/// An entry's first line for a list, without the markers of Markdown.
package enum PlainTitle {
  /// The title without the markers of headings, quotes, list items and task items, emphasis, code
  /// and links; the unchanged title if nothing would remain.
  ///
  /// A link becomes its text. Numbers of list items stay, since they have a meaning; so do the
  /// tildes of struck-out text, as in the reading pane: without them the title would say the
  /// opposite.
  ///
  /// - Complexity: linear in the title's bytes.
  package static func text(of title: String) -> String {
    mayHaveMarkers(title) ? withoutMarkers(title) : title
  }

  /// ``text(of:)`` for titles that may have markers.
  static func withoutMarkers(_ title: String) -> String {
    let document = Document(title)
    guard let first = document.firstLine else { return title }
    var plain = first.number.map { document.source($0) + " " } ?? ""
    for run in document.inlines([first.text]).lines.joined() {
      switch run.kind {
      case .text, .code, .tildes: plain += document.source(run.range)
      case .delimiter, .linkTextEnd, .destination: break
      }
    }
    return plain.allSatisfy(\.isWhitespace) ? title : plain
  }

  /// The title without leading block markers: `# `, `> `, `- `, `- [ ] `.
  package static func withoutBlockMarkers(_ title: String) -> String {
    let document = Document(title)
    guard let first = document.firstLine else { return title }
    let number = first.number.map { document.source($0) + " " } ?? ""
    let text = document.source(first.text.range.lowerBound..<document.bytes.count)
    return text.isEmpty ? title : number + text
  }

  /// The number of bytes of block markers before the text of a line.
  package static func blockMarkers(of line: String) -> Int {
    Document(line).firstLine?.text.range.lowerBound ?? 0
  }

  /// Whether the following block would change without this line: a quote, a list, code, or perhaps
  /// a table.
  package static func beginsBlock(_ title: String) -> Bool {
    let document = Document(title)
    if !document.containers.isEmpty || title.hasPrefix("|") { return true }
    if case .fencedCode = document.blocks.first?.kind { return true }
    return false
  }

  /// Whether a title may have markers.
  ///
  /// Most titles have none, and lists have thousands of titles: markers of blocks count at the
  /// start only, so that a tag is none, or after a number.
  private static func mayHaveMarkers(_ title: String) -> Bool {
    let start = title.utf8.first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    guard let start else { return false }
    if isBlockMarker(start) { return true }
    let isNumbered = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(start)
    return title.utf8.contains { isInlineMarker($0) || isNumbered && isBlockMarker($0) }
  }

  private static func isBlockMarker(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "#"), UInt8(ascii: ">"), UInt8(ascii: "-"), UInt8(ascii: "+"): true
    default: false
    }
  }

  private static func isInlineMarker(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "`"),
      UInt8(ascii: "["), UInt8(ascii: "<"), UInt8(ascii: "\\"):
      true
    default: false
    }
  }
}

extension Document {
  /// The text of the first line and the number of its innermost item; `nil` if it is neither a
  /// paragraph nor a heading.
  fileprivate var firstLine: (text: Block.Line, number: Range<Int>?)? {
    guard let block = blocks.first, let text = block.lines.first, !text.range.isEmpty else {
      return nil
    }
    let numbers = path(to: block).compactMap { item($0) }.filter(\.isNumbered)
    switch block.kind {
    case .paragraph, .heading: return (text, numbers.last?.marker)
    case .blank, .fencedCode, .indentedCode, .thematicBreak, .table: return nil
    }
  }
}
