import JournalApp
import TerminalUI

/// The last line: the keys that matter most here, each with a word.
struct HintLine {
  private let hints: [Hint]
  /// The columns between two hints.
  private static let gap = 2
  /// How many hints at the end stand on every screen: how to get help and out, or only out.
  private let kept: Int

  private struct Hint {
    let keys: String
    let word: String

    var columns: Int { TextWidth.columns(of: keys) + 1 + TextWidth.columns(of: word) }
  }

  /// Makes the hints of a state.
  init(_ keys: KeyTable, _ state: State) {
    let isRange = state.rangeStart != nil && state.mode == .list
    let shown =
      isRange ? keys.rangeHints : keys.hints(in: state.context, isTrash: state.scope.isTrash)
    hints = shown.map { Hint(keys: $0.keys, word: $0.word) }
    kept = [.list, .trash, .reading].contains(state.context) ? 2 : 1
  }

  /// Draws whole hints only, as many as fit; how to get help and out last of all, but always.
  func draw(row: Int, on canvas: inout Canvas) {
    var column = 0
    for hint in shown(columns: canvas.width) {
      column += canvas.draw(hint.keys, at: column, row: row, style: Style(.hint, bold: true)) + 1
      column +=
        canvas.draw(hint.word, at: column, row: row, style: Style(.hint, dim: true)) + Self.gap
    }
  }

  private func shown(columns: Int) -> [Hint] {
    let last = hints.suffix(kept)
    var room = columns + Self.gap - last.reduce(0) { $0 + $1.columns + Self.gap }
    var shown: [Hint] = []
    for hint in hints.dropLast(last.count) {
      room -= hint.columns + Self.gap
      if room < 0 { break }
      shown.append(hint)
    }
    return shown + last
  }
}
