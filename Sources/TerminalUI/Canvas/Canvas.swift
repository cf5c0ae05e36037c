/// A screen, or a part of one, as a value: cells that widgets draw into without knowing a terminal.
///
/// Everything drawn is clipped to it. Text enters only through the ``Sanitizer``.
public struct Canvas: Equatable, Sendable {
  /// How many columns it is wide.
  public let width: Int
  /// How many rows it is high.
  public let height: Int
  private var cells: [CanvasCell]

  /// Makes an empty canvas; a negative width or height becomes 0.
  public init(width: Int, height: Int) {
    self.width = max(0, width)
    self.height = max(0, height)
    cells = Array(repeating: .blank(), count: self.width * self.height)
  }

  /// All of the canvas.
  public var bounds: CanvasRect {
    CanvasRect(column: 0, row: 0, width: width, height: height)
  }

  /// The cell at a place; a blank one outside the canvas.
  public subscript(column: Int, row: Int) -> CanvasCell {
    contains(column, row) ? cells[row * width + column] : .blank()
  }

  /// The cells of a row, from left to right; none outside the canvas.
  public subscript(row row: Int) -> ArraySlice<CanvasCell> {
    (0..<height).contains(row) ? cells[row * width..<(row + 1) * width] : []
  }

  /// The text on the canvas: one line a row, without the blanks at its end.
  public func plainText() -> String {
    (0..<height).map { row in
      let text = self[row: row].map(\.text).joined()
      let end = text.unicodeScalars.lastIndex { $0 != " " }
      return end.map { String(text.unicodeScalars[...$0]) } ?? ""
    }.joined(separator: "\n")
  }

  /// Changes how cells look and leaves what they show.
  public mutating func restyle(_ rect: CanvasRect, _ change: (inout Style) -> Void) {
    for row in clip(rect.row, rect.height, to: height) {
      for column in clip(rect.column, rect.width, to: width) {
        change(&cells[row * width + column].style)
      }
    }
  }

  /// Fills cells with blanks.
  public mutating func fill(_ rect: CanvasRect, style: Style = Style()) {
    for row in clip(rect.row, rect.height, to: height) {
      for column in clip(rect.column, rect.width, to: width) {
        put(.blank(style), column, row)
      }
    }
  }

  /// Puts a cell at a place on the canvas; the other half of a wide character that loses a half
  /// becomes a blank.
  mutating func put(_ cell: CanvasCell, _ column: Int, _ row: Int) {
    let end = column + max(1, cell.columns)
    guard contains(column, row), end <= width else { return }
    let start = row * width
    if cells[start + column].columns == 0, column > 0 {
      cells[start + column - 1] = .blank(cells[start + column - 1].style)
    }
    if end < width, cells[start + end].columns == 0 {
      cells[start + end] = .blank(cells[start + end].style)
    }
    cells[start + column] = cell
    if cell.columns == 2 {
      cells[start + column + 1] = CanvasCell(text: "", columns: 0, style: cell.style)
    }
  }

  private func contains(_ column: Int, _ row: Int) -> Bool {
    column >= 0 && column < width && row >= 0 && row < height
  }

  private func clip(_ start: Int, _ length: Int, to limit: Int) -> Range<Int> {
    let lower = min(max(0, start), limit)
    let (end, overflow) = start.addingReportingOverflow(length)
    return lower..<max(lower, overflow ? limit : min(end, limit))
  }
}
