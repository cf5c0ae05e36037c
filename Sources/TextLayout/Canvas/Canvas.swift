/// A screen, or a part of one, as a value: cells that widgets draw into, independent of a terminal.
///
/// All drawing is clipped to it. Text enters only through the ``Sanitizer``.
package struct Canvas: Equatable, Sendable {
  /// The width in columns.
  package let width: Int
  /// The height in rows.
  package let height: Int
  private var cells: [CanvasCell]
  /// The cells that a terminal may open as links, in the order in which they were drawn.
  package private(set) var links: [CanvasLink] = []
  /// The pictures of which cells show parts, which a terminal may draw in pixels.
  package private(set) var pictures: [CanvasPicture] = []

  /// Makes an empty canvas; a negative width or height becomes 0.
  package init(width: Int, height: Int) {
    self.width = max(0, width)
    self.height = max(0, height)
    cells = Array(repeating: .blank(), count: self.width * self.height)
  }

  /// The whole canvas.
  package var bounds: CanvasRect {
    CanvasRect(column: 0, row: 0, width: width, height: height)
  }

  /// The cell at a position; a blank one outside the canvas.
  package subscript(column: Int, row: Int) -> CanvasCell {
    contains(column, row) ? cells[row * width + column] : .blank()
  }

  /// The cells of a row, from left to right; none outside the canvas.
  package subscript(row row: Int) -> ArraySlice<CanvasCell> {
    (0..<height).contains(row) ? cells[row * width..<(row + 1) * width] : []
  }

  /// The text on the canvas: one line per row, without trailing blanks.
  package func plainText() -> String {
    (0..<height).map { row in
      let text = self[row: row].map(\.text).joined()
      let end = text.unicodeScalars.lastIndex { $0 != " " }
      return end.map { String(text.unicodeScalars[...$0]) } ?? ""
    }.joined(separator: "\n")
  }

  /// Changes the style of cells and keeps their text.
  package mutating func restyle(_ rect: CanvasRect, _ change: (inout Style) -> Void) {
    for row in clip(rect.row, rect.height, to: height) {
      for column in clip(rect.column, rect.width, to: width) {
        change(&cells[row * width + column].style)
      }
    }
  }

  /// Marks cells of a row as a link.
  ///
  /// - Parameters:
  ///   - columns: the columns, relative to `column`.
  ///   - address: the address; only one of printable characters is kept.
  package mutating func link(
    _ columns: Range<Int>, by column: Int, row: Int, to address: String
  ) {
    let start = min(max(0, columns.lowerBound.addingClamped(column)), width)
    let end = min(max(start, columns.upperBound.addingClamped(column)), width)
    guard start < end, (0..<height).contains(row),
      address.unicodeScalars.allSatisfy({ $0.value > 0x20 && !(0x7F...0x9F).contains($0.value) })
    else { return }
    links.append(CanvasLink(row: row, columns: start..<end, address: address))
  }

  /// The index of a picture of which cells show parts; `nil` for too many.
  mutating func index(of picture: CanvasPicture) -> UInt16? {
    if let index = pictures.firstIndex(of: picture) { return UInt16(index) }
    guard let index = UInt16(exactly: pictures.count) else { return nil }
    pictures.append(picture)
    return index
  }

  /// Changes the cells that show parts of pictures.
  mutating func changeParts(_ change: (inout CanvasCell, PicturePart) -> Void) {
    for index in cells.indices {
      if let part = cells[index].part { change(&cells[index], part) }
    }
  }

  /// Fills cells with blanks.
  package mutating func fill(_ rect: CanvasRect, style: Style = Style()) {
    for row in clip(rect.row, rect.height, to: height) {
      for column in clip(rect.column, rect.width, to: width) {
        put(.blank(style), column, row)
      }
    }
  }

  /// Puts a cell on the canvas; if it overwrites half of a wide character, the other half becomes a
  /// blank.
  mutating func put(_ cell: CanvasCell, _ column: Int, _ row: Int) {
    let end = column + max(1, cell.columns)
    guard contains(column, row), end <= width else { return }
    let start = row * width
    if cells[start + column].columns == 0, column > 0 {
      cells[start + column - 1] = .blank(cells[start + column - 1].style)
    }
    if end < width, cells[start + end].columns == 0 {
      cells[start + end] = .blank(cells[start + end].style)
    }
    cells[start + column] = cell
    if cell.columns == 2 {
      cells[start + column + 1] = CanvasCell(text: "", columns: 0, style: cell.style)
    }
  }

  private func contains(_ column: Int, _ row: Int) -> Bool {
    column >= 0 && column < width && row >= 0 && row < height
  }

  private func clip(_ start: Int, _ length: Int, to limit: Int) -> Range<Int> {
    let lower = min(max(0, start), limit)
    let (end, overflow) = start.addingReportingOverflow(length)
    return lower..<max(lower, overflow ? limit : min(end, limit))
  }
}

/// Cells of a row that are a link.
package struct CanvasLink: Hashable, Sendable {
  package let row: Int
  package let columns: Range<Int>
  /// The address, without control characters.
  package let address: String
}

/// One cell of a canvas: a character with its marks and its style.
package struct CanvasCell: Hashable, Sendable {
  /// One character with a width and at most four marks, or a whole emoji sequence; empty in the
  /// second half of a wide one.
  ///
  /// It never contains a control character.
  package let text: String
  /// 1, 2 for the first half of a wide character, and 0 for its second half.
  package let columns: Int
  /// The style of the cell.
  package internal(set) var style: Style
  /// The colours of a part of a picture, in place of those of the style.
  package internal(set) var paint: CellPaint?
  /// The part of a picture that a terminal may draw in pixels in its place.
  package internal(set) var part: PicturePart?

  /// The text for a terminal: of an emoji sequence only the first emoji, whose width all terminals
  /// agree on.
  package var drawn: String { DrawnText.reduced(text) }

  /// A space.
  static func blank(_ style: Style = Style()) -> CanvasCell {
    CanvasCell(text: " ", columns: 1, style: style)
  }
}

/// A part of a canvas, in columns and rows from the top left corner.
package struct CanvasRect: Hashable, Sendable {
  /// The first column, from 0.
  package var column: Int
  /// The first row, from 0.
  package var row: Int
  /// The width in columns; never negative.
  package var width: Int
  /// The height in rows; never negative.
  package var height: Int

  /// Makes a rectangle; a negative width or height becomes 0.
  package init(column: Int, row: Int, width: Int, height: Int) {
    self.column = column
    self.row = row
    self.width = max(0, width)
    self.height = max(0, height)
  }
}

extension Canvas {
  /// Draws a one-line field, clipped at the edges of the canvas and after `width` columns.
  ///
  /// The text passes through the ``Sanitizer``, and only the displayed part is read.
  ///
  /// - Returns: the columns drawn, including those left of the canvas.
  @discardableResult
  package mutating func draw(
    _ text: String, at column: Int, row: Int, width: Int = .max, style: Style = Style()
  ) -> Int {
    let room = min(width, max(0, self.width.subtractingClamped(column)))
    let clusters = ClusterScanner.line(text, filling: room)
    return draw(clusters, at: column, row: row, width: width, style: style)
  }

  /// Draws clusters, clipped at the edges of the canvas and after `width` columns.
  ///
  /// A cluster that crosses the last column is replaced by spaces; only a substitute such as `^[`
  /// may be cut. Substitutes have the role `control`.
  ///
  /// - Returns: the columns drawn, including those left of the canvas.
  @discardableResult
  package mutating func draw(
    _ clusters: some Sequence<Cluster>, at column: Int, row: Int, width: Int = .max,
    style: Style = Style()
  ) -> Int {
    let end = min(self.width, column.addingClamped(max(0, width)))
    var x = column
    for cluster in clusters where cluster.columns > 0 {
      if x >= end { break }
      let fits = x + cluster.columns <= end
      if fits, let cell = cluster.onlyCell(style) {
        place(cell, x, row)
        x += cell.columns
        continue
      }
      let cells = fits || cluster.isSubstitute ? cluster.cells(style) : blanks(end - x, style)
      for cell in cells where x + cell.columns <= end {
        place(cell, x, row)
        x += cell.columns
      }
    }
    return x - column
  }

  private func blanks(_ count: Int, _ style: Style) -> [CanvasCell] {
    Array(repeating: .blank(style), count: count)
  }

  /// Puts a cell; a wide one that begins left of the canvas leaves a blank.
  private mutating func place(_ cell: CanvasCell, _ column: Int, _ row: Int) {
    if column == -1, cell.columns == 2 { return put(.blank(cell.style), 0, row) }
    put(cell, column, row)
  }
}

extension Cluster {
  /// The cell of a cluster of a single scalar; most are such.
  fileprivate func onlyCell(_ style: Style) -> CanvasCell? {
    guard !isSubstitute, columns <= 2 else { return nil }
    let scalars = text.unicodeScalars
    guard scalars.index(after: scalars.startIndex) == scalars.endIndex else { return nil }
    return CanvasCell(text: text, columns: columns, style: style)
  }

  /// The cells of the cluster: a new one at each scalar with a width.
  fileprivate func cells(_ style: Style) -> [CanvasCell] {
    var style = style
    if isSubstitute { style.role = .control }
    // An emoji sequence has the width of its first emoji and is one cell.
    let drawn = isSubstitute ? text : DrawnText.reduced(text)
    if columns <= 2, drawn != text {
      return [CanvasCell(text: text, columns: columns, style: style)]
    }
    var cells: [CanvasCell] = []
    var piece = ""
    var width = 0
    for scalar in drawn.unicodeScalars {
      let columns = TextWidth.columns(of: scalar)
      if columns > 0, !piece.isEmpty {
        cells.append(CanvasCell(text: piece, columns: width, style: style))
        piece = ""
      }
      piece.unicodeScalars.append(scalar)
      if columns > 0 { width = columns }
    }
    if !piece.isEmpty { cells.append(CanvasCell(text: piece, columns: width, style: style)) }
    return cells
  }
}

extension Int {
  /// The sum, or the largest or smallest integer on overflow.
  func addingClamped(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// The difference, or the largest or smallest integer on overflow.
  func subtractingClamped(_ other: Int) -> Int {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }
}

extension Canvas {
  /// Draws another canvas at the top left corner, clipped to this one.
  ///
  /// - Complexity: O(cells).
  package mutating func draw(_ other: Canvas) {
    for row in 0..<min(height, other.height) {
      for (column, cell) in other[row: row].prefix(width).enumerated() where cell.columns > 0 {
        var cell = cell
        cell.part = cell.part.flatMap { part in
          index(of: other.pictures[Int(part.picture)]).map {
            PicturePart(picture: $0, row: part.row, column: part.column)
          }
        }
        put(cell, column, row)
      }
    }
  }
}

extension Canvas {
  /// Draws a styled line, clipped at the edges of the canvas and after `width` columns.
  ///
  /// - Returns: the columns drawn, including those left of the canvas.
  @discardableResult
  package mutating func draw(
    _ line: StyledLine, at column: Int, row: Int, width: Int = .max
  ) -> Int {
    var x = column
    var rest = line.cells[...]
    while let first = rest.first, x < self.width, x - column < width {
      // Adjacent clusters of one style are drawn together.
      let run = rest.prefix { $0.style == first.style }
      rest = rest.dropFirst(run.count)
      x += draw(
        run.lazy.map(\.cluster), at: x, row: row, width: width - (x - column), style: first.style)
    }
    return x - column
  }
}

/// A position on a screen, from 0.
package struct CursorPosition: Hashable, Sendable {
  /// The row, from the top.
  package var row: Int
  /// The column, from the left.
  package var column: Int

  package init(row: Int, column: Int) {
    self.row = row
    self.column = column
  }
}

/// ASCII replacements for the special characters of the program's screens.
package enum ASCIIForms {
  /// The ASCII replacement of a character; nil if only `?` is possible.
  package static func sign(for character: Unicode.Scalar) -> Unicode.Scalar? { signs[character] }

  private static let signs: [Unicode.Scalar: Unicode.Scalar] = [
    "\u{2610}": "o", "\u{2611}": "x", "\u{2022}": "*", "\u{2605}": "*", "\u{2026}": "~",
    "\u{00B7}": ".", "\u{2591}": "-", "\u{2592}": "+", "\u{2593}": "*", "\u{2588}": "#",
    "\u{258F}": "'", "\u{258E}": "'", "\u{258D}": "'", "\u{258C}": "-", "\u{258B}": "-",
    "\u{258A}": "-",
    "\u{2589}": "-", "\u{2581}": "_", "\u{2582}": "_", "\u{2583}": "-", "\u{2584}": "-",
    "\u{2585}": "=",
    "\u{2586}": "=", "\u{2587}": "#",
    "\u{2502}": "|", "\u{2500}": "-", "\u{253C}": "+", "\u{203A}": ">", "\u{25B8}": "+",
    "\u{25AB}": "-", "\u{25AA}": "+", "\u{25A0}": "*", "\u{2501}": "=", "\u{2578}": "-",
    "\u{2013}": "-",
  ]
}
