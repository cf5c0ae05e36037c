import Markdown

/// A table in columns: as wide as their widest cells if they fit, else the widest columns are
/// narrowed and their cells wrapped.
struct TableLayout {
  /// The minimum width of a column: a narrower one would split words.
  static let leastColumn = 6

  private let cells: [[[StyledCluster]]]
  private let widths: [Int]
  private let alignments: [TableRow.Alignment]

  /// Lays out lines of cells, the first of which is the head; `nil` if the columns do not fit.
  init?(
    _ lines: [Block.Line], styler: TextStyler, alignments: [TableRow.Alignment], columns: Int
  ) {
    let ranges = lines.map { styler.document.cells(of: $0) }
    let count = ranges.reduce(0) { max($0, $1.count) }
    let room = columns - 3 * (count - 1)
    // Checked before widths are computed, to reject a million columns at once.
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

  /// The screen lines of a line of the table; the head has a rule below it.
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

  /// A line of a cell without trailing blanks.
  private static func visible(_ line: [StyledCluster]) -> [StyledCluster] {
    guard let last = line.lastIndex(where: { !$0.cluster.isSpace && $0.cluster.columns > 0 })
    else { return [] }
    return Array(line[...last])
  }

  /// Narrows the widest columns equally until the sum fits.
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
  /// The total columns of the clusters.
  fileprivate var columns: Int { reduce(0) { $0 + $1.cluster.columns } }
}

extension [[StyledCluster]] {
  fileprivate func joinedBy(_ separator: [StyledCluster]) -> [StyledCluster] {
    [StyledCluster](joined(separator: separator))
  }
}
