import Journal
import SectionedResults
import TextLayout

/// The open journal.
package struct JournalState: Equatable, Sendable {
  /// Its name in the status line: the file's name.
  package var name: String
  /// The journal day with the title "Today".
  package var today: Day
  /// Whether it was opened read-only.
  package var isReadOnly = false
  /// The moment of the past that is shown, read only; `nil` for the present.
  package var past: Moment?
  /// The number of drafts of earlier runs, of new entries and of edits.
  package var drafts = 0
}

/// Events of the journal and of work on it.
package enum JournalEvent: Equatable, Codable, Sendable {
  /// A change was saved.
  case saved(Saved)
  /// Something was done that changed no entry; the text is for the status line.
  case noted(String)
  /// An effect failed; the text gives the reason and the remedy.
  case failed(String, doing: Effect? = nil)
  /// Long work began, described by a word such as `searching`, or ended.
  case working(String?)
  /// A process committed a change, visible in the list or not.
  case changed
  /// The journal was opened; the screen restarts.
  case opened(Opening)
  /// The journal day ended, or the clock was changed.
  case dayChanged(Day)
}

/// Events of the terminal and of the process.
package enum TerminalEvent: Equatable, Codable, Sendable {
  /// The size of the screen changed.
  case resized(Size)
  /// The terminal named its background, as `0xRRGGBB`.
  case backgroundFound(UInt32)
  /// The terminal draws pictures in pixels, and has cells of this size.
  case pictureCellFound(CellSize)
  /// A message of success was shown long enough.
  case messageExpired
  case inputEnded
  /// A signal asks the program to end.
  case signalled(Int32)
}

/// A saved change, for the status line.
package struct Saved: Equatable, Codable, Sendable {
  /// The message: `added entry 42`.
  package var text: String
  /// The row of the entry, if the list shows it.
  package var path: RowPath?
  /// The second row of the entry, among those of this day in other years, if the list shows it.
  package var twin: RowPath?
  /// Whether to select the row that the last batch changed, for example after an undo.
  package var showsChange: Bool
  /// The number of an added or changed entry that the list does not show.
  package var unseen: Int64?
  /// What is said of entries that the list hides after the change; `nil` for none.
  package var hiding: String?
  /// The numbers of deleted entries.
  package var deleted: [Int64]
  /// A question about what follows from the change, which is saved whatever the answer is.
  package var question: Question?
  /// The number of an entry to edit next.
  package var edited: Int64?

  package init(
    _ text: String, at path: RowPath? = nil, showsChange: Bool = false, unseen: Int64? = nil,
    deleted: [Int64] = []
  ) {
    self.text = text
    self.path = path
    self.showsChange = showsChange
    self.unseen = unseen
    self.deleted = deleted
  }
}

extension State {
  mutating func updateJournal(_ event: JournalEvent) -> [Effect] {
    switch event {
    case .saved(let saved):
      report(saved)
      if let question = saved.question { _ = updateQuestion(.asked(question)) }
      // A question is answered first, by a key that no prompt takes.
      let edited = saved.question == nil ? saved.edited : nil
      let editing = edited.map { Effect.prompt(.edit(.entry($0))) }
      return trashCount() + (editing.map { [$0] } ?? [])
        + (environment.endsWithForm ? leave(exitCode: 0) : [])
    case .noted(let text):
      status = .done(text)
      list.unseen = nil
    case .failed(let text, let effect):
      if case .query(let query)? = effect {
        work.queries.finish(query.kind)
        work.word = nil
      }
      (places.isGoing, places.reading) = (false, nil)
      fail(text)
      guard let effect else { return [] }
      return reopen(after: effect)
    case .working(let word): work.word = word
    case .changed:
      // "u undoes it" is no longer true after a commit of another process.
      if status?.kind == .done { status = nil }
      let review = questions.conflict.map { Effect.change(.review($0)) }
      return (review.map { [$0] } ?? []) + refreshedPage() + refreshedSidebar() + wantedLinks()
        + trashCount()
    case .opened(let opening):
      begin(opening)
      return refreshedSidebar()
    case .dayChanged(let day):
      journal.today = day
      return refreshedPage()
    }
    return []
  }

  mutating func updateTerminal(_ event: TerminalEvent) -> [Effect] {
    switch event {
    case .resized(let size):
      resize(size)
      return pages.mode.page?.missing ?? []
    case .backgroundFound(let color):
      environment.background = color
      if settings.theme == Settings.automaticTheme {
        return [.settings(.useTheme(Settings.automaticTheme))]
      }
    case .pictureCellFound(let cell):
      // A terminal with few colours tells only now that it draws pictures.
      (environment.drawsPictures, environment.pictureCell) = (true, cell)
    case .messageExpired: if status?.kind == .done { status = nil }
    case .inputEnded:
      guard let question = questions.question else { return leave(exitCode: 0) }
      // The step that asked is not done.
      let effects = leave(exitCode: 1)
      fail("the keys ended at a question; \(question.refusal)")
      return effects
    case .signalled(let number): return leave(exitCode: 128 + number)
    }
    return []
  }

  /// Continues with another journal; settings of the program stay.
  private mutating func begin(_ opening: Opening) {
    let before = self
    self = State(opening, catalog: before.commands.catalog)
    (views, prompt.reopens, environment.background) = (
      before.views, before.prompt.reopens, before.environment.background
    )
    if before.sidebar != nil { sidebar = Sidebar() }
    fit()
  }

  /// Reopens the prompt with the text of a failed effect; keys from a pipe continue unchanged.
  private mutating func reopen(after effect: Effect) -> [Effect] {
    guard environment.keysAreTyped else { return [] }
    // A line after `:` may name other entries than the prompts' targets.
    let line = commands.line.map { [Effect.prompt(.reopen(.command, text: $0))] }
    return switch effect {
    case .list(.findDay(let words)):
      line ?? (words == "today" ? [] : [.prompt(.open(.date, text: words))])
    case .change(.redate(let target, let words)):
      line ?? ask(.redate, again: words, of: target)
    case .change(.tag(let target, let words)): line ?? ask(.tags, again: words, of: target)
    case .settings(let request):
      switch request {
      case .useTheme, .set, .showSetting, .saveView, .deleteView: line ?? []
      case .listSettings: []
      }
    case .menu(.openJournal), .menu(.openPast), .read(.random), .read(.day): line ?? []
    case .change, .prompt, .editor, .list, .query, .read, .program, .command, .menu, .terminal: []
    }
  }

  private mutating func ask(
    _ purpose: PromptPurpose, again words: String, of target: Target
  ) -> [Effect] {
    remark(target)
    let subject = PromptSubject(one: target, many: target)
    return [.prompt(.open(purpose, text: words, subject: subject))]
  }
}
