import Journal
import Screen
import Terminal
import TextLayout

extension AppRunner {
  /// Does what belongs to the user's editor.
  func edit(_ effect: Effect) throws {
    switch effect {
    case .newEntryInEditor: try editNew(from: nil)
    case .newEntryFromTemplate(let name): try editNew(from: name)
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

  /// Runs the editor on a new entry, which begins with a template; without a name with the one that
  /// is usual for this journal and day.
  private func editNew(from name: String?) throws {
    let now = store.clock.moment()
    let template = try NewEntryTemplate(
      name, journal: store.place, created: now,
      day: settings.dayRule.day(of: now), configuration: configuration
    ) { store }
    try edit(
      template.filled.text, for: .newEntry, isContinued: false,
      line: template.filled.cursorLine, warning: template.warnings.first)
  }

  /// Runs the editor on a text and saves what comes back.
  private func edit(
    _ text: String, for purpose: Draft.Purpose, _ entry: Entry? = nil, isContinued: Bool,
    line: Int? = nil, warning: String? = nil
  ) throws {
    let session = try EditorSession(
      text, for: purpose, written: entry?.created ?? store.clock.moment(), in: drafts(),
      isSaved: !isContinued)
    if isContinued { keeper?.discard() } else { keeper?.detach() }
    defer { comeBack() }
    let outcome = try display.outside {
      try session.run(editor: settings.editor, line: line, signals: loop.signals)
    }
    switch outcome {
    case .changed(let new): try save(new, entry, session, warning)
    case .unchanged where isContinued: try save(text, entry, session)
    case .returnedAtOnce: send(.failed(EditorSession.atOnce))
    case .signalled(let number): send(.signalled(number))
    case .unchanged:
      session.finish()
      let news = entry == nil ? "unchanged; nothing saved" : "unchanged"
      send(.saved(Saved(news).with(warning)))
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

  private func save(
    _ text: String, _ entry: Entry?, _ session: EditorSession, _ warning: String? = nil
  ) throws {
    do {
      let saved =
        if let entry {
          try actions.edit(entry.number, text, expecting: entry.checksum)
        } else {
          try actions.add(text)
        }
      session.finish()
      keeper?.committed(text)
      send(.saved(saved.with(warning)))
    } catch {
      if let entry, Self.isConflict(error) {
        return ask(about: entry.number, text, session.draft)
      }
      throw Failure(.notDone, "\(Self.reason(error)); \(recalling(entry != nil))")
    }
  }
}

extension Saved {
  /// The news with what was wrong on the way, if anything was.
  fileprivate func with(_ warning: String?) -> Saved {
    var news = self
    if let warning { news.text += "; \(warning)" }
    return news
  }
}
