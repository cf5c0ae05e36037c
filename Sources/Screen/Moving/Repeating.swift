import SectionedResults

/// A change of entries that `.` repeats on the selected or marked ones.
package enum RepeatableChange: Equatable, Sendable {
  /// A key's action, with its count.
  case action(Action, Int?)
  /// A submitted prompt: tags or a date.
  case answer(PromptPurpose, String)
}

extension State {
  /// Records a change for `.`.
  mutating func noteChange(_ action: Action, _ count: Int?) {
    switch action.row.kind {
    case .entries(.delete), .entries(.restore), .entries(.star), .write(.tick):
      pressed.lastChange = .action(action, count)
    // Tags and dates are asked for, and the answer is repeated; the others change nothing.
    case .entries(.tags), .entries(.redate), .entries(.copy), .entries(.pipe): break
    case .move, .fold, .open, .go, .arrange, .search, .mark, .entry, .version, .write, .view,
      .program, .scroll, .place, .link, .file, .speech:
      break
    }
  }

  /// Repeats the last change, with another count if one is typed.
  mutating func repeatChange(_ count: Int?) -> [Effect] {
    switch pressed.lastChange {
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
    guard let count, count > 1, pages.mode == .list, marks.numbers.isEmpty, marks.rangeStart == nil,
      action.row.traits.contains(.actsOnMarked), case .entries = action.row.kind,
      let start = list.widget.selection?.path
    else { return nil }
    return [.list(.markRows(start...end(of: count, from: start), .add, then: action))]
  }

  /// The last of so many rows; a folded section ends them, since its rows are not visible.
  private func end(of count: Int, from start: RowPath) -> RowPath {
    var end = start
    var left = count - 1
    for (index, section) in list.widget.sections.enumerated().dropFirst(start.section) {
      guard !section.folded else { break }
      let first = index == start.section ? start.row : -1
      let taken = min(left, section.count - 1 - first)
      if taken > 0 { end = RowPath(index, first + taken) }
      left -= max(0, taken)
      if left == 0 { break }
    }
    return end
  }
}
