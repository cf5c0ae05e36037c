import Journal
import JournalStore
import Screen
import Terminal
import TextLayout

extension AppRunner {
  /// Runs one effect; what comes of it is sent as an intent.
  func perform(_ effect: Effect) {
    do {
      switch effect {
      case .openPrompt, .reopenPrompt, .editInPrompt, .saveDraft, .discardDraft,
        .discardEmptiedDraft,
        .countDrafts, .armDraftTimer:
        try performOnPrompt(effect)
      case .listDrafts, .openDraft, .removeDraft: try performOnDrafts(effect)
      case .newEntryInEditor, .newEntryFromTemplate, .editInEditor, .continueInEditor:
        try edit(effect)
      case .resolve(_, let answer): try resolve(answer)
      case .add, .edit, .delete, .restore, .star, .tag, .redate, .takeBack, .undo, .redo:
        try change(effect)
      case .purge(let older, let asks): try purge(older: older, asks: asks)
      case .tick, .carryOver: try workOnTasks(effect)
      case .show, .find, .countMatches, .countStatistics: want(effect)
      case .reload, .findDay, .markRows, .markAll, .listIndexTitles, .countDays: try list(effect)
      case .armHighlightTimer: timers.set(.highlight, after: .milliseconds(1_500))
      case .read, .preview, .matchLines, .measure: try read(effect)
      case .showVersions, .showVersion: try showVersion(effect)
      case .run, .copy, .pipe, .useTheme: try runProgram(effect)
      case .listTags, .listJournals, .listSettings, .showSetting, .set, .saveView, .deleteView,
        .openJournal:
        try performOnPages(effect)
      case .redraw: try display.redraw()
      case .suspend:
        try display.suspend()
        comeBack()
      case .quit(let code): quit(code)
      }
    } catch {
      send(.failed(Self.words(for: error)))
      reopen(after: effect)
    }
  }

  /// What went wrong, for the status line.
  private static func words(for error: any Error) -> String {
    (error as? StoreError)?.kind == .busy
      ? "journal busy: another program is writing to it; nothing was changed" : reason(error)
  }

  /// Why a text could not be saved, in the words before those on its draft.
  static func reason(_ error: any Error) -> String {
    (error as? StoreError)?.kind == .busy
      ? "journal busy" : Failure(explaining: error).screenMessage
  }

  /// Asks again for what was typed wrong, with the words as they were; keys from a pipe go on as they
  /// were meant.
  private func reopen(after effect: Effect) {
    if case .purge(_, asks: true) = effect, state.keepsPrompt, state.prompt == nil,
      state.mode == .list
    {
      return perform(.openPrompt(.newEntry))
    }
    guard keysAreTyped else { return }
    switch effect {
    // A line after `:` may name other entries than those the prompts are for.
    case .redate where commandLine != nil, .tag where commandLine != nil,
      .findDay where commandLine != nil:
      reopenCommandLine()
    case .findDay(let words) where words != "today": perform(.openPrompt(.date, text: words))
    case .redate(_, let words): perform(.openPrompt(.redate, text: words))
    case .tag(_, let words): perform(.openPrompt(.tags, text: words))
    case .purge(older: .some, asks: true), .useTheme, .set, .showSetting, .saveView, .deleteView,
      .openJournal:
      reopenCommandLine()
    default: break
    }
  }

  /// Asks again for the line after `:` that is being done.
  func reopenCommandLine() {
    guard keysAreTyped, let commandLine else { return }
    perform(.openPrompt(.command, text: commandLine))
  }

  // MARK: The prompt

  private func performOnPrompt(_ effect: Effect) throws {
    switch effect {
    case .openPrompt(let purpose, let text):
      open(prompt.open(purpose, text: text, present: present(for: purpose)))
    case .reopenPrompt(let purpose, let text):
      if keysAreTyped { open(prompt.open(purpose, text: text)) }
    case .editInPrompt(let target): try onEntry(target) { open(prompt.open(editing: $0)) }
    case .saveDraft(_, let text): keepDraft(text)
    case .discardDraft: keeper?.discard()
    case .discardEmptiedDraft:
      keeper?.discard()
      if keeper?.discardEmptied() == true { send(.emptiedDraftDiscarded) }
    case .armDraftTimer: armDraftTimer()
    default: countDrafts()
    }
  }

  /// What the entries have now that a prompt is about to change: the tags that all of them have, or
  /// the date of the only one.
  private func present(for purpose: PromptPurpose) -> [String] {
    guard let targets = state.targets else { return [] }
    switch purpose {
    // The prompt is as good without it where the journal cannot be read just now.
    case .tags: return (try? actions.commonTags(of: targets)) ?? []
    case .redate: return (try? actions.date(of: targets)).flatMap(\.self).map { [$0] } ?? []
    case .newEntry, .edit, .command, .date, .search, .filter, .pipe: return []
    }
  }

  func open(_ intent: Intent) {
    send(intent)
    if prompt.isActive { send(prompt.shown(size: state.size)) }
  }

  func onEntry(_ target: Target, _ body: (Entry) -> Void) throws {
    guard let entry = try actions.entry(target) else {
      send(.entryGone(try actions.number(of: target)))
      return
    }
    body(entry)
  }

  // MARK: Changes

  private func change(_ effect: Effect) throws {
    switch effect {
    case .add(let text): save(text) { try actions.add(text) }
    case .edit(let number, let text):
      save(text, of: number) { try actions.edit(number, text, expecting: prompt.base) }
    case .delete(let target): try changeMany("deleting") { try actions.delete(target, $0) }
    case .restore(let target): try changeMany("restoring") { try actions.restore(target, $0) }
    case .star(let target, let change):
      try changeMany("starring") { try actions.star(target, change, $0) }
    case .tag(let target, let words):
      try changeMany("tagging") { try actions.tag(target, words, $0) }
    case .redate(let target, let words):
      try changeMany("moving") { try actions.redate(target, words, $0) }
    case .takeBack(let number, let version, let base):
      send(.saved(try actions.takeBack(number, version: version, expecting: base)))
    case .undo: try changeMany("undoing") { try actions.undo($0) }
    case .redo: try changeMany("redoing") { try actions.redo($0) }
    default: break
    }
  }

  /// Saves a text; its draft goes only when the journal has it, and stays when it has not.
  private func save(_ text: String, of number: Int64? = nil, _ body: () throws -> Saved) {
    do {
      let saved = try body()
      keeper?.committed(text)
      send(.saved(saved))
    } catch {
      dropTypedAhead()
      if let number, Self.isConflict(error), let draft = try? keeper?.keep(text) {
        return ask(about: number, text, draft)
      }
      let message = Self.reason(error)
      do {
        let draft = try keeper?.keep(text)
        send(.failed(draft == nil ? message : "\(message); \(recalling(number != nil))"))
      } catch {
        send(.failed("\(message); not kept either: \(error.message)"))
      }
    }
  }

  /// Asks before it removes what is in the trash, unless it was told not to.
  private func purge(older: String?, asks: Bool) throws {
    let trash = try OldTrash(store, older: older, settings)
    guard trash.count > 0 else {
      throw Failure(.notDone, "nothing in the trash to remove")
    }
    let entries = Counting.entries(trash.count)
    if asks {
      let question = Question(
        "Remove \(entries) for good? y/N", effect: .purge(older: older, asks: false),
        refusal: "nothing removed")
      return send(.questionAsked(question))
    }
    if trash.count >= 1_000 { showWork("removing \(entries)") }
    defer { if state.work != nil { send(.working(nil)) } }
    send(.saved(Saved("removed \(Counting.entries(try trash.remove())) for good")))
  }

  /// How to come back to a text that was not saved.
  func recalling(_ isEdit: Bool) -> String {
    if isEdit { return "draft kept: press e here, then Up" }
    return "draft kept: press \(state.keepsPrompt ? "Up" : "a, then Up")"
  }

  // MARK: Reading

  private func read(_ effect: Effect) throws {
    switch effect {
    case .read(let target): try onEntry(target) { send(.entryOpened($0, lines: lines(of: $0))) }
    case .preview(let target):
      let entry = try actions.entry(target)
      send(.entryPreviewed(entry, lines: entry.map(lines(of:)) ?? 0))
    case .matchLines(let text):
      guard let entry = state.pane?.entry else { return }
      let columns = state.layout.textColumns
      send(.linesMatched(renderer.lines(of: entry, columns: columns, matching: text)))
    default: measure()
    }
  }

  private func lines(of entry: Entry) -> Int {
    var future = state
    // The pane may not be there yet: its width follows from the mode that reading leads to.
    if !future.isSplit { future.mode = .reading }
    return renderer.layout(of: entry, columns: future.layout.textColumns).lines.count
  }

  private func measure() {
    let entryLines: Int
    if case .versions(let page) = state.mode {
      entryLines = renderer.layout(of: page, columns: state.size.columns).count
    } else {
      entryLines = state.pane.map { lines(of: $0.entry) } ?? 0
    }
    send(.measured(entryLines: entryLines, promptLines: prompt.lines(size: state.size)))
    guard let statistics = state.statistics else { return }
    let shown = renderer.lines(
      of: statistics, columns: state.size.columns, firstWeekday: state.firstWeekday)
    send(.statisticsMeasured(lines: shown.count))
  }
}
