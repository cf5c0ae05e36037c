import SectionedResults

/// Marks: by number, so that they stay with their entries whatever happens to the list.
extension State {
  mutating func mark(_ action: MarkAction) -> [Effect] {
    if action == .all, list.rowCount > 0 { return markAll() }
    guard let rows = selectedRows else {
      status = .failed("no entry selected")
      return []
    }
    if let start = rangeStart {
      rangeStart = nil
      return [.list(.markRows(span(from: start, to: rows), .add))]
    }
    guard action == .range else {
      if list.selection?.path != nil { list.moveSelection(by: 1) }
      return [.list(.markRows(rows, .toggle))]
    }
    rangeStart = rows.lowerBound
    status = .done("range started: move, V marks it, Esc cancels")
    return []
  }

  /// Ends a range that is being marked when an action on the marked entries follows, and marks it
  /// first; `nil` where there is no range or the action needs none.
  mutating func closeRange(for action: Action) -> [Effect]? {
    guard mode == .list, action.row.traits.contains(.actsOnMarked), let start = rangeStart,
      let rows = selectedRows
    else {
      return nil
    }
    rangeStart = nil
    return [.list(.markRows(span(from: start, to: rows), .add, then: action))]
  }

  /// The rows that the selection stands for: its own, or all of a folded section.
  private var selectedRows: ClosedRange<RowPath>? {
    guard let selection = list.selection else { return nil }
    return selection.path.map { $0...$0 } ?? rows(of: selection.section)
  }

  private func rows(of section: Int) -> ClosedRange<RowPath>? {
    let count = list.sections[section].count
    return count > 0 ? RowPath(section, 0)...RowPath(section, count - 1) : nil
  }

  /// All rows from where a range began, with the whole section where that is folded.
  private func span(from start: RowPath, to rows: ClosedRange<RowPath>) -> ClosedRange<RowPath> {
    let isFolded = list.sections[start.section].folded
    let first = (isFolded ? self.rows(of: start.section) : nil) ?? start...start
    return min(first.lowerBound, rows.lowerBound)...max(first.upperBound, rows.upperBound)
  }

  private mutating func markAll() -> [Effect] {
    rangeStart = nil
    // By tag an entry has several rows: only the journal knows how many entries there are.
    guard scope.sectioning == .tag || marks.count < list.rowCount else {
      marks = []
      return []
    }
    return [.list(.markAll)]
  }

  /// Takes in the numbers of rows to be marked.
  mutating func mark(_ numbers: [Int64], _ change: MarkChange) {
    switch change {
    case .add: marks.formUnion(numbers)
    case .replace: marks = Set(numbers)
    case .toggle where marks.isSuperset(of: numbers): marks.subtract(numbers)
    case .toggle: marks.formUnion(numbers)
    }
  }
}
