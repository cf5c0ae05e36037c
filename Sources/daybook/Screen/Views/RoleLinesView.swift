import TerminalUI

/// Draws lines made of parts, from one of them on.
struct RoleLinesView {
  let lines: [RoleLine]

  func draw(from offset: Int, in rect: CanvasRect, on canvas: inout Canvas) {
    let rows = rect.row..<(rect.row + rect.height)
    for (row, line) in zip(rows, lines.dropFirst(offset)) {
      let end = rect.column + rect.width
      var column = rect.column
      let isCut = line.columns > rect.width
      for part in line.parts where column < end {
        let style = Self.style(part.role)
        let room = end - column
        let text = TextLayout.cut(part.text, columns: isCut ? room : .max)
        column += canvas.draw(text, at: column, row: row, width: room, style: style)
      }
    }
  }

  /// What the role looks like elsewhere on the screen.
  private static func style(_ role: Style.Role) -> Style {
    switch role {
    case .header, .heading, .changed: Style(role, bold: true)
    case .hint: Style(role, dim: true)
    default: Style(role)
    }
  }
}
