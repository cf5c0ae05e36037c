import JournalApp
import TerminalUI

/// Draws lines that a command printed; those of a difference are told apart.
struct PageView {
  let page: Page
  var search: PageSearch?

  /// Draws the page from its offset on.
  func draw(in rect: CanvasRect, on canvas: inout Canvas) {
    let rows = rect.row..<(rect.row + rect.height)
    for (row, index) in zip(rows, page.offset..<max(page.offset, page.lines.count)) {
      let line = page.lines[index]
      let isHeading = page.hasHeading && index == 0
      FoundText(search, isCurrent: search?.line == index).draw(
        line, at: rect.column, row: row, width: rect.width,
        style: isHeading ? Style(.header, bold: true) : style(of: line),
        on: &canvas)
    }
  }

  private func style(of line: String) -> Style {
    line.hasPrefix("+ ")
      ? Style(.added) : line.hasPrefix("- ") ? Style(.removed) : Style()
  }
}
