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
        save(text) { try actions.edit(number, text, expecting: prompt.base) }
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
  private func save(_ text: String, _ body: () throws -> Saved) {
    do {
      let saved = try body()
      keeper?.committed()
      send(.saved(saved))
    } catch {
      let message = Failure(explaining: error).message
      do {
        let path = try keeper?.keep(text)
        send(.failed(path.map { "\(message); kept in \($0)" } ?? message))
      } catch {
        send(.failed("\(message); not kept either: \(error.message)"))
      }
    }
  }

  private func keep(_ effect: Effect) throws {
    switch effect {
    case .saveDraft(_, let text):
      do {
        try keeper?.keep(text)
      } catch {
        send(.draftFailed("draft not kept: \(error.message)"))
      }
    case .discardDraft: keeper?.discard()
    case .armDraftTimer: timers.set(.draft, after: .milliseconds(250))
    default: send(.draftsCounted(keeper?.count ?? 0))
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
    let session = try EditorSession(text, for: purpose, in: DraftStore.standard())
    if isContinued { keeper?.discard() } else { keeper?.detach() }
    defer { comeBack() }
    switch try display.outside({ try session.run() }) {
    case .changed(let new): try save(new, entry, session)
    case .unchanged where isContinued: try save(text, entry, session)
    case .unchanged:
      session.finish()
      send(.saved(Saved("unchanged")))
    case .empty:
      session.finish()
      send(.failed(entry == nil ? "nothing to save" : "empty text not saved; d deletes an entry"))
    }
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
      keeper?.committed()
      send(.saved(saved))
    } catch {
      let message = Failure(explaining: error).message
      throw Failure(.notDone, "\(message); kept in \(session.draft.path)")
    }
  }
}
