extension Canvas {
  /// Draws a styled line, clipped at the edges of the canvas and after `width` columns.
  ///
  /// - Returns: the columns drawn, also those left of the canvas.
  @discardableResult
  public mutating func draw(
    _ line: StyledLine, at column: Int, row: Int, width: Int = .max
  ) -> Int {
    var x = column
    var rest = line.cells[...]
    while let first = rest.first, x < self.width, x - column < width {
      // Neighbours of one look are drawn together.
      let run = rest.prefix { $0.style == first.style }
      rest = rest.dropFirst(run.count)
      x += draw(
        run.lazy.map(\.cluster), at: x, row: row, width: width - (x - column), style: first.style)
    }
    return x - column
  }
}
