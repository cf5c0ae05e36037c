import Journal
import JournalStore
import Screen

/// The menu of drafts, which opens and removes them.
extension PromptRunner {
  /// Reports the number of drafts.
  func countDrafts() {
    let count = keeper?.count ?? (new: 0, edits: 0)
    send(.prompt(.draftsCounted(count.new, edits: count.edits)))
  }

  func drafts() throws -> DraftStore {
    guard journal.present == nil else {
      throw Failure(.notDone, "drafts belong to the present; q goes back to it")
    }
    guard let drafts = journal.drafts else {
      throw Failure(.notDone, "drafts have no directory")
    }
    return drafts
  }

  func openDraft(_ name: String, in drafts: DraftStore) throws {
    guard let draft = drafts.abandoned().first(where: { $0.name == name }) else {
      let isTaken = drafts.candidates(ofEveryProcess: true).contains { $0.name == name }
      throw Failure(
        .notDone,
        isTaken
          ? "this draft is being written in another screen"
          : "there is no draft \(name); :drafts lists them")
    }
    guard let text = drafts.text(of: draft) else {
      throw Failure(.badData, "this draft is not text; it stays in \(draft.path)")
    }
    let entry = try entry(of: draft)
    send(prompt.open(draft, text, editing: entry))
    if entry == nil, draft.purpose != .newEntry {
      send(.journal(.failed("the edited entry is gone; Enter saves a new entry")))
    }
  }

  func removeDraft(_ name: String, in store: DraftStore) throws {
    let drafts = store.abandoned()
    let index = drafts.firstIndex { $0.name == name }
    if let index { store.remove(drafts[index]) }
    // The menu begins with the latest draft.
    let row = index.map { drafts.count - 1 - $0 } ?? 0
    let left = menu(of: store, selected: row)
    send(.menu(.draftRemoved(left: left.items.isEmpty ? nil : left)))
  }

  /// The entry that a draft edits, unless it is deleted or in the trash.
  private func entry(of draft: Draft) throws -> Entry? {
    guard case .edit(let uuid) = draft.purpose,
      let entry = try journal.store.inspect({ try $0.entry(uuid: uuid) })
    else { return nil }
    return entry.deleted == nil ? entry : nil
  }

  /// The menu of drafts, the latest first.
  func menu(of drafts: DraftStore, selected: Int = 0) -> Menu {
    let items = drafts.abandoned().reversed().map { draft in
      let edited = draft.purpose == .newEntry ? nil : (try? entry(of: draft)).flatMap(\.self)
      return Menu.Item(
        title(of: draft, in: drafts, edited), detail: detail(of: draft, edited),
        effect: .prompt(.openDraft(draft.name)), draft: draft.name)
    }
    return Menu(
      title: "drafts", items: items, selected: selected,
      absence: "No drafts. Esc keeps one while you write.")
  }

  /// The title of a draft; of an edit its first new line, which distinguishes it from others of the entry.
  private func title(of draft: Draft, in drafts: DraftStore, _ edited: Entry?) -> String {
    guard let text = drafts.text(of: draft) else { return "(not text)" }
    let known = Set((edited?.text ?? "").split(separator: "\n"))
    let new = text.split(separator: "\n").first { line in
      !known.contains(line) && !line.allSatisfy(\.isWhitespace)
    }
    return Entry.title(of: edited == nil ? text : new.map(String.init) ?? text)
  }

  /// `new entry, 22 Nov 2026 06:43`, `edit of entry 12, …`.
  private func detail(of draft: Draft, _ edited: Entry?) -> String {
    let written = journal.store.clock.moment(at: DraftFile.modified(draft.path))
    let date = DateStyle.ofUser.shortText(of: written)
    switch draft.purpose {
    case .newEntry: return "new entry, \(date)"
    case .edit:
      return "edit of \((edited?.number).map { "entry \($0)" } ?? "an entry that is gone"), \(date)"
    }
  }
}
