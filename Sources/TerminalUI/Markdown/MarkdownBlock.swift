/// Lines of a text that are laid out together.
struct MarkdownBlock: Equatable {
  /// What the lines are.
  enum Kind: Equatable {
    /// Nothing but white space.
    case blank
    /// Text with emphasis, links and code in it.
    case paragraph
    /// A heading of level 1 to 6.
    case heading(Int)
    /// The lines between fences.
    case code
    /// The words behind an opening fence.
    case label
    /// Text four columns or more to the right, kept as it is.
    case indented
    /// A line across.
    case rule
    /// A head and rows of cells, and how the columns are aligned.
    case table([Alignment])
  }

  /// Where the text of a column stands.
  enum Alignment: Equatable {
    case left, center, right
  }

  /// A part of a source line, without what makes it part of a quote or a list.
  struct Line: Equatable {
    /// Its bytes in the text.
    var range: Range<Int>
    /// The number of its line, from 0.
    var number: Int
  }

  var kind: Kind
  /// The innermost quote or list item it is in, as an index; nil for none.
  var container: Int?
  var lines: [Line]
}
