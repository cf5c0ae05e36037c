import JournalApp
import TerminalUI

/// The last line: the keys that matter most here, each with a word.
struct HintLine {
  private let keys: KeyTable
  private let context: KeyContext

  /// Makes the hints of a state.
  init(_ keys: KeyTable, _ state: State) {
    self.keys = keys
    context = state.mode.context
  }

  /// Draws whole hints only, as many as fit; how to get help and out last of all, but always.
  func draw(row: Int, on canvas: inout Canvas) {
    let all = keys.hints(in: context)
    let last = all.suffix(2)
    var room = canvas.width - last.reduce(0) { $0 + TextWidth.columns(of: $1) + 2 } + 2
    var shown: [String] = []
    for hint in all.dropLast(last.count) {
      room -= TextWidth.columns(of: hint) + 2
      if room < 0 { break }
      shown.append(hint)
    }
    let text = (shown + last).joined(separator: "  ")
    canvas.draw(
      TextLayout.cut(text, columns: canvas.width), at: 0, row: row, style: Style(.hint, dim: true))
  }
}
