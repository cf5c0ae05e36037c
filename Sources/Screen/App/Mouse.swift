import SectionedResults

/// A mouse event at a cell of the screen.
package struct MouseAction: Equatable, Codable, Sendable {
  package enum Kind: Equatable, Codable, Sendable {
    /// The left button was pressed.
    case click
    /// The pointer was moved with the left button down.
    case drag
    /// The left button was released.
    case release
    /// The wheel was turned by a number of lines, down if positive.
    case wheel(Int)

    var isWheel: Bool { if case .wheel = self { true } else { false } }
  }

  package var kind: Kind
  /// The column, from 0.
  package var column: Int
  /// The line, from 0.
  package var line: Int

  package init(_ kind: Kind, column: Int, line: Int) {
    self.kind = kind
    self.column = column
    self.line = line
  }
}

/// The mouse: the wheel scrolls the view under it, a click selects, a click on the selection opens
/// it, a click on a header folds, a click on a hint presses its keys, on the
/// filter in the title bar clears it; in the calendar the wheel
/// turns months, in a bar or a menu it moves the selection. Dragging the line between list and pane
/// moves it.
extension State {
  mutating func use(_ mouse: MouseAction, _ keys: KeyTable) -> [Effect] {
    if mouse.kind == .click, let hinted = hint(at: mouse, keys) {
      return hinted.keys.flatMap { press($0, keys) }
    }
    if pane.split.isDragged {
      if mouse.kind == .drag { dragSplit(toColumn: mouse.column, line: mouse.line) }
      pane.split.isDragged = mouse.kind == .drag
      return []
    }
    // An action on the selected entry must not lose it.
    let scrolls = mouse.kind.isWheel && prompt.open?.kind.keepsDrafts == true
    guard prompt.open == nil || scrolls, questions.question == nil else { return [] }
    if mouse.kind == .click, layout.header.contains(mouse.line), pages.mode.showsList,
      TitleBar(self).isFilter(column: mouse.column, width: environment.size.columns)
    {
      return [.query(.show(list.scope.filtered(by: ""), .nearest))]
    }
    guard layout.main.contains(mouse.line) else { return [] }
    switch mouse.kind {
    case .drag, .release: return []
    case .click where layout.sidebar.contains(mouse.column):
      status = nil
      return clickSidebar(line: mouse.line - layout.main.lowerBound)
    case .wheel(let lines) where layout.sidebar.contains(mouse.column):
      let height = layout.main.count
      sidebar?.scroll(by: lines, height: height)
      return []
    case .click where layout.isDivider(column: mouse.column, line: mouse.line):
      pane.split.isDragged = true
      return []
    case .wheel(let lines): return wheel(lines, at: mouse)
    case .click: return click(line: mouse.line, column: mouse.column)
    }
  }

  /// The keys of the clicked hint on the last line.
  private func hint(at mouse: MouseAction, _ keys: KeyTable) -> KeySequence? {
    guard showsHints, !showsMessageBelow, layout.foot.first == mouse.line else { return nil }
    return HintLine(keys, self).keys(atColumn: mouse.column, columns: environment.size.columns)
  }

  private mutating func wheel(_ lines: Int, at mouse: MouseAction) -> [Effect] {
    if layout.isSplit, layout.isInPane(column: mouse.column, line: mouse.line) {
      scrollPane(to: (pane.reading?.offset ?? 0) + lines)
    } else if pages.mode == .reading, layout.isSplit {
      list.widget.scroll(by: lines)
    } else {
      return scroll(by: lines)
    }
    return []
  }

  private mutating func click(line: Int, column: Int) -> [Effect] {
    status = nil
    list.deletions = DeletionRun()
    pressed.hasJustDeleted = false
    if pages.mode.page != nil {
      return clickPage(column: column, line: line - layout.main.lowerBound)
    }
    if layout.isSplit, layout.isInPane(column: column, line: line) {
      guard pages.mode == .reading else { return target.map { [.read(.entry($0))] } ?? [] }
      return clickPane(column: column, line: line)
    }
    if pages.mode == .reading, layout.isInPane(column: column, line: line) {
      return clickPane(column: column, line: line)
    }
    guard layout.list.contains(column), layout.listLines.contains(line) else { return [] }
    if pages.mode == .reading || pages.mode == .sidebar { leaveMode() }
    switch list.widget.visibleLine(at: line - layout.listLines.lowerBound) {
    case .header(let section, _): list.widget.toggleFold(section: section)
    case .row(let path) where list.widget.selection == .row(path):
      return [.read(.entry(.row(path)))]
    case .row(let path): list.widget.select(path)
    case nil: break
    }
    return []
  }
}
