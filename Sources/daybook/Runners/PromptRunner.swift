import Journal
import JournalStore
import Screen
import Terminal
import TextLayout

/// Opens prompts, and saves drafts of what is typed.
final class PromptRunner {
  let journal: ScreenJournal
  let prompt: PromptSession
  let send: (Event) -> Void
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

  var keeper: DraftKeeper? { journal.keeper }

  /// Runs an effect on the prompt or on drafts.
  ///
  /// - Throws: the errors of the store, and ``Failure`` for drafts that cannot be read.
  func run(_ effect: PromptEffect, in state: State) throws {
    switch effect {
    case .open(let purpose, let text, let given):
      let subject = given ?? subject(of: purpose, text, in: state)
      let present = present(for: purpose, subject)
      send(prompt.open(purpose, text: text, present: present, subject: subject))
    case .reopen(let purpose, let text):
      guard state.environment.keysAreTyped else { return }
      send(prompt.open(purpose, text: text, subject: subject(of: purpose, text, in: state)))
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

  /// The entries that a prompt is for, which another program may take from the list while it is open;
  /// `nil` for a prompt that is for none.
  private func subject(
    of purpose: PromptPurpose, _ text: String, in state: State
  ) -> PromptSubject? {
    func named(_ target: Target?) -> Target? {
      guard case .row = target else { return target }
      return target.flatMap { try? journal.actions.number(of: $0) }.map(Target.entry)
    }
    switch purpose {
    case .tags, .redate, .pipe, .command:
      var subject = PromptSubject(one: named(state.target), many: named(state.targets))
      if purpose == .command, text.hasPrefix("save-file "),
        let entry = try? subject.one.flatMap({ try journal.actions.entry($0) })
      {
        subject.files = FileLink.all(in: entry.text).map(\.target)
      }
      return subject
    case .newEntry, .edit, .question, .date, .search, .filter, .titles, .attachment: return nil
    }
  }

  /// The present tags or date of a prompt's entries.
  private func present(for purpose: PromptPurpose, _ subject: PromptSubject?) -> [String] {
    guard let targets = subject?.many else { return [] }
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
      prompt.choose(path)
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

  // MARK: Texts typed ahead

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
}
