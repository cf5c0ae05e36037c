import TextLayout

/// The output of a command: lines of text for scrolling.
package struct OutputPage: Equatable, Codable, Sendable {
  /// The title in the status line.
  package var title: String
  /// The lines; they may contain any characters and are sanitised when drawn.
  package var lines: [String]
  /// The first line shown.
  package var offset: Int
  /// Whether the first line is a heading, with an empty one after it.
  package var hasHeading: Bool
  /// The roles of the lines that are not plain text, by index: a line of a difference looks like a
  /// list in a user's text.
  package var roles: [Int: Style.Role]
  /// The request for the lines after a commit; `nil` if no commit changes them.
  package var request: Effect?
  /// The action of Enter, if the page is a preview.
  package var proposal: Effect?
  /// The messages below the heading before they are wrapped; empty for a page whose lines are cut.
  package private(set) var messages: [String] = []

  /// - Parameter roles: by the index in `lines`.
  package init(
    title: String, heading: String? = nil, lines: [String], roles: [Int: Style.Role] = [:],
    offset: Int = 0
  ) {
    let head = heading.map { [$0, ""] } ?? []
    self.title = title
    self.lines = head + lines
    self.roles = Dictionary(uniqueKeysWithValues: roles.map { ($0.key + head.count, $0.value) })
    self.offset = offset
    hasHeading = heading != nil
  }

  /// Makes a page of messages, which are wrapped at the width of the screen.
  package init(title: String, heading: String?, messages: [String]) {
    self.init(title: title, heading: heading, lines: messages)
    self.messages = messages
  }
}

/// Events of the output of commands.
package enum OutputEvent: Equatable, Codable, Sendable {
  /// A command printed a page for reading.
  case opened(OutputPage)
  /// The lines of a command after a commit.
  case updated([String], lines: [String])
}

extension State {
  mutating func updateOutput(_ event: OutputEvent) -> [Effect] {
    switch event {
    case .opened(let page): open(page)
    case .updated(let words, let lines):
      guard case .output(var page) = pages.mode, page.request == .command(.refresh(words)) else {
        break
      }
      page.lines = page.lines.prefix(page.hasHeading ? 2 : 0) + lines
      pages.mode = .output(page)
      layOutPage()
    }
    return []
  }
}

extension OutputPage: SearchablePage {
  package var mode: Mode { .output(self) }
  package var context: KeyContext { proposal == nil ? .page : .proposal }
  var subject: PageSubject { .covered }
  func isSame(as page: OutputPage) -> Bool { title == page.title }
  var lineCount: Int { lines.count }
  var searchLines: [String] { lines }
  var refresh: [Effect] { request.map { [$0] } ?? [] }

  package func title(in state: State) -> String? { title }

  mutating func layOut(in state: State) {
    if !messages.isEmpty {
      lines =
        lines.prefix(hasHeading ? 2 : 0) + messages.flatMap { Self.wrapped($0, state.textWidth) }
    }
    offset = state.clamped(offset, of: lineCount)
  }

  /// The lines of a message, the further ones indented like the first and by two columns more.
  private static func wrapped(_ message: String, _ columns: Int) -> [String] {
    let indent = message.prefix { $0 == " " }
    let margin = indent + "  "
    let room = max(columns - margin.count, 8)
    let lines = TextFit.wrap(Sanitizer.line(String(message.dropFirst(indent.count))), columns: room)
      .map { $0.map(\.text).joined() }
    return lines.enumerated().map { index, line in
      "\(index == 0 ? indent : margin[...])\(line)"
    }
  }

  /// Leaves the page for what it proposes.
  func choose(in state: inout State) -> [Effect]? {
    proposal.map { proposal in state.closePage() + [proposal] }
  }
}

extension OutputPage {
  /// Draws the lines in their roles, and search matches.
  func draw(_ state: State, in rect: CanvasRect, on canvas: inout Canvas) {
    let search = state.pages.search
    let rows = rect.row..<(rect.row + rect.height)
    for (row, index) in zip(rows, offset..<max(offset, lines.count)) {
      let line = lines[index]
      let isHeading = hasHeading && index == 0
      FoundText(search, isCurrent: search?.line == index).draw(
        line, at: rect.column, row: row, width: rect.width,
        style: isHeading ? Style(.header, bold: true) : roles[index].map { Style($0) } ?? Style(),
        on: &canvas)
    }
  }
}
