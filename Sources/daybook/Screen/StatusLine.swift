import JournalApp
import TerminalUI

/// The line above the foot: what was last done, else the journal's name; at its end the place in the
/// list and the keys that wait.
struct StatusLine {
  private let state: State

  /// Makes the status line of a state.
  init(_ state: State) {
    self.state = state
  }

  /// Draws it over a whole row.
  func draw(row: Int, on canvas: inout Canvas) {
    let failed = state.status?.kind == .failed
    let style = Style(failed ? .error : .status, bold: failed, reverse: true)
    canvas.fill(CanvasRect(column: 0, row: row, width: canvas.width, height: 1), style: style)
    let right = place
    let rightColumns = TextWidth.columns(of: right)
    let showsRight = canvas.width >= rightColumns + 16
    let room = canvas.width - 2 - (showsRight ? rightColumns + 2 : 0)
    let left = TextLayout.cut(state.status?.text ?? state.journal, columns: max(0, room))
    canvas.draw(left, at: 1, row: row, style: style)
    if showsRight {
      canvas.draw(right, at: canvas.width - rightColumns - 1, row: row, style: style)
    }
  }

  private var place: String {
    let waiting = state.pending.isEmpty ? "" : "\(keys)  "
    switch state.mode {
    case .list: return waiting + listPlace
    case .reading(let reading): return waiting + percent(reading.offset, of: reading.lines)
    case .help(let offset): return waiting + percent(offset, of: KeyTable.standard.help().count)
    }
  }

  private var keys: String {
    (state.pending.count.map(String.init) ?? "") + KeyTable.display(state.pending.sequence)
  }

  /// How many entries stand in the journal, and which one is selected.
  private var listPlace: String {
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
