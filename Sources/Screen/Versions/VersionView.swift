import Journal
import TextLayout

/// A version of an entry as lines: a head, a blank line, then its text with a `+` before lines that
/// came with it and a `-` before those that went.
///
/// The signs and the underline of single words tell all of it without a colour.
package struct VersionLayout {
  private let head: [StyledLine]
  private let text: MarkdownLayout
  private let difference: MarkedDifference
  private static let gutter = 2

  /// Lays a version out.
  package init(_ page: VersionPage, columns: Int, dates: DateStyle) {
    let day = dates.text(of: page.written.localDay)
    let fields = [
      "Version \(page.index) of \(page.count)", "\(day) \(dates.text(of: page.written))",
      Self.summary(page), page.isInTrash ? "in the trash" : "",
    ]
    let line = StyledLine(
      field: fields.filter { !$0.isEmpty }.joined(separator: "  "), columns: columns,
      style: Style(.header, bold: true))
    head = [line, StyledLine()]
    difference = page.difference
    let width = min(columns, Layout.widestText) - Self.gutter
    text = MarkdownLayout(plain: page.difference.text, columns: max(1, width))
  }

  /// What the version did, in a few words.
  private static func summary(_ page: VersionPage) -> String {
    if page.index == 1 { return "the first text" }
    let (added, removed) = (page.difference.addedWords, page.difference.removedWords)
    if added == 0, removed == 0 { return "no word changed" }
    return "+\(added) -\(removed) \(added + removed == 1 ? "word" : "words")"
  }

  /// How many lines there are.
  package var count: Int { head.count + text.count }

  /// Draws from a line on.
  package func draw(from offset: Int, in rect: CanvasRect, on canvas: inout Canvas) {
    for (row, index) in zip(rect.row..<(rect.row + rect.height), offset..<max(offset, count)) {
      if index < head.count {
        canvas.draw(head[index], at: rect.column, row: row, width: rect.width)
      } else {
        draw(text[index - head.count], at: rect.column, row: row, on: &canvas)
      }
    }
  }

  private func draw(_ line: StyledLine, at column: Int, row: Int, on canvas: inout Canvas) {
    let kind = line.sourceLine.map { difference.kinds[min($0, difference.kinds.count - 1)] }
    let style: Style
    switch kind {
    case .added?: style = Style(.added)
    case .removed?: style = Style(.removed)
    case .same?, nil: style = Style()
    }
    if let sign = kind?.sign { canvas.draw(sign, at: column, row: row, style: style) }
    canvas.draw(
      line.painted(style, underlining: difference.changes), at: column + Self.gutter, row: row)
  }
}

extension TextDifference.Kind {
  /// What stands in the first column of a line; `nil` for one that did not change.
  fileprivate var sign: String? {
    switch self {
    case .same: nil
    case .added: "+"
    case .removed: "-"
    }
  }
}

extension VersionPage {
  /// Whether another page has the same lines, wherever it is scrolled to.
  package func isSameText(as other: VersionPage) -> Bool {
    var page = other
    (page.offset, page.lines) = (offset, lines)
    return page == self
  }
}
