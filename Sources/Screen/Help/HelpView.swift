import TextLayout

extension HelpPage {
  /// Draws the keys of each action and its description, with search matches.
  func draw(_ state: State, in rect: CanvasRect, on canvas: inout Canvas) {
    let search = state.pages.search
    let rows = rect.row..<(rect.row + rect.height)
    for (row, index) in zip(rows, offset..<max(offset, layout.rows.count)) {
      let text = FoundText(search, isCurrent: search?.line == index)
      for (place, line) in layout.rows[index].enumerated() {
        let column = rect.column + place * (layout.width + HelpLayout.gap)
        draw(line, text, at: column, row: row, width: rect.width, on: &canvas)
      }
    }
  }

  private func draw(
    _ line: HelpLine, _ found: FoundText, at column: Int, row: Int, width: Int,
    on canvas: inout Canvas
  ) {
    switch line {
    case .blank: break
    case .title(let text):
      found.draw(
        text, at: column, row: row, width: width,
        style: Style(.header, bold: true, underline: true), on: &canvas)
    case .heading(let text):
      found.draw(
        text, at: column, row: row, width: layout.width, style: Style(.header, bold: true),
        on: &canvas)
    case .keys(let keys, let text), .more(let keys, let text):
      found.draw(
        keys, at: column + layout.indent, row: row, width: layout.column - layout.indent - 1,
        style: Style(bold: true), on: &canvas)
      found.draw(
        text, at: column + layout.column, row: row, width: layout.width - layout.column,
        style: Style(), on: &canvas)
    }
  }
}
