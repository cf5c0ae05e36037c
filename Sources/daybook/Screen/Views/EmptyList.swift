import JournalApp
import TerminalUI

/// What is in the trash while the list has nothing.
struct TrashContents: Equatable {
  /// How many entries.
  var count = 0
  /// Whether an undo brings the ones deleted last back.
  var isUndone = false
}

/// What stands in the place of a list without rows: why there are none, and what to press.
struct EmptyList {
  private let keys: KeyTable
  private let state: State
  private let trash: () -> TrashContents

  /// Makes the words for a state.
  ///
  /// - Parameter trash: asked only when the words depend on it.
  init(_ keys: KeyTable, _ state: State, trash: @escaping () -> TrashContents) {
    self.keys = keys
    self.state = state
    self.trash = trash
  }

  /// Draws the words, wrapped.
  func draw(in rect: CanvasRect, on canvas: inout Canvas) {
    let lines = TextLayout.wrap(Sanitizer.line(words), columns: rect.width)
    for (index, line) in lines.prefix(rect.height).enumerated() {
      canvas.draw(line, at: rect.column, row: rect.row + index)
    }
  }

  private var words: String {
    // While one types, keys belong to the prompt.
    if let prompt = state.prompt?.kind, prompt != .filter { return promptWords(prompt) }
    if !state.scope.filter.isEmpty {
      return "No entry matches. \(key(.escape)) takes the filter away."
    }
    if state.scope.isTrash { return "The trash is empty. \(key(.trash)) leads back." }
    let trash = trash()
    if trash.count > 0 {
      let undo = trash.isUndone ? ", \(key(.undo)) brings the last back" : ""
      return "No entries; \(trash.count) in the trash (\(key(.trash)) shows them\(undo))."
    }
    return
      "This journal is empty. Press \(key(.newEntry)) to write the first entry, \(key(.help)) for"
      + " the keys; daybook demo is a tour."
  }

  private func promptWords(_ prompt: PromptPurpose) -> String {
    if !state.scope.filter.isEmpty { return "No entry matches." }
    if state.scope.isTrash { return "The trash is empty." }
    return prompt == .newEntry
      ? "This journal is empty. Type the first entry below." : "This journal is empty."
  }

  private func key(_ action: Action) -> String {
    keys.sequences(for: action, in: .list).first.map(KeyTable.display) ?? ":\(action.rawValue)"
  }
}
