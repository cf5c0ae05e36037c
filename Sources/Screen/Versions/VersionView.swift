import Journal
import TextLayout

/// A version laid out: its changes, or both texts of a conflict.
enum VersionLayout {
  case changes(ChangesLayout)
  case conflict(ConflictLayout)

  /// Lays a page out.
  init(_ page: VersionPage, columns: Int) {
    if let conflict = page.conflict {
      self = .conflict(
        ConflictLayout(conflict.difference, isCurrent: page.isPresent, columns: columns))
    } else {
      self = .changes(ChangesLayout(page.difference, columns: columns))
    }
  }

  /// The width of the page.
  var columns: Int {
    switch self {
    case .changes(let layout): layout.columns
    case .conflict(let layout): layout.columns
    }
  }

  /// The number of lines.
  var count: Int {
    switch self {
    case .changes(let layout): layout.count
    case .conflict(let layout): layout.count
    }
  }

  /// The first lines of all runs of changed lines, ascending.
  var changes: [Int] {
    let isChanged =
      switch self {
      case .changes(let layout): layout.changedLines
      case .conflict(let layout): layout.changedLines
      }
    return isChanged.indices.filter { isChanged[$0] && ($0 == 0 || !isChanged[$0 - 1]) }
  }

  /// Draws a page from its offset on.
  func draw(_ page: VersionPage, dates: DateStyle, in rect: CanvasRect, on canvas: inout Canvas) {
    switch self {
    case .changes(let layout): layout.draw(page, dates: dates, in: rect, on: &canvas)
    case .conflict(let layout): layout.draw(page, dates: dates, in: rect, on: &canvas)
    }
  }
}

/// The text of a version in lines, with a `+` before added and a `-` before removed lines.
///
/// The signs and the underlined words are sufficient without colours.
struct ChangesLayout {
  /// The width of the text, including the gutter.
  let columns: Int
  private let text: MarkdownLayout
  private let difference: MarkedDifference
  private static let gutter = 2
  /// The header and the blank line below it.
  private static let headLines = 2

  /// Lays a difference out.
  init(_ difference: MarkedDifference, columns: Int) {
    self.columns = columns
    self.difference = difference
    let isRead = columns == Environment.spokenColumns
    let width = (isRead ? columns : min(columns, Layout.widestText)) - Self.gutter
    text = MarkdownLayout(plain: difference.text, columns: max(1, width))
  }

  /// The number of lines of header and text.
  var count: Int { Self.headLines + text.count }

  /// Whether each line differs from the version before.
  var changedLines: [Bool] {
    Array(repeating: false, count: Self.headLines) + text.map { kind(of: $0) ?? .same != .same }
  }

  /// Draws a page from its offset on.
  func draw(_ page: VersionPage, dates: DateStyle, in rect: CanvasRect, on canvas: inout Canvas) {
    let shown = page.offset..<max(page.offset, count)
    for (row, index) in zip(rect.row..<(rect.row + rect.height), shown) {
      if index == 0 {
        let head = Self.head(page, columns: columns, dates)
        canvas.draw(head, at: rect.column, row: row, width: rect.width)
      } else if index >= Self.headLines {
        draw(text[index - Self.headLines], at: rect.column, row: row, on: &canvas)
      }
    }
  }

  /// The version, its date and its changes in one line.
  private static func head(_ page: VersionPage, columns: Int, _ dates: DateStyle) -> StyledLine {
    let day = dates.text(of: page.written.localDay)
    let fields = [
      "Version \(page.index) of \(page.count)", "\(day) \(dates.text(of: page.written))",
      page.author ?? "", summary(page), page.isInTrash ? "in the trash" : "",
    ]
    return StyledLine(
      field: fields.filter { !$0.isEmpty }.joined(separator: "  "), columns: columns,
      style: Style(.header, bold: true))
  }

  /// The changes of the version, in a few words.
  private static func summary(_ page: VersionPage) -> String {
    if page.index == 1 { return "original" }
    let (added, removed) = (page.difference.addedWords, page.difference.removedWords)
    if added == 0, removed == 0 { return "no word changed" }
    return "+\(added) -\(removed) \(added + removed == 1 ? "word" : "words")"
  }

  private func kind(of line: StyledLine) -> TextDifference.Kind? {
    line.sourceLine.map { difference.kinds[min($0, difference.kinds.count - 1)] }
  }

  private func draw(_ line: StyledLine, at column: Int, row: Int, on canvas: inout Canvas) {
    let kind = kind(of: line)
    let style = kind?.style ?? Style()
    if let sign = kind?.gutterSign { canvas.draw(sign, at: column, row: row, style: style) }
    canvas.draw(
      line.painted(style, underlining: difference.changes), at: column + Self.gutter, row: row)
  }
}

extension TextDifference.Kind {
  /// The first column of a line; `nil` for an unchanged one.
  var gutterSign: String? {
    switch self {
    case .same: nil
    case .added: "+"
    case .removed: "-"
    }
  }

  /// The style of a line.
  var style: Style {
    switch self {
    case .same: Style()
    case .added: Style(.added)
    case .removed: Style(.removed)
    }
  }
}
