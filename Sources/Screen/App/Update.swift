/// Takes one intent into the state and says what the world outside must do.
///
/// This is all of the program's logic: it reads no clock, no file and no terminal, so a log of
/// intents replays a run.
package func reduce(
  _ state: inout State, _ intent: Intent, keys: KeyTable = .standard
) -> [Effect] {
  let selection = state.list.selection
  let effects =
    switch intent {
    case .keyPressed(let key): state.press(key, keys)
    case .mouse(let mouse): state.use(mouse)
    case .inputEnded: state.leave(exitCode: 0)
    case .signalled(let number): state.leave(exitCode: 128 + number)
    default: state.takePrompt(intent) ?? state.takeList(intent) ?? state.takeEntry(intent)
    }
  state.noteMovement(from: selection, by: intent)
  state.layOutHelp(keys)
  state.forgetCovered()
  return effects + state.fillPane()
}

extension State {
  /// What happens in a prompt; `nil` for any other intent.
  fileprivate mutating func takePrompt(_ intent: Intent) -> [Effect]? {
    switch intent {
    case .promptWanted: return perform(.newEntry)
    case .promptOpened(let kind, let text, let present): return openPrompt(kind, text, present)
    case .promptChanged(let label, let text, let point, let lines):
      return changePrompt(label: label, text: text, point: point, lines: lines)
    case .promptSubmitted(let text): return submitPrompt(text)
    case .promptCancelled(let text): return cancelPrompt(text)
    case .promptMovedToEditor(let text): return moveToEditor(text)
    case .draftTimerFired: return keepDraft()
    case .completionsFound(let words): completions = words
    case .draftsCounted(let count, let edits): countDrafts(count, edits: edits)
    case .emptiedDraftDiscarded: status = .done("draft discarded")
    case .draftRemoved(let menu):
      take(drafts: menu)
      status = .done("draft discarded")
    case .draftFailed(let text): status = .failed(text)
    default: return nil
    }
    return []
  }

  /// What comes from the results controller and from searches; `nil` for any other intent.
  fileprivate mutating func takeList(_ intent: Intent) -> [Effect]? {
    switch intent {
    case .batchArrived(let batch, let keys): return apply(batch, sectionKeys: keys)
    case .listReloaded(let sections, let generation, let selection):
      list.reload(sections: sections, generation: generation)
      if let selection { list.select(selection) }
      previewed = nil
      return refreshedReading()
    case .listShown(let scope, let sections, let generation, let selection, let leaving):
      show(scope, sections, generation, selection, leaving: leaving)
    case .listNotShown(let scope, let reason): return keepList(insteadOf: scope, reason)
    case .searchFailed(let reason): return failSearch(reason)
    case .workCancelled: return cancelWork()
    case .highlightEnded: list.clearChanges()
    case .placeRestored(let folded, let selection, let line):
      restorePlace(folded: folded, selection: selection, screenLine: line)
    case .dayFound(let path, let note): goTo(day: path, note: note)
    case .matchFound(let text, let path, let wrapping):
      return goTo(match: path, of: text, wrapping: wrapping)
    case .matchesCounted(let text, let place):
      if search?.text == text { search?.place = place }
    case .rowsMarked(let numbers, let change, let action):
      mark(numbers, change)
      return action.map { perform($0) } ?? []
    case .indexTitlesFound(let titles): openJumpBar(titles)
    case .daysCounted(let month, let counts): count(counts, month: month)
    case .statisticsCounted(let scope, let statistics, let today, let year, let years):
      return take(statistics, of: scope, today: today, year: year, years: years)
    case .statisticsMeasured(let lines): measure(statisticsLines: lines)
    case .journalChanged:
      // "u brings it back" is not true any more when somebody else was the last to write.
      if status?.kind == .done { status = nil }
      return recounted()
    default: return nil
    }
    return []
  }

  /// What comes from the store, the clock and the terminal.
  fileprivate mutating func takeEntry(_ intent: Intent) -> [Effect] {
    switch intent {
    case .entryOpened(let entry, let lines): return open(entry, lines: lines)
    case .entryPreviewed(let entry, let lines): return preview(entry, lines: lines)
    case .versionOpened(let page): show(page)
    case .menuOpened(let menu): show(menu)
    case .linesMatched(let lines): pane?.matches = lines
    case .measured(let entryLines, let promptLines):
      measure(entryLines: entryLines, promptLines: promptLines)
      return matchLines()
    case .entryGone(let number): close(number)
    case .saved(let saved): tell(saved)
    case .failed(let text): fail(text)
    case .pageOpened(let page):
      pageSearch = nil
      mode = .page(page)
    case .working(let word): work = word
    case .resized(let size): return resize(size)
    case .dayChanged(let day):
      today = day
      return recounted()
    case .conflictFound(let conflict): ask(conflict)
    case .questionAsked(let question):
      self.question = question
      status = nil
    case .viewsChanged(let views): self.views = views
    case .settingsChanged(let settings, let old): return change(settings, from: old)
    case .journalOpened(let state): begin(state)
    default: break
    }
    return []
  }
}

extension State {
  /// Goes on with another journal; what was chosen for the program stays.
  fileprivate mutating func begin(_ state: State) {
    let before = self
    self = state
    (views, keepsPrompt) = (before.views, before.keepsPrompt)
    fit()
  }
}

extension State {
  /// Takes a key: a digit of a count, a part of a sequence, or the end of one.
  mutating func press(_ key: String, _ keys: KeyTable) -> [Effect] {
    if let conflict { return answer(conflict, key) }
    if let question { return answer(question, key) }
    if case .menu(let menu) = mode, menu.asks { return answer(menu, key) }
    let before = status
    status = nil
    if pending.takeDigit(key) { return [] }
    let sequence = KeySequence(keys: pending.sequence.keys + [key])
    switch keys.match(sequence, in: context) {
    case .prefix:
      pending.sequence = sequence
      return []
    case .none where keys.isPrefixElsewhere(sequence):
      // The next key belongs to it: alone it may do something that nobody asked for.
      pending.sequence = sequence
      return []
    case .none:
      let waited = !pending.isEmpty
      pending = PendingKeys()
      if waited, ["<Esc>", "<C-c>"].contains(key) { return [] }
      if let elsewhere = keys.otherPlaces(of: sequence, in: context) {
        status = .failed(elsewhere)
      } else {
        status = .failed("\(KeyTable.display(sequence)) is not bound; ? shows the keys")
      }
      return []
    case .action(let action):
      let count = pending.count
      pending = PendingKeys()
      // The offer to go to what the list hides stands as long as its words do.
      if action != .escape, action != .back { unseen = nil }
      if action != .delete { deletions = DeletionRun() }
      let effects = perform(action, count: count)
      // The last screen keeps its news: it is all that a run without a terminal prints.
      if effects.contains(.quit(0)) { status = before }
      return effects
    }
  }

  /// Does what a key or a command asks for, in the present mode.
  mutating func perform(_ action: Action, count: Int? = nil) -> [Effect] {
    if isReadOnly, action.changesEntries {
      status = .failed(Self.readOnly)
      return []
    }
    if let effects = closeRange(for: action) { return effects }
    switch action {
    case .newEntry: return [.openPrompt(.newEntry)]
    case .newEntryInEditor: return [.newEntryInEditor]
    case .command: return [.openPrompt(.command)]
    case .undo, .redo:
      list.clearChanges()
      return [action == .undo ? .undo : .redo]
    case .redraw: return [.redraw]
    case .suspend: return [.suspend]
    case .quit: return leave(exitCode: 0)
    case .help: openHelp()
    case .back: return goBack()
    case .escape: return escape()
    case .preview: return togglePreview()
    case .goToDate: return [.openPrompt(.date)]
    case .goToToday, .calendar, .jump: return go(action)
    case .statistics: return openStatistics(of: scope)
    case .search, .nextMatch, .previousMatch, .filter: return find(action)
    case .mark, .markRange, .markAll: return mark(action)
    case .order: mode = .order
    case .trash: return toggleTrash()
    case .read, .edit, .editInEditor, .versions: return act(action)
    case .delete, .restore, .star, .tags, .redate, .copy, .pipe: return actOnMany(action)
    case .discardDraft: askToDiscard()
    case .tick: return tick(count)
    case .carryOver: return [.carryOver]
    case .nextEntry, .previousEntry: return readNeighbour(action == .nextEntry ? 1 : -1, count)
    case .olderVersion, .newerVersion, .takeBack: return look(action, count)
    default: return arrange(action) ?? move(action, count: count)
    }
    return []
  }

  /// Does something to the entry that is selected or being read.
  private mutating func act(_ action: Action) -> [Effect] {
    switch mode {
    case .calendar(let calendar): return open(calendar.day)
    case .jump(let bar): return open(bar)
    case .menu(let menu): return choose(from: menu)
    default: break
    }
    guard let target else {
      if action == .read, let section = list.selection?.section {
        list.toggleFold(section: section)
        return []
      }
      status = .failed("no entry selected")
      return []
    }
    if scope.isTrash, action == .edit || action == .editInEditor {
      status = .failed(Self.inTrash)
      return []
    }
    switch action {
    case .edit: return [.editInPrompt(target)]
    case .editInEditor: return [.editInEditor(target)]
    case .versions: return [.showVersions(target)]
    default: return [.read(target)]
    }
  }

  /// Does something to the marked entries, else to the one selected or being read.
  private mutating func actOnMany(_ action: Action) -> [Effect] {
    guard let targets else {
      status = .failed("no entry selected")
      return []
    }
    switch action {
    case .delete where mode == .reading && pane?.isGone == true:
      status = .failed("already deleted; u brings the last deletion back")
      return []
    case .delete:
      if mode == .reading { mode = .list } else { marks = [] }
      return [.delete(targets)]
    case .restore: return [.restore(targets)]
    case .star: return [.star(targets, .toggle)]
    case .tags: return [.openPrompt(.tags)]
    case .redate: return [.openPrompt(.redate)]
    case .copy: return [.copy(targets)]
    case .pipe: return [.openPrompt(.pipe)]
    default: return []
    }
  }

  /// Leaves what is open, else the program.
  private mutating func goBack() -> [Effect] {
    if let covered { return uncover(covered) }
    if case .versions(let page) = mode { return leave(page) }
    guard mode == .list else {
      leaveMode()
      return []
    }
    return scope.isTrash ? toggleTrash() : leave(exitCode: 0)
  }

  /// Leaves what is open, else takes away what was put over the list: a range that is being marked,
  /// marks, the search, the filter, one with each press.
  private mutating func escape() -> [Effect] {
    if pageSearch != nil {
      pageSearch = nil
      return []
    }
    if let covered { return uncover(covered) }
    if case .versions(let page) = mode { return leave(page) }
    guard mode == .list else {
      leaveMode()
      return []
    }
    return clear() ?? (scope.isTrash ? toggleTrash() : [])
  }

  /// Takes away one thing that was put over the list; `nil` when there is none.
  private mutating func clear() -> [Effect]? {
    if unseen != nil {
      let whole = ListScope(order: scope.order, sectioning: scope.sectioning)
      return [.show(whole, unseen.map(Landing.entry) ?? .nearest)]
    } else if rangeStart != nil {
      rangeStart = nil
    } else if !marks.isEmpty {
      marks = []
    } else if search != nil {
      search = nil
      return matchLines()
    } else if !scope.filter.isEmpty {
      let next = scope.filtered(by: "")
      return [.show(next, landing(in: next))]
    } else {
      return nil
    }
    return []
  }

  /// Why an entry of the trash is not changed.
  static let inTrash = "it is in the trash; take it out first"

  /// Why nothing is changed in a journal that was opened without any write.
  static let readOnly = "this journal is open read-only; nothing was changed"

  /// Goes back to the list.
  mutating func leaveMode() {
    mode = .list
    if !isSplit { pane = nil }
    // What was read need not be what is selected.
    previewed = nil
    fit()
  }

  /// Ends the program; text that stands in a prompt is kept first.
  mutating func leave(exitCode: Int32) -> [Effect] {
    if let question {
      self.question = nil
      status = .done(question.refusal)
    }
    return leave(exitCode)
  }

  private mutating func leave(_ exitCode: Int32) -> [Effect] {
    closePrompt().filter { $0 != .countDrafts } + [.quit(exitCode)]
  }
}
