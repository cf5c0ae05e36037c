import Journal
import JournalApp
import TerminalUI

/// Draws the reading pane: the entry's lines from its offset on, with what the search found.
struct PaneView {
  let reading: Reading
  let layout: EntryLayout
  /// What the search or the filter found, in bytes of the entry's text.
  let places: [Range<Int>]

  /// Draws into a part of a canvas that is as wide as the lines were laid out for.
  func draw(in rect: CanvasRect, on canvas: inout Canvas) {
    let lines = layout.lines
    let shown = reading.offset..<max(reading.offset, lines.count)
    for (row, index) in zip(rect.row..<(rect.row + rect.height), shown) {
      canvas.draw(
        lines[index].highlighting(places), at: rect.column, row: row, width: rect.width)
    }
    if reading.isGone, rect.height > 1 { drawNotice(in: rect, on: &canvas) }
  }

  /// Says above the text that the entry is not in the journal any more.
  private func drawNotice(in rect: CanvasRect, on canvas: inout Canvas) {
    let row = CanvasRect(column: rect.column, row: rect.row, width: rect.width, height: 1)
    canvas.fill(row)
    canvas.draw(
      TextLayout.cut("deleted meanwhile; this was its text", columns: rect.width),
      at: rect.column, row: rect.row, style: Style(.error, bold: true))
  }
}
