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
      let next = theme.look(for: cell.style, in: .trueColor)
      if next != look { text += ThemeLook.reset + next.escapes(in: .trueColor) }
      look = next
      if !isPlaced { text += "\u{1B}[\(column + 1)G" }
      text += cell.drawn
      // Players do not agree on the width of everything: say where the next cell stands.
      isPlaced = cell.columns == 1 && cell.text.utf8.count == 1
    }
    return look == ThemeLook() ? text : text + ThemeLook.reset
  }
}
