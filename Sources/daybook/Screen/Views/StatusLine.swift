import Journal
import JournalApp
import TerminalUI

/// The line above the foot: what was last done, else the journal with what is special about the list;
/// at its end work, marks, the keys that wait, and the place.
struct StatusLine {
  private let state: State
  private let dates: DateStyle

  /// Makes the status line of a state.
  init(_ state: State, dates: DateStyle = DateStyle(names: .ofUser)) {
    self.state = state
    self.dates = dates
  }

  /// Draws it over a whole row.
  func draw(row: Int, on canvas: inout Canvas) {
    let failed = state.status?.kind == .failed
    let style = Style(failed ? .error : .status, bold: failed, reverse: true)
    if failed, drawLong(row: row, style, on: &canvas) { return }
    canvas.fill(CanvasRect(column: 0, row: row, width: canvas.width, height: 1), style: style)
    let right = right(columns: canvas.width - 17)
    let rightColumns = TextWidth.columns(of: right)
    let room = canvas.width - 2 - (right.isEmpty ? 0 : rightColumns + 2)
    canvas.draw(
      TextLayout.cut(left, columns: max(0, room)), at: 1, row: row, style: style)
    if !right.isEmpty {
      canvas.draw(right, at: canvas.width - rightColumns - 1, row: row, style: style)
    }
  }

  /// Why something failed must be read whole: it takes more lines where one is not enough.
  ///
  /// - Returns: whether it did.
  private func drawLong(row: Int, _ style: Style, on canvas: inout Canvas) -> Bool {
    let most = min(3, row + 1)
    let lines = TextLayout.wrap(Sanitizer.line(left), columns: max(1, canvas.width - 2))
    guard lines.count > 1, most > 1 else { return false }
    let shown = lines.prefix(most)
    for (index, line) in shown.enumerated() {
      let place = row - shown.count + 1 + index
      canvas.fill(CanvasRect(column: 0, row: place, width: canvas.width, height: 1), style: style)
      let isCut = index == most - 1 && lines.count > most
      canvas.draw(
        isCut ? TextLayout.cut(line + [TextLayout.ellipsis], columns: canvas.width - 2) : line,
        at: 1, row: place, width: canvas.width - 2, style: style)
    }
    return true
  }

  private var left: String {
    if let text = state.status?.text { return text }
    switch state.mode {
    case .page(let page): return page.title
    case .menu(let menu): return menu.title
    case .versions(let page): return "entry \(page.number)  version \(page.index) of \(page.count)"
    case .calendar(let calendar): return chosen(calendar)
    case .statistics(let view):
      return view.subject.isEmpty ? state.journal : "\(state.journal)  \(view.subject)"
    default:
      let summary = state.scope.summary
      return summary.isEmpty ? state.journal : "\(state.journal)  \(summary)"
    }
  }

  private func chosen(_ calendar: MonthCalendar) -> String {
    let count = calendar.counts[calendar.day] ?? 0
    let entries = count == 1 ? "1 entry" : "\(count) entries"
    return "\(entries) on \(dates.text(of: calendar.day))"
  }

  /// What stands at the end: the place always, the rest as far as there is room, the first last.
  private func right(columns: Int) -> String {
    var parts = [state.work.map { "\($0)…" }, marked, search, keys, place].compactMap(\.self)
    while parts.count > 1, width(parts) > columns { parts.removeFirst() }
    return width(parts) <= columns ? parts.joined(separator: "  ") : ""
  }

  private func width(_ parts: [String]) -> Int {
    TextWidth.columns(of: parts.joined(separator: "  "))
  }

  private var marked: String? {
    if state.rangeStart != nil { return "range" }
    return state.marks.isEmpty ? nil : "\(state.marks.count) marked"
  }

  private var search: String? {
    guard let text = state.search?.text, !text.isEmpty, state.prompt == nil else { return nil }
    return "/\(text.count > 20 ? text.prefix(19) + "…" : text)"
  }

  private var keys: String? {
    let pending = state.pending
    if pending.isEmpty { return nil }
    return (pending.count.map(String.init) ?? "") + KeyTable.display(pending.sequence)
  }

  private var place: String? {
    switch state.mode {
    case .list, .order: listPlace
    case .reading: state.pane.map { percent($0.offset, of: $0.lines) }
    case .help(let offset): percent(offset, of: state.helpLines)
    case .page(let page): percent(page.offset, of: page.lines.count)
    case .versions(let page): percent(page.offset, of: page.lines)
    case .menu(let menu): menu.items.isEmpty ? "none" : "\(menu.selected + 1)/\(menu.items.count)"
    case .jump(let bar): "\(bar.selected + 1)/\(bar.titles.count)"
    case .statistics(let view): percent(view.offset, of: view.lines)
    case .calendar: nil
    }
  }

  /// How many entries stand in the list, and which one is selected.
  ///
  /// By tag an entry has as many rows as tags: there the place is that in the section.
  private var listPlace: String {
    if state.scope.sectioning == .tag {
      guard let selection = state.list.selection else {
        return "\(state.list.sections.count) sections"
      }
      let section = state.list.sections[selection.section]
      let name = section.key.isEmpty ? "untagged" : Tag.typed(section.key)
      return selection.path.map { "\($0.row + 1)/\(section.count) \(name)" }
        ?? "\(section.count) \(name)"
    }
    let total = state.list.rowCount
    guard let path = state.list.selection?.path else {
      return total == 1 ? "1 entry" : "\(total) entries"
    }
    let before = state.list.sections[..<path.section].reduce(0) { $0 + $1.count }
    return "\(before + path.row + 1)/\(total)"
  }

  private func percent(_ offset: Int, of lines: Int) -> String {
    let room = lines - state.layout.main.count
    guard room > 0 else { return "all" }
    return offset == 0 ? "top" : offset >= room ? "end" : "\(offset * 100 / room)%"
  }
}
