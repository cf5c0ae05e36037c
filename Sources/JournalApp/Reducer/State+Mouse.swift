import SectionedResults

/// The mouse: the wheel scrolls what is under it, a click selects, a click on the selected opens, a
/// click on a header folds.
extension State {
  mutating func use(_ mouse: MouseIntent) -> [Effect] {
    guard prompt == nil, layout.main.contains(mouse.line) else { return [] }
    switch mouse.kind {
    case .wheel(let lines): return wheel(lines, column: mouse.column)
    case .click: return click(line: mouse.line, column: mouse.column)
    }
  }

  private mutating func wheel(_ lines: Int, column: Int) -> [Effect] {
    if layout.isSplit, layout.pane.contains(column) {
      scrollPane(to: (pane?.offset ?? 0) + lines)
    } else if mode == .reading, layout.list.contains(column) {
      list.scroll(by: lines)
    } else {
      scroll(by: lines)
    }
    return []
  }

  private mutating func click(line: Int, column: Int) -> [Effect] {
    status = nil
    if layout.isSplit, layout.pane.contains(column) {
      return mode == .reading ? [] : target.map { [.read($0)] } ?? []
    }
    guard mode.showsList, layout.list.contains(column) else { return [] }
    if mode == .reading { leaveMode() }
    switch list.visibleLine(at: line) {
    case .header(let section, _): list.toggleFold(section: section)
    case .row(let path) where list.selection == .row(path): return [.read(.row(path))]
    case .row(let path): list.select(path)
    case nil: break
    }
    return []
  }
}
