import Journal
import TerminalUI

/// A whole entry as lines: a head with day and time and, at its right, the number, a blank line, then
/// its text rendered.
struct EntryLayout {
  private let head: [StyledLine]
  /// The text, without the head.
  let body: MarkdownLayout
  /// How many lines stand before those of the text.
  static let headLines = 2

  /// Lays out an entry.
  ///
  /// Linear in the length of the text; keep the layout while neither entry nor width changes.
  ///
  /// - Parameter offsets: whether the time has its offset beside it.
  init(
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
  var lines: LazyMapCollection<Range<Int>, StyledLine> {
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
