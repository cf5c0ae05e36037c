/// The markup of books.
enum BookMarkup {
  /// Appends HTML of the HTML export as XHTML: with closed elements, without characters that XML
  /// cannot have.
  ///
  /// - Complexity: linear in the bytes.
  static func append(_ html: [UInt8], to buffer: inout [UInt8]) {
    var index = 0
    while index < html.count {
      let byte = html[index]
      if byte == UInt8(ascii: "<"), isVoid(html[index...]) {
        buffer.append(contentsOf: html[index..<index + 3])
        buffer.append(contentsOf: "/>".utf8)
        index += 4
        continue
      }
      // U+FFFE and U+FFFF.
      let isNoCharacter =
        byte == 0xEF && html[index...].prefix(2).elementsEqual([0xEF, 0xBF])
        && index + 2 < html.count && html[index + 2] >= 0xBE
      if isNoCharacter {
        index += 3
        continue
      }
      if byte >= 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { buffer.append(byte) }
      index += 1
    }
  }

  /// `<br>` and `<hr>`; no text has them, since its `<` is `&lt;`.
  private static func isVoid(_ html: ArraySlice<UInt8>) -> Bool {
    html.starts(with: "<br>".utf8) || html.starts(with: "<hr>".utf8)
  }

  /// How a book looks.
  static let style = """
    body { line-height: 1.5; }
    h1 { font-size: 1.5em; }
    h2 { font-size: 1.1em; margin-top: 2em; }
    article { margin-bottom: 1.5em; }
    .time { color: #6f6b63; font-size: 0.85em; margin: 0; }
    .title { text-align: center; margin-top: 30%; }
    .tag { color: #2f6f73; }
    pre, code { font-family: monospace; }
    pre { white-space: pre-wrap; }
    blockquote { border-left: 0.2em solid #e4e0d8; margin-left: 0; padding-left: 1em; }
    li { list-style: none; }
    table { border-collapse: collapse; }
    td, th { border: 1px solid #e4e0d8; padding: 0.2em 0.5em; }

    """
}
