import JournalApp
import TerminalUI

/// The keys of the open prompt, each with a word: as many as fit, those that matter most first.
struct PromptHints {
  private let hints: [PromptHint]
  private static let gap = 2

  /// Makes the hints of a prompt.
  ///
  /// - Parameter stays: Whether it opens again after each entry.
  init(_ prompt: PromptState, stays: Bool) {
    hints = prompt.hints(stays: stays)
  }

  /// Draws whole hints only, in at most `columns` columns.
  func draw(at column: Int, row: Int, columns: Int, style: Style, on canvas: inout Canvas) {
    var column = column
    var bold = style
    bold.bold = true
    for hint in shown(columns: columns) {
      column += canvas.draw(hint.keys, at: column, row: row, style: bold) + 1
      column += canvas.draw(hint.word, at: column, row: row, style: style) + Self.gap
    }
  }

  private func shown(columns: Int) -> [PromptHint] {
    var room = columns + Self.gap
    var ranks: Set<Int> = []
    for hint in hints.sorted(by: { $0.rank < $1.rank }) {
      let needed =
        TextWidth.columns(of: hint.keys) + 1 + TextWidth.columns(of: hint.word) + Self.gap
      guard needed <= room else { continue }
      room -= needed
      ranks.insert(hint.rank)
    }
    return hints.filter { ranks.contains($0.rank) }
  }
}
