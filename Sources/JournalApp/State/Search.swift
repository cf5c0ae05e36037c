import SectionedResults

/// What was searched for last: its matches are highlighted, and `n` and `N` go through them.
public struct Search: Equatable, Sendable {
  /// The query as it was typed.
  public var text: String
  /// What was selected before; a search that is given up leads back there.
  public var origin: ListPosition?

  /// The list's scroll offset before, in lines.
  public var offset: Int
  /// Which match was gone to last, once they are counted.
  public var place: MatchPlace?
  /// Which way the search went round the end of the list while it was typed.
  var wrapping: SearchDirection?

  /// Makes a search.
  public init(text: String, origin: ListPosition? = nil, offset: Int = 0) {
    self.text = text
    self.origin = origin
    self.offset = offset
  }
}

/// A match among all matches of a search, in one state of the list.
public struct MatchPlace: Equatable, Sendable {
  /// Which one it is, from 1.
  public var index: Int
  /// How many there are.
  public var count: Int
  /// Its row.
  public var path: RowPath
  /// The state of the list.
  public var generation: Generation

  /// Makes a place.
  public init(index: Int, count: Int, path: RowPath, generation: Generation) {
    self.index = index
    self.count = count
    self.path = path
    self.generation = generation
  }
}

extension Search {
  /// What the status line says of a search that went round the end; nothing while one types.
  static func wrapped(_ direction: SearchDirection, isOnly: Bool) -> Status? {
    switch direction {
    case .here: nil
    case _ where isOnly: .done("this is the only match")
    case .forward: .done("search hit bottom, continuing at the top")
    case .backward: .done("search hit top, continuing at the bottom")
    }
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
