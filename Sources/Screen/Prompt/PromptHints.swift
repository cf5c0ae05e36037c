import Journal
import TextLayout

/// A key of a prompt, with its description.
package struct PromptHint: Equatable, Sendable {
  /// The key as displayed: `^J`.
  package var keys: String
  /// Its effect, in one to three words.
  package var word: String
  /// The order in which hints are dropped if there is little room; 0 is dropped last.
  package var rank: Int

  init(_ keys: String, _ word: String, _ rank: Int) {
    self.keys = keys
    self.word = word
    self.rank = rank
  }
}

extension OpenPrompt {
  /// The displayed keys of the open prompt, in their order on the screen.
  ///
  /// - Parameters:
  ///   - stays: Whether the prompt reopens after each entry, and also accepts commands.
  ///   - isDrawn: Whether there is a screen that a text can fill.
  package func hints(stays: Bool = false, isDrawn: Bool = true) -> [PromptHint] {
    switch kind {
    case .newEntry, .edit: writingHints(stays: stays && kind == .newEntry, isDrawn: isDrawn)
    case .question(let form): questionHints(form)
    case .command:
      answering("run", [PromptHint("Tab", "complete", 2), PromptHint("Up", "earlier", 3)])
    case .search: answering("search", Self.queryHints)
    case .filter: answering("filter", Self.queryHints)
    case .titles: answering("go there", [PromptHint("Up Down", "select", 2)])
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
    case .attachment: answering("attach", [PromptHint("Tab", "complete", 2)])
    }
  }

  private func writingHints(stays: Bool, isDrawn: Bool) -> [PromptHint] {
    let hints = [
      PromptHint("Enter", "save", 0), PromptHint("^J", "new line", 1),
      PromptHint("^X^E", "editor", 3), PromptHint("Tab", "tags", 4),
      PromptHint("Esc", isUnkept ? "try to keep" : isWriting ? "keep as draft" : "cancel", 2),
    ]
    // Where the text has become long.
    if lines > 1, isDrawn {
      return hints + [PromptHint("^X f", isFull ? "half" : "full screen", 5)]
    }
    guard stays, text.isEmpty else { return hints }
    return hints + [PromptHint(":", "command", 5), PromptHint("/", "search", 6)]
  }

  private func questionHints(_ form: Form) -> [PromptHint] {
    let others = form.questions.count > 1 ? [PromptHint("Up Down", "other questions", 3)] : []
    return [
      PromptHint("Enter", form.isLast ? "save" : "next", 0), PromptHint("^J", "new line", 1),
    ] + others + [
      PromptHint("Esc", isUnkept ? "try to keep" : isWriting ? "keep as draft" : "cancel", 2)
    ]
  }

  private func answering(_ enter: String, _ others: [PromptHint]) -> [PromptHint] {
    [PromptHint("Enter", enter, 0)] + others + [PromptHint("Esc", "cancel", 1)]
  }

  private static let queryHints = [
    PromptHint("Tab", "complete", 2), PromptHint("Up", "earlier", 3),
  ]
}

/// The keys of the open prompt, each with a word: as many as fit, the most important ones first.
struct PromptHints {
  private let hints: [PromptHint]
  private static let gap = 2

  /// Makes the hints of a prompt.
  ///
  /// - Parameter stays: Whether it reopens after each entry.
  init(_ prompt: OpenPrompt, stays: Bool) {
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
