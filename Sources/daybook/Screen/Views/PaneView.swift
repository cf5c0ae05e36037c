import Journal
import JournalApp
import TerminalUI

/// Draws the reading pane: the entry's lines from its offset on, with what the search found.
struct PaneView {
  let reading: Reading
  let layout: EntryLayout
  let highlighter: QueryHighlighter

  /// Draws into a part of a canvas that is as wide as the lines were laid out for.
  func draw(in rect: CanvasRect, on canvas: inout Canvas) {
    let lines = layout.lines
    let shown = reading.offset..<max(reading.offset, lines.count)
    for (row, index) in zip(rect.row..<(rect.row + rect.height), shown) {
      let style = index == 0 ? Style(.header, bold: true) : Style()
      canvas.draw(lines[index], at: rect.column, row: row, style: style)
      highlight(lines[index], at: rect.column, row: row, on: &canvas)
    }
    if reading.isGone, rect.height > 1 { drawNotice(in: rect, on: &canvas) }
  }

  private func highlight(_ line: [Cluster], at column: Int, row: Int, on canvas: inout Canvas) {
    guard !highlighter.isEmpty else { return }
    let text = line.plainText
    for range in highlighter.ranges(in: text) {
      let start = TextWidth.columns(of: String(text[..<range.lowerBound]))
      let width = TextWidth.columns(of: String(text[range]))
      let rect = CanvasRect(column: column + start, row: row, width: width, height: 1)
      canvas.restyle(rect) { style in
        style.role = .match
        style.underline = true
      }
    }
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
