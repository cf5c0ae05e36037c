import Journal
import SectionedResults
import TextLayout

/// The list, and what it shows of the journal.
package struct ListState: Equatable, Sendable {
  /// Sections, selection, scroll offset and folds.
  package var widget = ListWidget()
  /// Filter, order and sections.
  package var scope = ListScope()
  /// The parsed filter, to highlight its matches.
  package var query: Query?
  /// The filter being typed, until the list shows it.
  package var filtering: FilterEditing?
  /// The lists under the current filter and the trash, the outermost first.
  package var covered: [CoveredList] = []
  /// The entries in the trash, counted while the list is empty.
  package var trash = TrashContents()
  /// The consecutive deletions.
  package var deletions = DeletionRun()
  /// An added or changed entry that the list does not show; going back to all entries selects it.
  package var unseen: Int64?
  /// The entry that was selected until its change hid it: an edit that follows at once is of it, and not of
  /// the entry in its place.
  package var hidden: Int64?
  /// Whether the last commit took the selected row out of the list.
  package var hasLostSelection = false

  /// Whether the journal has no entries outside of the trash.
  var isJournalEmpty: Bool { widget.rowCount == 0 && scope.coverage.isWhole }

  /// The first row that the last batch inserted or changed.
  var firstChange: RowPath? {
    let section = widget.changedSections.min().map { RowPath($0, 0) }
    return [widget.changedRows.min(), section].compactMap(\.self).min()
  }

  /// Notes a saved change.
  ///
  /// - Returns: what is said about several deletions in turn.
  mutating func note(_ saved: Saved) -> String? {
    unseen = saved.unseen
    hidden = hasLostSelection && saved.hiding != nil ? saved.unseen : nil
    guard !saved.deleted.isEmpty else { return nil }
    deletions.add(saved.deleted)
    return deletions.message
  }
}

/// Moving in the list.
extension ListState {
  mutating func move(_ movement: Movement, count: Int?) {
    let times = count ?? 1
    switch movement {
    case .down: widget.moveSelection(by: times)
    case .up: widget.moveSelection(by: -times)
    case .halfPageDown: widget.halfPage(by: times)
    case .halfPageUp: widget.halfPage(by: -times)
    case .pageDown: widget.page(by: times)
    case .pageUp: widget.page(by: -times)
    case .first, .last: moveToEnd(movement, count)
    case .previousSection: widget.selectSection(offset: -times)
    case .nextSection: widget.selectSection(offset: times)
    case .left, .right: break
    }
  }

  private mutating func moveToEnd(_ movement: Movement, _ count: Int?) {
    if let count {
      widget.selectFirst()
      widget.moveSelection(by: count - 1 + rowsSkipped(before: count))
    } else if movement == .first {
      widget.selectFirst()
    } else {
      widget.selectLast()
    }
  }

  /// The rows of this day in other years above the row with a number: they are in the list a second
  /// time, and have no numbers.
  private func rowsSkipped(before number: Int) -> Int {
    guard let section = widget.sectionOfOtherYears, number > widget.rowCount(before: section) else {
      return 0
    }
    // A folded section is one line, which has no number either.
    return widget.sections[section].folded ? 1 : widget.sections[section].count
  }

  /// Folds or unfolds sections.
  mutating func fold(_ action: FoldAction) {
    switch action {
    case .toggle: if let section = widget.selection?.section { widget.toggleFold(section: section) }
    case .all: widget.foldAll()
    case .none: widget.unfoldAll()
    }
  }

  /// Restores folds, selection and scroll offset.
  mutating func restorePlace(folded: Set<String>, selection: RowPath?, screenLine: Int) {
    if !folded.isEmpty { widget.fold(keys: folded) }
    guard let selection, widget.select(selection), let line = widget.selectionScreenLine else {
      return
    }
    widget.scroll(by: line - min(max(0, screenLine), max(0, widget.height - 1)))
  }
}

/// Another filter, order or kind of section.
extension ListState {
  /// Shows the rows of a scope.
  ///
  /// - Parameters:
  ///   - path: the row to select.
  ///   - number: the entry that was selected before.
  ///   - staysFiltered: whether the filter is still being typed.
  mutating func show(
    _ next: ListScope, _ sections: [ListWidget.Section], _ generation: Int, _ path: RowPath?,
    leaving number: Int64?, staysFiltered: Bool
  ) {
    let isOther = next.grouping != scope.grouping
    let uncovered = cover(with: next, leaving: number)
    scope = next
    (unseen, hidden) = (nil, nil)
    let filtered = filtering?.list
    if filtering != nil, filtering?.entry == nil { filtering?.entry = number }
    if !staysFiltered { filtering = nil }
    let height = widget.height
    if let before = uncovered?.list ?? filtered { widget = before }
    if isOther { widget.unfoldAll() }
    widget.reload(sections: sections, generation: generation)
    widget.resize(height: height)
    if let path { widget.select(path) }
  }

  /// Stores the list that a filter or the trash covers, or drops the stored one when it returns.
  ///
  /// - Returns: the stored list that is shown again.
  private mutating func cover(with next: ListScope, leaving number: Int64?) -> CoveredList? {
    let coverage = next.coverage
    guard coverage != scope.coverage else { return nil }
    if let index = covered.lastIndex(where: { $0.scope.coverage == coverage }) {
      defer { covered.removeSubrange(index...) }
      return covered[index]
    }
    if coverage.isWhole {
      covered = []
    } else if scope.coverage.isWhole || scope.isTrash != next.isTrash || scope.filter.isBlank {
      covered.append(
        CoveredList(
          scope: filtering?.scope ?? scope, entry: filtering?.entry ?? number,
          list: filtering?.list ?? widget))
    }
    return nil
  }

  /// The target of the selection when a covered list returns: its old selection, unless the user
  /// moved since.
  func landing(in next: ListScope) -> Landing {
    guard let list = covered.last(where: { $0.scope.coverage == next.coverage }),
      let entry = list.entry, !list.isLeft || scope.isTrash != next.isTrash
    else { return .nearest }
    return .entry(entry)
  }

  /// Records that the user moved the selection away from where a covered list had it.
  mutating func leaveCovered() {
    if !covered.isEmpty { covered[covered.count - 1].isLeft = true }
  }
}
