import Markdown

/// A text as the lines of a reading pane: rendered Markdown, wrapped to a width, sanitised.
///
/// Source lines are kept: a single line end breaks the line on the screen too. Only the delimiters
/// of the markup are hidden; invalid markup is shown unchanged.
///
/// ```swift
/// let layout = MarkdownLayout(text, columns: 72, tags: tags)
/// for (row, line) in layout.prefix(20).enumerated() {
///   canvas.draw(line.highlighting(found), at: 0, row: row)
/// }
/// ```
///
/// A text of more than ``markdownLimit`` bytes is only wrapped, and its lines are made on demand:
/// long logs and pastes should open at once, and are rarely Markdown.
package struct MarkdownLayout: RandomAccessCollection, Sendable {
  /// The maximum bytes of a text that is rendered as Markdown.
  package static let markdownLimit = 1 << 20

  private enum Lines {
    case rendered([StyledLine])
    case plain(PlainLines)
  }

  private let lines: Lines
  private let tags: [Range<Int>]
  private let links: [LinkSpan]

  /// Lays out a text.
  ///
  /// - Parameters:
  ///   - columns: the maximum columns of a line; at least 1.
  ///   - tags: the byte ranges of the text's tags, in ascending order.
  ///   - links: the links between entries, in ascending order.
  ///   - isTitled: whether a first line followed by a blank one is styled like a heading.
  ///   - pictureRows: the most rows of a picture; 0 for none.
  ///   - pictureCell: the size of a cell of a terminal that draws pixels.
  ///   - strikes: whether the terminal strikes text out, so that its tildes are hidden.
  /// - Complexity: linear in the bytes of the text.
  package init(
    _ text: String, columns: Int, tags: [Range<Int>] = [], links: [LinkSpan] = [],
    isTitled: Bool = true, pictureRows: Int = 0, pictureCell: CellSize? = nil,
    strikes: Bool = false
  ) {
    self.tags =
      links.isEmpty ? tags : tags.filter { links.first(at: $0.lowerBound) == nil }
    self.links = links
    lines =
      text.utf8.count > Self.markdownLimit
      ? .plain(PlainLines(text, columns: columns))
      : .rendered(
        MarkdownTypesetter.lines(
          of: text, columns: columns, links: links, isTitled: isTitled, pictureRows: pictureRows,
          pictureCell, strikes: strikes))
  }

  /// Lays out a text without Markdown: its lines are only wrapped.
  ///
  /// - Parameter columns: the maximum columns of a line; at least 1.
  /// - Complexity: linear in the bytes of the text.
  package init(plain text: String, columns: Int) {
    (tags, links) = ([], [])
    lines = .plain(PlainLines(text, columns: columns))
  }

  /// Whether the text is only wrapped, because it is long.
  package var isPlain: Bool {
    if case .plain = lines { true } else { false }
  }

  package var startIndex: Int { 0 }

  /// The number of lines.
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
    case .plain(let lines): lines[position].tagging(tags).linking(links)
    }
  }
}

/// A long text, only wrapped between words: only the starts of lines are stored.
///
/// Below ten columns the replacement for a character that cannot be shown may be cut.
struct PlainLines: Sendable {
  /// The start of a line of the screen.
  private struct Start {
    var byte: UInt32
    var end: UInt32
    var number: UInt32
    /// The columns of the source line before it, modulo the tab width.
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

  /// A line of the screen, made from its bytes.
  subscript(index: Int) -> StyledLine {
    let start = starts[index]
    var offset = Int(start.byte)
    var left = columns
    var cells: [StyledCluster] = []
    var scanner = scanner(offset..<Int(start.end), column: Int(start.phase))
    while case .cluster(let cluster) = scanner.next() {
      left -= cluster.columns
      // Blanks at the end of a line are hidden.
      if left < 0 { break }
      if cluster.columns > 0 { cells.append(StyledCluster(cluster, source: offset)) }
      offset += cluster.sourceLength
    }
    return StyledLine(cells, sourceLine: Int(start.number))
  }

  /// Printable ASCII needs no clusters: the last blank that fits is found in the bytes.
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

/// A cluster with its column before wrapping.
private struct PlacedCluster: Wrappable {
  let shown: Cluster
  /// Its first column, modulo the tab width.
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
