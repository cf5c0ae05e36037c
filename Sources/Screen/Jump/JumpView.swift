import TextLayout

/// Draws the jump bar: index titles in columns, the selected one reversed.
struct JumpBarView {
  let bar: JumpBar

  /// Draws the lines around the selected title.
  func draw(in rect: CanvasRect, on canvas: inout Canvas) {
    let lineCount = (bar.titles.count + bar.columns - 1) / bar.columns
    let first = bar.firstLine(height: rect.height)
    for (row, line) in zip(rect.row..<(rect.row + rect.height), first..<max(first, lineCount)) {
      for column in 0..<bar.columns {
        let index = line * bar.columns + column
        guard index < bar.titles.count else { break }
        draw(index, at: rect.column + column * bar.cellWidth + 1, row: row, on: &canvas)
      }
    }
  }

  private func draw(_ index: Int, at column: Int, row: Int, on canvas: inout Canvas) {
    let isChosen = index == bar.selected
    let style = isChosen ? Style(.selected, reverse: true) : Style()
    let title = bar.titles[index].title
    canvas.draw(
      TextFit.cut(isChosen ? "›\(title) " : " \(title)", columns: bar.cellWidth - 1),
      at: column - 1, row: row, style: style)
  }
}
