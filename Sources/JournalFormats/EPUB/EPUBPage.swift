import Journal

/// The pages of a book around its chapters.
struct EPUBPage {
  let chapters: [EPUBChapter]
  let hasIndex: Bool

  /// A page as XHTML.
  static func page(_ title: String, _ body: [UInt8]) -> [UInt8] {
    let head = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE html>
      <html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">
      <head>
      <title>\(title)</title>
      <link rel="stylesheet" type="text/css" href="style.css"/>
      </head>
      <body>

      """
    return Array(head.utf8) + body + Array("</body>\n</html>\n".utf8)
  }

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

  /// The title page.
  func title(count: Int, days: (first: Day, last: Day)?) -> [UInt8] {
    let style = DateStyle()
    let range = days.map { days in
      days.first == days.last
        ? style.text(of: days.first)
        : "\(style.text(of: days.first)) – \(style.text(of: days.last))"
    }
    return Array(
      """
      <section class="title"><h1>Journal</h1>
      <p>\(range ?? "")</p>
      <p>\(Numbers.entries(count))</p></section>

      """.utf8)
  }

  /// The table of contents.
  var contents: String {
    var items = [Self.item("title.xhtml", "Journal")]
    items += chapters.map { Self.item($0.file, $0.title) }
    if hasIndex { items.append(Self.item("tags.xhtml", "Tags")) }
    return """
      <nav epub:type="toc" id="toc"><h1>Contents</h1>
      <ol>
      \(items.joined(separator: "\n"))
      </ol></nav>

      """
  }

  private static func item(_ file: String, _ title: String) -> String {
    "<li><a href=\"\(file)\">\(title)</a></li>"
  }

  /// The package document.
  func package(uuid: String, modified: Moment) -> String {
    let files =
      ["title.xhtml"] + chapters.map(\.file) + (hasIndex ? ["tags.xhtml"] : [])
    let items = files.enumerated().map { index, file in
      "<item id=\"p\(index)\" href=\"\(file)\" media-type=\"application/xhtml+xml\"/>"
    }
    let spine = files.indices.map { "<itemref idref=\"p\($0)\"/>" }
    let time = "\(modified)".prefix(19)
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
      <metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
      <dc:identifier id="id">urn:uuid:\(uuid)</dc:identifier>
      <dc:title>Journal</dc:title>
      <dc:language>und</dc:language>
      <meta property="dcterms:modified">\(time)Z</meta>
      </metadata>
      <manifest>
      <item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
      <item id="css" href="style.css" media-type="text/css"/>
      \(items.joined(separator: "\n"))
      </manifest>
      <spine>
      \(spine.joined(separator: "\n"))
      </spine>
      </package>

      """
  }

  static let container = """
    <?xml version="1.0" encoding="UTF-8"?>
    <container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
    <rootfiles>
    <rootfile full-path="OEBPS/package.opf" media-type="application/oebps-package+xml"/>
    </rootfiles>
    </container>

    """

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
