import TerminalUI

/// A picture as a drawing that needs nothing else: each character has its own place, so that columns
/// stay columns in whatever font the reader has.
struct SVGDrawing {
  private static let cell = (width: 9, height: 20)
  private static let margin = 14
  private static let fontSize = 15
  /// Where letters stand in a row.
  private static let baseline = 15

  private let paper: Paper
  private let theme: Theme

  /// Makes a way of drawing.
  init(paper: Paper, theme: Theme) {
    self.paper = paper
    self.theme = theme
  }

  /// The whole file.
  func text(of picture: Picture) -> String {
    let canvas = picture.canvas
    var inks = SVGInks(paper: paper, theme: theme)
    var body: [String] = []
    for row in 0..<canvas.height {
      body += backgrounds(canvas[row: row], row, &inks)
    }
    if let cursor = picture.cursor {
      body.append(block(cursor.column..<(cursor.column + 1), cursor.row, fill: inks.ink, ".4"))
    }
    for row in 0..<canvas.height {
      body += SVGRow(canvas[row: row], &inks).elements(
        y: y(row), left: Self.margin, cell: Self.cell, baseline: Self.baseline)
    }
    let width = canvas.width * Self.cell.width + 2 * Self.margin
    let height = canvas.height * Self.cell.height + 2 * Self.margin
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" \
      width="\(width)" height="\(height)" fill="\(inks.ink)" role="img" aria-label="The screen of Daybook">
      <style>text{font:\(Self.fontSize)px ui-monospace,'SF Mono',Menlo,Consolas,\
      'DejaVu Sans Mono','Noto Sans Mono CJK JP',monospace}\(inks.rules)</style>
      <rect width="\(width)" height="\(height)" rx="8" fill="\(inks.ground)"/>
      \(body.joined(separator: "\n"))
      </svg>

      """
  }

  private func y(_ row: Int) -> Int { Self.margin + row * Self.cell.height }

  /// What lies behind the cells of a row, where it is not the ground of the whole.
  private func backgrounds(
    _ cells: ArraySlice<CanvasCell>, _ row: Int, _ inks: inout SVGInks
  ) -> [String] {
    var blocks: [(columns: Range<Int>, fill: String)] = []
    for (column, cell) in cells.enumerated() {
      let fill = inks.background(cell.style)
      if fill == inks.ground { continue }
      if let last = blocks.last, last.fill == fill, last.columns.upperBound == column {
        blocks[blocks.count - 1].columns = last.columns.lowerBound..<(column + 1)
      } else {
        blocks.append((column..<(column + 1), fill))
      }
    }
    return blocks.map { block($0.columns, row, fill: $0.fill) }
  }

  private func block(
    _ columns: Range<Int>, _ row: Int, fill: String, _ opacity: String? = nil
  ) -> String {
    let x = Self.margin + columns.lowerBound * Self.cell.width
    let width = columns.count * Self.cell.width
    let look = opacity.map { " opacity=\"\($0)\"" } ?? ""
    return "<rect x=\"\(x)\" y=\"\(y(row))\" width=\"\(width)\" height=\"\(Self.cell.height)\""
      + " fill=\"\(fill)\"\(look)/>"
  }
}
