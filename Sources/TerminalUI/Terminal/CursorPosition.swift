/// A place on a screen, from 0.
public struct CursorPosition: Hashable, Sendable {
  /// The row, from the top.
  public var row: Int
  /// The column, from the left.
  public var column: Int

  /// Makes a place.
  public init(row: Int, column: Int) {
    self.row = row
    self.column = column
  }
}
