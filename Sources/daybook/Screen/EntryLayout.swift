import Journal
import TerminalUI

/// A whole entry as lines: a head with day, time and number, a blank line, then its text rendered.
struct EntryLayout {
  /// The head.
  let head: String
  private let headLine: StyledLine
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
    let day = dates.text(of: entry.day)
    let time = dates.text(of: entry.created, on: entry.day, offsets)
    head = "\(day) \(time)  \(entry.number)\(star)"
    headLine =
      StyledLine(field: head, columns: columns, style: Style(.header, bold: true))
      .withoutSource
    body = MarkdownLayout(
      entry.text, columns: columns, tags: Tag.places(in: entry.text))
  }

  /// All lines of the entry, head and blank line included.
  var lines: LazyMapCollection<Range<Int>, StyledLine> {
    (0..<Self.headLines + body.count).lazy.map { line($0) }
  }

  private func line(_ index: Int) -> StyledLine {
    switch index {
    case 0: headLine
    case ..<Self.headLines: StyledLine()
    default: body[index - Self.headLines]
    }
  }
}

extension StyledLine {
  /// The same as something the text does not have: places in the text mean nothing in it.
  fileprivate var withoutSource: StyledLine {
    StyledLine(cells.map { StyledCluster($0.cluster, style: $0.style) })
  }
}
