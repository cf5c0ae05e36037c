import TextLayout

/// The purpose of the prompt.
package enum PromptPurpose: Hashable, Sendable {
  /// The text of a new entry.
  case newEntry
  /// The new text of the entry with this number.
  case edit(Int64)
  /// A command.
  case command
  /// A date to go to.
  case date
  /// A search; matches are shown during typing.
  case search
  /// A filter; the list follows during typing.
  case filter
  /// Letters of a title; the titles with them are listed during typing.
  case titles
  /// Tags to add or, with a minus, to remove.
  case tags
  /// A new date for entries.
  case redate
  /// A shell command that reads the text of entries.
  case pipe

  /// The label before the text.
  package var label: String {
    switch self {
    case .newEntry: "new: "
    case .edit(let number): "edit \(number): "
    case .command: ":"
    case .date: "go to date: "
    case .search: "/"
    case .filter: "filter: "
    case .titles: "find: "
    case .tags: "tags: "
    case .redate: "new date: "
    case .pipe: "| "
    }
  }

  /// Whether unsubmitted text is the user's writing and must be saved.
  package var keepsDrafts: Bool {
    switch self {
    case .newEntry, .edit: true
    case .command, .date, .search, .filter, .titles, .tags, .redate, .pipe: false
    }
  }

  /// Whether the list follows every typed character.
  package var isLive: Bool { self == .search || self == .filter || self == .titles }
}

/// The prompt at the foot of the screen, as plain values; readline edits the text elsewhere.
package struct PromptState: Equatable, Sendable {
  /// Its purpose.
  package var kind: PromptPurpose
  /// The label before the text; it changes while a history is searched.
  package var label: String { didSet { layout = nil } }
  /// The text it opened with; nobody's new writing.
  package var initial: String
  /// The text typed so far.
  package var text: String { didSet { layout = nil } }
  /// The cursor, in UTF-8 bytes of the text.
  package var point: Int { didSet { layout = nil } }
  /// How many lines label and text take at the present width.
  package var lines: Int
  /// The current values of the entries to change, shown above the prompt: their tags, their date.
  package var present: [String]
  /// The number of characters changed since the text was last saved as a draft.
  package var unsaved: Int
  /// The layout of label and text, for ``lines`` and for drawing; `nil` after a change, until the prompt
  /// is measured again.
  package internal(set) var layout: PromptLayout?

  /// The layout is not compared: it is derived from the other properties and the size of the screen.
  package static func == (a: PromptState, b: PromptState) -> Bool {
    a.kind == b.kind && a.label == b.label && a.initial == b.initial && a.text == b.text
      && a.point == b.point && a.lines == b.lines && a.present == b.present
      && a.unsaved == b.unsaved
  }

  /// Whether the text is the user's writing that the journal does not have.
  package var isWriting: Bool {
    kind.keepsDrafts && !text.isBlank && !text.utf8.elementsEqual(initial.utf8)
  }

  /// Makes an empty prompt, or one with an initial text.
  package init(kind: PromptPurpose, text: String = "", present: [String] = []) {
    self.kind = kind
    self.label = kind.label
    self.initial = text
    self.text = text
    self.point = text.utf8.count
    self.lines = 1
    self.present = present
    self.unsaved = 0
  }
}

/// Events of the prompt and of its drafts.
package enum PromptEvent: Equatable, Sendable {
  /// The prompt for entries is requested at the start.
  case wanted
  /// A prompt opened with a text.
  ///
  /// - Parameter present: the current tags or date of the entries to change.
  case opened(PromptPurpose, text: String, present: [String] = [])
  /// The label, the text or the cursor changed; `point` in UTF-8 bytes.
  case changed(label: String, text: String, point: Int)
  /// Up or Down was pressed in a prompt with lines to choose from; down if positive.
  case selectionMoved(Int)
  /// Enter was pressed in the prompt.
  case submitted(String)
  /// The prompt was cancelled with this text in it.
  case cancelled(String)
  /// The user continues the text in the editor; the prompt has ended.
  case movedToEditor(String)
  /// Tab found several completions.
  case completionsFound([String])
  /// The completions of the word being typed; empty for none.
  case candidatesFound([String])
  /// The typing pause ended.
  case draftTimerFired
  /// The number of drafts of new entries, and of edits.
  case draftsCounted(Int, edits: Int = 0)
  /// The restored draft that was emptied is discarded.
  case emptiedDraftDiscarded
  /// A draft could not be saved.
  case draftFailed(String)
}

extension State {
  mutating func updatePrompt(_ event: PromptEvent) -> [Effect] {
    switch event {
    case .wanted: return perform(.newEntry)
    case .opened(let kind, let text, let present): openPrompt(kind, text, present)
    case .changed(let label, let text, let point):
      return changePrompt(label: label, text: text, point: point)
    case .selectionMoved(let count): selectTitle(by: count)
    case .submitted(let text): return submitPrompt(text)
    case .cancelled(let text):
      prompt?.text = text
      return closePrompt()
    case .movedToEditor(let text): return moveToEditor(text)
    case .draftTimerFired: return keepDraft()
    case .completionsFound(let words): completions = words
    case .candidatesFound(let words): candidates = words
    case .draftsCounted(let count, let edits): countDrafts(count, edits: edits)
    case .emptiedDraftDiscarded: status = .done("draft discarded")
    case .draftFailed(let text): status = .failed(text)
    }
    return []
  }

  /// The number of changed characters after which a draft is saved without a typing pause.
  package static let draftInterval = 200

  private mutating func openPrompt(_ kind: PromptPurpose, _ text: String, _ present: [String]) {
    prompt = PromptState(kind: kind, text: text, present: present)
    if kind == .filter, filtering == nil { filtering = FilterEditing(scope: scope, list: list) }
    completions = []
    candidates = []
    measurePrompt()
    fit()
  }

  /// Wraps the prompt to the screen: it has as many lines as its text, up to half of the screen.
  mutating func measurePrompt() {
    guard let prompt else { return }
    let layout = PromptView.layout(
      line: prompt.text, point: prompt.point, label: prompt.label, width: size.columns,
      maxLines: max(1, size.lines / 2))
    self.prompt?.lines = layout.lines.count
    self.prompt?.layout = layout
  }

  private mutating func changePrompt(label: String, text: String, point: Int) -> [Effect] {
    guard var prompt else { return [] }
    let changed = prompt.text.utf8.elementsEqual(text.utf8) ? 0 : Self.distance(prompt.text, text)
    completions = []
    // A key without effect keeps the layout.
    guard changed > 0 || prompt.label != label || prompt.point != point else { return [] }
    prompt.label = label
    prompt.text = text
    prompt.point = point
    prompt.unsaved += changed
    self.prompt = prompt
    measurePrompt()
    fit()
    if changed > 0 { status = nil }
    guard changed > 0 else { return [] }
    guard prompt.kind.keepsDrafts else { return typed(text, in: prompt.kind) }
    return prompt.unsaved >= Self.draftInterval ? keepDraft() : [.prompt(.armDraftTimer)]
  }

  /// A lower bound of the characters typed or erased between two texts.
  private static func distance(_ old: String, _ new: String) -> Int {
    max(1, abs(old.utf8.count - new.utf8.count))
  }

  /// Saves the prompt's text if it is the user's writing and was changed since the last save.
  mutating func keepDraft() -> [Effect] {
    guard let prompt, prompt.kind.keepsDrafts, prompt.unsaved > 0 else { return [] }
    self.prompt?.unsaved = 0
    return [
      prompt.isWriting
        ? .prompt(.saveDraft(prompt.kind, prompt.text)) : .prompt(.discardDraft(prompt.kind))
    ]
  }

  /// Closes the prompt without submitting it; the user's writing is saved.
  mutating func closePrompt() -> [Effect] {
    guard let prompt else { return [] }
    endPrompt()
    if prompt.kind.isLive {
      // The error message about the text is obsolete.
      status = nil
      return giveUp(prompt.kind)
    }
    guard prompt.kind.keepsDrafts else { return [] }
    guard prompt.isWriting else { return [.prompt(.discardDraft(prompt.kind))] }
    let save = Effect.prompt(.saveDraft(prompt.kind, prompt.text))
    if prompt.kind == .newEntry { return [save, .prompt(.countDrafts)] }
    status = .done("draft kept: press e here, then Up")
    return [save]
  }

  mutating func submitPrompt(_ text: String) -> [Effect] {
    guard let prompt else { return [] }
    let kind = prompt.kind
    endPrompt()
    switch kind {
    case .newEntry, .edit: return submit(writing: text, kind)
    case .command:
      commandLine = text
      return run(command: text)
    case .search, .filter: return settle(text, kind)
    case .titles: return submitTitle(text)
    case .date: return text.isBlank ? [] : [.list(.findDay(text))]
    case .tags, .redate: return change(text, prompt)
    case .pipe: return text.isBlank ? [] : answer(kind, text)
    }
  }

  /// Saves the text; an empty text saves nothing.
  private mutating func submit(writing text: String, _ kind: PromptPurpose) -> [Effect] {
    if keepsPrompt, kind == .newEntry { return file(text) }
    guard !text.isBlank else {
      status = .failed(Self.emptyText(of: kind))
      return [.prompt(.discardEmptiedDraft(kind))]
    }
    if case .edit(let number) = kind { return [.change(.edit(number, text))] }
    return [.change(.add(text))]
  }

  /// Saves an entry and reopens the prompt; a text that begins with `:` or `/` is a command or a
  /// search.
  private mutating func file(_ text: String) -> [Effect] {
    var effects: [Effect] = []
    if text.first == ":" {
      effects = [.prompt(.discardDraft(.newEntry))] + run(command: String(text.dropFirst()))
    } else if text.first == "/" {
      effects = [.prompt(.discardDraft(.newEntry))] + run(command: "search " + text.dropFirst())
    } else {
      effects = [text.isBlank ? .prompt(.discardEmptiedDraft(.newEntry)) : .change(.add(text))]
    }
    // A view that the command opened has the focus until it is closed.
    let isLeft =
      mode != .list || question != nil
      || effects.contains { effect in
        switch effect {
        case .terminal(.quit), .prompt(.open), .prompt(.reopen), .command: true
        case .prompt, .editor, .change, .list, .query, .read, .program, .settings, .terminal: false
        }
      }
    return isLeft ? effects : effects + [.prompt(.open(.newEntry))]
  }

  /// Changes the tags or the date of the marked entries, else of the open or selected one.
  private mutating func change(_ text: String, _ prompt: PromptState) -> [Effect] {
    let isSameDate = prompt.kind == .redate && prompt.present == [text.trimmed]
    guard !text.isBlank, !isSameDate else {
      status = .done("nothing to change")
      return []
    }
    return answer(prompt.kind, text)
  }

  /// Performs a submitted prompt on the marked entries, else on the open or selected one.
  mutating func answer(_ kind: PromptPurpose, _ text: String) -> [Effect] {
    guard let targets else {
      status = .failed("no entry selected")
      return []
    }
    if kind != .pipe { lastChange = .answer(kind, text) }
    return switch kind {
    case .tags: [.change(.tag(targets, text))]
    case .redate: [.change(.redate(targets, text))]
    case .pipe: [.program(.pipe(targets, text))]
    case .newEntry, .edit, .command, .date, .search, .filter, .titles: []
    }
  }

  private mutating func endPrompt() {
    prompt = nil
    completions = []
    candidates = []
    fit()
  }

  private static func emptyText(of kind: PromptPurpose) -> String {
    kind == .newEntry ? "nothing to save" : "empty text not saved; d deletes an entry"
  }

  /// Opens the text in the user's editor; commands and dates are typed in the prompt only.
  mutating func moveToEditor(_ text: String) -> [Effect] {
    guard let purpose = prompt?.kind else { return [] }
    endPrompt()
    return purpose.keepsDrafts
      ? [.editor(.continue(purpose, text))] : [.prompt(.open(purpose, text: text))]
  }

  mutating func countDrafts(_ count: Int, edits: Int) {
    drafts = count
    guard count + edits > 0 else { return }
    let all = count + edits == 1 ? "1 draft" : "\(count + edits) drafts"
    let ofEdits = edits == 1 ? "1 draft of an edit" : "\(edits) drafts of edits"
    if edits == 0 {
      status = .done("\(all) kept: \(prompt == nil ? "press a, then Up" : "press Up")")
    } else if count == 0 {
      status = .done("\(ofEdits) kept: see :drafts")
    } else {
      status = .done("\(all) kept, \(edits) of edits: see :drafts")
    }
  }
}

extension StringProtocol {
  /// Whether it is empty or only white space.
  var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
