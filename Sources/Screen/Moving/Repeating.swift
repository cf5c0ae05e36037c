/// A change of entries that `.` repeats on the selected or marked ones.
package enum RepeatableChange: Equatable, Sendable {
  /// A key's action, with its count.
  case action(Action, Int?)
  /// A submitted prompt: tags, a date, a shell command.
  case answer(PromptPurpose, String)
}

extension State {
  /// Records a change for `.`.
  mutating func noteChange(_ action: Action, _ count: Int?) {
    switch action.row.kind {
    case .entries(.delete), .entries(.restore), .entries(.star), .entries(.copy), .write(.tick):
      lastChange = .action(action, count)
    // These open a prompt; its answer is repeated.
    case .entries(.tags), .entries(.redate), .entries(.pipe): break
    case .move, .fold, .open, .go, .arrange, .search, .mark, .entry, .version, .write, .view,
      .program, .scroll, .place:
      break
    }
  }

  /// Repeats the last change, with another count if one is typed.
  mutating func repeatChange(_ count: Int?) -> [Effect] {
    switch lastChange {
    case .action(let action, let before)?: return perform(action, count: count ?? before)
    case .answer(let kind, let text)?: return answer(kind, text)
    case nil:
      status = .failed("nothing to repeat yet; . repeats the last change")
      return []
    }
  }

  /// Acts on several entries from the selected one on, as in `3d`.
  ///
  /// - Returns: `nil` without a count, or if entries are marked.
  func countedRows(_ action: Action, _ count: Int?) -> [Effect]? {
    guard let count, count > 1, mode == .list, marks.isEmpty, rangeStart == nil,
      action.row.traits.contains(.actsOnMarked), case .entries = action.row.kind,
      let start = list.selection?.path
    else { return nil }
    var moved = list
    moved.moveSelection(by: count - 1)
    // A folded section at the end is not opened to act on its entries.
    while moved.selection?.path == nil { moved.moveSelection(by: -1) }
    guard let end = moved.selection?.path else { return nil }
    return [.list(.markRows(start...end, .add, then: action))]
  }
}
