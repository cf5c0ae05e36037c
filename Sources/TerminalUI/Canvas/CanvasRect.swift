/// A part of a canvas, in columns and rows from the top left corner.
public struct CanvasRect: Hashable, Sendable {
  /// The first column, from 0.
  public var column: Int
  /// The first row, from 0.
  public var row: Int
  /// How many columns it is wide; never negative.
  public var width: Int
  /// How many rows it is high; never negative.
  public var height: Int

  /// Makes a rectangle; a negative width or height becomes 0.
  public init(column: Int, row: Int, width: Int, height: Int) {
    self.column = column
    self.row = row
    self.width = max(0, width)
    self.height = max(0, height)
  }
}
