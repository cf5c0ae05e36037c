import Journal
import SectionedResults

/// Where the selection goes when the list shows other entries.
public enum Landing: Equatable, Sendable {
  /// To the selected entry, or the one nearest to it in time.
  case nearest
  /// To the entry with a number, or the one nearest to it in time.
  case entry(Int64)
  /// To the first row.
  case top
}

/// The list that a filter or the trash has covered, to return to.
public struct CoveredList: Equatable, Sendable {
  /// What it showed.
  public var scope: ListScope
  /// The number of the entry that was selected.
  public var entry: Int64?
  /// The list itself: its folds and its scroll offset come back with it.
  public var list: SectionedList
  /// Whether the user has moved the selection since.
  public var isLeft = false

  /// Makes the memory of a list.
  public init(scope: ListScope, entry: Int64?, list: SectionedList) {
    self.scope = scope
    self.entry = entry
    self.list = list
  }
}

/// A filter that is being typed.
///
/// Every text of the filter starts from the same list and entry, so that the result does not depend
/// on what was shown while it was typed.
public struct FilterEditing: Equatable, Sendable {
  /// What the list showed before; Esc shows it again.
  public var scope: ListScope
  /// The list before.
  public var list: SectionedList
  /// The number of the entry that was selected, once the list has shown something else.
  public var entry: Int64?

  /// Makes the state of a filter prompt that has just opened.
  public init(scope: ListScope, list: SectionedList, entry: Int64? = nil) {
    self.scope = scope
    self.list = list
    self.entry = entry
  }

  /// Where the selection goes when the list shows this filter.
  var landing: Landing { entry.map(Landing.entry) ?? .nearest }
}
