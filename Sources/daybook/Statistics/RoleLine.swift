import TerminalUI

/// A line made of parts, each with what it is: drawn on the screen and printed alike.
struct RoleLine: Equatable {
  /// Some text of one role.
  struct Part: Equatable {
    var text: String
    var role: Style.Role
  }

  private(set) var parts: [Part] = []
  /// How many columns the parts take.
  private(set) var columns = 0

  /// An empty line.
  init() {}

  /// A line of one part.
  init(_ text: String, _ role: Style.Role = .normal) {
    add(text, role)
  }

  /// Appends text; neighbours of one role become one part.
  mutating func add(_ text: String, _ role: Style.Role = .normal) {
    guard !text.isEmpty else { return }
    columns += TextWidth.columns(of: text)
    if parts.last?.role == role {
      parts[parts.count - 1].text += text
    } else {
      parts.append(Part(text: text, role: role))
    }
  }

  /// Appends a text in so many columns, cut or filled up, at their left or right edge.
  mutating func add(field text: String, _ width: Int, _ role: Style.Role, atRight: Bool = false) {
    let shown = TextLayout.cut(text, columns: width).map(\.text).joined()
    let space = String(repeating: " ", count: max(0, width - TextWidth.columns(of: shown)))
    if atRight { add(space) }
    add(shown, role)
    if !atRight { add(space) }
  }

  /// Appends spaces up to a column; nothing when the line is that long already.
  mutating func pad(to column: Int) {
    add(String(repeating: " ", count: max(0, column - columns)))
  }

  /// Appends the parts of another line.
  mutating func add(_ other: RoleLine) {
    for part in other.parts { add(part.text, part.role) }
  }

  /// The line without spaces at its end.
  var trimmed: RoleLine {
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
  func cut(to column: Int) -> RoleLine {
    guard columns > column else { return self }
    var line = RoleLine()
    for part in parts where line.columns < column {
      let text = TextLayout.cut(part.text, columns: column - line.columns)
      line.add(text.map(\.text).joined(), part.role)
    }
    return line
  }

  /// Two blocks of lines side by side, the right one from a column on; what is too long on the left is
  /// cut.
  static func beside(_ left: [RoleLine], _ right: [RoleLine], column: Int) -> [RoleLine] {
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

extension Ink {
  /// A line as it is printed, cut to so many columns.
  func text(of line: RoleLine, columns: Int?) -> String {
    self.line(line.parts.map { ($0.text, $0.role) }, columns: columns)
  }
}
