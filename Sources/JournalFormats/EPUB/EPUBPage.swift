import Journal

/// The pages of a book around its chapters.
struct EPUBPage {
  let chapters: [BookChapter]
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
}
