import TerminalUI

/// A row of cells as elements of a drawing.
struct SVGRow {
  /// Cells of one look that stand in one element.
  private struct Run {
    var name: String
    var text = ""
    var columns: [Int] = []
    /// Whether every cell is one character that every reader counts as one.
    var isPlain: Bool
  }

  private var runs: [Run] = []
  private var uprights: [(column: Int, name: String)] = []

  /// Makes a row, and the classes that it needs.
  init(_ cells: ArraySlice<CanvasCell>, _ inks: inout SVGInks) {
    for (column, cell) in cells.enumerated() where cell.columns > 0 && cell.text != " " {
      let name = inks.name(cell.style)
      if cell.text == "│" {
        uprights.append((column, name))
      } else {
        add(cell.text, column, name)
      }
    }
  }

  private mutating func add(_ text: String, _ column: Int, _ name: String) {
    let scalars = text.unicodeScalars
    let isPlain = scalars.count == 1 && scalars.allSatisfy { $0.value < 0x10000 }
    guard let last = runs.last, last.name == name, last.isPlain, isPlain else {
      runs.append(Run(name: name, text: text, columns: [column], isPlain: isPlain))
      return
    }
    // One space with a place of its own between words lets the reader copy the line.
    if let end = last.columns.last, column > end + 1, last.text.unicodeScalars.last != " " {
      runs[runs.count - 1].text += " "
      runs[runs.count - 1].columns.append(end + 1)
    }
    runs[runs.count - 1].text += text
    runs[runs.count - 1].columns.append(column)
  }

  /// The elements, for a row whose top is at `y`.
  func elements(y: Int, left: Int, cell: (width: Int, height: Int), baseline: Int) -> [String] {
    let lines = uprights.map { upright in
      let x = left + upright.column * cell.width + cell.width / 2
      return "<rect\(Self.attribute(upright.name)) x=\"\(x)\" y=\"\(y)\" width=\"1\""
        + " height=\"\(cell.height)\"/>"
    }
    return lines
      + runs.map { run in
        let places = run.columns.map { String(left + $0 * cell.width) }.joined(separator: " ")
        return "<text\(Self.attribute(run.name)) y=\"\(y + baseline)\" x=\"\(places)\">"
          + "\(Self.escaped(run.text))</text>"
      }
  }

  private static func attribute(_ name: String) -> String {
    name.isEmpty ? "" : " class=\"\(name)\""
  }

  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}
