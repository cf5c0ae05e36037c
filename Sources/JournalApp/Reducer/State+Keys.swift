extension State {
  /// Takes a key: a digit of a count, a part of a sequence, or the end of one.
  mutating func press(_ key: String, _ keys: KeyTable) -> [Effect] {
    if let conflict { return answer(conflict, key) }
    let before = status
    status = nil
    list.clearChanges()
    if pending.takeDigit(key) { return [] }
    let sequence = KeySequence(keys: pending.sequence.keys + [key])
    switch keys.match(sequence, in: mode.context) {
    case .prefix:
      pending.sequence = sequence
      return []
    case .none:
      let waited = !pending.isEmpty
      pending = PendingKeys()
      if !waited {
        status = .failed("\(KeyTable.display(sequence)) is not bound; ? shows the keys")
      }
      return []
    case .action(let action):
      let count = pending.count
      pending = PendingKeys()
      let effects = perform(action, count: count)
      // The last screen keeps its news: it is all that a run without a terminal prints.
      if effects.contains(.quit(0)) { status = before }
      return effects
    }
  }

  /// Does what a key or a command asks for, in the present mode.
  mutating func perform(_ action: Action, count: Int? = nil) -> [Effect] {
    switch action {
    case .newEntry: return [.openPrompt(.newEntry)]
    case .newEntryInEditor: return [.newEntryInEditor]
    case .command: return [.openPrompt(.command)]
    case .undo: return [.undo]
    case .redo: return [.redo]
    case .redraw: return [.redraw]
    case .suspend: return [.suspend]
    case .quit: return leave(exitCode: 0)
    case .help: mode = .help(0)
    case .back: return goBack()
    case .escape: if mode != .list { return goBack() }
    case .edit, .editInEditor, .delete, .star, .read: return act(action)
    case .goToDate: return [.openPrompt(.date)]
    case .goToToday: return [.findDay("today")]
    default: move(action, count: count)
    }
    return []
  }

  /// Does something to the entry that is selected or being read.
  private mutating func act(_ action: Action) -> [Effect] {
    guard let target else {
      if action == .read, let section = list.selection?.section {
        list.toggleFold(section: section)
        return []
      }
      status = .failed("no entry selected")
      return []
    }
    switch action {
    case .edit: return [.editInPrompt(target)]
    case .editInEditor: return [.editInEditor(target)]
    case .delete: return [.delete(target)]
    case .star: return [.star(target, .toggle)]
    default: return [.read(target)]
    }
  }

  private mutating func goBack() -> [Effect] {
    guard mode != .list else { return leave(exitCode: 0) }
    mode = .list
    return []
  }

  /// Ends the program; text that stands in a prompt is kept first.
  mutating func leave(exitCode: Int32) -> [Effect] {
    closePrompt().filter { $0 != .countDrafts } + [.quit(exitCode)]
  }
}
