import Markdown

/// A text as the lines of a reading pane: Markdown rendered, wrapped to a width, safe to draw.
///
/// Lines are kept as they were written: a single line end is one on the screen too. Nothing of the
/// text is lost but the signs of the markup; what is not understood is shown as it stands.
///
/// ```swift
/// let layout = MarkdownLayout(text, columns: 72, tags: tags)
/// for (row, line) in layout.prefix(20).enumerated() {
///   canvas.draw(line.highlighting(found), at: 0, row: row)
/// }
/// ```
///
/// A text of more than ``markdownLimit`` bytes is wrapped only, and its lines are made as they are asked
/// for: nobody reads a megabyte of Markdown, and logs and pastes should open at once.
package struct MarkdownLayout: RandomAccessCollection, Sendable {
  /// The bytes up to which a text is rendered as Markdown.
  package static let markdownLimit = 1 << 20

  private enum Lines {
    case rendered([StyledLine])
    case plain(PlainLines)
  }

  private let lines: Lines
  private let tags: [Range<Int>]

  /// Lays out a text.
  ///
  /// - Parameters:
  ///   - columns: the most columns of a line; at least 1.
  ///   - tags: where the text has tags, in bytes, in ascending order.
  ///   - isTitled: whether a first line followed by a blank one is set like a heading.
  /// - Complexity: linear in the bytes of the text.
  package init(
    _ text: String, columns: Int, tags: [Range<Int>] = [], isTitled: Bool = true
  ) {
    self.tags = tags
    lines =
      text.utf8.count > Self.markdownLimit
      ? .plain(PlainLines(text, columns: columns))
      : .rendered(MarkdownTypesetter.lines(of: text, columns: columns, isTitled: isTitled))
  }

  /// Lays out a text that is only to be wrapped, line by line as it was written.
  ///
  /// - Parameter columns: the most columns of a line; at least 1.
  /// - Complexity: linear in the bytes of the text.
  package init(plain text: String, columns: Int) {
    tags = []
    lines = .plain(PlainLines(text, columns: columns))
  }

  /// Whether the text was so long that it is only wrapped.
  package var isPlain: Bool {
    if case .plain = lines { true } else { false }
  }

  /// The first line.
  package var startIndex: Int { 0 }

  /// How many lines there are.
  package var endIndex: Int {
    switch lines {
    case .rendered(let lines): lines.count
    case .plain(let lines): lines.count
    }
  }

  /// A line, from 0.
  package subscript(position: Int) -> StyledLine {
    switch lines {
    case .rendered(let lines): lines[position].tagging(tags)
    case .plain(let lines): lines[position].tagging(tags)
    }
  }
}

/// A long text, wrapped between words and nothing else: only where lines begin is kept.
///
/// Below ten columns the picture of a character that cannot be shown may be cut.
struct PlainLines: Sendable {
  /// Where a line of the screen begins.
  private struct Start {
    var byte: UInt32
    var end: UInt32
    var number: UInt32
    /// The columns of its source line before it, as far as tabs depend on them.
    var phase: UInt8
  }

  private let bytes: [UInt8]
  private let columns: Int
  private var starts: [Start] = []

  init(_ text: String, columns: Int) {
    bytes = Array(text.utf8)
    self.columns = Swift.max(1, columns)
    for line in SourceLines(bytes) {
      if bytes[line.range].allSatisfy({ (0x20...0x7E).contains($0) }) {
        wrapASCII(line)
      } else {
        wrap(line)
      }
    }
  }

  var count: Int { starts.count }

  /// A line of the screen, made of its bytes.
  subscript(index: Int) -> StyledLine {
    let start = starts[index]
    var offset = Int(start.byte)
    var left = columns
    var cells: [StyledCluster] = []
    var scanner = scanner(offset..<Int(start.end), column: Int(start.phase))
    while case .cluster(let cluster) = scanner.next() {
      left -= cluster.columns
      // Blanks at the end of a line are not shown.
      if left < 0 { break }
      if cluster.columns > 0 { cells.append(StyledCluster(cluster, source: offset)) }
      offset += cluster.sourceLength
    }
    return StyledLine(cells, sourceLine: Int(start.number))
  }

  /// Printable ASCII needs no clusters: the last blank that fits is looked for in the bytes.
  private mutating func wrapASCII(_ line: Block.Line) {
    var start = line.range.lowerBound
    while line.range.upperBound - start > columns {
      let edge = start + columns
      var end = edge
      if bytes[edge] == 0x20 {
        while end < line.range.upperBound, bytes[end] == 0x20 { end += 1 }
      } else if let blank = bytes[start..<edge].lastIndex(of: 0x20) {
        end = blank + 1
      }
      if end == line.range.upperBound { break }
      append(start..<end, line.number, phase: 0)
      start = end
    }
    append(start..<line.range.upperBound, line.number, phase: 0)
  }

  private mutating func wrap(_ line: Block.Line) {
    var wrapper = LineWrapper<PlacedCluster>(columns: columns, borders: .words)
    var scanner = scanner(line.range, column: 0)
    var start = line.range.lowerBound
    func take(_ row: [PlacedCluster], _ lines: inout Self) {
      let end = row.reduce(start) { $0 + $1.shown.sourceLength }
      lines.append(start..<end, line.number, phase: row.first?.phase ?? 0)
      start = end
    }
    while case .cluster(let cluster) = scanner.next() {
      wrapper.add(PlacedCluster(shown: cluster, columnBehind: scanner.column))
      for row in wrapper.takeLines() { take(row, &self) }
    }
    take(wrapper.line, &self)
  }

  private mutating func append(_ range: Range<Int>, _ number: Int, phase: Int) {
    starts.append(
      Start(
        byte: UInt32(clamping: range.lowerBound), end: UInt32(clamping: range.upperBound),
        number: UInt32(clamping: number), phase: UInt8(clamping: phase)))
  }

  private func scanner(_ range: Range<Int>, column: Int) -> ClusterScanner {
    var options = SanitizerOptions()
    options.isBody = true
    return ClusterScanner(
      String(decoding: bytes[range], as: UTF8.self), options: options, column: column)
  }
}

/// A cluster that knows where it stood before its line was wrapped.
private struct PlacedCluster: Wrappable {
  let shown: Cluster
  /// Its first column, as far as tabs depend on it.
  let phase: Int

  init(shown: Cluster, columnBehind: Int) {
    self.init(shown: shown, phase: (columnBehind - shown.columns) % ClusterScanner.tabWidth)
  }

  private init(shown: Cluster, phase: Int) {
    self.shown = shown
    self.phase = phase
  }

  func showing(_ other: Cluster) -> PlacedCluster {
    PlacedCluster(shown: other, phase: phase)
  }
}
