import SectionedResults

/// Which entries an effect is about.
public enum Target: Equatable, Sendable {
  /// The entry in a row of the list as it stands now.
  case row(RowPath)
  /// The entry with a number.
  case entry(Int64)
  /// The entries with these numbers, in order.
  case entries([Int64])
}

/// What to do with a star.
public enum StarChange: Equatable, Sendable {
  /// Give it.
  case give
  /// Take it away.
  case take
  /// The other of the two; of many entries all get it, unless all have it.
  case toggle
}

/// What to do with marks.
public enum MarkChange: Equatable, Sendable {
  /// Mark what is not, and take the mark from what is.
  case toggle
  /// Mark.
  case add
  /// Exactly these are marked.
  case replace
}
