import Journal
import TextLayout

/// The header of an entry in the reading pane: the date and, at its right, the number, then a blank
/// line.
package struct EntryLayout {
  private let head: [StyledLine]
  /// The lines of the header with the blank line below it.
  package static let headLines = 2

  /// Lays out the header of an entry.
  ///
  /// - Parameter offsets: whether to display the offset of the time.
  package init(
    _ entry: Entry, columns: Int, dates: DateStyle, offsets: OffsetRule = .never
  ) {
    let star = entry.starred ? " ★" : ""
    let time = dates.text(of: entry.created, on: entry.day, offsets)
    let details = entry.details.map { " \($0)" }.joined()
    let when = "\(dates.text(of: entry.day)) \(time)\(star)\(details)"
    let date = StyledLine(field: when, columns: columns, style: Style(.header, bold: true))
    let number = StyledLine(
      field: "no. \(entry.number)", columns: columns, style: Style(.hint, dim: true))
    // If both do not fit, the number is on the line below the date, which is empty otherwise.
    let isBeside = date.columns + 2 + number.columns <= columns
    let padding = columns - number.columns - (isBeside ? date.columns : 0)
    let blanks = StyledLine(field: TextFit.spaces(padding), columns: padding)
    let right = blanks.cells + number.cells
    head = [
      StyledLine(isBeside ? date.cells + right : date.cells).withoutSource,
      StyledLine(isBeside ? [] : right).withoutSource,
    ]
  }

  /// A line of the header.
  package subscript(index: Int) -> StyledLine { head[index] }
}

extension StyledLine {
  /// The same line without a source: ranges of the text do not apply to it.
  fileprivate var withoutSource: StyledLine {
    StyledLine(cells.map { StyledCluster($0.cluster, style: $0.style) })
  }
}

/// Draws the reading pane: the entry's lines from its offset on, with search matches.
struct PaneView {
  let reading: Reading
  let head: EntryLayout

  /// Draws into a part of a canvas with the width of the laid-out lines.
  func draw(in rect: CanvasRect, on canvas: inout Canvas) {
    let shown = reading.offset..<max(reading.offset, reading.lines)
    for (row, index) in zip(rect.row..<(rect.row + rect.height), shown) {
      let line = reading.textLine(index)?.highlighting(reading.places) ?? head[index]
      canvas.draw(line, at: rect.column, row: row, width: rect.width)
    }
    if reading.isGone, rect.height > 1 { drawNotice(in: rect, on: &canvas) }
  }

  /// Draws a notice above the text that the entry was removed from the journal.
  private func drawNotice(in rect: CanvasRect, on canvas: inout Canvas) {
    let row = CanvasRect(column: rect.column, row: rect.row, width: rect.width, height: 1)
    canvas.fill(row)
    canvas.draw(
      TextFit.cut("deleted meanwhile; this was its text", columns: rect.width),
      at: rect.column, row: rect.row, style: Style(.error, bold: true))
  }
}
