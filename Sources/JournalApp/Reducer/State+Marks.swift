import SectionedResults

/// Marks: by number, so that they stay with their entries whatever happens to the list.
extension State {
  mutating func mark(_ action: Action) -> [Effect] {
    guard let path = list.selection?.path else {
      return action == .markAll && list.rowCount > 0 ? markAll() : markSection()
    }
    switch action {
    case .markAll: return markAll()
    case .markRange:
      guard let start = rangeStart else {
        rangeStart = path
        status = .done("marking from here; move, then V marks up to there, Esc gives up")
        return []
      }
      rangeStart = nil
      return [.markRows(min(start, path)...max(start, path), .add)]
    default:
      let range = rangeStart.map { min($0, path)...max($0, path) }
      rangeStart = nil
      if range == nil { list.moveSelection(by: 1) }
      return [.markRows(range ?? path...path, range == nil ? .toggle : .add)]
    }
  }

  private mutating func markAll() -> [Effect] {
    rangeStart = nil
    guard marks.count < list.rowCount else {
      marks = []
      return []
    }
    return [.markAll]
  }

  /// Marks the rows of a folded section, whose header is selected.
  private mutating func markSection() -> [Effect] {
    guard let section = list.selection?.section, list.sections[section].count > 0 else {
      status = .failed("no entry selected")
      return []
    }
    let last = RowPath(section, list.sections[section].count - 1)
    return [.markRows(RowPath(section, 0)...last, .toggle)]
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
