import SectionedResults

/// The contents of a list's sections and rows: the data source of Apple's table view.
///
/// It is called for visible lines only.
package protocol ListContent {
  /// The content of a section's header.
  func header(section: Int) -> HeaderContent
  /// The content of a row.
  func row(at path: RowPath) -> RowContent
}

/// The content of a section's header.
package struct HeaderContent: Hashable, Sendable {
  /// The title of a section: an emphasised beginning, for example a weekday, and the rest.
  package struct Title: Hashable, Sendable {
    package var lead: String
    package var rest: String

    package init(_ lead: String, _ rest: String = "") {
      self.lead = lead
      self.rest = rest
    }

    var columns: Int { TextWidth.columns(of: lead) + TextWidth.columns(of: rest) }
  }

  /// The title in several lengths, the longest first: `Today, Saturday 21 November`, `Today, 21 Nov`.
  package var titles: [Title]
  /// The number of rows in the section, as text; empty to show none.
  package var count: String
  /// The sum or the mean of a field in the section, as text; empty for none.
  package var total: String
  /// Whether the section is folded.
  package var folded: Bool
  /// Whether it is the section of the current day.
  package var isToday: Bool

  package init(
    titles: [Title], count: String, total: String = "", folded: Bool = false, isToday: Bool = false
  ) {
    self.titles = titles
    self.count = count
    self.total = total
    self.folded = folded
    self.isToday = isToday
  }
}

/// The content of a row.
package struct RowContent: Hashable, Sendable {
  /// When it was written, as short as possible; the longest visible time sets the width of the
  /// column.
  package var time: String
  package var starred: Bool
  /// Whether its text is in conflict with that of another device.
  package var inConflict = false
  /// Whether its text names files.
  package var hasFiles = false
  package var title: String
  /// The tags as in the journal's JSON: `home`, `@anna`.
  package var tags: [String]
  /// Whether it is marked for a bulk action.
  package var marked: Bool
  /// The tags in the title, as ascending byte ranges of its UTF-8.
  package var tagPlaces: [Range<Int>]
  /// The search matches in the title, as ascending byte ranges of its UTF-8.
  package var matches: [Range<Int>]
  /// The ``tags`` that match a search.
  package var matchedTags: Set<String> = []
  /// An excerpt of the text after the title with a search match; empty for none.
  package var excerpt = ""
  /// The search matches in the excerpt, as ascending byte ranges of its UTF-8.
  package var excerptMatches: [Range<Int>] = []

  package init(
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
