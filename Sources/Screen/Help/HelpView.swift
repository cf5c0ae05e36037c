import TextLayout

extension HelpPage {
  /// Draws the keys of each action and its description, with search matches.
  func draw(_ state: State, in rect: CanvasRect, on canvas: inout Canvas) {
    let search = state.pageSearch
    let rows = rect.row..<(rect.row + rect.height)
    for (row, index) in zip(rows, offset..<max(offset, layout.lines.count)) {
      let line = FoundText(search, isCurrent: search?.line == index)
      switch layout.lines[index] {
      case .blank: break
      case .title(let text):
        line.draw(
          text, at: rect.column, row: row, width: rect.width,
          style: Style(.header, bold: true, underline: true), on: &canvas)
      case .heading(let text):
        line.draw(
          text, at: rect.column, row: row, width: rect.width, style: Style(.header, bold: true),
          on: &canvas)
      case .keys(let keys, let text):
        line.draw(
          keys, at: rect.column + layout.indent, row: row,
          width: layout.column - layout.indent - 1, style: Style(bold: true), on: &canvas)
        line.draw(
          text, at: rect.column + layout.column, row: row, width: rect.width - layout.column,
          style: Style(), on: &canvas)
      }
    }
  }
}
