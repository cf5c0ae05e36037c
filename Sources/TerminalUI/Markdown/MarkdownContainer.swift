/// A quote or an item of a list: something that blocks are in.
struct MarkdownContainer: Equatable {
  /// What it is.
  enum Kind: Equatable {
    case quote
    case item(Item)
  }

  /// An item of a list.
  struct Item: Equatable {
    /// What stands before an item, and its bytes in the text.
    enum Marker: Equatable {
      case bullet(Range<Int>)
      /// A number with the sign behind it, as written.
      case number(Range<Int>)
      case task(StyledLine.Task, Range<Int>)
    }

    var marker: Marker
    /// The columns that a line must be moved to the right to belong to it.
    var least: Int
    /// The columns at which its text stands, which are not part of the text.
    var indent: Int
  }

  var kind: Kind
  /// What it is in itself; nil for nothing.
  var parent: Int?
}
