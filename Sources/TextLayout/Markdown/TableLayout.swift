/// A table in columns: as wide as their widest cells where there is room, else narrowed from the
/// widest on, with the text of cells wrapped.
struct TableLayout {
  /// A column is not made narrower than this: words would be cut into pieces.
  static let leastColumn = 6

  private let cells: [[[StyledCluster]]]
  private let widths: [Int]
  private let alignments: [MarkdownBlock.Alignment]

  /// Lays out lines of cells, the first of which is the head; nil when their columns have no room.
  init?(
    _ lines: [MarkdownBlock.Line], styler: TextStyler, alignments: [MarkdownBlock.Alignment],
    columns: Int
  ) {
    let ranges = lines.map { line in
      TableRow.cells(styler.bytes, line.range).map {
        MarkdownBlock.Line(range: $0, number: line.number)
      }
    }
    let count = ranges.reduce(0) { max($0, $1.count) }
    let room = columns - 3 * (count - 1)
    // Before any width is known; also a million columns are turned away here.
    guard room >= count else { return nil }
    cells = ranges.enumerated().map { index, row in
      row.flatMap { styler.paragraph([$0], index == 0 ? Style(bold: true) : Style()) }
    }
    var natural = Array(repeating: 1, count: count)
    for row in cells {
      for (column, cell) in row.enumerated() {
        natural[column] = max(natural[column], cell.columns)
      }
    }
    guard natural.reduce(0, { $0 + min($1, Self.leastColumn) }) <= room else { return nil }
    widths = Self.narrowed(natural, to: room)
    self.alignments = alignments
  }

  /// The rows of the screen that show a line; those of the head have a rule below them.
  func rows(_ index: Int) -> [[StyledCluster]] {
    let wrapped = zip(cells[index], widths).map { cell, width in
      TextFit.wrap(cell, columns: width, at: .words).map { Self.visible($0) }
    }
    let height = wrapped.reduce(1) { max($0, $1.count) }
    var rows = (0..<height).map { row in
      widths.indices.map { column -> [StyledCluster] in
        let cell = column < wrapped.count ? wrapped[column] : []
        return aligned(row < cell.count ? cell[row] : [], column)
      }.joinedBy(Self.bar)
    }
    if index == 0 { rows.append(rule) }
    return rows
  }

  private func aligned(_ text: [StyledCluster], _ column: Int) -> [StyledCluster] {
    let left = max(0, widths[column] - text.columns)
    let before: Int
    switch column < alignments.count ? alignments[column] : .left {
    case .left: before = 0
    case .center: before = left / 2
    case .right: before = left
    }
    return Self.blanks(before) + text + Self.blanks(left - before)
  }

  private var rule: [StyledCluster] {
    let dash = StyledCluster(.horizontalLine, style: Self.lineStyle)
    let crossing = [dash, StyledCluster(.crossing, style: Self.lineStyle), dash]
    return widths.map { Array(repeating: dash, count: $0) }.joinedBy(crossing)
  }

  private static let lineStyle = Style(.hint, dim: true)
  private static let bar: [StyledCluster] = [
    .space, StyledCluster(.verticalLine, style: lineStyle), .space,
  ]

  private static func blanks(_ count: Int) -> [StyledCluster] {
    Array(repeating: .space, count: count)
  }

  /// A line of a cell without the blanks at its end.
  private static func visible(_ line: [StyledCluster]) -> [StyledCluster] {
    guard let last = line.lastIndex(where: { !$0.cluster.isSpace && $0.cluster.columns > 0 })
    else { return [] }
    return Array(line[...last])
  }

  /// Makes the widest columns narrower, all of them equally, until the sum fits.
  private static func narrowed(_ widths: [Int], to room: Int) -> [Int] {
    if widths.reduce(0, +) <= room { return widths }
    var result = widths
    var left = room
    let order = widths.indices.sorted { widths[$0] < widths[$1] }
    for (rank, column) in order.enumerated() {
      result[column] = min(widths[column], left / (order.count - rank))
      left -= result[column]
    }
    return result
  }
}

extension [StyledCluster] {
  /// The columns they take.
  fileprivate var columns: Int { reduce(0) { $0 + $1.cluster.columns } }
}

extension [[StyledCluster]] {
  fileprivate func joinedBy(_ separator: [StyledCluster]) -> [StyledCluster] {
    [StyledCluster](joined(separator: separator))
  }
}

/// Reads the lines of tables.
enum TableRow {
  /// The cells of a row, without the white space around them; at least one.
  static func cells(_ bytes: [UInt8], _ range: Range<Int>) -> [Range<Int>] {
    let line = bytes.trimmed(range)
    var cells: [Range<Int>] = []
    var start = line.lowerBound
    var index = start
    while index < line.upperBound {
      if bytes[index] == UInt8(ascii: "\\") {
        index += 1
      } else if bytes[index] == UInt8(ascii: "|") {
        if index > line.lowerBound { cells.append(bytes.trimmed(start..<index)) }
        start = index + 1
      }
      index += 1
    }
    let last = bytes.trimmed(start..<line.upperBound)
    if !last.isEmpty || cells.isEmpty { cells.append(last) }
    return cells
  }

  /// The alignments that a line such as `|:--|--:|` asks for; nil when it is another line.
  static func alignments(
    _ bytes: [UInt8], _ range: Range<Int>
  ) -> [MarkdownBlock.Alignment]? {
    let allowed = bytes[range].allSatisfy { $0.isBlank || "|:-".utf8.contains($0) }
    guard allowed, bytes[range].contains(UInt8(ascii: "|")) else { return nil }
    var alignments: [MarkdownBlock.Alignment] = []
    for cell in cells(bytes, range) {
      guard let alignment = alignment(bytes[cell]) else { return nil }
      alignments.append(alignment)
    }
    return alignments
  }

  private static func alignment(_ cell: ArraySlice<UInt8>) -> MarkdownBlock.Alignment? {
    let colon = UInt8(ascii: ":")
    let begins = cell.first == colon
    let dashes = cell.dropFirst(begins ? 1 : 0)
    let ends = dashes.last == colon
    let middle = dashes.dropLast(ends ? 1 : 0)
    guard !middle.isEmpty, middle.allSatisfy({ $0 == UInt8(ascii: "-") }) else { return nil }
    return ends ? (begins ? .center : .right) : .left
  }
}
