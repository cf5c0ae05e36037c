import Journal
import SectionedResults
import TextLayout

/// The filter, order and sections of the list.
package struct ListScope: Hashable, Codable, Sendable {
  /// The filter as it was typed; empty for every entry.
  package var filter: String
  /// The order of the rows.
  package var order: ListOrder
  /// The kind of sections.
  package var grouping: Grouping
  /// The field whose sum or mean the header of each section has; `nil` for none.
  package var measure: FieldMeasure?
  /// Whether the list is the trash.
  package var isTrash: Bool
  /// Whether the filter's last word may be a prefix, as while it is being typed.
  package var takesPrefix: Bool

  /// Makes a scope; by default every entry by day, the newest first.
  package init(
    filter: String = "", order: ListOrder = .newest, grouping: Grouping = .day,
    isTrash: Bool = false, takesPrefix: Bool = false
  ) {
    self.filter = filter
    self.order = order
    self.grouping = grouping
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

  /// Whether both have the same rows in the same sections, with other sums.
  func differsOnlyInMeasure(from other: ListScope) -> Bool {
    var same = self
    same.measure = other.measure
    return self != other && same == other
  }

  /// The command that leads here from another scope by an order or sections of a field; `nil` for others.
  func fieldCommand(insteadOf other: ListScope) -> String? {
    if grouping != other.grouping, let key = grouping.fieldKey { return "section \(key)" }
    if order != other.order, let key = order.fieldKey { return "sort \(key)" }
    return nil
  }

  /// The text that the prompt of the filter begins with: further words follow the filter.
  package var continuedFilter: String { isFiltered ? filter + " " : "" }

  /// The set of entries in the list, independent of order and sections.
  package var coverage: Coverage { Coverage(filter: isFiltered ? filter : "", isTrash: isTrash) }

  private var isFiltered: Bool { !filter.allSatisfy(\.isWhitespace) }

  /// The part of a scope that determines the set of entries.
  package struct Coverage: Equatable {
    var filter: String
    var isTrash: Bool

    /// Whether it holds every entry outside the trash.
    package var isWhole: Bool { filter.isEmpty && !isTrash }
  }

  /// The differences from the default, in a few words: `trash  #home  by tag`.
  package var summary: String {
    let words = (isTrash ? ["trash"] : []) + (filter.isEmpty ? [] : [filter])
    return (words + arrangement).joined(separator: "  ")
  }

  /// Whether the keys are of the present order and kind of section.
  func isArranged(by match: KeyTable.Match) -> Bool {
    guard case .action(let action) = match, case .arrange(let arrangement) = action.row.kind else {
      return false
    }
    return switch arrangement {
    case .order(let order): order == self.order
    case .sections(let grouping): grouping == self.grouping
    }
  }

  /// The sections and the order in words, if they are not the default.
  package var arrangement: [String] {
    var words: [String] = []
    if grouping != .day { words.append(grouping.description.phrase) }
    if order != .newest { words.append(order.description.phrase) }
    return words
  }
}

/// The target of the selection when the list shows other entries.
package enum Landing: Equatable, Codable, Sendable {
  /// The selected entry, or the one nearest to it in time.
  case nearest
  /// The entry with a number, or the one nearest to it in time.
  case entry(Int64)
  /// The first row.
  case top
}

/// The list covered by a filter or the trash, to return to.
package struct CoveredList: Equatable, Sendable {
  package var scope: ListScope
  /// The number of its selected entry.
  package var entry: Int64?
  /// The list itself, with its folds and its scroll offset.
  package var list: ListWidget
  /// Whether the user has moved the selection since.
  package var isLeft = false

  package init(scope: ListScope, entry: Int64?, list: ListWidget) {
    self.scope = scope
    self.entry = entry
    self.list = list
  }
}

/// A filter being typed.
///
/// Every text of the filter starts from the same list and entry, so that the result does not depend
/// on intermediate lists.
package struct FilterEditing: Equatable, Sendable {
  /// The scope before; Esc restores it.
  package var scope: ListScope
  /// The list before.
  package var list: ListWidget
  /// The number of the selected entry, once the list has shown another scope.
  package var entry: Int64?

  /// Makes the state of a filter prompt that has just opened.
  package init(scope: ListScope, list: ListWidget, entry: Int64? = nil) {
    self.scope = scope
    self.list = list
    self.entry = entry
  }

  /// The target of the selection when the list shows this filter.
  var landing: Landing { entry.map(Landing.entry) ?? .nearest }
}
