/// A text as Markdown: blocks, the quotes and list items around them, and their positions in the
/// text.
///
/// The screen, the HTML export, task items and titles use this one document, so that they agree.
/// The syntax is a subset of GitHub's Markdown, with differences that protect prose:
///
/// - A line without the marker or indentation of the quote or item above ends it; there is no lazy
///   continuation. A number begins a list inside a paragraph only if it is 1.
/// - `>5 km` and `>_<` are not quotes: only a letter, a blank or another `>` may follow a quote
///   marker.
/// - Delimiters between two letters or digits are not emphasis: `2*3*4`, `snake_case`.
/// - Lines of `=` or `-` below a text do not make it a heading; link definitions, HTML and entities
///   are text. Line ends are kept.
///
/// Invalid markup is text. Every range is a range of bytes of the text, and every byte of a line
/// outside its block is a marker.
///
/// - Complexity: linear in the bytes. Containers nest at most ``depthLimit`` deep, and inlines are
///   flat runs, so that there is no recursion.
package struct Document: Sendable {
  /// Markers of deeper quotes and lists are text: no screen has room for them.
  package static let depthLimit = 12

  /// The text.
  package let bytes: [UInt8]
  /// The blocks, in the order of the text.
  package let blocks: [Block]
  /// The quotes and list items, each after its parent.
  package let containers: [Container]

  package init(_ text: String) { self.init(Array(text.utf8)) }

  /// Makes a document of the bytes of a text, which are valid UTF-8.
  package init(_ bytes: [UInt8]) {
    var parser = BlockParser(bytes)
    parser.parse()
    self.bytes = parser.bytes
    blocks = parser.blocks
    containers = parser.containers
  }

  /// The containers of a block, as indices, the outermost first.
  package func path(to block: Block) -> [Int] {
    var path: [Int] = []
    var next = block.container
    while let index = next {
      path.append(index)
      next = containers[index].parent
    }
    return path.reversed()
  }

  /// A container as a list item; `nil` for a quote.
  package func item(_ container: Int) -> ListItem? {
    if case .item(let item) = containers[container].kind { item } else { nil }
  }

  /// The cells of a table's line, without the white space around them; at least one.
  package func cells(of line: Block.Line) -> [Block.Line] {
    TableRow.cells(bytes[line.range]).map { Block.Line(range: $0, number: line.number) }
  }

  /// The source text of a range.
  package func source(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }
}

/// Lines that form a paragraph, a heading, a table or another block.
package struct Block: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// White space only.
    case blank
    /// Text with inlines.
    case paragraph
    /// A heading of level 1 to 6.
    case heading(Int)
    /// The lines between fences, and the info string after the opening one; its line is the
    /// fence's.
    case fencedCode(info: Line)
    /// Literal text that is indented by four columns or more.
    case indentedCode
    case thematicBreak
    /// A head and rows of cells, see ``Document/cells(of:)``.
    case table([TableRow.Alignment])
  }

  /// A part of a source line, without the markers of its containers.
  package struct Line: Equatable, Sendable {
    /// Its bytes in the text.
    package var range: Range<Int>
    /// The number of its line, from 0, counting line feeds.
    package var number: Int
  }

  package var kind: Kind
  /// Its innermost quote or list item, as an index of ``Document/containers``.
  package var container: Int?
  package var lines: [Line]
}

/// A quote or a list item.
package struct Container: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    case quote
    case item(ListItem)
  }

  package var kind: Kind
  /// The container of the container.
  package var parent: Int?
}

/// An item of a list.
package struct ListItem: Equatable, Sendable {
  /// `-`, `+`, `*`, or a number with the `.` or `)` after it.
  package var marker: Range<Int>
  /// Whether the marker is a number.
  package var isNumbered: Bool
  /// The box of a task.
  ///
  /// The rest of its line is a paragraph, so a line has at most one box.
  package var box: TaskBox?
  /// The whole source line where it begins.
  package var line: Block.Line
  /// The minimum indentation of its further lines, in columns.
  var leastIndent: Int
  /// The columns before its text, which are not part of the text.
  var indent: Int
}

/// `[ ]` or `[x]` at the beginning of a list item.
package struct TaskBox: Hashable, Sendable {
  package enum State: Sendable {
    /// `[ ]`
    case open
    /// `[x]`
    case done
  }

  package var state: State
  /// Its three bytes in the text.
  package var range: Range<Int>
}

/// The lines of a text as bytes, with their numbers, without their ends.
///
/// Line ends are those of an entry's text: line feeds, with or without a carriage return, and
/// U+2028 and U+2029, which begin a new line without counting one.
package struct SourceLines: Sequence, IteratorProtocol {
  let bytes: [UInt8]
  private var position = 0
  private var number = 0
  private var isAtEnd = false

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  package mutating func next() -> Block.Line? {
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
      return Block.Line(range: start..<position, number: number)
    }
    isAtEnd = true
    return Block.Line(range: start..<position, number: number)
  }

  /// The number of bytes of the line end at a position; 0 if there is none.
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
