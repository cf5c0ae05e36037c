import TerminalUI

/// A row of cells as elements of a drawing.
struct SVGRow {
  /// Cells of one look that stand in one element.
  private struct Run {
    var name: String
    var text = ""
    var columns: [Int] = []
    /// Whether every cell is one narrow character that every reader counts as one.
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
        add(cell, column, name)
      }
    }
  }

  /// Adds a cell to the run before it, or to one of its own.
  ///
  /// Not every reader knows places of single characters: then a run is as right as its font is
  /// monospaced, and so it ends with a word gap and at everything wide.
  private mutating func add(_ cell: CanvasCell, _ column: Int, _ name: String) {
    let scalars = cell.text.unicodeScalars
    let isPlain =
      cell.columns == 1 && scalars.count == 1 && scalars.allSatisfy { $0.value < 0x2000 }
    guard let last = runs.last, last.name == name, last.isPlain, isPlain,
      let end = last.columns.last, column <= end + 2
    else {
      runs.append(Run(name: name, text: cell.text, columns: [column], isPlain: isPlain))
      return
    }
    if column == end + 2 {
      runs[runs.count - 1].text += " "
      runs[runs.count - 1].columns.append(end + 1)
    }
    runs[runs.count - 1].text += cell.text
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
