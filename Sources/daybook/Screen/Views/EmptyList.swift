import JournalApp
import TerminalUI

/// What stands in the place of a list without rows: why there are none, and what to press.
struct EmptyList {
  private let keys: KeyTable
  private let state: State

  /// Makes the words for a state.
  init(_ keys: KeyTable, _ state: State) {
    self.keys = keys
    self.state = state
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
