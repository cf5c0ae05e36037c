import TextLayout

/// A key that works in a prompt, with a word on what it does.
package struct PromptHint: Equatable, Sendable {
  /// The key as it is shown: `^J`.
  package var keys: String
  /// What it does, in a word or three.
  package var word: String
  /// How soon it is left out where there is little room; 0 goes last.
  package var rank: Int

  init(_ keys: String, _ word: String, _ rank: Int) {
    self.keys = keys
    self.word = word
    self.rank = rank
  }
}

extension PromptState {
  /// The keys to be shown while the prompt is open, in their order on the screen.
  ///
  /// - Parameter stays: Whether the prompt opens again after each entry, and takes commands too.
  package func hints(stays: Bool = false) -> [PromptHint] {
    switch kind {
    case .newEntry, .edit: writingHints(stays: stays && kind == .newEntry)
    case .command:
      answering("run", [PromptHint("Tab", "complete", 2), PromptHint("Up", "earlier", 3)])
    case .search: answering("search", Self.queryHints)
    case .filter: answering("filter", Self.queryHints)
    case .date:
      answering("go there", [PromptHint("Tab", "dates", 2), PromptHint("Up", "earlier", 3)])
    case .tags:
      answering(
        "change",
        [
          PromptHint("home", "adds", 2), PromptHint("-home", "removes", 3),
          PromptHint("Tab", "tags", 4),
        ]
      )
    case .redate:
      answering(
        "change",
        (present.isEmpty ? [] : [PromptHint("Up", "edit it", 2)]) + [PromptHint("Tab", "dates", 3)])
    case .pipe: answering("run", [])
    }
  }

  private func writingHints(stays: Bool) -> [PromptHint] {
    let hints = [
      PromptHint("Enter", "save", 0), PromptHint("^J", "new line", 1),
      PromptHint("^X^E", "editor", 3), PromptHint("Tab", "tags", 4),
      PromptHint("Esc", isWriting ? "keep as draft" : "cancel", 2),
    ]
    guard stays, text.isEmpty else { return hints }
    return hints + [PromptHint(":", "command", 5), PromptHint("/", "search", 6)]
  }

  private func answering(_ enter: String, _ others: [PromptHint]) -> [PromptHint] {
    [PromptHint("Enter", enter, 0)] + others + [PromptHint("Esc", "cancel", 1)]
  }

  private static let queryHints = [
    PromptHint("Tab", "complete", 2), PromptHint("Up", "earlier", 3),
  ]
}

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
