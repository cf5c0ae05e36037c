import JournalApp
import TerminalUI

/// Draws lines that a command printed; those of a difference are told apart.
struct PageView {
  let page: Page

  /// Draws the page from its offset on.
  func draw(in rect: CanvasRect, on canvas: inout Canvas) {
    let rows = rect.row..<(rect.row + rect.height)
    for (row, line) in zip(rows, page.lines.dropFirst(page.offset)) {
      let isHeading = page.hasHeading && page.offset == 0 && row == rect.row
      canvas.draw(
        TextLayout.cut(line, columns: rect.width), at: rect.column, row: row,
        style: isHeading ? Style(.header, bold: true) : style(of: line))
    }
  }

  private func style(of line: String) -> Style {
    line.hasPrefix("+ ")
      ? Style(.added) : line.hasPrefix("- ") ? Style(.removed) : Style()
  }
}
