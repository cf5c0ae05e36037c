import Journal
import JournalStore
import Markdown
import Screen

/// Makes the changes of a journal.
final class ChangeRunner {
  let journal: ScreenJournal
  private let work: WorkAttendant
  let send: (Event) -> Void
  /// Drops the keys typed before a save failed.
  private let dropTypedAhead: () -> Void
  /// Whether a person chose the file at a path for a text.
  private let isChosen: (String) -> Bool

  init(
    _ journal: ScreenJournal, work: WorkAttendant, dropTypedAhead: @escaping () -> Void = {},
    isChosen: @escaping (String) -> Bool = { _ in false }, send: @escaping (Event) -> Void
  ) {
    self.isChosen = isChosen
    self.journal = journal
    self.work = work
    self.dropTypedAhead = dropTypedAhead
    self.send = send
  }

  var actions: EntryActions { journal.actions }

  /// Makes a change.
  ///
  /// - Throws: the errors of the store; a text that cannot be saved is kept as a draft instead.
  func run(_ effect: ChangeEffect, in state: State) throws {
    switch effect {
    case .add(let text):
      let entry = journal.keeper?.entry ?? DraftEntry()
      save(text, in: state) {
        try naming(text, chosen: entry.files) {
          try actions.add(text, as: entry, naming: $0, step: $1)
        }
      }
    case .edit(let number, let text, let base):
      let known = journal.keeper?.knownConflicts
      save(text, of: number, base: base, in: state) {
        try naming(text, in: number, chosen: journal.keeper?.entry.files ?? []) {
          try actions.edit(
            number, text, expecting: base, knowing: known, naming: $0, step: $1)
        }
      }
    case .resolve(let conflict, let answer): try resolve(conflict, answer)
    case .review(let conflict): review(conflict)
    case .keepBoth(let number, let versions, let base, let thenEdit):
      var saved = try actions.keepBoth(number, versions, expecting: base)
      saved.edited = thenEdit ? number : nil
      send(.journal(.saved(saved)))
    case .delete(let target): try change(target, .delete, "deleting")
    case .restore(let target): try change(target, .restore, "restoring")
    case .restorePast(let target):
      try change("restoring") { try actions.restorePast(target, $0) }
    case .star(let target, let star):
      try change(target, try actions.starChange(target, star), "starring")
    case .tag(let target, let words):
      try change(target, .tag(try EntryChange.TagEdit.parse(words)), "tagging")
    case .redate(let target, let phrase):
      let clock = journal.store.clock
      try change(
        target, try .redate(to: phrase, clock: clock, rule: state.settings.dayRule), "moving")
    case .restoreVersion(let number, let version, let other, let base):
      let saved = try actions.restoreVersion(
        number, version: version, comparedWith: other, expecting: base)
      send(.journal(.saved(saved)))
    case .tick(let target, let line, let item): try tick(target, from: line, item)
    case .redirect(let uses, let number, let step):
      try change("changing links") {
        try actions.redirect(uses, to: number, joining: step, $0)
      }
    case .undo: try change("undoing") { try actions.undo($0) }
    case .redo: try change("redoing") { try actions.redo($0) }
    }
  }

  private func change(_ target: Target, _ change: EntryChange, _ word: String) throws {
    try self.change(word) { try actions.change(target, change, $0) }
  }

  /// Changes many entries with progress; if cancelled, nothing is changed.
  private func change(_ word: String, _ body: (BulkOptions) throws -> Saved) throws {
    let long = LongWork(word, for: work)
    defer { long.end() }
    do {
      let saved = try body(BulkOptions(skipsMissing: true, progress: long.step))
      long.end()
      send(.journal(.saved(saved)))
    } catch {
      guard long.failure != nil else { throw error }
      send(.journal(.failed(Failure(explaining: error).message)))
    }
  }

  // MARK: Texts

  /// Saves a text with the files that it names by their paths, as one step.
  ///
  /// A file that is not there any more does not keep the text from being saved.
  ///
  /// - Parameters:
  ///   - number: the edited entry; `nil` for a new one.
  ///   - chosen: the paths of the files that were chosen for the text.
  func naming(
    _ text: String, in number: Int64? = nil, chosen: [String] = [],
    _ body: ([String: FileContent], (Int) throws -> Void) throws -> Saved
  ) throws -> Saved {
    guard PathLink.mayBeIn(text) else { return try body([:]) { _ in } }
    let known = try number.flatMap { try journal.store.entries([$0]).first?.text } ?? ""
    let long = LongWork("attaching", outcome: "nothing was saved", for: work)
    defer { long.end() }
    let files = try ChosenFiles(
      in: text, besides: known, journal.store, long,
      isChosen: { chosen.contains($0) || isChosen($0) })
    let saved = try body(files.contents) { _ in try long.check() }
    return files.noted(on: saved)
  }

  /// Saves a text; its draft is deleted only after the commit.
  private func save(
    _ text: String, of number: Int64? = nil, base: Int64? = nil, in state: State,
    _ body: () throws -> Saved
  ) {
    let purpose = number.map(PromptPurpose.edit) ?? .newEntry
    do {
      var saved = try body()
      let isOnlyText = journal.keeper?.committed(text) != true
      if !isOnlyText { saved.text += "; other \(Self.recalling(edit: number, in: state))" }
      // Keys typed before the question could be seen do not answer it.
      if saved.question != nil { dropTypedAhead() }
      send(.journal(.saved(saved)))
      _ = close(purpose)
    } catch {
      dropTypedAhead()
      keep(text, of: number, base, purpose, error, in: state)
    }
  }

  /// Keeps a text that could not be saved as a draft, else on the screen.
  private func keep(
    _ text: String, of number: Int64?, _ base: Int64?, _ purpose: PromptPurpose,
    _ error: any Error, in state: State
  ) {
    let message = Failure.reason(error)
    // The journal may be sealed now, or readable.
    if (error as? StoreError)?.kind == .replaced { journal.followReplacement() }
    guard let keeper = journal.keeper, let draft = (try? keeper.keep(text)).flatMap(\.self) else {
      return send(.prompt(.notKept(message, purpose, text: text)))
    }
    guard close(purpose) else { return }
    journal.noteUnsaved(draft, because: error)
    if let number, Self.isConflict(error) { return ask(about: number, text, base, draft) }
    let recall = Self.recalling(edit: number, in: state)
    send(.journal(.failed("\(message); \(recall)")))
  }

  /// Ends the prompt's drafts; another text of it that cannot be written opens it again.
  ///
  /// - Returns: whether all of them are written.
  private func close(_ purpose: PromptPurpose) -> Bool {
    if let (text, error) = journal.keeper?.unkept() {
      send(.prompt(.notKept(error.reason, purpose, text: text)))
      return false
    }
    journal.keeper?.close()
    return true
  }

  /// How to recall an unsaved text.
  ///
  /// - Parameter number: the edited entry, which need not be the selected one; `nil` for a new one.
  static func recalling(edit number: Int64?, in state: State) -> String {
    if let number { return State.keptDraft(ofEdit: number) }
    return "draft kept: press \(state.prompt.reopens ? "Up" : "a, then Up")"
  }

  /// Whether the entry was changed after its editing began.
  static func isConflict(_ error: any Error) -> Bool {
    guard let kind = (error as? StoreError)?.kind else { return false }
    if case .noSuchEntry = kind { return true }
    if case .conflict = kind { return true }
    return false
  }

  // MARK: Task items

  private func tick(_ target: Target, from line: Int, _ item: Int?) throws {
    let number = try actions.number(of: target)
    guard let entry = try actions.entry(target) else { return send(.reader(.gone(number))) }
    let document = Document(entry.text)
    let tasks = document.taskItems.filter { $0.line.number >= line }
    let chosen =
      item.map { tasks.dropFirst(max(1, $0) - 1).first } ?? tasks.first { $0.box.state == .open }
    guard let chosen else {
      let place = line > 0 ? "below the top of the screen" : "in entry \(number)"
      let message = item.map { "no task \($0) \(place)" } ?? "no open task \(place)"
      return send(.journal(.failed(message)))
    }
    var saved = try actions.edit(
      number, document.toggling(chosen), expecting: entry.checksum)
    let name = "\"\(document.words(of: chosen))\""
    saved.text = chosen.box.state == .open ? "ticked \(name)" : "unticked \(name)"
    send(.journal(.saved(saved)))
  }
}

extension Failure {
  /// The reason for a failed change; words on the draft that keeps its text follow.
  static func reason(_ error: any Error) -> String {
    (error as? StoreError)?.kind == .busy
      ? "journal busy" : Failure(explaining: error).screenMessage
  }
}
