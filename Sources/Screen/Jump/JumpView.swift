import TextLayout

extension JumpBar {
  /// Draws the lines of titles around the selected one, which is reversed.
  func draw(_ state: State, in rect: CanvasRect, on canvas: inout Canvas) {
    let lineCount = (titles.count + columns - 1) / columns
    let first = firstLine(height: rect.height)
    for (row, line) in zip(rect.row..<(rect.row + rect.height), first..<max(first, lineCount)) {
      for column in 0..<columns {
        let index = line * columns + column
        guard index < titles.count else { break }
        draw(index, at: rect.column + column * cellWidth + 1, row: row, on: &canvas)
      }
    }
  }

  private func draw(_ index: Int, at column: Int, row: Int, on canvas: inout Canvas) {
    let isChosen = index == selected
    let style = isChosen ? Style(.selected, reverse: true) : Style()
    let title = titles[index].title
    canvas.draw(
      TextFit.cut(isChosen ? "›\(title) " : " \(title)", columns: cellWidth - 1),
      at: column - 1, row: row, style: style)
  }
}
