import JournalApp
import TerminalUI

/// Draws the help: the keys of each action and what it does, made from the key table.
struct HelpView {
  let keys: KeyTable

  /// Draws from a line on.
  func draw(from offset: Int, in rect: CanvasRect, on canvas: inout Canvas) {
    let layout = HelpLayout(keys, columns: rect.width)
    let rows = rect.row..<(rect.row + rect.height)
    for (row, line) in zip(rows, layout.lines.dropFirst(offset)) {
      switch line {
      case .blank: break
      case .heading(let text):
        canvas.draw(text, at: rect.column, row: row, style: Style(.header, bold: true))
      case .keys(let keys, let text):
        canvas.draw(
          keys, at: rect.column + layout.indent, row: row,
          width: layout.column - layout.indent - 1, style: Style(bold: true))
        canvas.draw(
          TextLayout.cut(text, columns: rect.width - layout.column),
          at: rect.column + layout.column, row: row)
      }
    }
  }
}
