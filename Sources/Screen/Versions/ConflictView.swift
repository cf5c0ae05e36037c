import Journal
import TextLayout

/// Two texts in conflict: side by side where there is room, else one below the other.
///
/// The entry's current text comes first, whichever of the two the page shows: texts that change
/// places cannot be compared. A `+` is before the lines that only the page's version has, a `-`
/// before those of the other one.
struct ConflictLayout {
  /// The minimum columns of a page with both texts side by side.
  static let sideBySide = 100
  /// The minimum columns of a head in one line.
  private static let oneLine = 80

  /// One of the texts, wrapped.
  private struct Pane {
    var text: MarkdownLayout
    var side: AlignedDifference.Side
    /// The first column.
    var column: Int
    /// The width, including the gutter.
    var width: Int
  }

  /// The parts of both texts in a line of the page.
  private enum Row {
    case head(Int)
    case title(Int)
    case date(Int)
    case titles
    case dates
    case blank
    case line(Int, Int)
    case lines(Int?, Int?)
  }

  /// The width of the page.
  let columns: Int
  /// Whether the page's version is the entry's current text.
  private let isCurrent: Bool
  private let panes: [Pane]
  private let rows: [Row]
  private static let gutter = 2
  private static let divider = 3

  /// Lays two texts out.
  ///
  /// - Parameter isCurrent: whether the new text of the difference is the entry's current one.
  init(_ difference: AlignedDifference, isCurrent: Bool, columns: Int) {
    self.columns = columns
    self.isCurrent = isCurrent
    // A screen that is read out also has one below the other.
    let isRead = columns == Environment.spokenColumns
    let isWide = columns >= Self.sideBySide && !isRead
    let width = min(
      isWide ? (columns - Self.divider) / 2 : columns,
      isRead ? columns : Layout.widestText + Self.gutter)
    let sides = isCurrent ? [difference.new, difference.old] : [difference.old, difference.new]
    panes = sides.enumerated().map { index, side in
      Pane(
        text: MarkdownLayout(plain: side.text, columns: max(1, width - Self.gutter)), side: side,
        column: isWide ? index * (width + Self.divider) : 0, width: width)
    }
    if isWide {
      let pairs = difference.rows.map { isCurrent ? ($0.new, $0.old) : ($0.old, $0.new) }
      rows = [.titles, .dates, .blank] + Self.aligned(pairs, panes.map(Self.wrappedLines))
    } else {
      rows = panes.enumerated().flatMap { index, pane -> [Row] in
        let lines = Self.wrappedLines(pane).flatMap { $0 }.map { Row.line(index, $0) }
        // On a narrow screen the date would be cut off, and it tells the texts apart.
        let head: [Row] =
          columns < Self.oneLine ? [.title(index), .date(index)] : [.head(index)]
        return (index == 0 ? [] : [.blank]) + head + [.blank] + lines
      }
    }
  }

  /// The number of lines of heads and texts.
  var count: Int { rows.count }

  /// Whether each line differs between the texts.
  var changedLines: [Bool] {
    rows.map { row in
      switch row {
      case .head, .title, .date, .titles, .dates, .blank: false
      case .line(let index, let line): isChanged(line, of: index)
      case .lines(let first, let second):
        (first.map { isChanged($0, of: 0) } ?? false)
          || (second.map { isChanged($0, of: 1) } ?? false)
      }
    }
  }

  private func isChanged(_ line: Int, of index: Int) -> Bool {
    kind(of: panes[index].text[line], in: panes[index]) ?? .same != .same
  }

  private func kind(of line: StyledLine, in pane: Pane) -> TextDifference.Kind? {
    line.sourceLine.map { pane.side.kinds[min($0, pane.side.kinds.count - 1)] }
  }

  /// The lines of the screen for each line of a text.
  private static func wrappedLines(_ pane: Pane) -> [Range<Int>] {
    var lines = Array(repeating: 0..<0, count: pane.side.kinds.count)
    for index in pane.text.indices {
      guard let source = pane.text[index].sourceLine, lines.indices.contains(source) else {
        continue
      }
      let start = lines[source].isEmpty ? index : lines[source].lowerBound
      lines[source] = start..<(index + 1)
    }
    return lines
  }

  /// The rows of two texts, each pair of lines as high as its higher one.
  private static func aligned(
    _ pairs: [(first: Int?, second: Int?)], _ lines: [[Range<Int>]]
  ) -> [Row] {
    pairs.flatMap { pair -> [Row] in
      let first = Array(pair.first.map { lines[0][$0] } ?? 0..<0)
      let second = Array(pair.second.map { lines[1][$0] } ?? 0..<0)
      return (0..<max(first.count, second.count)).map { row in
        .lines(
          row < first.count ? first[row] : nil, row < second.count ? second[row] : nil)
      }
    }
  }
}

// MARK: - Drawing

extension ConflictLayout {
  /// Draws a page from its offset on.
  func draw(_ page: VersionPage, dates: DateStyle, in rect: CanvasRect, on canvas: inout Canvas) {
    guard let conflict = page.conflict else { return }
    draw(heads(page, conflict, dates), from: page.offset, in: rect, on: &canvas)
  }

  /// Draws both texts below their heads, from a line on.
  func draw(_ heads: [Head], from offset: Int, in rect: CanvasRect, on canvas: inout Canvas) {
    if panes[1].column > 0 {
      for row in rect.row..<(rect.row + rect.height) {
        let column = rect.column + panes[1].column - 2
        canvas.draw("│", at: column, row: row, style: Style(.hint, dim: true))
      }
    }
    let shown = min(offset, rows.count)...
    for (row, line) in zip(rect.row..<(rect.row + rect.height), rows[shown]) {
      switch line {
      case .blank: break
      case .head(let index):
        let head = heads[index]
        draw("\(head.title)  \(head.date)", head.style, of: index, in: rect, row, on: &canvas)
      case .title(let index):
        draw(heads[index].title, heads[index].style, of: index, in: rect, row, on: &canvas)
      case .date(let index):
        draw(heads[index].date, Style(.hint), of: index, in: rect, row, on: &canvas)
      case .titles:
        for (index, head) in heads.enumerated() {
          draw(head.title, head.style, of: index, in: rect, row, on: &canvas)
        }
      case .dates:
        for (index, head) in heads.enumerated() {
          draw(head.date, Style(.hint), of: index, in: rect, row, on: &canvas)
        }
      case .line(let index, let line):
        draw(line, of: index, in: rect, row, on: &canvas)
      case .lines(let first, let second):
        if let first { draw(first, of: 0, in: rect, row, on: &canvas) }
        if let second { draw(second, of: 1, in: rect, row, on: &canvas) }
      }
    }
  }

  /// The heading of a text: its version, whether `r` keeps it, and its date.
  struct Head {
    var title: String
    var date: String
    var style: Style
  }

  private func heads(
    _ page: VersionPage, _ conflict: VersionPage.Conflict, _ dates: DateStyle
  ) -> [Head] {
    typealias Form = (title: String, date: String)
    // Stacked heads are one line, unless the screen is narrow.
    let isOneLine = panes[1].column == 0 && columns >= Self.oneLine
    func forms(
      _ index: Int, _ written: Moment, _ author: String?, key: String, _ noun: String
    ) -> [Form] {
      let state = index == page.count ? page.isInTrash ? ", in the trash" : ", shown" : ""
      let number = "Version \(index) of \(page.count)"
      let rest = " \(dates.preciseText(of: written))" + (author.map { "  \($0)" } ?? "")
      let full = dates.text(of: written.localDay) + rest
      let short = dates.shortText(of: written.localDay) + rest
      return [
        ("\(number)\(state)  \(key) keeps this \(noun)", full),
        ("\(number)\(state)  \(key) keeps this \(noun)", short),
        ("\(number)  \(key) keeps this", short),
        (
          "\(number)\(state)  \(key) keeps this \(noun)",
          short.replacing("  came from", with: " from")
        ),
      ]
    }
    func fits(_ form: Form) -> Bool {
      let taken = isOneLine ? TextWidth.columns(of: form.title) + 2 : 0
      return taken + TextWidth.columns(of: form.date) <= panes[0].width
    }
    let own = forms(page.index, page.written, page.author, key: "m", "text")
    let other = forms(conflict.index, conflict.written, conflict.author, key: "t", "one")
    // Texts are compared by their dates, so both heads have the fullest form that fits both.
    let form = own.indices.first { fits(own[$0]) && fits(other[$0]) } ?? (isOneLine ? 2 : 3)
    let heads = [
      Head(title: own[form].title, date: own[form].date, style: Style(.header, bold: true)),
      Head(title: other[form].title, date: other[form].date, style: Style(.hint)),
    ]
    return isCurrent ? heads : heads.reversed()
  }

  private func draw(
    _ field: String, _ style: Style, of index: Int, in rect: CanvasRect, _ row: Int,
    on canvas: inout Canvas
  ) {
    let pane = panes[index]
    let line = StyledLine(field: field, columns: pane.width, style: style)
    canvas.draw(line, at: rect.column + pane.column, row: row, width: pane.width)
  }

  private func draw(
    _ line: Int, of index: Int, in rect: CanvasRect, _ row: Int, on canvas: inout Canvas
  ) {
    let pane = panes[index]
    let line = pane.text[line]
    let kind = kind(of: line, in: pane)
    let style = kind?.style ?? Style()
    let column = rect.column + pane.column
    if let sign = kind?.gutterSign { canvas.draw(sign, at: column, row: row, style: style) }
    canvas.draw(
      line.painted(style, underlining: pane.side.changes), at: column + Self.gutter, row: row,
      width: pane.width - Self.gutter)
  }
}
