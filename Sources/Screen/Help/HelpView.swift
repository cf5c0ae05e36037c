import TextLayout

/// Draws the help: the keys of each action and its description, with search matches.
struct HelpView {
  let page: HelpPage
  let search: PageSearch?

  /// Draws from the page's offset on.
  func draw(in rect: CanvasRect, on canvas: inout Canvas) {
    let layout = page.layout
    let rows = rect.row..<(rect.row + rect.height)
    for (row, index) in zip(rows, page.offset..<max(page.offset, layout.lines.count)) {
      let line = FoundText(search, isCurrent: search?.line == index)
      switch layout.lines[index] {
      case .blank: break
      case .title(let text):
        line.draw(
          text, at: rect.column, row: row, width: rect.width,
          style: Style(.header, bold: true, underline: true), on: &canvas)
      case .heading(let text):
        line.draw(
          text, at: rect.column, row: row, width: rect.width, style: Style(.header, bold: true),
          on: &canvas)
      case .keys(let keys, let text):
        line.draw(
          keys, at: rect.column + layout.indent, row: row,
          width: layout.column - layout.indent - 1, style: Style(bold: true), on: &canvas)
        line.draw(
          text, at: rect.column + layout.column, row: row, width: rect.width - layout.column,
          style: Style(), on: &canvas)
      }
    }
  }
}

/// Draws text with highlighted search matches.
struct FoundText {
  private let search: PageSearch?
  private let isCurrent: Bool

  /// Makes the drawing of a line.
  ///
  /// - Parameter isCurrent: whether `n` and `N` last selected this line.
  init(_ search: PageSearch?, isCurrent: Bool) {
    self.search = search
    self.isCurrent = isCurrent
  }

  /// Draws one line, cut to a width.
  func draw(
    _ text: String, at column: Int, row: Int, width: Int, style: Style, on canvas: inout Canvas
  ) {
    let clusters = TextFit.cut(text, columns: width)
    canvas.draw(clusters, at: column, row: row, width: width, style: style)
    for place in search?.places(in: text) ?? [] {
      let start = TextFit.column(atByte: place.lowerBound, in: clusters)
      let end = TextFit.column(atByte: place.upperBound, in: clusters)
      let rect = CanvasRect(column: column + start, row: row, width: end - start, height: 1)
      canvas.restyle(rect) { style in
        style = Style(.match, bold: isCurrent, underline: true, reverse: isCurrent)
      }
    }
  }
}

/// Draws lines that a command printed, with colours for differences.
struct PageView {
  let page: Page
  var search: PageSearch?

  /// Draws the page from its offset on.
  func draw(in rect: CanvasRect, on canvas: inout Canvas) {
    let rows = rect.row..<(rect.row + rect.height)
    for (row, index) in zip(rows, page.offset..<max(page.offset, page.lines.count)) {
      let line = page.lines[index]
      let isHeading = page.hasHeading && index == 0
      FoundText(search, isCurrent: search?.line == index).draw(
        line, at: rect.column, row: row, width: rect.width,
        style: isHeading ? Style(.header, bold: true) : style(of: line),
        on: &canvas)
    }
  }

  private func style(of line: String) -> Style {
    line.hasPrefix("+ ")
      ? Style(.added) : line.hasPrefix("- ") ? Style(.removed) : Style()
  }
}
