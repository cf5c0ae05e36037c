import JournalApp
import TerminalUI

/// Draws the help: the keys of each action and what it does, made from the key table.
struct HelpView {
  let keys: KeyTable

  /// Draws from a line on.
  func draw(from offset: Int, in rect: CanvasRect, on canvas: inout Canvas) {
    let lines = keys.helpLines()
    let indent = rect.width >= 30 ? 2 : 0
    let widest = lines.map(Self.keyColumns).max() ?? 0
    let column = rect.column + min(widest + indent + 2, rect.width / 2)
    let rows = rect.row..<(rect.row + rect.height)
    for (row, line) in zip(rows, lines.dropFirst(offset)) {
      switch line {
      case .blank: break
      case .heading(let text):
        canvas.draw(text, at: rect.column, row: row, style: Style(.header, bold: true))
      case .keys(let keys, let text):
        canvas.draw(
          keys, at: rect.column + indent, row: row, width: column - rect.column - indent - 1,
          style: Style(bold: true))
        let room = rect.column + rect.width - column
        canvas.draw(TextLayout.cut(text, columns: room), at: column, row: row)
      }
    }
  }

  private static func keyColumns(_ line: HelpLine) -> Int {
    if case .keys(let keys, _) = line { TextWidth.columns(of: keys) } else { 0 }
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
