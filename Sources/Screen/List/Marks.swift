import SectionedResults

/// The marked entries.
package struct MarkState: Equatable, Sendable {
  /// The numbers of the marked entries.
  package var numbers: Set<Int64> = []
  /// The marks before a range, or a count, whose action asks in a prompt: those that stay after the answer.
  package var before: Set<Int64>?
  /// The start of a range that is being marked.
  package var rangeStart: RowPath?

  /// Changes the marks of these entries.
  mutating func change(_ entries: [Int64], _ change: MarkChange) {
    switch change {
    case .add: numbers.formUnion(entries)
    case .replace: numbers = Set(entries)
    case .toggle where numbers.isEmpty: numbers = Set(entries)
    case .toggle where numbers.isSuperset(of: entries): numbers.subtract(entries)
    case .toggle: numbers.formUnion(entries)
    }
  }

  /// Adds marks for as long as an action asks about them.
  mutating func lend(_ entries: [Int64]) {
    before = numbers
    numbers.formUnion(entries)
  }

  /// Takes the marks of a range away whose action is performed, or given up.
  mutating func endRange() {
    if let before { numbers.formIntersection(before) }
    before = nil
  }
}

/// Marks, stored by number so that they follow their entries through all changes of the list.
extension State {
  mutating func mark(_ action: MarkAction) -> [Effect] {
    if action == .all, list.widget.rowCount > 0 { return markAll() }
    guard let rows = selectedRows else {
      status = .failed("no entry selected")
      return []
    }
    if let start = marks.rangeStart {
      marks.rangeStart = nil
      return [.list(.markRows(span(from: start, to: rows), .add))]
    }
    guard action == .range else {
      if list.widget.selection?.path != nil { list.widget.moveSelection(by: 1) }
      return [.list(.markRows(rows, .toggle))]
    }
    marks.rangeStart = rows.lowerBound
    status = .done("range started: move, V marks it, Esc cancels")
    return []
  }

  /// Ends and marks a range when an action on the marked entries follows; `nil` if there is no
  /// range or the action needs none.
  mutating func closeRange(for action: Action) -> [Effect]? {
    guard pages.mode == .list, action.row.traits.contains(.actsOnMarked),
      let start = marks.rangeStart,
      let rows = selectedRows
    else {
      return nil
    }
    marks.rangeStart = nil
    return [.list(.markRows(span(from: start, to: rows), .add, then: action))]
  }

  /// Performs the action that ended a range, or that followed a count, on its entries too.
  ///
  /// They do not stay marked: they may be far away when the next key is pressed. A prompt needs the
  /// marks until its answer.
  mutating func actOnRange(_ numbers: [Int64], _ action: Action) -> [Effect] {
    marks.lend(numbers)
    let effects = perform(action, isNoted: false)
    let asks = effects.contains { if case .prompt(.open) = $0 { true } else { false } }
    if !asks { marks.endRange() }
    return effects
  }

  /// Marks the entries of an action again that failed, for the prompt that asks once more.
  mutating func remark(_ target: Target) {
    guard case .entries(let numbers) = target, pages.mode == .list,
      !marks.numbers.isSuperset(of: numbers)
    else {
      return
    }
    marks.lend(numbers)
  }

  /// The selected row, or all rows of a selected folded section.
  private var selectedRows: ClosedRange<RowPath>? {
    guard let selection = list.widget.selection else { return nil }
    return selection.path.map { $0...$0 } ?? rows(of: selection.section)
  }

  private func rows(of section: Int) -> ClosedRange<RowPath>? {
    let count = list.widget.sections[section].count
    return count > 0 ? RowPath(section, 0)...RowPath(section, count - 1) : nil
  }

  /// All rows from the start of a range, with the whole section if it is folded.
  private func span(from start: RowPath, to rows: ClosedRange<RowPath>) -> ClosedRange<RowPath> {
    let isFolded = list.widget.sections[start.section].folded
    let first = (isFolded ? self.rows(of: start.section) : nil) ?? start...start
    return min(first.lowerBound, rows.lowerBound)...max(first.upperBound, rows.upperBound)
  }

  private mutating func markAll() -> [Effect] {
    marks.rangeStart = nil
    // By tag an entry has several rows: only the journal knows the number of entries.
    guard list.scope.grouping.repeatsEntries || marks.numbers.count < list.widget.rowCount else {
      marks.numbers = []
      return []
    }
    work.word = "marking"
    return [.query(.markAll)]
  }
}
