import TextLayout

/// The output of a command: lines of text for scrolling.
package struct OutputPage: Equatable, Sendable {
  /// The title in the status line.
  package var title: String
  /// The lines; they may contain any characters and are sanitised when drawn.
  package var lines: [String]
  /// The first line shown.
  package var offset: Int
  /// Whether the first line is a heading, with an empty one after it.
  package var hasHeading: Bool

  package init(title: String, heading: String? = nil, lines: [String], offset: Int = 0) {
    self.title = title
    self.lines = (heading.map { [$0, ""] } ?? []) + lines
    self.offset = offset
    hasHeading = heading != nil
  }
}

/// Events of the output of commands.
package enum OutputEvent: Equatable, Sendable {
  /// A command printed a page for reading.
  case opened(OutputPage)
}

extension State {
  mutating func updateOutput(_ event: OutputEvent) -> [Effect] {
    switch event {
    case .opened(let page): show(page)
    }
    return []
  }

  mutating func show(_ page: OutputPage) {
    pageSearch = nil
    mode = .output(page)
  }
}

extension OutputPage: SearchablePage {
  package var mode: Mode { .output(self) }
  package var context: KeyContext { .page }
  var lineCount: Int { lines.count }
  var searchLines: [String] { lines }

  package func title(in state: State) -> String? { title }
}

extension OutputPage {
  /// Draws the lines, with colours for differences, and search matches.
  func draw(_ state: State, in rect: CanvasRect, on canvas: inout Canvas) {
    let search = state.pageSearch
    let rows = rect.row..<(rect.row + rect.height)
    for (row, index) in zip(rows, offset..<max(offset, lines.count)) {
      let line = lines[index]
      let isHeading = hasHeading && index == 0
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
