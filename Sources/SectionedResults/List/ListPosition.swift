/// What can be selected in a list.
public enum ListPosition: Hashable, Sendable {
  /// The header of a folded section, which then stands for its rows.
  case header(Int)
  /// A row of a section that is not folded.
  case row(RowPath)

  /// The index of the section that the position is in.
  public var section: Int {
    switch self {
    case .header(let section): section
    case .row(let path): path.section
    }
  }

  /// The row's path; `nil` for a header.
  public var path: RowPath? {
    if case .row(let path) = self { path } else { nil }
  }
}
