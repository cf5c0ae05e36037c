import Journal
import JournalStore
import Markdown
import Screen

/// Carries out the changes of a journal.
final class ChangeRunner {
  private let journal: OpenJournal
  private let work: WorkAttendant
  private let send: (Event) -> Void
  /// The text that waits for an answer, since its entry was changed elsewhere.
  private var conflict: EditorConflict?
  /// Drops the keys that were typed before a save failed.
  private let dropTypedAhead: () -> Void

  init(
    _ journal: OpenJournal, work: WorkAttendant, dropTypedAhead: @escaping () -> Void = {},
    send: @escaping (Event) -> Void
  ) {
    self.journal = journal
    self.work = work
    self.dropTypedAhead = dropTypedAhead
    self.send = send
  }

  private var actions: EntryActions { journal.actions }

  /// Carries out a change.
  ///
  /// - Parameter base: the checksum of the text that an edit in the prompt started from.
  /// - Throws: what the store throws; a text that cannot be saved is kept as a draft instead.
  func run(_ effect: ChangeEffect, in state: State, base: Int64? = nil) throws {
    switch effect {
    case .add(let text): save(text, in: state) { try actions.add(text) }
    case .edit(let number, let text):
      save(text, of: number, in: state) { try actions.edit(number, text, expecting: base) }
    case .resolve(_, let answer): try resolve(answer)
    case .delete(let target): try change("deleting") { try actions.delete(target, $0) }
    case .restore(let target): try change("restoring") { try actions.restore(target, $0) }
    case .star(let target, let star): try change("starring") { try actions.star(target, star, $0) }
    case .tag(let target, let words): try change("tagging") { try actions.tag(target, words, $0) }
    case .redate(let target, let words):
      try change("moving") { try actions.redate(target, words, $0) }
    case .restoreVersion(let number, let version, let base):
      let saved = try actions.takeBack(number, version: version, expecting: base)
      send(.journal(.saved(saved)))
    case .tick(let target, let line, let item): try tick(target, from: line, item)
    case .purge(let older, let asks): try purge(older: older, asks: asks, state.settings)
    case .undo: try change("undoing") { try actions.undo($0) }
    case .redo: try change("redoing") { try actions.redo($0) }
    }
  }

  /// Makes a change of many entries, with progress; cancelled, nothing is changed.
  private func change(_ word: String, _ body: (BulkOptions) throws -> Saved) throws {
    defer { endWork() }
    do {
      let options = BulkOptions(skipsMissing: true, progress: work.progress(word))
      send(.journal(.saved(try body(options))))
    } catch is WorkAttendant.Cancelled {
      send(.journal(.failed("\(word) was given up; nothing was changed")))
    }
  }

  private func endWork() {
    guard work.isShown else { return }
    work.isShown = false
    send(.journal(.working(nil)))
  }

  // MARK: Texts

  /// Saves a text; its draft is discarded only when the journal has the text.
  private func save(
    _ text: String, of number: Int64? = nil, in state: State, _ body: () throws -> Saved
  ) {
    do {
      let saved = try body()
      journal.keeper?.committed(text)
      send(.journal(.saved(saved)))
    } catch {
      dropTypedAhead()
      if let number, Self.isConflict(error), let draft = try? journal.keeper?.keep(text) {
        return ask(about: number, text, draft)
      }
      let message = Failure.reason(error)
      do {
        let draft = try journal.keeper?.keep(text)
        let recall = Self.recalling(isEdit: number != nil, in: state)
        send(.journal(.failed(draft == nil ? message : "\(message); \(recall)")))
      } catch {
        send(.journal(.failed("\(message); not kept either: \(error.message)")))
      }
    }
  }

  /// The keys that bring back a text that was not saved.
  static func recalling(isEdit: Bool, in state: State) -> String {
    if isEdit { return "draft kept: press e here, then Up" }
    return "draft kept: press \(state.keepsPrompt ? "Up" : "a, then Up")"
  }

  /// Whether the entry is not what it was when its editing began.
  static func isConflict(_ error: any Error) -> Bool {
    guard let kind = (error as? StoreError)?.kind else { return false }
    if case .noSuchEntry = kind { return true }
    if case .conflict = kind { return true }
    return false
  }

  /// Asks what to do with a text whose entry was changed elsewhere; a draft keeps it.
  func ask(about number: Int64, _ text: String, _ draft: Draft) {
    guard let drafts = journal.drafts else {
      return send(.journal(.failed("entry \(number) was changed meanwhile")))
    }
    let question = EditConflict(number: number, fate: actions.fate(of: number))
    conflict = EditorConflict(question, text: text, draft: draft, in: drafts)
    send(.question(.conflictFound(question)))
  }

  private func resolve(_ answer: EditConflict.Answer) throws {
    guard let conflict else { return }
    self.conflict = nil
    do {
      let saved =
        switch answer {
        case .overwrite: try conflict.overwrite(actions)
        case .addAsNew: try conflict.addAsNew(actions)
        case .keepDraft: try conflict.keepDraft()
        }
      send(.journal(.saved(saved)))
    } catch {
      throw Failure(.notDone, "\(Failure.reason(error)); draft kept: see :drafts")
    }
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
      let message = item.map { "no item \($0) \(place)" } ?? "no open item \(place)"
      return send(.journal(.failed(message)))
    }
    var saved = try actions.edit(
      number, document.toggling(chosen), expecting: entry.checksum)
    let name = "\"\(document.words(of: chosen))\""
    saved.text = chosen.box.state == .open ? "ticked \(name)" : "opened \(name) again"
    send(.journal(.saved(saved)))
  }

  // MARK: The trash

  /// Asks before it removes what is in the trash, unless it was told not to.
  private func purge(older: String?, asks: Bool, _ settings: Settings) throws {
    let trash = try OldTrash(journal.store, older: older, settings)
    guard trash.count > 0 else { throw Failure(.notDone, "nothing in the trash to remove") }
    let entries = Counting.entries(trash.count)
    if asks {
      let question = Question(
        "Remove \(entries) for good? y/N", effect: .change(.purge(older: older, asks: false)),
        refusal: "nothing removed")
      return send(.question(.asked(question)))
    }
    if trash.count >= 1_000 {
      work.announce("removing \(entries)")
    }
    defer { endWork() }
    let removed = Counting.entries(try trash.remove())
    send(.journal(.saved(Saved("removed \(removed) for good"))))
  }
}

extension Failure {
  /// Why an effect was not carried out, before words on the draft that keeps its text.
  static func reason(_ error: any Error) -> String {
    (error as? StoreError)?.kind == .busy
      ? "journal busy" : Failure(explaining: error).screenMessage
  }
}
