/// Draws a text's Markdown as HTML, block by block: headings, lists, tasks, quotes, code, rules and
/// paragraphs, whose line ends stay.
struct HTMLBlocks {
  private enum Block: Equatable {
    case none, paragraph, list, quote
  }

  private var open = Block.none
  private var fences = CodeFences()

  /// How many bytes a first line has at most to stand as a title; a longer one is a paragraph.
  private static let titleLimit = 160

  /// Appends a text; its first line is the title, a heading of level 3, unless it is a long one.
  ///
  /// - Complexity: linear in the bytes.
  static func append(_ text: String, to buffer: inout [UInt8]) {
    var blocks = HTMLBlocks()
    let bytes = Array(text.utf8)
    var lines = bytes[...].split(separator: 0x0A, omittingEmptySubsequences: false)[...]
    lines = lines.drop { $0.allSatisfy(ASCII.isSpace) }
    if let first = lines.first, !blocks.begins(first) {
      lines.removeFirst()
      let heading = Heading(first).flatMap { $0.text.isEmpty ? nil : $0.text } ?? first
      blocks.draw("h3", ASCII.trimmed(heading), to: &buffer)
    }
    for line in lines { blocks.draw(line, to: &buffer) }
    blocks.close(&buffer)
    if blocks.fences.isOpen { buffer.append(contentsOf: "</code></pre>\n".utf8) }
  }

  /// Whether a first line is no title but the start of a paragraph, code, a list or a quote.
  private func begins(_ line: ArraySlice<UInt8>) -> Bool {
    var fences = CodeFences()
    return line.count > HTMLBlocks.titleLimit && Heading(line) == nil || fences.holds(line)
      || ListItem(line) != nil || line.first == UInt8(ascii: ">")
  }

  private mutating func draw(_ line: ArraySlice<UInt8>, to buffer: inout [UInt8]) {
    let wasOpen = fences.isOpen
    if fences.holds(line) {
      drawCode(line, wasOpen: wasOpen, to: &buffer)
    } else if line.allSatisfy(ASCII.isSpace) {
      close(&buffer)
    } else if let heading = Heading(line), !heading.text.isEmpty {
      close(&buffer)
      draw("h\(min(heading.level + 3, 6))", ASCII.trimmed(heading.text), to: &buffer)
    } else if HTMLBlocks.isRule(line) {
      close(&buffer)
      buffer.append(contentsOf: "<hr>\n".utf8)
    } else if let item = ListItem(line) {
      begin(.list, "<ul>\n", to: &buffer)
      item.append(to: &buffer)
    } else if line.first == UInt8(ascii: ">") {
      let isFirst = begin(.quote, "<blockquote>", to: &buffer)
      drawLine(line.dropFirst(), isFirst: isFirst, to: &buffer)
    } else if open == .list {
      // A list goes on in lines that are indented or simply follow.
      buffer.append(contentsOf: "<li class=\"more\">".utf8)
      HTMLInline.append(ASCII.trimmed(line), to: &buffer)
      buffer.append(contentsOf: "</li>\n".utf8)
    } else {
      let isFirst = begin(.paragraph, "<p>", to: &buffer)
      drawLine(line, isFirst: isFirst, to: &buffer)
    }
  }

  private mutating func drawCode(
    _ line: ArraySlice<UInt8>, wasOpen: Bool, to buffer: inout [UInt8]
  ) {
    switch (wasOpen, fences.isOpen) {
    case (false, _):
      close(&buffer)
      buffer.append(contentsOf: "<pre><code>".utf8)
    case (true, true):
      HTMLText.append(line, to: &buffer)
      buffer.append(0x0A)
    case (true, false): buffer.append(contentsOf: "</code></pre>\n".utf8)
    }
  }

  private func drawLine(
    _ line: ArraySlice<UInt8>, isFirst: Bool, to buffer: inout [UInt8]
  ) {
    if !isFirst { buffer.append(contentsOf: "<br>\n".utf8) }
    HTMLInline.append(ASCII.trimmed(line), to: &buffer)
  }

  private func draw(_ name: String, _ text: ArraySlice<UInt8>, to buffer: inout [UInt8]) {
    buffer.append(contentsOf: "<\(name)>".utf8)
    HTMLInline.append(text, to: &buffer)
    buffer.append(contentsOf: "</\(name)>\n".utf8)
  }

  /// Opens a block, unless it is open.
  ///
  /// - Returns: whether it was opened.
  @discardableResult
  private mutating func begin(
    _ block: Block, _ opening: String, to buffer: inout [UInt8]
  ) -> Bool {
    guard open != block else { return false }
    close(&buffer)
    open = block
    buffer.append(contentsOf: opening.utf8)
    return true
  }

  private mutating func close(_ buffer: inout [UInt8]) {
    switch open {
    case .none: break
    case .paragraph: buffer.append(contentsOf: "</p>\n".utf8)
    case .list: buffer.append(contentsOf: "</ul>\n".utf8)
    case .quote: buffer.append(contentsOf: "</blockquote>\n".utf8)
    }
    open = .none
  }

  private static func isRule(_ line: ArraySlice<UInt8>) -> Bool {
    let signs = line.filter { !ASCII.isSpace($0) }
    guard signs.count >= 3, let first = signs.first, "-*_".utf8.contains(first) else {
      return false
    }
    return signs.allSatisfy { $0 == first }
  }
}

/// An item of a list: `- text`, `1. text`, `- [x] task`, indented by its depth.
struct ListItem {
  private let depth: Int
  private let sign: ArraySlice<UInt8>
  private let isDone: Bool?
  private let text: ArraySlice<UInt8>

  /// Reads a line; nothing when it is no item.
  init?(_ line: ArraySlice<UInt8>) {
    let content = line.drop { $0 == 0x20 || $0 == 0x09 }
    depth = min((content.startIndex - line.startIndex) / 2, 6)
    guard let first = content.first else { return nil }
    let digits = content.prefix(10).prefix(while: ASCII.isDigit)
    var rest: ArraySlice<UInt8>
    if "-*+".utf8.contains(first) {
      sign = "•".utf8.map(\.self)[...]
      rest = content.dropFirst()
    } else if (1...9).contains(digits.count), let end = content.dropFirst(digits.count).first,
      end == UInt8(ascii: ".") || end == UInt8(ascii: ")")
    {
      sign = content.prefix(digits.count + 1)
      rest = content.dropFirst(digits.count + 1)
    } else {
      return nil
    }
    guard rest.first == 0x20 || rest.first == 0x09 else { return nil }
    rest = ASCII.trimmed(rest)
    let box = rest.prefix(4)
    let isTask =
      rest.count > 3 && box.first == UInt8(ascii: "[") && box.suffix(2).elementsEqual("] ".utf8)
    let mark = box.dropFirst().first
    if isTask, let mark, " xX".utf8.contains(mark) {
      isDone = mark != 0x20
      text = rest.dropFirst(4)
    } else {
      isDone = nil
      text = rest
    }
  }

  /// Appends the item.
  func append(to buffer: inout [UInt8]) {
    let kind = isDone.map { $0 ? " done" : " task" } ?? ""
    buffer.append(contentsOf: "<li class=\"d\(depth)\(kind)\"><span class=\"sign\">".utf8)
    if let isDone {
      buffer.append(contentsOf: (isDone ? "☑" : "☐").utf8)
    } else {
      buffer.append(contentsOf: sign)
    }
    buffer.append(contentsOf: "</span> ".utf8)
    HTMLInline.append(text, to: &buffer)
    buffer.append(contentsOf: "</li>\n".utf8)
  }
}
