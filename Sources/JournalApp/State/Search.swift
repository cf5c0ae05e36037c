import SectionedResults

/// What was searched for last: its matches are highlighted, and `n` and `N` go through them.
public struct Search: Equatable, Sendable {
  /// The query as it was typed.
  public var text: String
  /// What was selected before; a search that is given up leads back there.
  public var origin: ListPosition?

  /// The list's scroll offset before, in lines.
  public var offset: Int

  /// Makes a search.
  public init(text: String, origin: ListPosition? = nil, offset: Int = 0) {
    self.text = text
    self.origin = origin
    self.offset = offset
  }
}

/// Which way a search looks for the next match; it goes round at the end of the list.
public enum SearchDirection: Equatable, Sendable {
  /// Towards the end, beginning with the place itself.
  case here
  /// Towards the end.
  case forward
  /// Towards the beginning.
  case backward
}
