import Journal
import TextLayout

/// The purpose of the prompt.
package enum PromptPurpose: Hashable, Codable, Sendable {
  /// The text of a new entry.
  case newEntry
  /// The new text of the entry with this number.
  case edit(Int64)
  /// The answer to a question of a template for a new entry.
  case question(Form)
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
  /// The path of a file for the text that waits.
  case attachment

  /// The label before the text.
  package var label: String {
    switch self {
    case .newEntry: "new: "
    case .edit(let number): "edit \(number): "
    case .question(let form): form.label
    case .command: ":"
    case .date: "go to date: "
    case .search: "/"
    case .filter: "filter: "
    case .titles: "find: "
    case .tags: "tags: "
    case .redate: "new date: "
    case .pipe: "| "
    case .attachment: "attach file: "
    }
  }

  /// Whether unsubmitted text is the user's writing and must be saved.
  package var keepsDrafts: Bool {
    switch self {
    case .newEntry, .edit, .question: true
    case .command, .date, .search, .filter, .titles, .tags, .redate, .pipe, .attachment: false
    }
  }

  /// Whether the list follows every typed character.
  package var isLive: Bool { self == .search || self == .filter || self == .titles }
}

/// The prompt and what is proposed for its text.
package struct PromptState: Equatable, Sendable {
  /// The open prompt.
  package var open: OpenPrompt?
  /// The prompt for writing that waits while a file for its text is asked for.
  package internal(set) var waiting: OpenPrompt?
  /// What the open prompt, or the submitted one whose answer is acted on, is for; `nil` without such a
  /// prompt.
  package internal(set) var subject: PromptSubject?
  /// Whether the prompt for a new entry reopens after each entry.
  package var reopens = false
  /// The displayed completions of the text.
  package var completions: [String] = []
  /// The completions of the word being typed, most likely first.
  package var candidates: [String] = []
  /// The bytes of the wrong words near the cursor.
  package var misspelled: [Range<Int>] = []
  /// The words offered for a wrong one, of which the next key chooses one.
  package var spelling: SpellingChoice?

  /// Opens a prompt, or closes it.
  mutating func show(_ prompt: OpenPrompt?) {
    (open, subject) = (prompt, nil)
    (completions, candidates, misspelled, spelling) = ([], [], [], nil)
  }

  /// Takes what the open prompt shows.
  mutating func change(to text: String, label: String, point: Int, index: Int) {
    open?.label = label
    open?.text = text
    open?.point = point
    open?.index = index
  }

  /// Wraps the text to a screen: it has as many lines as it needs, up to half of the screen, or fills
  /// it.
  mutating func measure(on size: Size) {
    guard let prompt = open else { return }
    var half = max(1, size.lines / 2)
    if case .question = prompt.kind {
      // A long question is shown whole, with a row for the answer.
      let rows = PromptView.rows(ofLabel: prompt.label, width: size.columns)
      half = max(half, min(rows + 1, size.lines - 2))
    }
    let most =
      prompt.isFull ? Layout(size: size, promptLines: half, isFull: true).foot.count : half
    let layout = PromptView.layout(
      line: prompt.text, point: prompt.point, label: prompt.label, width: size.columns,
      maxLines: most)
    open?.lines = min(half, layout.lines.count)
    open?.layout = layout
  }
}

/// Events of the prompt and of its drafts.
package enum PromptEvent: Equatable, Codable, Sendable {
  /// The prompt for entries is requested at the start.
  case wanted
  /// A prompt opened with a text.
  ///
  /// - Parameters:
  ///   - present: the current tags or date of the entries to change.
  ///   - isUnsaved: whether the journal does not have the text.
  ///   - index: which of the prompt's texts it is, of `count`; the last one is its own.
  ///   - subject: the entries that it is for, by their numbers.
  case opened(
    PromptPurpose, text: String, present: [String] = [], isUnsaved: Bool = false, index: Int = 0,
    count: Int = 1, subject: PromptSubject? = nil)
  /// A file is asked for, for the text of the open prompt, which waits.
  case attachmentAsked
  /// The label, the text or the cursor changed, or another text is shown; `point` in UTF-8 bytes.
  case changed(label: String, text: String, point: Int, index: Int = 0)
  /// Up or Down was pressed in a prompt with lines to choose from, or with other questions; down if
  /// positive.
  case selectionMoved(Int)
  /// The prompt for writing fills the screen, or no longer.
  case fullScreenToggled
  /// PgUp, -1, or PgDn, 1, was pressed beside what scrolls.
  case pageTurned(Int)
  /// A template has questions, which are to be asked.
  case formFound(Form)
  /// Enter was pressed in the prompt; an edit began with a text of this checksum, a recalled draft with
  /// one of its own.
  case submitted(String, base: Int64? = nil)
  /// The prompt was cancelled with this text in it.
  case cancelled(String)
  /// The user continues the text in the editor; the prompt has ended. The base is that of `submitted`.
  case movedToEditor(String, base: Int64? = nil)
  /// Tab found several completions.
  case completionsFound([String])
  /// The completions of the word being typed; empty for none.
  case candidatesFound([String])
  /// The bytes of the wrong words near the cursor.
  case misspelledFound([Range<Int>])
  /// Words are offered for a wrong one; nil when one was chosen or none wanted.
  case suggestionsFound(SpellingChoice?)
  /// The typing pause ended.
  case draftTimerFired
  /// The number of drafts of new entries, and of edits.
  case draftsCounted(Int, edits: Int = 0)
  /// The restored draft that was emptied is discarded.
  case emptiedDraftDiscarded
  /// A text could not be kept as a draft, for this reason; the prompt may have closed.
  case notKept(String, PromptPurpose, text: String)
  /// A text could be kept again.
  case kept
}

extension State {
  mutating func updatePrompt(_ event: PromptEvent) -> [Effect] {
    switch event {
    case .wanted: return perform(.newEntry)
    case .opened(let kind, let text, let present, let isUnsaved, let index, let count, let subject):
      // The error about a file is obsolete where the text is shown again.
      if prompt.waiting != nil, kind != .attachment, status?.kind == .failed { status = nil }
      openPrompt(
        prompt.continuing(
          OpenPrompt(
            kind: kind, text: text, present: present, isUnsaved: isUnsaved, index: index,
            count: count)))
      prompt.subject = subject
    case .attachmentAsked: return askForAttachment()
    case .changed(let label, let text, let point, let index):
      return changePrompt(label: label, text: text, point: point, index: index)
    case .selectionMoved(let count):
      if case .question(let form)? = prompt.open?.kind { return ask(form, by: count) }
      selectTitle(by: count)
    case .formFound(let form): return [.prompt(.open(.question(form)))]
    case .fullScreenToggled: toggleFullScreen()
    case .pageTurned(let step): return turnPage(step)
    case .submitted(let text, let base):
      defer { marks.endRange() }
      return submitPrompt(text, base)
    case .cancelled(let text):
      if status == .done(Self.offersEntry) { status = nil }
      prompt.stopWaiting()
      prompt.open?.text = text
      marks.endRange()
      guard environment.endsWithForm else { return closePrompt() }
      return closePrompt() + [.terminal(.quit(1))]
    case .movedToEditor(let text, let base): return moveToEditor(text, base)
    case .draftTimerFired: return keepDraft()
    case .completionsFound(let words): prompt.completions = words
    case .candidatesFound(let words): prompt.candidates = words
    case .misspelledFound(let places): prompt.misspelled = places
    case .suggestionsFound(let choice):
      prompt.spelling = choice
      (prompt.completions, prompt.candidates) = ([], [])
    case .draftsCounted(let count, let edits): countDrafts(count, edits: edits)
    case .emptiedDraftDiscarded: status = .done("draft discarded")
    case .notKept(let reason, let kind, let text): return keepOnScreen(text, kind, reason)
    case .kept:
      prompt.open?.isUnkept = false
      prompt.waiting?.isUnkept = false
    }
    return []
  }

  /// The number of changed characters after which a draft is saved without a typing pause.
  package static let draftInterval = 200

  private mutating func openPrompt(_ opened: OpenPrompt) {
    prompt.show(opened)
    if opened.kind == .filter, list.filtering == nil {
      list.filtering = FilterEditing(scope: list.scope, list: list.widget)
    }
    prompt.measure(on: environment.size)
    fit()
  }

  private mutating func toggleFullScreen() {
    guard prompt.open?.kind.keepsDrafts == true else { return }
    prompt.open?.isFull.toggle()
    prompt.measure(on: environment.size)
    fit()
  }

  /// Scrolls the list, the pane or a page by nearly its height; the text stays as it is.
  ///
  /// A prompt that acts on the selected entry does not scroll, since that may move the selection.
  private mutating func turnPage(_ step: Int) -> [Effect] {
    guard prompt.open?.kind.keepsDrafts == true else { return [] }
    let height = pages.mode == .list ? layout.listLines.count : layout.paneLines.count
    return scroll(by: step * max(1, height - 2))
  }

  private mutating func changePrompt(
    label: String, text: String, point: Int, index: Int
  ) -> [Effect] {
    guard let before = prompt.open else { return [] }
    prompt.completions = []
    guard before.index == index else { return showText(text, at: index, label, point) }
    let changed = before.text.utf8.elementsEqual(text.utf8) ? 0 : Self.distance(before.text, text)
    // A key without effect keeps the layout.
    guard changed > 0 || before.label != label || before.point != point else { return [] }
    show(text, at: index, label, point)
    prompt.open?.unsaved += changed
    guard changed > 0 else { return [] }
    status = nil
    guard before.kind.keepsDrafts else { return typed(text, in: before.kind) }
    return before.unsaved + changed >= Self.draftInterval
      ? keepDraft() : [.prompt(.armDraftTimer)]
  }

  /// Goes on to another text of the prompt; the one before is saved at once.
  private mutating func showText(
    _ text: String, at index: Int, _ label: String, _ point: Int
  ) -> [Effect] {
    let effects = keepDraft()
    show(text, at: index, label, point)
    if let prompt = prompt.open, !prompt.isOwn {
      status = .done("draft \(index + 1) of \(prompt.count - 1); Down goes back")
    } else {
      status = nil
    }
    return effects
  }

  private mutating func show(_ text: String, at index: Int, _ label: String, _ point: Int) {
    prompt.change(to: text, label: label, point: point, index: index)
    prompt.measure(on: environment.size)
    fit()
  }

  /// A lower bound of the characters typed or erased between two texts.
  private static func distance(_ old: String, _ new: String) -> Int {
    max(1, abs(old.utf8.count - new.utf8.count))
  }

  /// Saves the prompt's text if it is the user's writing and was changed since the last save.
  mutating func keepDraft() -> [Effect] {
    guard let prompt = prompt.open, prompt.kind.keepsDrafts, prompt.unsaved > 0 else { return [] }
    self.prompt.open?.unsaved = 0
    return prompt.keeping
  }

  /// Closes the prompt without submitting it; the user's writing is saved.
  mutating func closePrompt() -> [Effect] {
    prompt.stopWaiting()
    guard let prompt = prompt.open else { return [] }
    endPrompt()
    if prompt.kind.isLive {
      // The error message about the text is obsolete.
      status = nil
      return giveUp(prompt.kind)
    }
    guard prompt.kind.keepsDrafts else { return [] }
    let effects = prompt.keeping + [.prompt(.close(prompt.kind))]
    guard prompt.isWriting else { return effects }
    guard case .edit(let number) = prompt.kind else { return effects + [.prompt(.countDrafts)] }
    status = .done(Self.keptDraft(ofEdit: number))
    return effects
  }

  /// Where the draft of an edit is: Up recalls it too, but only from the first row of a text.
  package static func keptDraft(ofEdit number: Int64) -> String {
    "draft of entry \(number) kept: :drafts opens it"
  }

  /// Opens the prompt again for a text that could be neither saved nor kept: it must not vanish.
  ///
  /// Keys from a pipe go on unchanged; their text is in the script.
  private mutating func keepOnScreen(
    _ text: String, _ kind: PromptPurpose, _ reason: String
  ) -> [Effect] {
    guard environment.keysAreTyped else {
      status = .failed("draft not kept: \(reason)")
      return []
    }
    status = .failed("\(reason); not kept: the text stays here")
    if prompt.waiting?.isWriting == true {
      prompt.waiting?.isUnkept = true
      return []
    }
    guard prompt.open?.isWriting == true else {
      return [.prompt(.resume(kind, text: text, reason))]
    }
    // It is on the screen, or another text of the prompt that is.
    prompt.open?.isUnkept = true
    return []
  }

  mutating func endPrompt() {
    prompt.show(nil)
    fit()
  }

  static func emptyText(of kind: PromptPurpose) -> String {
    kind == .newEntry ? "nothing to save" : "empty text not saved; d deletes an entry"
  }

  /// Opens the text in the user's editor; commands and dates are typed in the prompt only.
  private mutating func moveToEditor(_ text: String, _ base: Int64?) -> [Effect] {
    guard let purpose = prompt.open?.kind else { return [] }
    let subject = prompt.subject
    endPrompt()
    if case .question(let form) = purpose {
      return [.editor(.continue(.newEntry, form.text(answering: text)))]
    }
    return purpose.keepsDrafts
      ? [.editor(.continue(purpose, text, base: base))]
      : [.prompt(.open(purpose, text: text, subject: subject))]
  }

  mutating func countDrafts(_ count: Int, edits: Int) {
    journal.drafts = count + edits
    guard count + edits > 0 else { return }
    let all = count + edits == 1 ? "1 draft" : "\(count + edits) drafts"
    let ofEdits = edits == 1 ? "1 draft of an edit" : "\(edits) drafts of edits"
    if edits == 0 {
      status = .done("\(all) kept: \(prompt.open == nil ? "press a, then Up" : "press Up")")
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
