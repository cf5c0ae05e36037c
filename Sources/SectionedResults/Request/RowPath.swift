/// The place of a row in sectioned results: the index path of Apple's class.
///
/// Paths order by section, then by row, as the rows stand on the screen.
public struct RowPath: Hashable, Comparable, Sendable {
  /// The section's index, from 0.
  public var section: Int
  /// The row's index inside its section, from 0.
  public var row: Int

  /// Makes a path from a section index and a row index.
  public init(section: Int, row: Int) {
    self.section = section
    self.row = row
  }

  /// Makes a path from a section index and a row index, in that order.
  public init(_ section: Int, _ row: Int) {
    self.init(section: section, row: row)
  }

  /// Orders by section, then by row.
  public static func < (lhs: RowPath, rhs: RowPath) -> Bool {
    (lhs.section, lhs.row) < (rhs.section, rhs.row)
  }
}

extension RowPath: CustomStringConvertible {
  /// The path as `[section, row]`.
  public var description: String { "[\(section), \(row)]" }
}
