import Journal

extension State {
  /// Handles a key: a digit of a count, a part of a sequence, or its end.
  mutating func press(_ key: String, _ keys: KeyTable) -> [Effect] {
    if environment.isLinear { speech.notePress() }
    if let conflict = questions.conflict { return answer(conflict, key) }
    if let question = questions.question { return answer(question, key) }
    if case .menu(let menu) = pages.mode, menu.asks { return answer(menu, key) }
    if places.letterUse != nil { return useMark(key) }
    let before = status
    status = nil
    commands.line = nil
    if key == "<C-c>", pressed.pending.isEmpty, sync?.isRunning == true { return cancelSync() }
    let isSingle = pressed.pending.sequence.keys.isEmpty
    switch pressed.press(key, keys, in: context) {
    case .incomplete, .givenUp: return []
    case .unbound(let sequence):
      let answers = [
        Habit.answer(to: sequence, keys, in: context),
        keys.otherPlaces(of: sequence, in: context),
      ].compactMap(\.self)
      status = .failed(
        answers.isEmpty
          ? "\(KeyTable.display(sequence)) is not bound; ? shows the keys"
          : answers.joined(separator: "; "))
      return []
    case .action(let action, let count):
      let isDoubled = action == .delete && count == nil && pressed.hasJustDeleted
      pressed.hasJustDeleted = false
      if isDoubled {
        let news = before?.kind == .done ? before?.text : nil
        status = .done("\(news ?? "dd deletes one entry, like d"); press d again for the next")
        return []
      }
      // The offer to show the hidden entry expires with its message.
      if action != .escape, action != .back { list.unseen = nil }
      if action != .edit, action != .editInEditor { list.hidden = nil }
      if action != .delete { list.deletions = DeletionRun() }
      let effects = perform(action, count: count)
      pressed.hasJustDeleted = action == .delete && isSingle && !effects.isEmpty
      // The last screen keeps its message: it is the whole output of a run without a terminal.
      if effects.contains(.terminal(.quit(0))) {
        status = before
        if environment.isLinear { speech.forgetPress() }
      }
      return effects
    }
  }

  /// Performs an action in the current mode.
  ///
  /// - Parameter isNoted: whether `.` repeats it.
  mutating func perform(_ action: Action, count: Int? = nil, isNoted: Bool = true) -> [Effect] {
    if journal.isReadOnly, action.row.traits.contains(.changesEntries),
      journal.past == nil || action != .restore
    {
      status = .failed(refusal)
      return []
    }
    if isNoted { noteChange(action, count) }
    if let effects = closeRange(for: action) { return effects }
    if let effects = countedRows(action, count) { return effects }
    switch action.row.kind {
    case .move(let movement): return move(movement, count: count)
    case .fold(let action): fold(action)
    case .open(let view): return view.row.open?(&self) ?? []
    case .go(let destination): return go(to: destination)
    case .arrange(let arrangement): return arrange(arrangement)
    case .search(let action): return find(action)
    case .mark(let action): return mark(action)
    case .entry(let action): return act(action, count)
    case .entries(let action): return actOnMany(action)
    case .version(let action): return look(action, count)
    case .write(let action): return write(action, count)
    case .view(let action): return change(action, count)
    case .scroll(let action): return scroll(action, count)
    case .place(let action):
      switch action {
      case .earlier: return stepPlaces(-(count ?? 1))
      case .later: return stepPlaces(count ?? 1)
      case .mark: places.letterUse = .set
      case .goToMark: places.letterUse = .go
      }
      return []
    case .link(let action): return use(action, count)
    case .file(let action): return use(action)
    case .speech(let action): return speak(action)
    case .program(let action):
      switch action {
      case .command: return [.prompt(.open(.command))]
      case .redraw:
        if environment.isLinear { return speak(.again) }
        return [.terminal(.redraw)]
      case .suspend: return [.terminal(.suspend)]
      case .quit: return leave(exitCode: 0)
      }
    }
    return []
  }

  /// Performs a writing action, or undoes a change.
  private mutating func write(_ action: WriteAction, _ count: Int?) -> [Effect] {
    // The prompt is below the list, whose keys follow it.
    if pages.mode == .sidebar { leaveMode() }
    switch action {
    case .newEntry: return [.prompt(.open(.newEntry))]
    case .newEntryInEditor: return [.editor(.newEntry())]
    case .carryOver: return [.prompt(.carryOver)]
    case .tick: return tick(count)
    case .undo, .redo:
      list.widget.clearChanges()
      return [.change(action == .undo ? .undo : .redo)]
    case .discardDraft:
      askToDiscard()
      return []
    case .repeat: return repeatChange(count)
    }
  }

  /// Opens or leaves a view.
  private mutating func change(_ action: ViewAction, _ count: Int?) -> [Effect] {
    switch action {
    case .back: return goBack()
    case .escape: return escape()
    case .preview: return togglePreview()
    case .sidebar: return toggleSidebar()
    case .turnSplit: return turnSplit()
    case .largerList: return resizeSplit(by: count ?? 1)
    case .smallerList: return resizeSplit(by: -(count ?? 1))
    case .nextEntry: return readNeighbour(1, count)
    case .previousEntry: return readNeighbour(-1, count)
    }
  }

  /// Performs an action on the open or selected entry.
  mutating func act(_ action: EntryAction, _ count: Int? = nil) -> [Effect] {
    if action == .openLink, let address = chosenFile(count) {
      return [.program(.openLink(address))]
    }
    if let effects = pages.mode.page?.choose(in: &self) { return effects }
    if pages.mode == .sidebar { return chooseInSidebar() }
    if action == .openLink { return openLink(count) }
    let hidden = pages.mode == .list ? list.hidden.map(Target.entry) : nil
    guard let target = hidden ?? target else {
      if action == .read, let section = list.widget.selection?.section {
        list.widget.toggleFold(section: section)
        return []
      }
      status = .failed("no entry selected")
      return []
    }
    if list.scope.isTrash, action == .edit || action == .editInEditor {
      status = .failed(Self.inTrash)
      return []
    }
    return switch action {
    case .read: [.read(.entry(target))]
    case .edit: [.prompt(.edit(target))]
    case .editInEditor: [.editor(.edit(target))]
    case .versions: [.read(.versions(target))]
    case .openLink: []
    }
  }

  /// Performs an action on the marked entries, else on the open or selected one.
  private mutating func actOnMany(_ action: EntriesAction) -> [Effect] {
    guard let targets else {
      status = .failed("no entry selected")
      return []
    }
    switch action {
    case .delete where pages.mode == .reading && pane.reading?.isGone == true:
      status = .failed("already deleted; u undoes the last deletion")
      return []
    case .delete:
      if pages.mode == .reading { pages.mode = .list } else { marks.numbers = [] }
      return [.change(.delete(targets))]
    case .restore: return [restore(targets)]
    case .star: return [.change(.star(targets, .toggle))]
    case .tags: return [.prompt(.open(.tags))]
    case .redate: return [.prompt(.open(.redate))]
    case .copy: return [.program(.copy(targets))]
    case .pipe: return [.prompt(.open(.pipe))]
    }
  }

  /// Closes the open view, else the program.
  mutating func goBack() -> [Effect] {
    closeView() ?? leaveVisit() ?? leave(exitCode: 0)
  }

  /// Closes the open view, else clears one layer over the list: a range being marked, marks, the
  /// search, the filter.
  private mutating func escape() -> [Effect] {
    if pages.mode == .reading, pane.reading?.stop != nil {
      pane.reading?.stop = nil
      return []
    }
    if pages.search != nil {
      pages.search = nil
      return []
    }
    if let effects = closeView() ?? clear() { return effects }
    // One Esc too many must not lead from the past to where the next key writes.
    guard journal.past == nil || list.scope.isTrash else {
      status = .done("q goes back to the present")
      return []
    }
    return leaveVisit() ?? []
  }

  /// Leaves the trash, else the past; `nil` in the present list.
  private mutating func leaveVisit() -> [Effect]? {
    if list.scope.isTrash { return toggleTrash() }
    return journal.past == nil ? nil : [.menu(.leavePast)]
  }

  /// Restores entries from the trash, or from the past.
  func restore(_ target: Target) -> Effect {
    .change(journal.past == nil ? .restore(target) : .restorePast(target))
  }

  /// Closes the view over the list; `nil` if there is none.
  private mutating func closeView() -> [Effect]? {
    if let page = pages.mode.page { return page.close(in: &self) }
    guard pages.mode != .list else { return nil }
    leaveMode()
    return []
  }

  /// Clears one layer over the list; `nil` if there is none.
  private mutating func clear() -> [Effect]? {
    if list.unseen != nil {
      let whole = ListScope(order: list.scope.order, grouping: list.scope.grouping)
      return [.query(.show(whole, list.unseen.map(Landing.entry) ?? .nearest))]
    } else if marks.rangeStart != nil {
      marks.rangeStart = nil
    } else if !marks.numbers.isEmpty {
      marks.numbers = []
    } else if search != nil {
      search = nil
      highlightPane()
    } else if !list.scope.filter.isEmpty {
      let next = list.scope.filtered(by: "")
      return [.query(.show(next, list.landing(in: next)))]
    } else {
      return nil
    }
    return []
  }

  /// The reason why an entry in the trash is not changed.
  static let inTrash = "the entry is in the trash; restore it first"

  /// The reason why a read-only journal is not changed.
  var refusal: String {
    journal.past == nil
      ? "this journal is open read-only; nothing was changed"
      : "this is the journal as it was; r restores an entry, q goes back to the present"
  }

  /// Returns to the list.
  mutating func leaveMode() {
    pages.focus(.list)
    if !isSplit { pane.reading = nil }
    // The open entry may differ from the selected one.
    pane.source = nil
    fit()
  }

  /// Ends the program; text in a prompt is saved first.
  mutating func leave(exitCode: Int32) -> [Effect] {
    if let question = questions.question {
      self.questions.question = nil
      status = .done(question.refusal)
    }
    return leave(exitCode)
  }

  private mutating func leave(_ exitCode: Int32) -> [Effect] {
    closePrompt().filter { $0 != .prompt(.countDrafts) } + [.terminal(.quit(exitCode))]
  }
}
