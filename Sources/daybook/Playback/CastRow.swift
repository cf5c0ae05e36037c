import TerminalUI

/// A row of cells as what a terminal must be sent to show it.
struct CastRow {
  private let cells: ArraySlice<CanvasCell>
  private let theme: Theme

  /// Makes a row with the looks of a theme.
  init(_ cells: ArraySlice<CanvasCell>, theme: Theme) {
    self.cells = cells
    self.theme = theme
  }

  /// The row's text with its looks, at a row of the screen from 0.
  func text(row: Int) -> String {
    var text = "\u{1B}[\(row + 1);1H"
    var look = ThemeLook()
    var isPlaced = true
    for (column, cell) in cells.enumerated() where cell.columns > 0 {
      let next = theme.pictured(cell.style)
      if next != look { text += Self.select(next) }
      look = next
      if !isPlaced { text += "\u{1B}[\(column + 1)G" }
      text += cell.text
      // Players do not agree on the width of everything: say where the next cell stands.
      isPlaced = cell.columns == 1 && cell.text.utf8.count == 1
    }
    return look == ThemeLook() ? text : text + "\u{1B}[0m"
  }

  /// The control sequence that turns a look on, whatever was on before.
  private static func select(_ look: ThemeLook) -> String {
    var codes = ["0"]
    if look.bold { codes.append("1") }
    if look.dim { codes.append("2") }
    if look.underline { codes.append("4") }
    if look.reverse { codes.append("7") }
    codes += look.foreground.map { Self.codes($0, from: 30) } ?? []
    codes += look.background.map { Self.codes($0, from: 40) } ?? []
    return "\u{1B}[\(codes.joined(separator: ";"))m"
  }

  private static func codes(_ color: ThemeColor, from start: Int) -> [String] {
    switch color {
    case .palette(let index): [String(start + Int(index & 7) + (index > 7 ? 60 : 0))]
    case .indexed(let index): [String(start + 8), "5", String(index)]
    case .rgb(let value):
      [String(start + 8), "2"] + [16, 8, 0].map { String(value >> UInt32($0) & 0xFF) }
    }
  }
}
