import Journal
import SectionedResults

/// What the list shows: which entries, in which order, in which sections.
package struct ListScope: Hashable, Sendable {
  /// The filter as it was typed; empty for every entry.
  package var filter: String
  /// The order of the rows.
  package var order: ListOrder
  /// What the sections are made by.
  package var sectioning: Sectioning
  /// Whether the list is the trash.
  package var isTrash: Bool
  /// Whether the filter's last word may be the start of one, as while it is typed letter by letter.
  package var takesPrefix: Bool

  /// Makes a scope; every entry by day, the newest first, unless told otherwise.
  package init(
    filter: String = "", order: ListOrder = .newest, sectioning: Sectioning = .day,
    isTrash: Bool = false, takesPrefix: Bool = false
  ) {
    self.filter = filter
    self.order = order
    self.sectioning = sectioning
    self.isTrash = isTrash
    self.takesPrefix = takesPrefix
  }

  /// The same with another filter.
  package func filtered(by filter: String, takesPrefix: Bool = false) -> ListScope {
    var scope = self
    scope.filter = filter
    scope.takesPrefix = takesPrefix
    return scope
  }

  /// Which entries the list holds, whatever their order and sections.
  var coverage: Coverage { Coverage(filter: isFiltered ? filter : "", isTrash: isTrash) }

  private var isFiltered: Bool { !filter.allSatisfy(\.isWhitespace) }

  /// The part of a scope that decides which entries the list holds.
  struct Coverage: Equatable {
    var filter: String
    var isTrash: Bool

    /// Whether it holds every entry outside the trash.
    var isWhole: Bool { filter.isEmpty && !isTrash }
  }

  /// What differs from a fresh start, in a few words: `trash  #home  by tag`.
  package var summary: String {
    let words = (isTrash ? ["trash"] : []) + (filter.isEmpty ? [] : [filter])
    return (words + arrangement).joined(separator: "  ")
  }

  /// The sections and the order in words, where they are not those of a fresh start.
  package var arrangement: [String] {
    var words: [String] = []
    switch sectioning {
    case .day: break
    case .none: words.append("no sections")
    default: words.append("by \(sectioning.rawValue)")
    }
    if order != .newest { words.append(order.description.phrase) }
    return words
  }
}

/// Where the selection goes when the list shows other entries.
package enum Landing: Equatable, Sendable {
  /// To the selected entry, or the one nearest to it in time.
  case nearest
  /// To the entry with a number, or the one nearest to it in time.
  case entry(Int64)
  /// To the first row.
  case top
}

/// The list that a filter or the trash has covered, to return to.
package struct CoveredList: Equatable, Sendable {
  /// What it showed.
  package var scope: ListScope
  /// The number of the entry that was selected.
  package var entry: Int64?
  /// The list itself: its folds and its scroll offset come back with it.
  package var list: SectionedList
  /// Whether the user has moved the selection since.
  package var isLeft = false

  /// Makes the memory of a list.
  package init(scope: ListScope, entry: Int64?, list: SectionedList) {
    self.scope = scope
    self.entry = entry
    self.list = list
  }
}

/// A filter that is being typed.
///
/// Every text of the filter starts from the same list and entry, so that the result does not depend
/// on what was shown while it was typed.
package struct FilterEditing: Equatable, Sendable {
  /// What the list showed before; Esc shows it again.
  package var scope: ListScope
  /// The list before.
  package var list: SectionedList
  /// The number of the entry that was selected, once the list has shown something else.
  package var entry: Int64?

  /// Makes the state of a filter prompt that has just opened.
  package init(scope: ListScope, list: SectionedList, entry: Int64? = nil) {
    self.scope = scope
    self.list = list
    self.entry = entry
  }

  /// Where the selection goes when the list shows this filter.
  var landing: Landing { entry.map(Landing.entry) ?? .nearest }
}
