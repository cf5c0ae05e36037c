import Journal
import TextLayout

/// A whole entry as lines: a head with day and time and, at its right, the number, a blank line, then
/// its text rendered.
package struct EntryLayout {
  private let head: [StyledLine]
  /// The text, without the head.
  package let body: MarkdownLayout
  /// How many lines stand before those of the text.
  package static let headLines = 2

  /// Lays out an entry.
  ///
  /// Linear in the length of the text; keep the layout while neither entry nor width changes.
  ///
  /// - Parameter offsets: whether the time has its offset beside it.
  package init(
    _ entry: Entry, columns: Int, dates: DateStyle = DateStyle(names: .ofUser),
    offsets: OffsetRule = .never
  ) {
    let star = entry.starred ? " ★" : ""
    let time = dates.text(of: entry.created, on: entry.day, offsets)
    let when = "\(dates.text(of: entry.day)) \(time)\(star)"
    let date = StyledLine(field: when, columns: columns, style: Style(.header, bold: true))
    let number = StyledLine(
      field: "no. \(entry.number)", columns: columns, style: Style(.hint, dim: true))
    // Without room for both the number goes below the date, into the line that is empty otherwise.
    let isBeside = date.columns + 2 + number.columns <= columns
    let padding = columns - number.columns - (isBeside ? date.columns : 0)
    let blanks = StyledLine(field: String(repeating: " ", count: padding), columns: padding)
    let right = blanks.cells + number.cells
    head = [
      StyledLine(isBeside ? date.cells + right : date.cells).withoutSource,
      StyledLine(isBeside ? [] : right).withoutSource,
    ]
    body = MarkdownLayout(
      entry.text, columns: columns, tags: Tag.places(in: entry.text))
  }

  /// All lines of the entry, head and blank line included.
  package var lines: LazyMapCollection<Range<Int>, StyledLine> {
    (0..<Self.headLines + body.count).lazy.map { line($0) }
  }

  private func line(_ index: Int) -> StyledLine {
    index < Self.headLines ? head[index] : body[index - Self.headLines]
  }
}

extension StyledLine {
  /// The same as something the text does not have: places in the text mean nothing in it.
  fileprivate var withoutSource: StyledLine {
    StyledLine(cells.map { StyledCluster($0.cluster, style: $0.style) })
  }
}

/// Draws the reading pane: the entry's lines from its offset on, with what the search found.
package struct PaneView {
  package let reading: Reading
  package let layout: EntryLayout
  /// What the search or the filter found, in bytes of the entry's text.
  package let places: [Range<Int>]

  /// Draws into a part of a canvas that is as wide as the lines were laid out for.
  package func draw(in rect: CanvasRect, on canvas: inout Canvas) {
    let lines = layout.lines
    let shown = reading.offset..<max(reading.offset, lines.count)
    for (row, index) in zip(rect.row..<(rect.row + rect.height), shown) {
      canvas.draw(
        lines[index].highlighting(places), at: rect.column, row: row, width: rect.width)
    }
    if reading.isGone, rect.height > 1 { drawNotice(in: rect, on: &canvas) }
  }

  /// Says above the text that the entry is not in the journal any more.
  private func drawNotice(in rect: CanvasRect, on canvas: inout Canvas) {
    let row = CanvasRect(column: rect.column, row: rect.row, width: rect.width, height: 1)
    canvas.fill(row)
    canvas.draw(
      TextFit.cut("deleted meanwhile; this was its text", columns: rect.width),
      at: rect.column, row: rect.row, style: Style(.error, bold: true))
  }
}
