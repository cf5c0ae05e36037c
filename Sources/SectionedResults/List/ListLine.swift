/// One line of a list's viewport.
public enum ListLine: Hashable, Sendable {
  /// The header of a section. A sticky one stands in for a row that it covers, because the section's
  /// own header line has scrolled away.
  case header(Int, sticky: Bool)
  /// A row.
  case row(RowPath)
}
