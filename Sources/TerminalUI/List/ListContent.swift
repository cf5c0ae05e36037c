import SectionedResults

/// What a list shows for its sections and rows: the data source of Apple's table view.
///
/// It is asked for what is on the screen and nothing else.
public protocol ListContent {
  /// What the header of a section says.
  func header(section: Int) -> HeaderContent
  /// What a row says.
  func row(at path: RowPath) -> RowContent
}

/// What the header of a section says.
public struct HeaderContent: Hashable, Sendable {
  /// The title for people, for example `Today, Saturday 21 November`.
  public var title: String
  /// How many rows the section has.
  public var count: Int
  /// Whether they are folded away.
  public var folded: Bool

  /// Makes the content of a header.
  public init(title: String, count: Int, folded: Bool = false) {
    self.title = title
    self.count = count
    self.folded = folded
  }
}

/// What a row says.
public struct RowContent: Hashable, Sendable {
  /// When it was written, in as few characters as possible; the longest on the screen sets the width
  /// of the column.
  public var time: String
  /// Whether it has a star.
  public var starred: Bool
  /// The title.
  public var title: String
  /// The tags as in the journal's JSON: `home`, `@anna`.
  public var tags: [String]
  /// Whether it is marked for an action on many.
  public var marked: Bool
  /// Where the title has tags, in bytes of its UTF-8, ascending.
  public var tagPlaces: [Range<Int>]
  /// What a search found in the title, in bytes of its UTF-8, ascending.
  public var matches: [Range<Int>]
  /// A piece of the text behind the title that a search found; empty for none.
  public var excerpt = ""
  /// What the search found in the piece, in bytes of its UTF-8, ascending.
  public var excerptMatches: [Range<Int>] = []

  /// Makes the content of a row.
  public init(
    time: String, starred: Bool = false, title: String, tags: [String] = [], marked: Bool = false,
    tagPlaces: [Range<Int>] = [], matches: [Range<Int>] = []
  ) {
    self.time = time
    self.starred = starred
    self.title = title
    self.tags = tags
    self.marked = marked
    self.tagPlaces = tagPlaces
    self.matches = matches
  }
}
