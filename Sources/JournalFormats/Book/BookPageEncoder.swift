import Journal

/// Writes entries as one page for programs that make a PDF of it: ``Book`` with contents.
///
/// Memory holds the whole book: its title page says how many entries there are.
struct BookPageEncoder: EntryEncoder {
  private var book = Book()
  private var chapters: [UInt8] = []

  init() {}

  mutating func begin(_ buffer: inout [UInt8]) {}

  /// Adds an entry to the chapter of its month.
  mutating func append(_ entry: Entry, to buffer: inout [UInt8]) {
    if let finished = book.add(entry) { chapters += finished.html }
  }

  /// Appends the page.
  mutating func end(_ buffer: inout [UInt8]) {
    if let finished = book.endChapter() { chapters += finished.html }
    buffer.append(contentsOf: Self.head.utf8)
    buffer.append(contentsOf: book.title)
    buffer.append(contentsOf: contents.utf8)
    buffer.append(contentsOf: chapters)
    if !book.index.isEmpty {
      buffer.append(contentsOf: "<div id=\"tags\">\n".utf8)
      buffer.append(contentsOf: book.index.html { "#\($1)" })
      buffer.append(contentsOf: "</div>\n".utf8)
    }
    buffer.append(contentsOf: "</body>\n</html>\n".utf8)
    chapters = []
  }

  /// The data that a book leaves out.
  var losses: [String] { book.losses }

  private var contents: String {
    var items = book.chapters.map { "<li><a href=\"#\($0.anchor)\">\($0.title)</a></li>" }
    if !book.index.isEmpty { items.append("<li><a href=\"#tags\">Tags</a></li>") }
    return """
      <nav><h1>Contents</h1>
      <ol>
      \(items.joined(separator: "\n"))
      </ol></nav>

      """
  }

  /// The page may load nothing, whatever an entry has in it.
  private static let head = """
    <!DOCTYPE html>
    <html lang="und">
    <head>
    <meta charset="utf-8"/>
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/>
    <title>Journal</title>
    <style>
    \(BookMarkup.style)\(print)</style>
    </head>
    <body>

    """

  /// What paper needs beside the style of books: chapters begin on a page, and pages have numbers,
  /// which the contents name where the program can.
  private static let print = """
    @page { size: A4; margin: 20mm; @bottom-center { content: counter(page); font-size: 9pt; } }
    @page :first { @bottom-center { content: none; } }
    body { font-family: serif; font-size: 11pt; overflow-wrap: anywhere; }
    body > section, body > nav, body > div { break-before: page; page-break-before: always; }
    body > section.title { break-before: auto; page-break-before: auto; }
    h1, h2, .time { break-after: avoid; page-break-after: avoid; }
    nav ol { padding: 0; }
    nav a { color: inherit; text-decoration: none; }
    nav a::after { content: leader(".") target-counter(attr(href), page); }

    """
}
