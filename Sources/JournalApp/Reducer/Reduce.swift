/// Takes one intent into the state and says what the world outside must do.
///
/// This is all of the program's logic: it reads no clock, no file and no terminal, so a log of
/// intents replays a run.
public func reduce(
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
