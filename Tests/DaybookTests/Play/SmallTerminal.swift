import Terminal
import TextLayout

/// A terminal that knows just what a cast needs, to see what a player would show.
struct SmallTerminal {
  private let columns: Int
  private var rows: [[String]]
  private var row = 0
  private var column = 0
  /// Sequences that it does not know: there should be none.
  private(set) var unknown: [String] = []

  init(columns: Int, lines: Int) {
    self.columns = columns
    rows = Array(repeating: Array(repeating: " ", count: columns), count: lines)
  }

  /// The screen as text, without the blanks at the ends of lines.
  var text: String {
    rows.map { row in
      let line = row.joined()
      return String(line.unicodeScalars[..<Self.end(of: line)])
    }.joined(separator: "\n")
  }

  private static func end(of line: String) -> String.Index {
    let scalars = line.unicodeScalars
    return scalars.lastIndex { $0 != " " }.map(scalars.index(after:)) ?? scalars.startIndex
  }

  /// Takes what a program writes.
  mutating func feed(_ output: String) {
    var rest = Substring(output).unicodeScalars
    while let scalar = rest.popFirst() {
      guard scalar == "\u{1B}" else {
        put(scalar)
        continue
      }
      let body = rest.prefix { !("@"..."~").contains($0) || $0 == "[" }
      rest = rest.dropFirst(body.count)
      guard let final = rest.popFirst() else { return }
      obey(String(body.dropFirst()), final)
    }
  }

  private mutating func put(_ scalar: Unicode.Scalar) {
    let width = TextWidth.columns(of: scalar)
    guard width > 0 else {
      if column > 0 { rows[row][column - 1].unicodeScalars.append(scalar) }
      return
    }
    guard column + width <= columns else { return }
    rows[row][column] = String(Character(scalar))
    if width == 2 { rows[row][column + 1] = "" }
    column += width
  }

  private mutating func obey(_ parameters: String, _ final: Unicode.Scalar) {
    let numbers = parameters.split(separator: ";").map { Int($0) ?? 0 }
    switch (final, parameters) {
    case ("H", _): (row, column) = (numbers[0] - 1, numbers[1] - 1)
    case ("G", _): column = numbers[0] - 1
    case ("J", "2"): self = SmallTerminal(columns: columns, lines: rows.count)
    case ("m", _), ("h", "?25"), ("l", "?25"): break
    default: unknown.append("\(parameters)\(final)")
    }
  }
}
