import Journal
import SectionedResults

/// Everything the screen shows, as one value.
///
/// What is drawn is a function of it and of the rows that the results controller reads; what
/// happens next is a function of it and of the next intent.
public struct State: Equatable, Sendable {
  /// What the status line calls the journal: the file's name.
  public var journal: String
  /// Whether a person types the keys: what was typed wrong is then offered again.
  public var keysAreTyped = true
  /// Whether the journal was opened without any write.
  public var isReadOnly = false
  /// The day that is called "Today", by the rule of when days end.
  public var today: Day
  /// The size of the screen.
  public var size: Size
  /// What the keys go to.
  public var mode: Mode = .list
  /// Which entries the list shows, in which order and sections.
  public var scope = ListScope()
  /// Sections, selection, scroll offset and folds of the list.
  public var list: SectionedList
  /// The entry in the reading pane.
  public var pane: Reading?
  /// The selection that the pane was last filled for.
  public var previewed: PreviewSource?
  /// Whether the pane stands beside the list: `nil` where the width decides.
  public var wantsPreview: Bool?
  /// The numbers of the marked entries.
  public var marks: Set<Int64> = []
  /// Where a range that is being marked begins.
  public var rangeStart: RowPath?
  /// What was searched for last.
  public var search: Search?
  /// What was searched for in the help or the page that is open.
  public var pageSearch: PageSearch?
  /// The filter that is being typed, until the list shows it.
  public var filtering: FilterEditing?
  /// The lists under the present filter and the trash, the outermost first.
  public var coveredLists: [CoveredList] = []
  /// The prompt, while one is open.
  public var prompt: PromptState?
  /// Filters that the configuration gives names.
  public var views: [SavedView] = []
  /// Whether a prompt for a new entry opens again after each entry.
  public var keepsPrompt = false
  /// Ways to complete what stands in the prompt, to be shown.
  public var completions: [String] = []
  /// Keys that wait for more.
  public var pending = PendingKeys()
  /// A text that cannot be saved without an answer from the person; keys are answers.
  public var conflict: EditConflict?
  /// A question before something that cannot be undone; the next key answers it.
  public var question: Question?
  /// What was last done or went wrong, until the next key.
  public var status: Status?
  /// Work that is not finished, in a word, such as `searching`.
  public var work: String?
  /// The weekday that weeks of the calendar begin with, 1 for Monday to 7 for Sunday.
  public var firstWeekday = 1
  /// The deletions since another key was pressed.
  public var deletions = DeletionRun()
  /// An entry just added that the list does not show; going back to all entries goes to it.
  public var unseen: Int64?
  /// What the help lies over, where that is more than the list; leaving the help leads back there.
  public var covered: Mode?
  /// How many drafts of earlier runs wait to be brought back.
  public var drafts = 0

  /// Makes the state of a fresh start, before the first fetch.
  public init(journal: String, today: Day, size: Size) {
    self.journal = journal
    self.today = today
    self.size = size
    list = SectionedList()
    fit()
  }

  /// The context in which keys are looked up.
  public var context: KeyContext {
    mode == .list && scope.isTrash ? .trash : mode.context
  }

  /// The statistics, while they are shown.
  public var statistics: StatisticsView? {
    if case .statistics(let view) = mode { view } else { nil }
  }

  /// Which cells of the screen belong to what.
  public var layout: Layout {
    Layout(
      size: size, promptLines: prompt?.lines, split: isSplit && mode.showsList,
      reading: mode == .reading)
  }

  /// Whether the pane stands beside the list.
  public var isSplit: Bool {
    switch wantsPreview {
    case true?: size.columns >= Layout.leastPaneColumns
    case false?: false
    case nil: size.columns >= Layout.paneColumns
    }
  }

  /// The entry that keys act on: the one being read, else the selected one.
  public var target: Target? {
    if mode == .reading, let pane { return .entry(pane.entry.number) }
    return list.selection?.path.map(Target.row)
  }

  /// The entries that keys for many act on: the marked ones, if any, else ``target``.
  public var targets: Target? {
    mode == .list && !marks.isEmpty ? .entries(marks.sorted()) : target
  }
}

/// What the pane beside the list was filled for: a selection in one state of the list.
public struct PreviewSource: Equatable, Sendable {
  /// The state of the list.
  public var generation: Generation
  /// What was selected.
  public var selection: ListPosition

  /// Makes a source.
  public init(generation: Generation, selection: ListPosition) {
    self.generation = generation
    self.selection = selection
  }
}
