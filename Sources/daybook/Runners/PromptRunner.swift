import Journal
import JournalStore
import Screen
import Terminal
import TextLayout

/// Opens prompts, and saves drafts of what is typed.
final class PromptRunner {
  private let journal: ScreenJournal
  private let prompt: PromptSession
  private let send: (Event) -> Void
  /// Whether a question hides the words that name a draft.
  private var hasDraftBehindQuestion = false
  /// Sets the timer of the next draft.
  private let armTimer: (Duration) -> Void

  /// - Parameter armTimer: sets the timer that calls ``keepWaitingDraft()``.
  init(
    _ journal: ScreenJournal, prompt: PromptSession, armTimer: @escaping (Duration) -> Void,
    send: @escaping (Event) -> Void
  ) {
    self.journal = journal
    self.prompt = prompt
    self.armTimer = armTimer
    self.send = send
  }

  private var keeper: DraftKeeper? { journal.keeper }

  /// Runs an effect on the prompt or on drafts.
  ///
  /// - Throws: the errors of the store, and ``Failure`` for drafts that cannot be read.
  func run(_ effect: PromptEffect, in state: State) throws {
    switch effect {
    case .open(let purpose, let text):
      send(prompt.open(purpose, text: text, present: present(for: purpose, in: state)))
    case .reopen(let purpose, let text):
      if state.environment.keysAreTyped { send(prompt.open(purpose, text: text)) }
    case .edit(let target):
      if let entry = try journal.actions.entry(target) {
        send(prompt.open(editing: entry))
      } else {
        send(.reader(.gone(try journal.actions.number(of: target))))
      }
    case .attach(let path): attach(path, in: state)
    case .carryOver: try carryOver(in: state)
    case .armDraftTimer:
      if keeper?.isWaiting != true { armTimer(keeper?.timeAfterKey() ?? DraftKeeper.interval) }
    case .resume(let purpose, let text, let reason):
      send(prompt.resume(purpose, text))
      send(.prompt(.notKept(reason, purpose, text: text)))
    case .saveDraft(let purpose, let text, let index):
      keep(text, at: index, purpose, in: state)
    case .close(let purpose): close(purpose)
    case .countDrafts: countDrafts()
    case .discardDraft: keeper?.discard()
    case .discardEmptiedDraft:
      if keeper?.discardEmptied() == true { send(.prompt(.emptiedDraftDiscarded)) }
    case .listDrafts:
      send(.menu(.opened(menu(of: try drafts()))))
    case .openDraft(let name): try openDraft(name, in: drafts())
    case .removeDraft(let name): try removeDraft(name, in: drafts())
    }
  }

  /// The line of the cursor in the text that went to the editor last, from 1.
  var leftLine: Int? { prompt.left?.line }

  /// Opens the prompt with the text that came back from the editor.
  func comeBack(_ draft: Draft, _ text: String, editing entry: Entry?) {
    for event in prompt.comeBack(draft, text, editing: entry) { send(event) }
  }

  /// The present tags or date of a prompt's entries.
  private func present(for purpose: PromptPurpose, in state: State) -> [String] {
    guard let targets = state.targets else { return [] }
    switch purpose {
    // The prompt also works without them if the journal cannot be read now.
    case .tags: return (try? journal.actions.commonTags(of: targets)) ?? []
    case .redate: return (try? journal.actions.date(of: targets)).flatMap(\.self).map { [$0] } ?? []
    case .newEntry, .edit, .question, .command, .date, .search, .filter, .titles, .pipe,
      .attachment:
      return []
    }
  }

  /// Puts a link to a file into the text that waits; a wrong path is asked for again.
  private func attach(_ typed: String, in state: State) {
    guard !typed.allSatisfy(\.isWhitespace) else { return prompt.goOn().forEach(send) }
    do {
      guard journal.store.keepsFiles else {
        throw StoreError.keepsNoFiles(at: journal.store.path)
      }
      let path = ChosenFiles.absolute(typed)
      let link = PathLink(path, isPicture: try FileContent.isPicture(at: path))
      prompt.goOn(inserting: link.markdown).forEach(send)
    } catch {
      // Keys from a pipe go on in the text, whether the file is there or not.
      let events =
        state.environment.keysAreTyped ? prompt.askForFile(again: typed) : prompt.goOn()
      events.forEach(send)
      send(.journal(.failed(Failure(explaining: error).screenMessage)))
    }
  }

  private func carryOver(in state: State) throws {
    let items = try CarryOver.openItems(in: journal.store, before: journal.listing.today)
    guard !items.isEmpty else {
      return send(.journal(.noted("no open tasks to carry over")))
    }
    // Nobody chose the files that an earlier entry names.
    let text = PathLink.disarmed(items.joined(separator: "\n"))
    try run(.open(.newEntry, text: text), in: state)
  }

  // MARK: Saving drafts

  /// Saves a draft: at once when its prompt has closed or shows another text, else at least a pause
  /// after the last one.
  private func keep(_ text: String, at index: Int, _ purpose: PromptPurpose, in state: State) {
    if case .question = purpose { return keep(answers: text, of: purpose, in: state) }
    // The end of a prompt reports its failures itself.
    guard let open = state.prompt.open else {
      _ = try? keeper?.keep(text, at: index)
      return
    }
    reporting(text, purpose, in: state) { () throws(Failure) in
      if open.index != index {
        try keeper?.keep(text, at: index)
      } else if let delay = try keeper?.keepSoon(text, at: index) {
        armTimer(delay)
      }
    }
  }

  /// Saves the answers to the questions of a template: one draft, the prompt's own.
  private func keep(answers text: String, of purpose: PromptPurpose, in state: State) {
    guard let keeper else { return }
    guard state.prompt.open != nil else {
      _ = try? keeper.keep(text, at: keeper.own)
      return
    }
    reporting(text, purpose, in: state) { () throws(Failure) in
      if let delay = try keeper.keepSoon(text, at: keeper.own) { armTimer(delay) }
    }
  }

  /// Releases the drafts of a closed prompt; a text that cannot be written opens it again.
  private func close(_ purpose: PromptPurpose) {
    if let (text, error) = keeper?.unkept() {
      send(.prompt(.notKept(error.reason, purpose, text: text)))
    } else {
      keeper?.close()
    }
  }

  /// Saves the pending draft.
  func keepWaitingDraft(in state: State) {
    if let prompt = state.prompt.open {
      reporting(prompt.text, prompt.kind, in: state) { () throws(Failure) in
        try keeper?.keepWaiting()
      }
    }
    send(.prompt(.draftTimerFired))
  }

  private func reporting(
    _ text: String, _ purpose: PromptPurpose, in state: State, _ body: () throws(Failure) -> Void
  ) {
    do throws(Failure) {
      try body()
      // A text that could not be written before may still wait for that.
      if state.prompt.open?.isUnkept == true, keeper?.hasUnkept != true { send(.prompt(.kept)) }
    } catch {
      send(.prompt(.notKept(error.reason, purpose, text: text)))
    }
  }

  // MARK: The menu of drafts

  /// Reports the number of drafts.
  func countDrafts() {
    let count = keeper?.count ?? (new: 0, edits: 0)
    send(.prompt(.draftsCounted(count.new, edits: count.edits)))
  }

  private func drafts() throws -> DraftStore {
    guard journal.present == nil else {
      throw Failure(.notDone, "drafts belong to the present; q goes back to it")
    }
    guard let drafts = journal.drafts else {
      throw Failure(.notDone, "drafts have no directory")
    }
    return drafts
  }

  private func openDraft(_ name: String, in drafts: DraftStore) throws {
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

  private func removeDraft(_ name: String, in store: DraftStore) throws {
    let drafts = store.abandoned()
    let index = drafts.firstIndex { $0.name == name }
    if let index { store.remove(drafts[index]) }
    // The menu begins with the latest draft.
    let row = index.map { drafts.count - 1 - $0 } ?? 0
    let left = menu(of: store, selected: row)
    send(.menu(.draftRemoved(left: left.items.isEmpty ? nil : left)))
  }

  /// Keeps a text that was typed for a prompt which did not open, as a draft of a new entry.
  ///
  /// - Parameter draft: the draft of its beginning.
  /// - Returns: the draft, if it could be kept.
  func keepTypedAhead(_ text: String, in draft: Draft?, _ state: State) -> Draft? {
    guard let drafts = journal.drafts else { return draft }
    do throws(Failure) {
      let kept =
        if let draft {
          try drafts.update(draft, text: text)
        } else {
          try drafts.keep(Array(text.utf8), for: .newEntry)
        }
      drafts.release(kept)
      hasDraftBehindQuestion = state.questions.isAsking
      sayTypedAhead(after: state.status)
      return kept
    } catch {
      let said = state.status.map { "\($0.text); " } ?? ""
      send(
        .journal(
          .failed("\(said)keys typed before the question could not be saved: \(error.reason)")))
      return draft
    }
  }

  private static let typedAhead = "what you typed ahead is a draft: see :drafts"

  /// Names the draft of a text that was typed ahead of a question again, once that is answered.
  func nameDraftBehindQuestion(in state: State) {
    guard hasDraftBehindQuestion, !state.questions.isAsking else { return }
    hasDraftBehindQuestion = false
    sayTypedAhead(after: state.status)
  }

  private func sayTypedAhead(after status: Status?) {
    guard status?.text.hasSuffix(Self.typedAhead) != true else { return }
    let news = (status.map { "\($0.text); " } ?? "") + Self.typedAhead
    send(.journal(status?.kind == .failed ? .failed(news) : .noted(news)))
  }

  /// The entry that a draft edits, unless it is deleted or in the trash.
  private func entry(of draft: Draft) throws -> Entry? {
    guard case .edit(let uuid) = draft.purpose,
      let entry = try journal.store.inspect({ try $0.entry(uuid: uuid) })
    else { return nil }
    return entry.deleted == nil ? entry : nil
  }

  /// The menu of drafts, the latest first.
  private func menu(of drafts: DraftStore, selected: Int = 0) -> Menu {
    let items = drafts.abandoned().reversed().map { draft in
      let title = drafts.text(of: draft).map { Entry.title(of: $0) }
      return Menu.Item(
        title ?? "(not text)", detail: detail(of: draft),
        effect: .prompt(.openDraft(draft.name)), draft: draft.name)
    }
    return Menu(
      title: "drafts", items: items, selected: selected,
      absence: "No drafts. Esc keeps one while you write.")
  }

  /// `new entry, 22 Nov 2026 06:43`, `edit of entry 12, …`.
  private func detail(of draft: Draft) -> String {
    let written = journal.store.clock.moment(at: DraftFile.modified(draft.path))
    let date = DateStyle.ofUser.shortText(of: written)
    switch draft.purpose {
    case .newEntry: return "new entry, \(date)"
    case .edit:
      let number = (try? entry(of: draft)).flatMap(\.self)?.number
      return "edit of \(number.map { "entry \($0)" } ?? "an entry that is gone"), \(date)"
    }
  }
}
