import Journal

/// Converts a text in a lightweight markup language to Markdown, line by line.
///
/// Every line stays a line, so that a text keeps its shape; nesting of lists is counted again, since
/// other languages have other widths.
///
/// - Complexity: linear in the bytes of the text.
struct MarkupConverter {
  private let dialect: MarkupDialect
  private let text: [UInt8]
  private var output: [UInt8] = []
  private var paragraph: [UInt8] = []
  /// The columns of the open items: in the source, and where their texts are in Markdown.
  private var items: [(indent: Int, column: Int)] = []
  private var column = 0
  private var quoteDepth = 0
  private var table: [[[UInt8]]] = []
  private var code: (isEnd: (ArraySlice<UInt8>) -> Bool, lines: [ArraySlice<UInt8>])?
  private var codeLanguage: ArraySlice<UInt8> = []
  private var codeLines: [ArraySlice<UInt8>] = []
  /// Whether the last line written belongs to a list, and no blank line followed.
  private var isAfterItem = false

  /// The Markdown of a text, without blank lines at its ends.
  static func markdown(_ text: [UInt8], _ dialect: MarkupDialect) -> [UInt8] {
    var converter = MarkupConverter(text, dialect)
    converter.run()
    return converter.output.trimmingBlankLines
  }

  /// The same for a string.
  static func markdown(_ text: String, _ dialect: MarkupDialect) -> String {
    String(decoding: markdown(Array(text.utf8), dialect), as: UTF8.self)
  }

  private init(_ text: [UInt8], _ dialect: MarkupDialect) {
    self.text = text
    self.dialect = dialect
  }

  private mutating func run() {
    var start = 0
    var question = 1 << 18
    while start <= text.count {
      // A text that is given up is read by nobody.
      if start >= question {
        guard !GivenUp.isDue else { return }
        question = start + 1 << 18
      }
      let end = text[start...].firstIndex(of: 0x0A) ?? text.count
      read(text[start..<end])
      start = end + 1
    }
    flush()
    endCode()
  }

  private mutating func read(_ line: ArraySlice<UInt8>) {
    if let code {
      guard code.isEnd(line) else {
        self.code?.lines.append(dialect.codeText(line))
        return
      }
      endCode()
      return
    }
    guard !line.allSatisfy(ASCII.isSpace) else {
      flush()
      write([])
      isAfterItem = false
      return
    }
    let kind = dialect.line(line)
    if case .text = kind {} else { flushParagraph() }
    if case .row = kind {} else if case .tableRule = kind {} else { flushTable() }
    if case .codeLine = kind {} else { flushCodeLines() }
    write(kind, line)
  }

  private mutating func write(_ kind: MarkupLine, _ line: ArraySlice<UInt8>) {
    switch kind {
    case .text(let text): add(text)
    case .heading(let level, let text):
      endItems()
      let signs = Array(repeating: UInt8(ascii: "#"), count: min(max(level, 1), 6))
      write(signs + [0x20] + inline(ASCII.trimmed(text)))
    case .item(let item): write(item)
    case .row(let cells):
      leaveItems(Self.columns(line))
      table.append(cells.map { inline(ASCII.trimmed($0)).escapingPipes })
    case .tableRule: break
    case .rule:
      endItems()
      write(Array("---".utf8))
    case .code(let language, let isEnd):
      leaveItems(Self.columns(line))
      codeLanguage = ASCII.trimmed(language)
      code = (isEnd, [])
    case .codeLine(let text):
      leaveItems(Self.columns(line))
      codeLines.append(text)
    case .quote(let depth, let text):
      endItems()
      write(
        Array(repeating: UInt8(ascii: ">"), count: min(max(depth, 1), 8)) + [0x20] + inline(text))
    case .quoteBegins:
      endItems()
      quoteDepth = min(quoteDepth + 1, 8)
    case .quoteEnds:
      endItems()
      quoteDepth = max(quoteDepth - 1, 0)
    case .quoteToggles(let source):
      endItems()
      if quoteDepth > 0, !source.isEmpty { write(inline(source)) }
      quoteDepth = quoteDepth > 0 ? 0 : 1
    // Words after the opening signs are classes.
    case .none: break
    }
  }

  // MARK: Paragraphs

  private mutating func add(_ text: ArraySlice<UInt8>) {
    let columns = Self.columns(text)
    leaveItems(columns)
    if !items.isEmpty { isAfterItem = true }
    let trimmed = ASCII.trimmed(text)
    if items.isEmpty, columns > 0, dialect.quotesIndented {
      flushParagraph()
      write(Array("> ".utf8) + inline(trimmed))
      return
    }
    if !paragraph.isEmpty { paragraph.append(0x0A) }
    // Four columns would be code.
    if items.isEmpty, (1...3).contains(columns) {
      paragraph += Array(repeating: 0x20, count: columns)
    }
    paragraph += trimmed
  }

  /// Closes the items to which a text with an indentation does not belong.
  private mutating func leaveItems(_ columns: Int) {
    guard !items.isEmpty else { return }
    let inner = dialect.continuesItems ? items.lastIndex { columns > $0.indent } : nil
    guard let inner else {
      flushParagraph()
      return endItems()
    }
    guard inner + 1 < items.count else { return }
    flushParagraph()
    items.removeSubrange((inner + 1)...)
    column = items[inner].column
  }

  private mutating func flushParagraph() {
    guard !paragraph.isEmpty else { return }
    let markdown = InlineConverter.markdown(paragraph, dialect.inline)
    paragraph = []
    for line in markdown.split(separator: 0x0A, omittingEmptySubsequences: false) {
      write(Self.escapingStart(line))
    }
  }

  private func inline(_ text: ArraySlice<UInt8>) -> [UInt8] {
    InlineConverter.markdown(Array(text), dialect.inline)
  }

  /// A line of text that would begin a heading, a rule or code, with a backslash.
  private static func escapingStart(_ line: ArraySlice<UInt8>) -> [UInt8] {
    let text = line.drop { $0 == 0x20 }
    let indent = line[..<text.startIndex]
    guard let first = text.first else { return Array(line) }
    let run = text.prefix { $0 == first }
    let rest = text[run.endIndex...]
    let isMeant: Bool
    switch first {
    case UInt8(ascii: "#"):
      isMeant = run.count <= 6 && (rest.first.map(ASCII.isSpace) ?? true)
    case UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "_"):
      isMeant = run.count >= 3 && rest.allSatisfy { $0 == first || ASCII.isSpace($0) }
    case UInt8(ascii: "`"), UInt8(ascii: "~"): isMeant = run.count >= 3
    default: isMeant = false
    }
    return isMeant ? indent + [UInt8(ascii: "\\")] + text : Array(line)
  }

  // MARK: Lists

  private mutating func write(_ item: MarkupItem) {
    while let last = items.last, item.indent <= last.indent { items.removeLast() }
    let start = items.last?.column ?? 0
    var marker =
      item.number.map { Array("\(min(max($0, 0), 999_999_999)). ".utf8) } ?? [0x2D, 0x20]
    let width = marker.count
    if let box = item.box { marker += Array((box ? "[x] " : "[ ] ").utf8) }
    column = start
    if items.count < 12 { items.append((item.indent, start + width)) }
    let text = ASCII.trimmed(item.text)
    write(marker + inline(text))
    column = items.last?.column ?? 0
    isAfterItem = true
  }

  private mutating func endItems() {
    guard !items.isEmpty || column > 0 else { return }
    items = []
    column = 0
    if isAfterItem { write([]) }
    isAfterItem = false
  }

  /// The columns of the white space before a text.
  static func columns(_ line: ArraySlice<UInt8>) -> Int {
    var columns = 0
    for byte in line {
      guard byte == 0x20 || byte == 0x09 else { break }
      columns += byte == 0x09 ? 4 - columns % 4 : 1
    }
    return columns
  }

  // MARK: Tables and code

  private mutating func flush() {
    flushParagraph()
    flushTable()
    flushCodeLines()
  }

  private mutating func flushTable() {
    guard !table.isEmpty else { return }
    let width = min(table.map(\.count).max() ?? 0, 64)
    for (index, row) in table.enumerated() {
      var line = Array("|".utf8)
      for place in 0..<width {
        line += [0x20] + (place < row.count ? row[place] : []) + Array(" |".utf8)
      }
      write(line)
      if index == 0 {
        write(Array("|".utf8) + (0..<width).flatMap { _ in Array(" --- |".utf8) })
      }
    }
    table = []
  }

  private mutating func endCode() {
    guard let code else { return }
    self.code = nil
    writeCode(code.lines, language: codeLanguage)
  }

  private mutating func flushCodeLines() {
    guard !codeLines.isEmpty else { return }
    let lines = codeLines
    codeLines = []
    writeCode(lines, language: [])
  }

  private mutating func writeCode(_ lines: [ArraySlice<UInt8>], language: ArraySlice<UInt8>) {
    let tick = UInt8(ascii: "`")
    let longest = lines.map { $0.drop(while: ASCII.isSpace).prefix { $0 == tick }.count }.max() ?? 0
    let fence = Array(repeating: tick, count: max(3, longest + 1))
    let indent =
      lines.filter { !$0.allSatisfy(ASCII.isSpace) }.map {
        $0.prefix { $0 == 0x20 || $0 == 0x09 }.count
      }.min() ?? 0
    write(fence + language.filter { $0 != tick })
    for line in lines { write(Array(line.dropFirst(min(indent, line.count)))) }
    write(fence)
  }

  // MARK: Output

  private mutating func write(_ line: [UInt8]) {
    if !output.isEmpty { output.append(0x0A) }
    if output.isEmpty, line.isEmpty { return }
    if quoteDepth > 0 {
      for _ in 0..<quoteDepth { output.append(UInt8(ascii: ">")) }
      if !line.isEmpty { output.append(0x20) }
    }
    guard !line.isEmpty else { return }
    for _ in 0..<column { output.append(0x20) }
    output += line
  }
}

extension [UInt8] {
  /// The bytes without blank lines at their ends.
  var trimmingBlankLines: [UInt8] {
    guard let first = firstIndex(where: { !ASCII.isSpace($0) }),
      let last = lastIndex(where: { !ASCII.isSpace($0) })
    else { return [] }
    let start = self[..<first].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return Array(self[start...last])
  }

  /// The text of a cell, whose `|` would end it.
  fileprivate var escapingPipes: [UInt8] {
    flatMap { $0 == UInt8(ascii: "|") ? [UInt8(ascii: "\\"), $0] : [$0] }
  }
}
