import Files
import Glibc
import Journal
import JournalStore
import Screen
import Terminal
import TextLayout

/// Runs the user's editor and shell commands.
final class ProgramRunner {
  let journal: ScreenJournal
  let display: any Display
  let signals: SignalPipe?
  /// The templates of new entries.
  var configuration: Configuration
  private let changes: ChangeRunner
  private let files: ViewedFiles
  let send: (Event) -> Void
  /// Opens the prompt again after the editor; without it a text is saved at once.
  var prompts: PromptRunner?
  /// Takes the terminal again after another program, and reads the journal's changes.
  var comeBack: () -> Void = {}

  init(
    _ journal: ScreenJournal, display: any Display, signals: SignalPipe?,
    configuration: Configuration, changes: ChangeRunner,
    send: @escaping (Event) -> Void
  ) {
    self.journal = journal
    self.display = display
    self.signals = signals
    self.configuration = configuration
    self.changes = changes
    files = ViewedFiles(journal.store)
    self.send = send
  }

  /// Edits a text in the user's editor and saves it.
  ///
  /// - Throws: ``Failure``, and the errors of the store.
  func run(_ effect: EditorEffect, in state: State) throws {
    switch effect {
    case .newEntry(let template): try editNew(from: template, in: state)
    case .edit(let target):
      guard let entry = try journal.actions.entry(target) else {
        return send(.reader(.gone(try journal.actions.number(of: target))))
      }
      try edit(entry.text, for: .edit(uuid: entry.uuid), entry, isContinued: false, in: state)
    case .continue(let purpose, let text, let base):
      try `continue`(text, of: purpose, base, in: state)
    }
  }

  /// Continues the text of a prompt in the editor; it is a draft before anything can fail.
  private func `continue`(
    _ typed: String, of purpose: PromptPurpose, _ base: Int64?, in state: State
  ) throws {
    let text = journal.keeper?.editorText(typed, of: purpose) ?? typed
    do {
      _ = try journal.keeper?.keep(text)
    } catch {
      return send(.prompt(.notKept(error.reason, purpose, text: text)))
    }
    do {
      guard case .edit(let number) = purpose else {
        return try edit(
          text, for: .newEntry, isContinued: true, line: prompts?.leftLine, in: state)
      }
      guard let entry = try journal.actions.entry(.entry(number)) else {
        journal.keeper?.close()
        return send(.reader(.gone(number)))
      }
      try edit(
        text, for: .edit(uuid: entry.uuid), entry, base, isContinued: true,
        line: prompts?.leftLine, in: state)
    } catch {
      journal.keeper?.close()
      throw error
    }
  }

  /// Edits a new entry from a template: the named one, else the default one of the journal and the
  /// day.
  private func editNew(from name: String?, in state: State) throws {
    let now = journal.store.clock.moment()
    let template = try NewEntryTemplate(
      name, journal: journal.store.path, created: now,
      day: state.settings.dayRule.day(of: now), configuration: configuration
    ) { journal.store }
    if name?.isEmpty == false, let form = Form(template.filled.text) {
      send(.prompt(.formFound(form)))
      if let warning = template.warnings.first { send(.journal(.failed(warning))) }
      return
    }
    try edit(
      template.filled.withoutMarks.text, for: .newEntry, isContinued: false,
      line: template.filled.cursorLine, warning: template.warnings.first, in: state)
  }

  /// Runs the editor on a text and saves the result.
  private func edit(
    _ text: String, for purpose: Draft.Purpose, _ entry: Entry? = nil, _ base: Int64? = nil,
    isContinued: Bool, line: Int? = nil, warning: String? = nil, in state: State
  ) throws {
    // A second attempt throws the reason that there is no state directory.
    let drafts =
      try journal.drafts
      ?? DraftStore.standard(for: journal.store.path, form: DraftForm(of: journal.store))
    let session = try EditorSession(
      text, for: purpose, written: entry?.created ?? journal.store.clock.moment(), in: drafts,
      edited: base ?? entry?.checksum,
      entry: isContinued ? journal.keeper?.entry ?? DraftEntry() : DraftEntry(),
      isSaved: !isContinued)
    // The editor's file is the draft of the prompt's text from now on.
    if isContinued { journal.keeper?.removeSubmitted() }
    journal.keeper?.close()
    defer { comeBack() }
    // A person reads the text once more in the prompt; for keys from a pipe the editor was the end.
    let comesBack = isContinued && state.environment.keysAreTyped && prompts != nil
    let outcome: EditorSession.Outcome
    do {
      outcome = try display.outside {
        try session.run(editor: state.settings.editor, line: line, signals: signals)
      }
    } catch  where comesBack {
      return comeBack(text, fromFailed: session, drafts, entry, Failure(explaining: error))
    }
    switch outcome {
    case .changed(let new) where comesBack: comeBack(new, from: session, entry)
    case .unchanged where comesBack: comeBack(text, from: session, entry)
    case .changed(let new): try save(new, entry, base, session, warning, in: state)
    case .unchanged where isContinued: try save(text, entry, base, session, in: state)
    case .returnedAtOnce:
      session.keep()
      send(.journal(.failed(EditorSession.atOnce)))
    case .signalled(let number): send(.terminal(.signalled(number)))
    case .unchanged:
      session.finish()
      let news = entry == nil ? "unchanged; nothing saved" : "unchanged"
      send(.journal(.saved(Saved(news).with(warning))))
    case .empty where isContinued:
      // The text is saved nowhere else, and an editor on a full disk leaves an empty file, too.
      do {
        try session.restore()
      } catch {
        let purpose = entry.map { PromptPurpose.edit($0.number) } ?? .newEntry
        return send(.prompt(.notKept(error.reason, purpose, text: text)))
      }
      if comesBack {
        prompts?.comeBack(session.draft, text, editing: entry)
        return send(.journal(.failed("the editor saved no text; the original is shown")))
      }
      let recall = ChangeRunner.recalling(edit: entry?.number, in: state)
      send(.journal(.failed("empty text not saved; \(recall)")))
    case .empty:
      session.finish()
      let reason = entry == nil ? "nothing to save" : "empty text not saved; d deletes an entry"
      send(.journal(.failed(reason)))
    }
  }

  /// Opens the prompt with the editor's text, which stays a draft until it is submitted.
  private func comeBack(_ text: String, from session: EditorSession, _ entry: Entry?) {
    session.keep()
    prompts?.comeBack(session.draft, text, editing: entry)
    send(.journal(.noted("back from the editor; Enter saves")))
  }

  /// Opens the prompt with the text that went to an editor that failed; what that left in its file is a draft
  /// of its own.
  private func comeBack(
    _ text: String, fromFailed session: EditorSession, _ drafts: DraftStore, _ entry: Entry?,
    _ failure: Failure
  ) {
    do {
      let isUntouched = drafts.text(of: session.draft)?.isSame(as: text) == true
      let draft = isUntouched ? session.draft : try drafts.keep(text, like: session.draft)
      prompts?.comeBack(draft, text, editing: entry)
      send(.journal(.failed(failure.screenMessage)))
    } catch {
      let purpose = entry.map { PromptPurpose.edit($0.number) } ?? .newEntry
      send(.prompt(.notKept(error.reason, purpose, text: text)))
    }
  }

  private func save(
    _ text: String, _ entry: Entry?, _ base: Int64?, _ session: EditorSession,
    _ warning: String? = nil, in state: State
  ) throws {
    do {
      let saved =
        if let entry {
          try journal.actions.edit(
            entry.number, text, expecting: base ?? entry.checksum, knowing: entry.conflicts)
        } else {
          try journal.actions.add(text, as: session.draft.entry)
        }
      session.finish(committed: text)
      send(.journal(.saved(saved.with(warning))))
    } catch {
      session.keep()
      journal.noteUnsaved(session.draft, because: error)
      if let entry, ChangeRunner.isConflict(error) {
        return changes.ask(about: entry.number, text, base ?? entry.checksum, session.draft)
      }
      let recall = ChangeRunner.recalling(edit: entry?.number, in: state)
      throw Failure(.notDone, "\(Failure.reason(error)); \(recall)")
    }
  }

  /// Runs the user's editor on a file that is no entry.
  ///
  /// - Throws: ``Failure`` when no shell can be started.
  func edit(file path: String, with editor: String?) throws -> SubProcess.End {
    defer { comeBack() }
    let end = try display.outside {
      try EditorProcess.run(EditorProcess.command(setting: editor), on: path, signals: signals)
    }
    if case .signalled(let number) = end { send(.terminal(.signalled(number))) }
    return end
  }

  // MARK: Clipboard and pipe

  /// Passes texts to the clipboard or a shell command.
  ///
  /// - Throws: ``Failure``, and the errors of the store.
  func run(_ effect: ProgramEffect, in state: State) throws {
    switch effect {
    case .copy(let target): try copy(target)
    case .pastePicture(let target): try pastePicture(to: target)
    case .copyHash(let hash, let name): try copy(hash: hash, of: name)
    case .pipe(let target, let command): try pipe(target, command)
    case .openLink(let address):
      // Only a file has a name in the entry.
      let entry =
        address.hasPrefix(FileLink.scheme)
        ? state.target.flatMap { try? journal.actions.entry($0) } : nil
      if try !files.open(address, of: entry, report: send) { try open(address, in: state) }
    }
  }

  // MARK: Links

  /// Opens an address in the user's browser: the setting `browser`, which has the terminal until it
  /// ends, else `xdg-open`, which opens a window and is not waited for.
  private func open(_ address: String, in state: State) throws {
    if let browser = state.settings.browser {
      defer { comeBack() }
      let end = try display.outside {
        try SubProcess.shell(browser, with: address, signals: signals)
      }
      switch end {
      case .exited(0): send(.journal(.noted("opened \(address)")))
      case .exited(let code): send(.journal(.failed("\(browser) ended with \(code)")))
      case .signalled(let number): send(.terminal(.signalled(number)))
      }
      return
    }
    guard let opener = ProgramSearch.find("xdg-open", in: Places.variable("PATH") ?? "") else {
      throw Failure(
        .notDone, "no xdg-open here; set browser = \"w3m\", for example, or copy: \(address)")
    }
    let code = try SubProcess.detached([opener, address], milliseconds: 300)
    guard let code, code != 0 else {
      return send(.journal(.noted("opened \(address)")))
    }
    send(.journal(.failed("xdg-open ended with \(code); browser = \"w3m\" opens links here")))
  }
}

extension Saved {
  /// The news with a warning, if any.
  fileprivate func with(_ warning: String?) -> Saved {
    var news = self
    if let warning { news.text += "; \(warning)" }
    return news
  }
}
