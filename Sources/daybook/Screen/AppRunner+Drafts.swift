import Journal
import Screen

extension AppRunner {
  /// Keeps a text: at once when its prompt has closed, else when the last writing is long enough ago.
  func keepDraft(_ text: String) {
    reportingDraft {
      if state.prompt == nil {
        try keeper?.keep(text)
      } else if let delay = try keeper?.keepSoon(text) {
        timers.set(.draft, after: delay)
      }
    }
  }

  /// Waits for a pause in the typing, unless a text waits to be written already.
  func armDraftTimer() {
    if keeper?.isWaiting != true { timers.set(.draft, after: DraftKeeper.interval) }
  }

  /// The time has come for a draft that waits, and for what was typed since.
  func keepWaitingDraft() {
    reportingDraft { try keeper?.keepWaiting() }
    send(.draftTimerFired)
  }

  private func reportingDraft(_ body: () throws -> Void) {
    do { try body() } catch {
      send(.draftFailed("draft not kept: \(Failure(explaining: error).screenMessage)"))
    }
  }
}

// MARK: - The drafts that are kept

extension AppRunner {
  /// Says how many drafts wait to be brought back.
  func countDrafts() {
    let count = keeper?.count ?? (new: 0, edits: 0)
    send(.draftsCounted(count.new, edits: count.edits))
  }

  /// Lists drafts, goes on with one, or forgets one.
  func performOnDrafts(_ effect: Effect) throws {
    guard let draftStore else { throw Failure(.notDone, "there is no place for drafts") }
    switch effect {
    case .openDraft(let name): try openDraft(name, in: draftStore)
    case .removeDraft(let name):
      let drafts = draftStore.abandoned()
      let index = drafts.firstIndex { $0.name == name }
      if let index { draftStore.remove(drafts[index]) }
      // The latest stand first.
      let row = index.map { drafts.count - 1 - $0 } ?? 0
      send(.draftRemoved(left: menu(of: draftStore, selected: row)))
    default:
      guard let menu = menu(of: draftStore) else {
        throw Failure(.notDone, "no drafts are kept")
      }
      send(.menuOpened(menu))
    }
  }

  private func openDraft(_ name: String, in drafts: DraftStore) throws {
    guard let draft = drafts.abandoned().first(where: { $0.name == name }) else {
      throw Failure(.notDone, "there is no draft \(name); :drafts lists them")
    }
    guard let text = drafts.text(of: draft) else {
      throw Failure(.badData, "this draft is not text; it stays in \(draft.path)")
    }
    let entry = try entry(of: draft)
    open(prompt.open(draft, text, editing: entry))
    if entry == nil, draft.purpose != .newEntry {
      send(.failed("the entry it was an edit of is gone; Enter saves a new entry"))
    }
  }

  /// The entry that a draft is an edit of, unless it is gone or in the trash.
  private func entry(of draft: Draft) throws -> Entry? {
    guard case .edit(let uuid) = draft.purpose,
      let entry = try store.inspect({ try $0.entry(uuid: uuid) })
    else { return nil }
    return entry.deleted == nil ? entry : nil
  }

  /// The drafts to choose from, the latest first; `nil` if there are none.
  private func menu(of drafts: DraftStore, selected: Int = 0) -> Menu? {
    let items = drafts.abandoned().reversed().map { draft in
      let title = drafts.text(of: draft).map { Entry.title(of: $0) }
      return Menu.Item(
        title ?? "(not text)", detail: detail(of: draft), command: "drafts \(draft.name)",
        draft: draft.name)
    }
    guard !items.isEmpty else { return nil }
    return Menu(title: "drafts", items: items, selected: selected)
  }

  /// `new entry, 2026-11-22 06:43`, `edit of entry 12, …`.
  private func detail(of draft: Draft) -> String {
    let written = store.clock.moment(at: DraftFile.modified(draft.path)).description
    let date = "\(written.prefix(10)) \(written.dropFirst(11).prefix(5))"
    switch draft.purpose {
    case .newEntry: return "new entry, \(date)"
    case .edit:
      let number = (try? entry(of: draft)).flatMap(\.self)?.number
      return "edit of \(number.map { "entry \($0)" } ?? "an entry that is gone"), \(date)"
    }
  }
}
