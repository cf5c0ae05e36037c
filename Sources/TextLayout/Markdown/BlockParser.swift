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

/// Lines of a text that are laid out together.
struct MarkdownBlock: Equatable {
  /// What the lines are.
  enum Kind: Equatable {
    /// Nothing but white space.
    case blank
    /// Text with emphasis, links and code in it.
    case paragraph
    /// A heading of level 1 to 6.
    case heading(Int)
    /// The lines between fences.
    case code
    /// The words behind an opening fence.
    case label
    /// Text four columns or more to the right, kept as it is.
    case indented
    /// A line across.
    case rule
    /// A head and rows of cells, and how the columns are aligned.
    case table([Alignment])
  }

  /// Where the text of a column stands.
  enum Alignment: Equatable {
    case left, center, right
  }

  /// A part of a source line, without what makes it part of a quote or a list.
  struct Line: Equatable {
    /// Its bytes in the text.
    var range: Range<Int>
    /// The number of its line, from 0.
    var number: Int
  }

  var kind: Kind
  /// The innermost quote or list item it is in, as an index; nil for none.
  var container: Int?
  var lines: [Line]
}

/// A quote or an item of a list: something that blocks are in.
struct MarkdownContainer: Equatable {
  /// What it is.
  enum Kind: Equatable {
    case quote
    case item(Item)
  }

  /// An item of a list.
  struct Item: Equatable {
    /// What stands before an item, and its bytes in the text.
    enum Marker: Equatable {
      case bullet(Range<Int>)
      /// A number with the sign behind it, as written.
      case number(Range<Int>)
      case task(StyledLine.Task, Range<Int>)
    }

    var marker: Marker
    /// The columns that a line must be moved to the right to belong to it.
    var least: Int
    /// The columns at which its text stands, which are not part of the text.
    var indent: Int
  }

  var kind: Kind
  /// What it is in itself; nil for nothing.
  var parent: Int?
}

/// A fence that code stands behind: three or more backticks or tildes.
struct CodeFence: Equatable {
  private let sign: UInt8
  private let length: Int
  /// The columns before it, which its code may have too.
  let indent: Int
  /// The words behind it.
  let info: Range<Int>

  /// The fence that the rest of a line opens; nil when it is none.
  init?(opening cursor: LineCursor) {
    indent = cursor.indent.columns
    var ahead = cursor
    ahead.skipBlanks()
    guard let first = ahead.peek(), "`~".utf8.contains(first) else { return nil }
    sign = first
    length = ahead.skip(first)
    info = cursor.bytes.trimmed(ahead.rest)
    guard length >= 3 else { return nil }
    // `` ```code``` `` on one line is code in a paragraph.
    if sign == UInt8(ascii: "`"), cursor.bytes[info].contains(sign) { return nil }
  }

  /// Whether the rest of a line ends the code.
  func isClosed(by cursor: LineCursor) -> Bool {
    guard cursor.indent.columns < 4 else { return false }
    var ahead = cursor
    ahead.skipBlanks()
    return ahead.skip(sign) >= length && ahead.isBlank
  }
}

extension LineCursor {
  /// Goes over equal bytes and counts them.
  fileprivate mutating func skip(_ byte: UInt8) -> Int {
    let start = position
    while peek() == byte { advance() }
    return position - start
  }
}

/// The lines of a text as bytes, with their numbers, without their ends.
///
/// Lines end where those of a body do: at line feeds, with or without a carriage return, and at
/// U+2028 and U+2029, which begin a new line without counting one.
struct SourceLines: Sequence, IteratorProtocol {
  let bytes: [UInt8]
  private var position = 0
  private var number = 0
  private var isAtEnd = false

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func next() -> MarkdownBlock.Line? {
    if isAtEnd { return nil }
    let start = position
    while position < bytes.count {
      let length = lineEnd(at: position)
      if length == 0 {
        position += 1
        continue
      }
      defer {
        number += bytes[position + length - 1] == 0x0A ? 1 : 0
        position += length
      }
      return MarkdownBlock.Line(range: start..<position, number: number)
    }
    isAtEnd = true
    return MarkdownBlock.Line(range: start..<position, number: number)
  }

  /// The bytes of the line end at a place; 0 when there is none.
  private func lineEnd(at index: Int) -> Int {
    switch bytes[index] {
    case 0x0A: return 1
    case 0x0D: return index + 1 < bytes.count && bytes[index + 1] == 0x0A ? 2 : 0
    case 0xE2:
      guard index + 2 < bytes.count, bytes[index + 1] == 0x80 else { return 0 }
      return bytes[index + 2] == 0xA8 || bytes[index + 2] == 0xA9 ? 3 : 0
    default: return 0
    }
  }
}
