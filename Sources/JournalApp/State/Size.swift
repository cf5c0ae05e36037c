/// The size of the screen, in cells.
public struct Size: Hashable, Sendable {
  /// Columns, at least 1.
  public var columns: Int
  /// Lines, at least 1.
  public var lines: Int

  /// Makes a size; values below 1 become 1, because a terminal may say 0.
  public init(columns: Int, lines: Int) {
    self.columns = max(1, columns)
    self.lines = max(1, lines)
  }
}
