import JournalApp
import TerminalUI

/// Draws the help: the keys of each action and what it does, made from the key table.
struct HelpView {
  let keys: KeyTable

  /// Draws from a line on.
  func draw(from offset: Int, in rect: CanvasRect, on canvas: inout Canvas) {
    let lines = keys.help()
    let widest = lines.map { TextWidth.columns(of: $0.keys) }.max() ?? 0
    let column = rect.column + min(widest + 2, rect.width / 2)
    let rows = rect.row..<(rect.row + rect.height)
    for (row, line) in zip(rows, lines.dropFirst(offset)) {
      canvas.draw(
        line.keys, at: rect.column, row: row, width: column - rect.column - 1,
        style: Style(.header, bold: true))
      let room = rect.column + rect.width - column
      canvas.draw(TextLayout.cut(line.text, columns: room), at: column, row: row)
    }
  }
}

/// Draws lines that a command printed; those of a difference are told apart.
struct PageView {
  let page: Page

  /// Draws the page from its offset on.
  func draw(in rect: CanvasRect, on canvas: inout Canvas) {
    let rows = rect.row..<(rect.row + rect.height)
    for (row, line) in zip(rows, page.lines.dropFirst(page.offset)) {
      canvas.draw(
        TextLayout.cut(line, columns: rect.width), at: rect.column, row: row, style: style(of: line)
      )
    }
  }

  private func style(of line: String) -> Style {
    line.hasPrefix("+ ")
      ? Style(.changed, bold: true) : line.hasPrefix("- ") ? Style(.hint, dim: true) : Style()
  }
}
