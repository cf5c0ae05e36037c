import SectionedResults

/// Draws a sectioned list: a title for each section, and below it a line for each row.
///
/// ```
/// Today, Saturday 21 November                                    2
///   09:15  ★ Bought bread                                    #home
/// › 08:02    Slept well
/// ▸ Yesterday                                                   12
/// ```
///
/// Nothing depends on colours: the selection is reversed and has a mark, the rest is bold or dim.
public enum SectionedListView {
  /// Draws the lines of the list's viewport into a part of a canvas.
  ///
  /// The list's height should be the rectangle's: `list.resize(height: rect.height)`. The content is
  /// asked once for each line shown and for nothing else.
  ///
  /// - Parameter hasKeys: whether keys go to the list; if not, its selection is only marked.
  public static func draw(
    list: SectionedList, in rect: CanvasRect, on canvas: inout Canvas, content: some ListContent,
    hasKeys: Bool = true
  ) {
    let lines = list.visibleLines().prefix(rect.height).map { line(for: $0, list, content) }
    let times = lines.map(\.timeColumns).max() ?? 0
    let drawing = ListDrawing(
      column: rect.column, width: rect.width, layout: RowLayout(width: rect.width, time: times),
      hasKeys: hasKeys)
    canvas.fill(rect)
    for (index, line) in lines.enumerated() {
      drawing.draw(line, row: rect.row + index, on: &canvas)
    }
  }

  private static func line(
    for line: ListLine, _ list: SectionedList, _ content: some ListContent
  ) -> DrawnLine {
    switch line {
    case .header(let section, _):
      DrawnLine(
        kind: .header(content.header(section: section)),
        isSelected: list.selection == .header(section), isChanged: false)
    case .row(let path):
      DrawnLine(
        kind: .row(content.row(at: path)), isSelected: list.selection == .row(path),
        isChanged: list.isChanged(path))
    }
  }
}

/// A line of the screen with its contents at hand.
struct DrawnLine {
  enum Kind {
    case header(HeaderContent)
    case row(RowContent)
  }

  let kind: Kind
  let isSelected: Bool
  let isChanged: Bool

  var timeColumns: Int {
    if case .row(let content) = kind { TextWidth.columns(of: content.time) } else { 0 }
  }
}
