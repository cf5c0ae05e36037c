import Journal
import SectionedResults

/// Everything the screen shows, as one value.
///
/// What is drawn is a function of it and of the rows that the results controller reads; what
/// happens next is a function of it and of the next event.
package struct State: Equatable, Sendable {
  /// What the status line calls the journal: the file's name.
  package var journal: String
  /// The settings in force: those of the configuration and those set since.
  package var settings = Settings()
  /// The month and weekday names of the user's locale.
  package var dateNames = DateNames.ofUser
  /// Whether a person types the keys: what was typed wrong is then offered again.
  package var keysAreTyped = true
  /// Whether the journal was opened without any write.
  package var isReadOnly = false
  /// The day that is called "Today", by the rule of when days end.
  package var today: Day
  /// The size of the screen.
  package var size: Size
  /// What the keys go to.
  package var mode: Mode = .list
  /// Which entries the list shows, in which order and sections.
  package var scope = ListScope()
  /// Sections, selection, scroll offset and folds of the list.
  package var list: SectionedList
  /// The entry in the reading pane.
  package var pane: Reading?
  /// The selection that the pane was last filled for.
  package var previewed: PreviewSource?
  /// Whether the pane stands beside the list: `nil` where the width decides.
  package var wantsPreview: Bool?
  /// The numbers of the marked entries.
  package var marks: Set<Int64> = []
  /// Where a range that is being marked begins.
  package var rangeStart: RowPath?
  /// What was searched for last.
  package var search: Search?
  /// What was searched for in the help or the page that is open.
  package var pageSearch: PageSearch?
  /// The filter that is being typed, until the list shows it.
  package var filtering: FilterEditing?
  /// The lists under the present filter and the trash, the outermost first.
  package var coveredLists: [CoveredList] = []
  /// The prompt, while one is open.
  package var prompt: PromptState?
  /// Whether a prompt for a new entry opens again after each entry.
  package var keepsPrompt = false
  /// Ways to complete what stands in the prompt, to be shown.
  package var completions: [String] = []
  /// Keys that wait for more.
  package var pending = PendingKeys()
  /// A text that cannot be saved without an answer from the person; keys are answers.
  package var conflict: EditConflict?
  /// A question before something that cannot be undone; the next key answers it.
  package var question: Question?
  /// What was last done or went wrong, until the next key.
  package var status: Status?
  /// Work that is not finished, in a word, such as `searching`.
  package var work: String?
  /// The long requests to the journal that are not answered yet.
  package var queries = PendingQueries()
  /// The commands of the line after `:`.
  package var catalog = CommandCatalog()
  /// The line typed after `:` whose effects are being carried out.
  package var commandLine: String?
  /// The entries in the trash, counted while the list is empty.
  package var trash = TrashContents()
  /// The parsed filter of the list, to highlight its matches.
  package var filterQuery: Query?
  /// The deletions since another key was pressed.
  package var deletions = DeletionRun()
  /// An entry just added that the list does not show; going back to all entries goes to it.
  package var unseen: Int64?
  /// What the help lies over, where that is more than the list; leaving the help leads back there.
  package var covered: Mode?
  /// How many drafts of earlier runs wait to be brought back.
  package var drafts = 0

  /// Makes the state of a fresh start, before the first fetch.
  package init(journal: String, today: Day, size: Size) {
    self.journal = journal
    self.today = today
    self.size = size
    list = SectionedList()
    fit()
  }

  /// The saved views of the configuration.
  package var views: [SavedView] {
    get { settings.views }
    set { settings.views = newValue }
  }

  /// The weekday that weeks of the calendar begin with, 1 for Monday to 7 for Sunday.
  package var firstWeekday: Int { settings.weekStart.weekday }

  /// How dates and times are written.
  package var dates: DateStyle { settings.dateStyle(names: dateNames) }

  /// What is highlighted: the matches of the search, else those of the filter.
  package var highlight: Query? {
    guard let search, !search.text.isEmpty else { return filterQuery }
    return search.query
  }

  /// The context in which keys are looked up.
  package var context: KeyContext {
    mode == .list && scope.isTrash ? .trash : mode.context
  }

  /// The statistics, while they are shown.
  package var statistics: StatisticsView? {
    if case .statistics(let view) = mode { view } else { nil }
  }

  /// Which cells of the screen belong to what.
  package var layout: Layout {
    Layout(
      size: size, promptLines: prompt?.lines, split: isSplit && mode.showsList,
      reading: mode == .reading)
  }

  /// Whether the pane stands beside the list.
  package var isSplit: Bool {
    switch wantsPreview {
    case true?: size.columns >= Layout.leastPaneColumns
    case false?: false
    case nil: size.columns >= Layout.paneColumns
    }
  }

  /// The entry that keys act on: the one being read, else the selected one.
  package var target: Target? {
    if mode == .reading, let pane { return .entry(pane.entry.number) }
    return list.selection?.path.map(Target.row)
  }

  /// The entries that keys for many act on: the marked ones, if any, else ``target``.
  package var targets: Target? {
    mode == .list && !marks.isEmpty ? .entries(marks.sorted()) : target
  }
}

/// What the pane beside the list was filled for: a selection in one state of the list.
package struct PreviewSource: Equatable, Sendable {
  /// The state of the list.
  package var generation: Generation
  /// What was selected.
  package var selection: ListPosition

  /// Makes a source.
  package init(generation: Generation, selection: ListPosition) {
    self.generation = generation
    self.selection = selection
  }
}

/// The size of the screen, in cells.
package struct Size: Hashable, Sendable {
  /// Columns, at least 1.
  package var columns: Int
  /// Lines, at least 1.
  package var lines: Int

  /// Makes a size; values below 1 become 1, because a terminal may say 0.
  package init(columns: Int, lines: Int) {
    self.columns = max(1, columns)
    self.lines = max(1, lines)
  }
}

/// A message in the status line, until the next key.
///
/// The text may hold a user's words; it is made safe where it is drawn, not here.
package struct Status: Equatable, Sendable {
  /// Whether something was done or something went wrong.
  package enum Kind: Equatable, Sendable {
    /// Something was done.
    case done
    /// Something went wrong.
    case failed
  }

  /// The words, one line.
  package var text: String
  /// What kind of message it is.
  package var kind: Kind

  /// A message that something was done.
  package static func done(_ text: String) -> Status { Status(text: text, kind: .done) }

  /// A message that something went wrong.
  package static func failed(_ text: String) -> Status { Status(text: text, kind: .failed) }
}

/// Deletions with no other key between them, counted so that one who meant a single one notices.
///
/// `d` acts at once; `dd`, as fingers used to vim type it, deletes two entries.
package struct DeletionRun: Equatable, Sendable {
  /// How many deletions there were.
  private var steps = 0
  /// How many entries they deleted.
  private var total = 0
  /// How many entries the last of them deleted, which is what an undo brings back.
  private var last = 0
  /// The numbers of the entries deleted last, in the order in which they were.
  private var numbers: [Int64] = []
  /// No more numbers are told.
  private static let mostNumbers = 3

  /// Makes a run without a deletion.
  package init() {}

  /// Counts a deletion.
  mutating func add(_ deleted: [Int64]) {
    steps += 1
    total += deleted.count
    last = deleted.count
    numbers = Array((numbers + deleted.suffix(Self.mostNumbers)).suffix(Self.mostNumbers))
  }

  /// What the status line says of them; `nil` unless there were several.
  var message: String? {
    guard steps > 1 else { return nil }
    guard total == steps else {
      let what = last == 1 ? "the last one" : "the last \(last)"
      return "deleted \(total) entries in \(steps) steps; u brings \(what) back"
    }
    let earlier = total > numbers.count ? "…, " : ""
    let list = numbers.map(String.init).joined(separator: ", ")
    return "deleted \(total) entries (\(earlier)\(list)); u brings the last back"
  }
}
