import Journal

/// An entry in the reading pane.
public struct Reading: Equatable, Sendable {
  /// The entry.
  public var entry: Entry
  /// How many lines it takes at the pane's width.
  public var lines: Int
  /// The first line shown.
  public var offset: Int
  /// Whether the entry was deleted while it was shown; its last text stays to be read.
  public var isGone: Bool
  /// The lines in which the search found something, ascending.
  public var matches: [Int]

  /// Makes the view of an entry, at its beginning.
  public init(
    entry: Entry, lines: Int, offset: Int = 0, isGone: Bool = false, matches: [Int] = []
  ) {
    self.entry = entry
    self.lines = lines
    self.offset = offset
    self.isGone = isGone
    self.matches = matches
  }
}
