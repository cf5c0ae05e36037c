import SectionedResults

/// A mouse event at a cell of the screen.
package struct MouseAction: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// The left button was pressed.
    case click
    /// The wheel was turned by a number of lines, down if positive.
    case wheel(Int)
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
/// it, a click on a header folds; in the calendar the wheel turns months, in a bar or a menu it
/// moves the selection.
extension State {
  mutating func use(_ mouse: MouseAction) -> [Effect] {
    guard prompt == nil, question == nil, layout.main.contains(mouse.line) else { return [] }
    switch mouse.kind {
    case .wheel(let lines): return wheel(lines, column: mouse.column)
    case .click: return click(line: mouse.line, column: mouse.column)
    }
  }

  private mutating func wheel(_ lines: Int, column: Int) -> [Effect] {
    switch mode {
    case .calendar(let calendar):
      return move(lines > 0 ? .pageDown : .pageUp, count: 1, in: calendar)
    case .jump(let bar):
      move(lines > 0 ? .down : .up, count: 1, in: bar)
      return []
    case .list, .reading, .help, .page, .versions, .menu, .statistics, .order: break
    }
    if layout.isSplit, mode.showsList, layout.pane.contains(column) {
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
    deletions = DeletionRun()
    switch mode {
    case .calendar(let calendar): return click(calendar, line: line, column: column)
    case .jump(let bar): return click(bar, line: line, column: column)
    case .menu(let menu): return click(menu, line: line)
    case .list, .reading, .help, .page, .versions, .statistics, .order: break
    }
    if layout.isSplit, layout.pane.contains(column) {
      return mode == .reading ? [] : target.map { [.read(.entry($0))] } ?? []
    }
    guard mode.showsList, layout.list.contains(column) else { return [] }
    if mode == .reading { leaveMode() }
    switch list.visibleLine(at: line) {
    case .header(let section, _): list.toggleFold(section: section)
    case .row(let path) where list.selection == .row(path): return [.read(.entry(.row(path)))]
    case .row(let path): list.select(path)
    case nil: break
    }
    return []
  }

  /// A click on a day selects it, a click on the selected day opens it.
  private mutating func click(_ calendar: MonthCalendar, line: Int, column: Int) -> [Effect] {
    let places = CalendarLayout(
      calendar, width: size.columns, height: layout.main.count, firstWeekday: firstWeekday)
    guard let day = places.day(atColumn: column, line: line - layout.main.lowerBound) else {
      return []
    }
    if day == calendar.day { return open(day) }
    var calendar = calendar
    calendar.day = day
    return show(calendar)
  }

  private mutating func click(_ bar: JumpBar, line: Int, column: Int) -> [Effect] {
    let found = bar.index(
      atColumn: column, line: line - layout.main.lowerBound, height: layout.main.count)
    guard let found else { return [] }
    if found == bar.selected { return open(bar) }
    var bar = bar
    bar.selected = found
    mode = .jump(bar)
    return []
  }

  private mutating func click(_ menu: Menu, line: Int) -> [Effect] {
    let index = menu.offset + line - layout.main.lowerBound
    guard menu.items.indices.contains(index) else { return [] }
    if index == menu.selected { return choose(from: menu) }
    var menu = menu
    menu.selected = index
    show(menu)
    return []
  }
}
