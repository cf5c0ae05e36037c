import Journal
import TextLayout

extension Menu {
  func draw(_ state: State, in rect: CanvasRect, on canvas: inout Canvas) {
    draw(marking: FuzzyPattern(typed), in: rect, on: &canvas)
  }

  /// Draws the visible lines: the selected one marked, the matched letters underlined, the details in a
  /// column after the names.
  func draw(marking pattern: FuzzyPattern, in rect: CanvasRect, on canvas: inout Canvas) {
    let widest = items.map { TextWidth.columns(of: $0.label) }.max() ?? 0
    let room = max(1, rect.width - 2)
    let labels = min(widest, max(room * 2 / 3, 1))
    let left = room - labels - 2
    // All of them in one form, so that they stay comparable.
    let isShort = items.contains {
      $0.shortDetail != nil && TextWidth.columns(of: $0.detail) > left
    }
    let rows = rect.row..<(rect.row + rect.height)
    for (row, index) in zip(rows, offset..<max(offset, items.count)) {
      let isChosen = index == selected
      let style = isChosen ? Style(.selected, reverse: true) : Style()
      if isChosen {
        canvas.fill(
          CanvasRect(column: rect.column, row: row, width: rect.width, height: 1), style: style)
        canvas.draw("›", at: rect.column, row: row, style: style)
      }
      let item = items[index]
      let label = TextFit.cut(item.label, columns: labels)
      canvas.draw(label, at: rect.column + 2, row: row, style: style)
      for place in pattern.places(in: item.label) {
        let start = TextFit.column(atByte: place.lowerBound, in: label)
        let end = TextFit.column(atByte: place.upperBound, in: label)
        canvas.restyle(
          CanvasRect(column: rect.column + 2 + start, row: row, width: end - start, height: 1)
        ) { $0 = Style(.match, bold: true, underline: true, reverse: isChosen) }
      }
      let detail = isShort ? item.shortDetail ?? item.detail : item.detail
      guard left > 0, !detail.isEmpty else { continue }
      canvas.draw(
        TextFit.cut(detail, columns: left), at: rect.column + labels + 4, row: row,
        style: isChosen ? style : Style(.hint, dim: true))
    }
  }
}
