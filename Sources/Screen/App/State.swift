import Journal
import SectionedResults
import TextLayout

/// The complete state of the screen, as one value.
///
/// The screen is a function of it and of the rows that the results controller reads; the next state
/// is a function of it and of the next event.
package struct State: Equatable, Sendable {
  /// The open journal.
  package var journal: JournalState
  /// The environment of the program.
  package var environment: Environment
  /// The current settings: those of the configuration and later changes.
  package var settings = Settings()
  /// The focused view and those under it.
  package var pages = PageStack()
  /// The list and what it shows.
  package var list = ListState()
  /// The marked entries.
  package var marks = MarkState()
  /// The last search in the list.
  package var search: Search?
  /// The places before jumps, and the marked ones.
  package var places = Places()
  /// The views, tags and months beside the list; `nil` while they are hidden.
  package var sidebar: Sidebar?
  /// The reading pane and its share of the screen.
  package var pane = PaneState()
  /// The state of synchronisation; `nil` for a journal without a remote.
  package var sync: SyncNote?
  /// The prompt and its completions.
  package var prompt = PromptState()
  /// The keys pressed so far.
  package var pressed = KeyState()
  /// The commands of the line after `:`.
  package var commands = CommandState()
  /// The questions that the next keys answer.
  package var questions = QuestionState()
  /// The last message, until the next key.
  package var status: Status?
  /// The requests to repeat speech.
  package var speech = SpeechState()
  /// The unfinished work.
  package var work = WorkState()

  /// Makes the initial state, before the first fetch.
  package init(journal: String, today: Day, size: Size) {
    self.journal = JournalState(name: journal, today: today)
    environment = Environment(size: size)
    fit()
  }

  /// The saved views of the configuration.
  package var views: [SavedView] {
    get { settings.views }
    set { settings.views = newValue }
  }

  /// The first weekday in the calendar, 1 for Monday to 7 for Sunday.
  package var firstWeekday: Int { settings.weekStart.weekday }

  /// The format of dates and times.
  package var dates: DateStyle { settings.dateStyle(names: environment.dateNames) }

  /// The highlighted query: the search, else the filter.
  package var highlight: Query? {
    guard let search, !search.text.isEmpty else { return list.query }
    return search.query
  }

  /// The context for key look-ups.
  package var context: KeyContext {
    // A list of the past has the keys of the trash: it is a visit, and `r` restores.
    pages.mode == .list && (list.scope.isTrash || journal.past != nil) ? .trash : pages.mode.context
  }

  /// The statistics, if they are open.
  package var statistics: StatisticsView? {
    if case .statistics(let view) = pages.mode { view } else { nil }
  }

  /// The regions of the screen.
  package var layout: Layout {
    layout(side: pages.mode.showsList ? paneSide : nil, isFull: prompt.open?.isFull == true)
  }

  /// The height of the list; a page or a prompt over it does not change it.
  var listHeight: Int { layout(side: paneSide, isFull: false).listLines.count }

  /// The height of the pane; a page or a prompt over it does not change it.
  var paneHeight: Int {
    Layout(
      size: environment.size, promptLines: nil, side: paneSide, split: pane.split,
      sidebar: showsSidebar, reading: true
    ).paneLines.count
  }

  /// The rows by which PgUp and PgDn move the cursor in a prompt that fills the screen; `nil` if they
  /// scroll the list or the pane.
  package var promptPage: Int? {
    prompt.open?.isFull == true ? max(1, layout.foot.count - 2) : nil
  }

  private func layout(side: PaneSide?, isFull: Bool) -> Layout {
    Layout(
      size: environment.size, promptLines: prompt.open?.lines, isFull: isFull, side: side,
      split: pane.split,
      sidebar: showsSidebar, reading: pages.mode == .reading)
  }

  /// The entry of a key's action or a command: the one that is open, else the one selected in the list;
  /// that of a prompt was so when it opened.
  package var target: Target? {
    if let subject = prompt.subject { return subject.one }
    return target(in: [.list] + pages.covered + [pages.mode])
  }

  /// - Parameter views: the open views, the last one on top.
  private func target(in views: [Mode]) -> Target? {
    guard let page = views.last?.page else {
      return views.last == .reading
        ? pane.reading.map { .entry($0.entry.number) } ?? selectedRow : selectedRow
    }
    return switch page.subject {
    case .entry(let number): .entry(number)
    case .covered: target(in: views.dropLast())
    case .others: nil
    }
  }

  private var selectedRow: Target? { list.widget.selection?.path.map(Target.row) }

  /// The entries of a bulk action: the marked ones, if any, else ``target``.
  package var targets: Target? {
    if let subject = prompt.subject { return subject.many }
    return pages.mode == .list && !marks.numbers.isEmpty ? .entries(marks.numbers.sorted()) : target
  }
}

/// A message in the status line, until the next key.
///
/// The text may contain user input; it is sanitised when drawn, not here.
package struct Status: Equatable, Sendable {
  /// The kinds of messages.
  package enum Kind: Equatable, Sendable {
    /// A success.
    case done
    /// A failure.
    case failed
    /// A question that the next key answers.
    case asked
  }

  /// The text, one line.
  package var text: String
  /// The kind of message.
  package var kind: Kind

  /// A message of success.
  package static func done(_ text: String) -> Status { Status(text: text, kind: .done) }

  /// A message of failure.
  package static func failed(_ text: String) -> Status { Status(text: text, kind: .failed) }

  /// A question.
  package static func asked(_ text: String) -> Status { Status(text: text, kind: .asked) }
}
