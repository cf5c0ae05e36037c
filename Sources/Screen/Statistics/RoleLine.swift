import Journal
import TextLayout

/// A line of parts with roles, for the screen and for printing.
package struct RoleLine: Equatable {
  /// A text with one role.
  package struct Part: Equatable {
    package var text: String
    package var role: Style.Role
  }

  package private(set) var parts: [Part] = []
  /// The width of the parts in columns.
  package private(set) var columns = 0

  /// An empty line.
  package init() {}

  /// A line of one part.
  package init(_ text: String, _ role: Style.Role = .normal) {
    add(text, role)
  }

  /// Appends text; adjacent parts with one role are joined.
  package mutating func add(_ text: String, _ role: Style.Role = .normal) {
    guard !text.isEmpty else { return }
    columns += TextWidth.columns(of: text)
    if parts.last?.role == role {
      parts[parts.count - 1].text += text
    } else {
      parts.append(Part(text: text, role: role))
    }
  }

  /// Appends a text in a fixed width, cut or padded, aligned left or right.
  package mutating func add(
    field text: String, _ width: Int, _ role: Style.Role, atRight: Bool = false
  ) {
    let shown = TextFit.cut(text, columns: width).map(\.text).joined()
    let space = TextFit.spaces(width - TextWidth.columns(of: shown))
    if atRight { add(space) }
    add(shown, role)
    if !atRight { add(space) }
  }

  /// Appends spaces up to a column; none if the line is already longer.
  package mutating func pad(to column: Int) {
    add(TextFit.spaces(column - columns))
  }

  /// Appends the parts of another line.
  package mutating func add(_ other: RoleLine) {
    for part in other.parts { add(part.text, part.role) }
  }

  /// The line without trailing spaces.
  package var trimmed: RoleLine {
    var parts = self.parts
    while let last = parts.last {
      let text = String(last.text.reversed().drop { $0 == " " }.reversed())
      parts[parts.count - 1].text = text
      if !text.isEmpty { break }
      parts.removeLast()
    }
    var line = RoleLine()
    for part in parts { line.add(part.text, part.role) }
    return line
  }

  /// The line up to a column, with a mark at its end if it was cut.
  package func cut(to column: Int) -> RoleLine {
    guard columns > column else { return self }
    var line = RoleLine()
    for part in parts where line.columns < column {
      let text = TextFit.cut(part.text, columns: column - line.columns)
      line.add(text.map(\.text).joined(), part.role)
    }
    return line
  }

  /// Two blocks of lines side by side, the right one from a column on; lines that are too long on
  /// the left are cut.
  package static func beside(_ left: [RoleLine], _ right: [RoleLine], column: Int) -> [RoleLine] {
    (0..<max(left.count, right.count)).map { index in
      var line = index < left.count ? left[index] : RoleLine()
      guard index < right.count else { return line }
      line = line.cut(to: column - 1)
      line.pad(to: column)
      line.add(right[index])
      return line
    }
  }
}

/// Draws lines of parts, from one of them on.
package struct RoleLinesView {
  package let lines: [RoleLine]

  package func draw(from offset: Int, in rect: CanvasRect, on canvas: inout Canvas) {
    let rows = rect.row..<(rect.row + rect.height)
    for (row, line) in zip(rows, lines.dropFirst(offset)) {
      let end = rect.column + rect.width
      var column = rect.column
      let isCut = line.columns > rect.width
      for part in line.parts where column < end {
        let style = Self.style(part.role)
        let room = end - column
        let text = TextFit.cut(part.text, columns: isCut ? room : .max)
        column += canvas.draw(text, at: column, row: row, width: room, style: style)
      }
    }
  }

  /// The style of the role elsewhere on the screen.
  private static func style(_ role: Style.Role) -> Style {
    switch role {
    case .header, .heading, .changed: Style(role, bold: true)
    case .hint: Style(role, dim: true)
    default: Style(role)
    }
  }
}

extension Rate {
  /// A count scaled so that the maximum is `whole`; the counts may be of any size.
  package static func scaled(_ count: Int, of most: Int, to whole: Int) -> Int {
    let (high, low) = count.multipliedFullWidth(by: whole)
    return most.dividingFullWidth((high, low)).quotient
  }
}

/// Bars of characters, readable without colours.
package enum BlockSigns {
  private static let heights = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  /// A horizontal line: of full width for the maximum, and of at least half a column for any count
  /// above 0.
  ///
  /// A line leaves space to the lines above and below it, as a block would not.
  package static func bar(_ count: Int, of most: Int, columns: Int) -> String {
    guard count > 0, most > 0, columns > 0 else { return "" }
    let halves = max(1, Rate.scaled(count, of: most, to: columns * 2))
    return String(repeating: "━", count: halves / 2) + (halves.isMultiple(of: 2) ? "" : "╸")
  }

  /// A vertical bar of one line's height, blank for 0.
  package static func column(_ count: Int, of most: Int) -> String {
    guard count > 0, most > 0 else { return heights[0] }
    return heights[max(1, Rate.scaled(count, of: most, to: 8))]
  }
}
