import Journal
import SectionedResults
import TextLayout

/// The complete state of the screen, as one value.
///
/// The screen is a function of it and of the rows that the results controller reads; the next state
/// is a function of it and of the next event.
package struct State: Equatable, Sendable {
  /// The journal's name in the status line: the file's name.
  package var journal: String
  /// The current settings: those of the configuration and later changes.
  package var settings = Settings()
  /// The month and weekday names of the user's locale.
  package var dateNames = DateNames.ofUser
  /// Whether a person types the keys: rejected input is then offered again.
  package var keysAreTyped = true
  /// Whether the journal was opened read-only.
  package var isReadOnly = false
  /// The journal day with the title "Today".
  package var today: Day
  /// The size of the screen.
  package var size: Size
  /// The terminal's background as `0xRRGGBB`, once it has named it.
  package var background: UInt32?
  /// The focused view.
  package var mode: Mode = .list
  /// The views under the open page, without the list, which is below all of them; closing the page
  /// returns to the last one.
  package var covered: [Mode] = []
  /// The filter, order and sections of the list.
  package var scope = ListScope()
  /// Sections, selection, scroll offset and folds of the list.
  package var list: ListWidget
  /// The views, tags and months beside the list; `nil` while they are hidden.
  package var sidebar: Sidebar?
  /// What is said about synchronisation; `nil` for a journal without a remote.
  package var sync: SyncNote?
  /// The entry in the reading pane.
  package var pane: Reading?
  /// How the list and the pane divide the screen.
  package var split = Split()
  /// The selection that the pane was last filled for.
  package var previewed: PreviewSource?
  /// Whether the pane is requested together with the list: `nil` if the size decides.
  package var wantsPreview: Bool?
  /// The numbers of the marked entries.
  package var marks: Set<Int64> = []
  /// The marks before a range, or a count, whose action asks in a prompt: those that stay after the answer.
  package var marksBefore: Set<Int64>?
  /// The start of a range that is being marked.
  package var rangeStart: RowPath?
  /// The last search.
  package var search: Search?
  /// The places before jumps, and the marked ones.
  package var places = Places()
  /// The last change that `.` repeats.
  package var lastChange: RepeatableChange?
  /// The last search in the open help or page.
  package var pageSearch: PageSearch?
  /// The filter being typed, until the list shows it.
  package var filtering: FilterEditing?
  /// The lists under the current filter and the trash, the outermost first.
  package var coveredLists: [CoveredList] = []
  /// The open prompt.
  package var prompt: PromptState?
  /// Whether the prompt for a new entry reopens after each entry.
  package var keepsPrompt = false
  /// The displayed completions of the prompt's text.
  package var completions: [String] = []
  /// The completions of the word being typed, most likely first.
  package var candidates: [String] = []
  /// An incomplete key sequence.
  package var pending = PendingKeys()
  /// A text that cannot be saved without the user's decision; the next keys answer.
  package var conflict: EditConflict?
  /// A question before a change that cannot be undone; the next key answers it.
  package var question: Question?
  /// The last message, until the next key.
  package var status: Status?
  /// The unfinished work, in a word such as `searching`.
  package var work: String?
  /// The unanswered long requests to the journal.
  package var queries = PendingQueries()
  /// The commands of the line after `:`.
  package var catalog = CommandCatalog()
  /// The line typed after `:` whose effects are being carried out.
  package var commandLine: String?
  /// The entries in the trash, counted while the list is empty.
  package var trash = TrashContents()
  /// The parsed filter of the list, to highlight its matches.
  package var filterQuery: Query?
  /// The consecutive deletions.
  package var deletions = DeletionRun()
  /// An added entry that the list does not show; going back to all entries selects it.
  package var unseen: Int64?
  /// The number of drafts of earlier runs.
  package var drafts = 0

  /// Makes the initial state, before the first fetch.
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

  /// The first weekday in the calendar, 1 for Monday to 7 for Sunday.
  package var firstWeekday: Int { settings.weekStart.weekday }

  /// The format of dates and times.
  package var dates: DateStyle { settings.dateStyle(names: dateNames) }

  /// The highlighted query: the search, else the filter.
  package var highlight: Query? {
    guard let search, !search.text.isEmpty else { return filterQuery }
    return search.query
  }

  /// The context for key look-ups.
  package var context: KeyContext {
    mode == .list && scope.isTrash ? .trash : mode.context
  }

  /// The statistics, if they are open.
  package var statistics: StatisticsView? {
    if case .statistics(let view) = mode { view } else { nil }
  }

  /// The regions of the screen.
  package var layout: Layout { layout(side: mode.showsList ? paneSide : nil) }

  /// The height of the list; a page over it does not change it.
  var listHeight: Int { layout(side: paneSide).listLines.count }

  private func layout(side: PaneSide?) -> Layout {
    Layout(
      size: size, promptLines: prompt?.lines, side: side, split: split,
      sidebar: showsSidebar, reading: mode == .reading)
  }

  /// The entry of a key's action or a command: the one that is open, else the one selected in the list.
  package var target: Target? { target(in: [.list] + covered + [mode]) }

  /// - Parameter views: the open views, the last one on top.
  private func target(in views: [Mode]) -> Target? {
    guard let page = views.last?.page else {
      return views.last == .reading
        ? pane.map { .entry($0.entry.number) } ?? selectedRow : selectedRow
    }
    return switch page.subject {
    case .entry(let number): .entry(number)
    case .covered: target(in: views.dropLast())
    case .others: nil
    }
  }

  private var selectedRow: Target? { list.selection?.path.map(Target.row) }

  /// The entries of a bulk action: the marked ones, if any, else ``target``.
  package var targets: Target? {
    mode == .list && !marks.isEmpty ? .entries(marks.sorted()) : target
  }
}

/// The source of the pane's entry: a selection in one state of the list.
package struct PreviewSource: Equatable, Sendable {
  /// The state of the list.
  package var generation: Int
  /// The selection.
  package var selection: SectionedList.Position

  package init(generation: Int, selection: SectionedList.Position) {
    self.generation = generation
    self.selection = selection
  }
}

/// The size of the screen, in cells.
package struct Size: Hashable, Codable, Sendable {
  /// Columns, at least 1.
  package var columns: Int
  /// Lines, at least 1.
  package var lines: Int

  /// Makes a size; values below 1 become 1, because a terminal may report 0.
  package init(columns: Int, lines: Int) {
    self.columns = max(1, columns)
    self.lines = max(1, lines)
  }

  /// Decodes a size that some screen may have.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      columns: try container.decode(Int.self, forKey: .columns),
      lines: try container.decode(Int.self, forKey: .lines))
    guard max(columns, lines) <= Self.mostDecoded else {
      throw DecodingError.dataCorruptedError(
        forKey: .columns, in: container, debugDescription: "no screen has \(columns)×\(lines) cells"
      )
    }
  }

  /// The largest decoded width and height.
  private static let mostDecoded = 4_096

  private enum CodingKeys: CodingKey { case columns, lines }
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

/// Consecutive deletions, counted so that an unintended second one is noticed.
///
/// `d` acts at once; `dd`, a habit from vim, deletes two entries.
package struct DeletionRun: Equatable, Sendable {
  /// The number of deletions.
  private var steps = 0
  /// The number of deleted entries.
  private var total = 0
  /// The number of entries in the last deletion, which an undo restores.
  private var last = 0
  /// The numbers of the last deleted entries, in order.
  private var numbers: [Int64] = []
  /// The maximum number of listed numbers.
  private static let mostNumbers = 3

  package init() {}

  /// Counts a deletion.
  mutating func add(_ deleted: [Int64]) {
    steps += 1
    total += deleted.count
    last = deleted.count
    numbers = Array((numbers + deleted.suffix(Self.mostNumbers)).suffix(Self.mostNumbers))
  }

  /// The message in the status line; `nil` unless there were several.
  var message: String? {
    guard steps > 1 else { return nil }
    guard total == steps else {
      let what = last == 1 ? "the last one" : "the last \(last)"
      return "deleted \(Numbers.entries(total)) in \(steps) steps; u restores \(what)"
    }
    let earlier = total > numbers.count ? "…, " : ""
    let list = numbers.map(String.init).joined(separator: ", ")
    return "deleted \(Numbers.entries(total)) (\(earlier)\(list)); u restores the last"
  }
}
