import Journal
import JournalApp
import JournalStore
import SectionedResults
import TerminalUI

extension AppRunner {
  /// Runs one effect; what comes of it is sent as an intent.
  func perform(_ effect: Effect) {
    do {
      switch effect {
      case .openPrompt(let purpose): open(prompt.open(purpose))
      case .editInPrompt(let target): try onEntry(target) { open(prompt.open(editing: $0)) }
      case .add(let text): save(text) { try actions.add(text) }
      case .edit(let number, let text):
        save(text, of: number) { try actions.edit(number, text, expecting: prompt.base) }
      case .resolve(_, let answer): try resolve(answer)
      case .delete(let target): send(.saved(try actions.delete(target)))
      case .star(let target, let change): send(.saved(try actions.star(target, change)))
      case .undo: send(.saved(try actions.undo()))
      case .redo: send(.saved(try actions.redo()))
      case .read(let target):
        try onEntry(target) { send(.entryOpened($0, lines: lines(of: $0))) }
      case .findDay(let words): send(.dayFound(section: try actions.section(of: words)))
      case .newEntryInEditor, .editInEditor, .continueInEditor: try edit(effect)
      case .saveDraft, .discardDraft, .countDrafts, .armDraftTimer: try keep(effect)
      case .measure: measure()
      case .reload:
        try controller.performFetch()
        send(ResultsListener.reloaded(controller))
      case .redraw: try display.redraw()
      case .suspend:
        try display.suspend()
        comeBack()
      case .quit(let code): quit(code)
      }
    } catch {
      send(.failed(Failure(explaining: error).message))
    }
  }

  private func open(_ intent: Intent) {
    send(intent)
    if prompt.isActive { send(prompt.shown(size: state.size)) }
  }

  private func onEntry(_ target: Target, _ body: (Entry) -> Void) throws {
    guard let entry = try actions.entry(target) else {
      send(.entryGone(try actions.number(of: target)))
      return
    }
    body(entry)
  }

  private func lines(of entry: Entry) -> Int {
    renderer.layout(of: entry, columns: state.size.columns).lines.count
  }

  private func measure() {
    var entryLines = 0
    if case .reading(let reading) = state.mode { entryLines = lines(of: reading.entry) }
    send(.measured(entryLines: entryLines, promptLines: prompt.lines(size: state.size)))
  }

  /// Saves a text; its draft goes only when the journal has it, and stays when it has not.
  private func save(_ text: String, of number: Int64? = nil, _ body: () throws -> Saved) {
    do {
      let saved = try body()
      keeper?.committed(text)
      send(.saved(saved))
    } catch {
      if let number, Self.isConflict(error), let draft = try? keeper?.keep(text) {
        return ask(about: number, text, draft)
      }
      let message = Failure(explaining: error).message
      do {
        let path = try keeper?.keep(text).path
        send(.failed(path.map { "\(message); kept in \($0)" } ?? message))
      } catch {
        send(.failed("\(message); not kept either: \(error.message)"))
      }
    }
  }

  private func keep(_ effect: Effect) throws {
    switch effect {
    case .saveDraft(_, let text): keepDraft(text)
    case .discardDraft: keeper?.discard()
    case .armDraftTimer: timers.set(.draft, after: .milliseconds(250))
    default: send(.draftsCounted(keeper?.count ?? 0))
    }
  }
}

// MARK: - Drafts

extension AppRunner {
  /// Keeps a text: at once when its prompt has closed, else when the last writing is long enough ago.
  private func keepDraft(_ text: String) {
    reportingDraft {
      if state.prompt == nil {
        try keeper?.keep(text)
      } else if let delay = try keeper?.keepSoon(text) {
        timers.set(.draft, after: delay)
      }
    }
  }

  /// The time has come for a draft that waits, and for what was typed since.
  func keepWaitingDraft() {
    reportingDraft { try keeper?.keepWaiting() }
    send(.draftTimerFired)
  }

  private func reportingDraft(_ body: () throws -> Void) {
    do { try body() } catch {
      send(.draftFailed("draft not kept: \(Failure(explaining: error).message)"))
    }
  }
}

// MARK: - The user's editor

extension AppRunner {
  private func edit(_ effect: Effect) throws {
    switch effect {
    case .newEntryInEditor: try edit("", for: .newEntry, isContinued: false)
    case .editInEditor(let target):
      guard let entry = try actions.entry(target) else {
        return send(.entryGone(try actions.number(of: target)))
      }
      try edit(entry.text, for: .edit(uuid: entry.uuid), entry, isContinued: false)
    case .continueInEditor(.edit(let number), let text):
      guard let entry = try actions.entry(.entry(number)) else { return send(.entryGone(number)) }
      try edit(text, for: .edit(uuid: entry.uuid), entry, isContinued: true)
    case .continueInEditor(_, let text): try edit(text, for: .newEntry, isContinued: true)
    default: break
    }
  }

  /// Runs the editor on a text and saves what comes back.
  private func edit(
    _ text: String, for purpose: Draft.Purpose, _ entry: Entry? = nil, isContinued: Bool
  ) throws {
    let session = try EditorSession(text, for: purpose, in: drafts(), isSaved: !isContinued)
    if isContinued { keeper?.discard() } else { keeper?.detach() }
    defer { comeBack() }
    let outcome = try display.outside { try session.run(editor: editor, signals: loop.signals) }
    switch outcome {
    case .changed(let new): try save(new, entry, session)
    case .unchanged where isContinued: try save(text, entry, session)
    case .returnedAtOnce: send(.failed(EditorSession.atOnce))
    case .signalled(let number): send(.signalled(number))
    case .unchanged:
      session.finish()
      send(.saved(Saved("unchanged")))
    case .empty:
      session.finish()
      send(.failed(entry == nil ? "nothing to save" : "empty text not saved; d deletes an entry"))
    }
  }

  private func drafts() throws -> DraftStore {
    if let draftStore { return draftStore }
    // Asked for once more, for the words that say what is wrong.
    return try DraftStore.standard(for: store.place)
  }

  private func save(_ text: String, _ entry: Entry?, _ session: EditorSession) throws {
    do {
      let saved =
        if let entry {
          try actions.edit(entry.number, text, expecting: entry.checksum)
        } else {
          try actions.add(text)
        }
      session.finish()
      keeper?.committed(text)
      send(.saved(saved))
    } catch {
      if let entry, Self.isConflict(error) {
        return ask(about: entry.number, text, session.draft)
      }
      let message = Failure(explaining: error).message
      throw Failure(.notDone, "\(message); kept in \(session.draft.path)")
    }
  }

  /// Whether the entry is not what it was when its editing began.
  private static func isConflict(_ error: any Error) -> Bool {
    switch (error as? StoreError)?.kind {
    case .conflict, .noSuchEntry: true
    default: false
    }
  }

  private func ask(about number: Int64, _ text: String, _ draft: Draft) {
    guard let draftStore else { return send(.failed("entry \(number) was changed meanwhile")) }
    let question = EditConflict(number: number, fate: actions.fate(of: number))
    conflict = EditorConflict(question, text: text, draft: draft, in: draftStore)
    send(.conflictFound(question))
  }

  private func resolve(_ answer: EditConflict.Answer) throws {
    guard let conflict else { return }
    self.conflict = nil
    switch answer {
    case .overwrite: send(.saved(try conflict.overwrite(actions)))
    case .addAsNew: send(.saved(try conflict.addAsNew(actions)))
    case .keepDraft: send(.saved(try conflict.keepDraft()))
    }
  }
}
