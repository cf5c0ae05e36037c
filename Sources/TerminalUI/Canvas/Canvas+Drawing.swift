extension Canvas {
  /// Draws a one-line field, clipped at the edges of the canvas and after `width` columns.
  ///
  /// The text goes through the ``Sanitizer``, and no more of it is read than is shown.
  ///
  /// - Returns: the columns drawn, also those left of the canvas.
  @discardableResult
  public mutating func draw(
    _ text: String, at column: Int, row: Int, width: Int = .max, style: Style = Style()
  ) -> Int {
    let room = min(width, max(0, self.width.subtractingClamped(column)))
    let clusters = ClusterScanner.line(text, filling: room)
    return draw(clusters, at: column, row: row, width: width, style: style)
  }

  /// Draws clusters, clipped at the edges of the canvas and after `width` columns.
  ///
  /// A cluster that straddles the last column is left out and spaces take its place; only a picture
  /// such as `^[` may be cut. Pictures have the role `control`.
  ///
  /// - Returns: the columns drawn, also those left of the canvas.
  @discardableResult
  public mutating func draw(
    _ clusters: some Sequence<Cluster>, at column: Int, row: Int, width: Int = .max,
    style: Style = Style()
  ) -> Int {
    let end = min(self.width, column.addingClamped(max(0, width)))
    var x = column
    for cluster in clusters where cluster.columns > 0 {
      if x >= end { break }
      let fits = x + cluster.columns <= end
      if fits, let cell = cluster.onlyCell(style) {
        place(cell, x, row)
        x += cell.columns
        continue
      }
      let cells = fits || cluster.isSubstitute ? cluster.cells(style) : blanks(end - x, style)
      for cell in cells where x + cell.columns <= end {
        place(cell, x, row)
        x += cell.columns
      }
    }
    return x - column
  }

  private func blanks(_ count: Int, _ style: Style) -> [CanvasCell] {
    Array(repeating: .blank(style), count: count)
  }

  /// Puts a cell; of a wide one that begins left of the canvas a blank is left.
  private mutating func place(_ cell: CanvasCell, _ column: Int, _ row: Int) {
    if column == -1, cell.columns == 2 { return put(.blank(cell.style), 0, row) }
    put(cell, column, row)
  }
}

extension Cluster {
  /// The cell of a cluster that is a single scalar, as most are.
  fileprivate func onlyCell(_ style: Style) -> CanvasCell? {
    guard !isSubstitute, columns <= 2 else { return nil }
    let scalars = text.unicodeScalars
    guard scalars.index(after: scalars.startIndex) == scalars.endIndex else { return nil }
    return CanvasCell(text: text, columns: columns, style: style)
  }

  /// The cells it takes: a new one with each scalar that takes columns.
  fileprivate func cells(_ style: Style) -> [CanvasCell] {
    var style = style
    if isSubstitute { style.role = .control }
    // An emoji sequence takes the columns of its first emoji and is one cell.
    let drawn = isSubstitute ? text : DrawnText.reduced(text)
    if columns <= 2, drawn != text {
      return [CanvasCell(text: text, columns: columns, style: style)]
    }
    var cells: [CanvasCell] = []
    var piece = ""
    var width = 0
    for scalar in drawn.unicodeScalars {
      let columns = TextWidth.columns(of: scalar)
      if columns > 0, !piece.isEmpty {
        cells.append(CanvasCell(text: piece, columns: width, style: style))
        piece = ""
      }
      piece.unicodeScalars.append(scalar)
      if columns > 0 { width = columns }
    }
    if !piece.isEmpty { cells.append(CanvasCell(text: piece, columns: width, style: style)) }
    return cells
  }
}

extension Int {
  /// The sum, or the largest or smallest number where it does not fit.
  func addingClamped(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// The difference, or the largest or smallest number where it does not fit.
  func subtractingClamped(_ other: Int) -> Int {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }
}
