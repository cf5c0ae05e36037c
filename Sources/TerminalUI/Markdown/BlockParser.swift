/// Finds headings, lists, quotes, code and tables in the lines of a text: the block structure of
/// Markdown, as far as people write it in journals.
///
/// It is a subset of GitHub's Markdown, and differs from it where that protects prose. A line that
/// does not begin like the quote or item above it ends that, there is no lazy continuation; a number
/// begins a list inside of a paragraph only when it is 1; lines of `=` or `-` under a text do not make it
/// a heading; definitions of links and HTML are text. All lines are kept, and all but the signs of
/// the markup itself belongs to a block.
///
/// Each line is looked at once for each of the at most ``depthLimit`` containers it is in, so that the
/// time is linear in the text, whatever it is.
struct BlockParser {
  /// Signs of deeper quotes and lists are text: no screen has room for them.
  static let depthLimit = 12

  let bytes: [UInt8]
  private(set) var blocks: [MarkdownBlock] = []
  private(set) var containers: [MarkdownContainer] = []
  private var open: [Int] = []
  private var fence: CodeFence?
  /// Whether the present line has begun an item that nothing stands in yet.
  private var hasNewItem = false

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    for line in SourceLines(bytes) { add(line) }
  }

  private var container: Int? { open.last }

  private mutating func add(_ line: MarkdownBlock.Line) {
    var cursor = LineCursor(bytes, line.range)
    let matched = matchContainers(&cursor)
    if matched < open.count {
      open.removeSubrange(matched...)
      fence = nil
    }
    if let fence { return addCode(cursor, line.number, fence) }
    hasNewItem = false
    openContainers(&cursor)
    addLeaf(cursor, line.number)
  }

  /// Goes over the signs of the open containers that the line continues, and counts them.
  private func matchContainers(_ cursor: inout LineCursor) -> Int {
    for (depth, index) in open.enumerated() {
      switch containers[index].kind {
      case .quote: if !cursor.skipQuoteSign() { return depth }
      case .item(let item):
        let indent = cursor.indent
        if indent.end == cursor.end { continue }
        if indent.columns < item.least { return depth }
        cursor.skipBlanks(item.indent)
      }
    }
    return open.count
  }

  private mutating func openContainers(_ cursor: inout LineCursor) {
    while open.count < Self.depthLimit, cursor.indent.columns < 4, !cursor.isRule {
      if cursor.skipQuoteSign() {
        append(.quote)
      } else if let item = cursor.skipItemSign(inParagraph: continuesParagraph) {
        append(.item(item))
        hasNewItem = true
      } else {
        return
      }
    }
  }

  private mutating func append(_ kind: MarkdownContainer.Kind) {
    containers.append(MarkdownContainer(kind: kind, parent: container))
    open.append(containers.count - 1)
    hasNewItem = false
  }

  /// Whether a line of text here would belong to the last block.
  private var continuesParagraph: Bool {
    guard !hasNewItem, let last = blocks.last else { return false }
    return last.kind == .paragraph && last.container == container
  }
}

// MARK: - Leaves

extension BlockParser {
  private mutating func addLeaf(_ cursor: LineCursor, _ number: Int) {
    let line = MarkdownBlock.Line(range: cursor.rest, number: number)
    let indent = cursor.indent
    if indent.end == cursor.end {
      return add(hasNewItem ? .paragraph : .blank, line, joining: !hasNewItem)
    }
    if indent.columns >= 4 {
      return add(continuesParagraph ? .paragraph : .indented, line, joining: true)
    }
    if cursor.isRule { return add(.rule, line) }
    if let heading = cursor.heading {
      return add(.heading(heading.level), .init(range: heading.text, number: number))
    }
    if let opened = CodeFence(opening: cursor) {
      fence = opened
      if !opened.info.isEmpty { add(.label, .init(range: opened.info, number: number)) }
      return
    }
    if addTableLine(line) { return }
    add(.paragraph, line, joining: !hasNewItem)
  }

  private mutating func addCode(_ cursor: LineCursor, _ number: Int, _ fence: CodeFence) {
    if fence.isClosed(by: cursor) {
      self.fence = nil
      return
    }
    var cursor = cursor
    cursor.skipBlanks(fence.indent)
    add(.code, MarkdownBlock.Line(range: cursor.rest, number: number), joining: true)
  }

  private mutating func add(
    _ kind: MarkdownBlock.Kind, _ line: MarkdownBlock.Line, joining: Bool = false
  ) {
    if joining, let last = blocks.indices.last, blocks[last].kind == kind,
      blocks[last].container == container
    {
      blocks[last].lines.append(line)
    } else {
      blocks.append(MarkdownBlock(kind: kind, container: container, lines: [line]))
    }
  }

  /// Adds a row to the table before it, or makes the last line the head of a new one when this one
  /// says how its columns are aligned.
  private mutating func addTableLine(_ line: MarkdownBlock.Line) -> Bool {
    guard !hasNewItem, let last = blocks.indices.last, blocks[last].container == container else {
      return false
    }
    if case .table = blocks[last].kind {
      guard bytes[line.range].contains(UInt8(ascii: "|")) else { return false }
      blocks[last].lines.append(line)
      return true
    }
    guard blocks[last].kind == .paragraph, let head = blocks[last].lines.last,
      let alignments = TableRow.alignments(bytes, line.range),
      bytes[head.range].contains(UInt8(ascii: "|")),
      TableRow.cells(bytes, head.range).count == alignments.count
    else { return false }
    blocks[last].lines.removeLast()
    if blocks[last].lines.isEmpty { blocks.removeLast() }
    add(.table(alignments), head)
    return true
  }
}
