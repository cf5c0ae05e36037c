extension Canvas {
  /// Puts the cells of another canvas on this one, from the top left corner, as far as they fit.
  ///
  /// - Complexity: O(cells).
  public mutating func draw(_ other: Canvas) {
    for row in 0..<min(height, other.height) {
      for (column, cell) in other[row: row].prefix(width).enumerated() where cell.columns > 0 {
        put(cell, column, row)
      }
    }
  }
}
