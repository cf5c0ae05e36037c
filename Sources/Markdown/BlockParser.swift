/// Finds the blocks of a text, line by line.
///
/// A line is examined once for each of its containers, of which there are at most
/// ``Document/depthLimit``.
struct BlockParser {
  let bytes: [UInt8]
  private(set) var blocks: [Block] = []
  private(set) var containers: [Container] = []
  private var open: [Int] = []
  private var fence: CodeFence?
  /// Whether the present line has begun an item, whose first block then is a new one.
  private var beginsItem = false

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func parse() {
    for line in SourceLines(bytes) { add(line) }
  }

  private var container: Int? { open.last }

  private mutating func add(_ line: Block.Line) {
    var cursor = LineCursor(bytes[line.range])
    let matched = matchContainers(&cursor)
    if matched < open.count {
      open.removeSubrange(matched...)
      fence = nil
    }
    if let fence { return addCode(cursor, line.number, fence) }
    beginsItem = false
    openContainers(&cursor, line)
    addLeaf(cursor, line.number)
  }

  /// Skips the markers of the open containers that the line continues, and counts them.
  private func matchContainers(_ cursor: inout LineCursor) -> Int {
    for (depth, index) in open.enumerated() {
      switch containers[index].kind {
      case .quote: if !cursor.skipQuoteMarker() { return depth }
      case .item(let item):
        let indent = cursor.indent
        if indent.end == cursor.end { continue }
        if indent.columns < item.leastIndent { return depth }
        cursor.skipBlanks(item.indent)
      }
    }
    return open.count
  }

  private mutating func openContainers(_ cursor: inout LineCursor, _ line: Block.Line) {
    while open.count < Document.depthLimit, cursor.indent.columns < 4, !cursor.isThematicBreak {
      if cursor.skipQuoteMarker() {
        append(.quote)
      } else if let item = cursor.skipItemMarker(line, inParagraph: continuesParagraph) {
        append(.item(item))
        beginsItem = true
        if item.box != nil { return }
      } else {
        return
      }
    }
  }

  private mutating func append(_ kind: Container.Kind) {
    containers.append(Container(kind: kind, parent: container))
    open.append(containers.count - 1)
  }

  /// Whether a line of text here would continue the last block.
  private var continuesParagraph: Bool {
    guard !beginsItem, let last = blocks.last else { return false }
    return last.kind == .paragraph && last.container == container
  }

  /// Whether the present line begins a task.
  private var beginsTask: Bool {
    guard beginsItem, let container, case .item(let item) = containers[container].kind else {
      return false
    }
    return item.box != nil
  }

  // MARK: Leaves

  private mutating func addLeaf(_ cursor: LineCursor, _ number: Int) {
    let line = Block.Line(range: cursor.rest, number: number)
    if beginsTask { return add(.paragraph, line) }
    let indent = cursor.indent
    if indent.end == cursor.end {
      return add(beginsItem ? .paragraph : .blank, line, joining: !beginsItem)
    }
    if indent.columns >= 4 {
      return add(continuesParagraph ? .paragraph : .indentedCode, line, joining: true)
    }
    if cursor.isThematicBreak { return add(.thematicBreak, line) }
    if let heading = cursor.heading {
      return add(.heading(heading.level), .init(range: heading.text, number: number))
    }
    if let opened = CodeFence(opening: cursor) {
      fence = opened
      let info = Block.Line(range: opened.info, number: number)
      blocks.append(Block(kind: .fencedCode(info: info), container: container, lines: []))
      return
    }
    if addTableLine(line) { return }
    add(.paragraph, line, joining: !beginsItem)
  }

  private mutating func addCode(_ cursor: LineCursor, _ number: Int, _ fence: CodeFence) {
    if fence.isClosed(by: cursor) {
      self.fence = nil
      return
    }
    var cursor = cursor
    cursor.skipBlanks(fence.indent)
    // No block can come between a fence and its lines.
    blocks[blocks.count - 1].lines.append(Block.Line(range: cursor.rest, number: number))
  }

  private mutating func add(_ kind: Block.Kind, _ line: Block.Line, joining: Bool = false) {
    if joining, let last = blocks.indices.last, blocks[last].kind == kind,
      blocks[last].container == container
    {
      blocks[last].lines.append(line)
    } else {
      blocks.append(Block(kind: kind, container: container, lines: [line]))
    }
  }

  /// Adds a row to the table before it, or, if this line is a delimiter row, makes the last line
  /// the head of a new table.
  private mutating func addTableLine(_ line: Block.Line) -> Bool {
    guard !beginsItem, let last = blocks.indices.last, blocks[last].container == container else {
      return false
    }
    if case .table = blocks[last].kind {
      guard bytes[line.range].contains(UInt8(ascii: "|")) else { return false }
      blocks[last].lines.append(line)
      return true
    }
    guard blocks[last].kind == .paragraph, let head = blocks[last].lines.last,
      let alignments = TableRow.alignments(bytes[line.range]),
      bytes[head.range].contains(UInt8(ascii: "|")),
      TableRow.cells(bytes[head.range]).count == alignments.count
    else { return false }
    blocks[last].lines.removeLast()
    if blocks[last].lines.isEmpty { blocks.removeLast() }
    add(.table(alignments), head)
    return true
  }
}

/// The lines of tables.
package enum TableRow {
  /// The alignment of a column's text.
  package enum Alignment: String, Sendable {
    case left, center, right
  }

  /// The cells of a row, without the white space around them; at least one.
  static func cells(_ row: ArraySlice<UInt8>) -> [Range<Int>] {
    let line = row.trimmed
    var cells: [Range<Int>] = []
    var start = line.startIndex
    var index = start
    while index < line.endIndex {
      if row[index] == UInt8(ascii: "\\") {
        index += 1
      } else if row[index] == UInt8(ascii: "|") {
        if index > line.startIndex { cells.append(row[start..<index].trimmed.indices) }
        start = index + 1
      }
      index += 1
    }
    let last = row[start..<line.endIndex].trimmed.indices
    if !last.isEmpty || cells.isEmpty { cells.append(last) }
    return cells
  }

  /// The alignments of a delimiter row such as `|:--|--:|`; `nil` for any other line.
  static func alignments(_ row: ArraySlice<UInt8>) -> [Alignment]? {
    let isAllowed = row.allSatisfy { $0.isBlank || "|:-".utf8.contains($0) }
    guard isAllowed, row.contains(UInt8(ascii: "|")) else { return nil }
    var alignments: [Alignment] = []
    for cell in cells(row) {
      guard let alignment = alignment(row[cell]) else { return nil }
      alignments.append(alignment)
    }
    return alignments
  }

  private static func alignment(_ cell: ArraySlice<UInt8>) -> Alignment? {
    let colon = UInt8(ascii: ":")
    let begins = cell.first == colon
    let dashes = cell.dropFirst(begins ? 1 : 0)
    let ends = dashes.last == colon
    let middle = dashes.dropLast(ends ? 1 : 0)
    guard !middle.isEmpty, middle.allSatisfy({ $0 == UInt8(ascii: "-") }) else { return nil }
    return ends ? (begins ? .center : .right) : .left
  }
}
