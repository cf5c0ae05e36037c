import SectionedResults

/// Marks, stored by number so that they follow their entries through all changes of the list.
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

  /// Ends and marks a range when an action on the marked entries follows; `nil` if there is no
  /// range or the action needs none.
  mutating func closeRange(for action: Action) -> [Effect]? {
    guard mode == .list, action.row.traits.contains(.actsOnMarked), let start = rangeStart,
      let rows = selectedRows
    else {
      return nil
    }
    rangeStart = nil
    return [.list(.markRows(span(from: start, to: rows), .add, then: action))]
  }

  /// Performs the action that ended a range, or that followed a count, on its entries too.
  ///
  /// They do not stay marked: they may be far away when the next key is pressed. A prompt needs the
  /// marks until its answer.
  mutating func actOnRange(_ numbers: [Int64], _ action: Action) -> [Effect] {
    let before = marks
    mark(numbers, .add)
    let effects = perform(action, isNoted: false)
    let asks = effects.contains { if case .prompt(.open) = $0 { true } else { false } }
    marksBefore = before
    if !asks { endRange() }
    return effects
  }

  /// Takes the marks of a range away whose action is performed, or given up.
  mutating func endRange() {
    if let marksBefore { marks.formIntersection(marksBefore) }
    marksBefore = nil
  }

  /// Marks the entries of an action again that failed, for the prompt that asks once more.
  mutating func remark(_ target: Target) {
    guard case .entries(let numbers) = target, mode == .list, !marks.isSuperset(of: numbers) else {
      return
    }
    marksBefore = marks
    marks.formUnion(numbers)
  }

  /// The selected row, or all rows of a selected folded section.
  private var selectedRows: ClosedRange<RowPath>? {
    guard let selection = list.selection else { return nil }
    return selection.path.map { $0...$0 } ?? rows(of: selection.section)
  }

  private func rows(of section: Int) -> ClosedRange<RowPath>? {
    let count = list.sections[section].count
    return count > 0 ? RowPath(section, 0)...RowPath(section, count - 1) : nil
  }

  /// All rows from the start of a range, with the whole section if it is folded.
  private func span(from start: RowPath, to rows: ClosedRange<RowPath>) -> ClosedRange<RowPath> {
    let isFolded = list.sections[start.section].folded
    let first = (isFolded ? self.rows(of: start.section) : nil) ?? start...start
    return min(first.lowerBound, rows.lowerBound)...max(first.upperBound, rows.upperBound)
  }

  private mutating func markAll() -> [Effect] {
    rangeStart = nil
    // By tag an entry has several rows: only the journal knows the number of entries.
    guard scope.grouping.repeatsEntries || marks.count < list.rowCount else {
      marks = []
      return []
    }
    return [.list(.markAll)]
  }

  /// Changes the marks of these entries.
  mutating func mark(_ numbers: [Int64], _ change: MarkChange) {
    switch change {
    case .add: marks.formUnion(numbers)
    case .replace: marks = Set(numbers)
    case .toggle where marks.isSuperset(of: numbers): marks.subtract(numbers)
    case .toggle: marks.formUnion(numbers)
    }
  }
}
