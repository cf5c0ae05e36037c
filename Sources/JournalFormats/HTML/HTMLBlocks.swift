import Journal
import Markdown

/// Converts a text's Markdown to HTML, block by block; line ends are kept.
///
/// Images become links, since the page loads nothing, but for files that are in the page.
struct HTMLBlocks {
  /// An open element around blocks.
  private enum Element: Equatable {
    case quote(Int)
    case list(isNumbered: Bool)
    case item(Int)
  }

  /// The maximum bytes of a title; a longer first line is a paragraph.
  private static let titleLimit = 160

  private let document: Document
  private var inline: HTMLInlines
  private var buffer: [UInt8] = []
  private var open: [Element] = []

  /// Appends a text; its first line is the title, a heading of level 3, unless it is too long.
  ///
  /// - Parameters:
  ///   - links: the links to entries and days of the page.
  ///   - files: the files of the page.
  /// - Complexity: linear in the bytes.
  static func append(
    _ text: String, links: AnchoredLinks = AnchoredLinks(), files: EmbeddedFiles = EmbeddedFiles(),
    to buffer: inout [UInt8]
  ) {
    let document = Document(text)
    let inline = HTMLInlines(document, tags: Tag.places(in: text), anchored: links, files: files)
    var blocks = HTMLBlocks(document: document, inline: inline)
    swap(&blocks.buffer, &buffer)
    let first = document.blocks.firstIndex { $0.kind != .blank }
    for (index, block) in document.blocks.enumerated() {
      blocks.add(block, isFirst: index == first)
    }
    blocks.close(to: 0)
    swap(&blocks.buffer, &buffer)
  }

  private init(document: Document, inline: HTMLInlines) {
    self.document = document
    self.inline = inline
  }

  private mutating func add(_ block: Block, isFirst: Bool) {
    if block.kind == .blank { return }
    let beginsItem = enter(document.path(to: block))
    switch block.kind {
    case .blank: break
    case .paragraph: addParagraph(block, isTitle: isFirst && open.isEmpty, isBare: beginsItem)
    case .heading(let level): addHeading(block, level, isTitle: isFirst && open.isEmpty)
    case .fencedCode(let info): addCode(block.lines, info: document.bytes[info.range])
    case .indentedCode: addCode(block.lines, info: [])
    case .thematicBreak: write("<hr>\n")
    case .table(let alignments): addTable(block.lines, alignments)
    }
  }

  private mutating func write(_ markup: String) { buffer.append(contentsOf: markup.utf8) }

  /// Writes the lines of a paragraph, the title as a heading.
  private mutating func addParagraph(_ block: Block, isTitle: Bool, isBare: Bool) {
    var lines = inline.content(block.lines)[...]
    // Only the first line of an item may be empty.
    if lines.count == 1, document.bytes[block.lines[0].range].allSatisfy(ASCII.isSpace) {
      return write("<br>\n")
    }
    if isTitle, block.lines[0].range.count <= Self.titleLimit {
      write("<h3>")
      inline.write(lines[0], to: &buffer)
      inline.end(&buffer)
      write("</h3>\n")
      lines.removeFirst()
    }
    if lines.isEmpty { return }
    if !isBare { write("<p>") }
    for (index, runs) in lines.enumerated() {
      if index > 0 { write("<br>\n") }
      inline.write(runs, to: &buffer)
    }
    inline.end(&buffer)
    if !isBare { write("</p>\n") }
  }

  /// Writes a heading below those of the page and the entry; HTML has only six levels.
  private mutating func addHeading(_ block: Block, _ level: Int, isTitle: Bool) {
    let name = isTitle ? "h3" : "h\(min(level + 3, 6))"
    write(isTitle || level <= 3 ? "<\(name)>" : "<\(name) aria-level=\"\(level + 3)\">")
    for runs in inline.content(block.lines) { inline.write(runs, to: &buffer) }
    write("</\(name)>\n")
  }

  private mutating func addCode(_ lines: [Block.Line], info: ArraySlice<UInt8>) {
    write("<pre><code")
    if let language = info.split(whereSeparator: ASCII.isSpace).first {
      write(" class=\"language-")
      HTMLText.append(language, to: &buffer)
      write("\"")
    }
    write(">")
    for line in lines {
      HTMLText.append(document.bytes[line.range], to: &buffer)
      write("\n")
    }
    write("</code></pre>\n")
  }

  private mutating func addTable(_ lines: [Block.Line], _ alignments: [TableRow.Alignment]) {
    write("<table>\n")
    for (index, line) in lines.enumerated() {
      let name = index == 0 ? "th" : "td"
      write("<tr>")
      for (column, cell) in document.cells(of: line).enumerated() {
        let alignment = column < alignments.count ? alignments[column] : .left
        write(alignment == .left ? "<\(name)>" : "<\(name) class=\"\(alignment)\">")
        for runs in inline.content([cell]) { inline.write(runs, to: &buffer) }
        write("</\(name)>")
      }
      write("</tr>\n")
    }
    write("</table>\n")
  }

  // MARK: Containers

  /// Closes the containers that do not contain the block, and opens the missing ones.
  ///
  /// - Returns: whether the innermost one is an item that begins here.
  private mutating func enter(_ path: [Int]) -> Bool {
    var rest = path[...]
    var kept = 0
    loop: for element in open {
      switch element {
      case .quote(let index), .item(let index):
        guard rest.first == index else { break loop }
        rest.removeFirst()
      case .list(let isNumbered):
        guard let item = rest.first.flatMap(document.item), item.isNumbered == isNumbered else {
          break loop
        }
      }
      kept += 1
    }
    close(to: kept)
    for index in rest {
      guard let item = document.item(index) else {
        startLine("<blockquote>\n", .quote(index))
        continue
      }
      let list = Element.list(isNumbered: item.isNumbered)
      if open.last != list { startLine(item.isNumbered ? "<ol>\n" : "<ul>\n", list) }
      begin(item)
      open.append(.item(index))
    }
    let beginsItem = rest.last.flatMap(document.item) != nil
    if !beginsItem { startLine("") }
    return beginsItem
  }

  private mutating func begin(_ item: ListItem) {
    let state = item.box?.state
    let kind = state.map { $0 == .open ? " class=\"task\"" : " class=\"done\"" } ?? ""
    let box = state.map { $0 == .open ? "☐" : "☑" }
    let number = item.isNumbered ? document.source(item.marker) : nil
    let marker = [number, box].compactMap(\.self).joined(separator: " ")
    write("<li\(kind)><span class=\"sign\">\(marker.isEmpty ? "•" : marker)</span> ")
  }

  /// Writes markup on its own line, and records the element that it opens.
  private mutating func startLine(_ markup: String, _ element: Element? = nil) {
    if let last = buffer.last, last != 0x0A { write("\n") }
    write(markup)
    if let element { open.append(element) }
  }

  private mutating func close(to count: Int) {
    while open.count > count, let element = open.popLast() {
      switch element {
      case .quote: write("</blockquote>\n")
      case .list(let isNumbered): write(isNumbered ? "</ol>\n" : "</ul>\n")
      case .item: write("</li>\n")
      }
    }
  }
}
