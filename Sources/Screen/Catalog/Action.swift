/// Everything a key can be bound to, by the name that a configuration file would use.
package enum Action: String, CaseIterable, Sendable {
  /// One row, line or week down.
  case moveDown = "move-down"
  /// One row, line or week up.
  case moveUp = "move-up"
  /// One day or title to the left; out of the pane.
  case moveLeft = "move-left"
  /// One day or title to the right; into the pane.
  case moveRight = "move-right"
  /// Half a screen down.
  case halfPageDown = "half-page-down"
  /// Half a screen up.
  case halfPageUp = "half-page-up"
  /// A screen or a month down.
  case pageDown = "page-down"
  /// A screen or a month up.
  case pageUp = "page-up"
  /// To the first row; with a count, to the row of that number.
  case first
  /// To the last row; with a count, to the row of that number.
  case last
  /// To the first row of the section before; in statistics to the year before.
  case previousSection = "previous-section"
  /// To the first row of the next section; in statistics to the next year.
  case nextSection = "next-section"
  /// To the next entry, while reading.
  case nextEntry = "next-entry"
  /// To the entry before, while reading.
  case previousEntry = "previous-entry"
  /// Folds or unfolds the selected section.
  case toggleFold = "toggle-fold"
  /// Folds every section.
  case foldAll = "fold-all"
  /// Unfolds every section.
  case unfoldAll = "unfold-all"
  /// Asks for a date and goes there.
  case goToDate = "go-to-date"
  /// Goes to today.
  case goToToday = "go-to-today"
  /// Shows the month calendar.
  case calendar
  /// Shows the jump bar of index titles.
  case jump
  /// Shows how much was written when.
  case statistics
  /// Shows the whole selected entry, or goes where a day or a title leads.
  case read
  /// Shows or hides the reading pane beside the list.
  case preview
  /// Writes a new entry in the prompt.
  case newEntry = "new-entry"
  /// Writes a new entry in the user's editor.
  case newEntryInEditor = "new-entry-in-editor"
  /// Edits the selected entry in the prompt.
  case edit
  /// Edits the selected entry in the user's editor.
  case editInEditor = "edit-in-editor"
  /// Moves entries to the trash.
  case delete
  /// Discards the draft that is chosen.
  case discardDraft = "discard-draft"
  /// Takes entries out of the trash.
  case restore
  /// Takes back the last change.
  case undo
  /// Does again what was taken back.
  case redo
  /// Ticks a task item of the entry that is read, or opens it again.
  case tick
  /// Brings the open task items of the last day that has some into a new entry.
  case carryOver = "carry-over"
  /// Marks the selected entry or takes its mark away.
  case mark
  /// Begins or ends a range that is marked.
  case markRange = "mark-range"
  /// Marks every entry of the list, or none.
  case markAll = "mark-all"
  /// Stars entries or takes their star away.
  case star
  /// Asks for tags to give or to take.
  case tags
  /// Asks for another date.
  case redate
  /// Searches as one types.
  case search
  /// To the next match of the search.
  case nextMatch = "next-match"
  /// To the match before.
  case previousMatch = "previous-match"
  /// Shows only what matches, as one types.
  case filter
  /// Asks for an order or a kind of section.
  case order
  /// Shows the trash, or the journal again.
  case trash
  /// Shows the versions of an entry.
  case versions
  /// To the version before the one that is shown.
  case olderVersion = "older-version"
  /// To the version behind the one that is shown.
  case newerVersion = "newer-version"
  /// Gives the entry the text of the version that is shown.
  case takeBack = "take-back"
  /// Hands the text to the terminal's clipboard.
  case copy
  /// Asks for a shell command that gets the text.
  case pipe
  /// Opens the command line.
  case command
  /// Shows the keys.
  case help
  /// Draws the whole screen again.
  case redraw
  /// Stops the program until the shell continues it.
  case suspend
  /// Leaves what is open: the help, the entry, then the program.
  case back
  /// Leaves what is open or takes marks, search and filter away, but never leaves the program.
  case escape
  /// Leaves the program.
  case quit
  /// Orders the list: latest written first.
  case sortNewest = "sort-newest"
  /// Orders the list: earliest written first.
  case sortOldest = "sort-oldest"
  /// Orders the list: latest changed first.
  case sortModified = "sort-modified"
  /// Orders the list: by title.
  case sortTitle = "sort-title"
  /// Makes a section for each day.
  case sectionDay = "section-day"
  /// Makes a section for each week.
  case sectionWeek = "section-week"
  /// Makes a section for each month.
  case sectionMonth = "section-month"
  /// Makes a section for each year.
  case sectionYear = "section-year"
  /// Makes a section for each tag.
  case sectionTag = "section-tag"
  /// Makes one section of all.
  case sectionNone = "section-none"
}

extension Action {
  /// What the help screen says about the action: a few words in the imperative, below 40 columns.
  package var help: String {
    switch self {
    case .moveDown: "down"
    case .moveUp: "up"
    case .moveLeft: "left; out of the reading pane"
    case .moveRight: "right; into the reading pane"
    case .halfPageDown: "half a screen down"
    case .halfPageUp: "half a screen up"
    case .pageDown: "a screen, or a month, down"
    case .pageUp: "a screen, or a month, up"
    case .first: "to the top; 5gg to row 5"
    case .last: "to the end; 5G to row 5"
    case .previousSection: "previous section, or year"
    case .nextSection: "next section, or year"
    case .nextEntry: "next entry"
    case .previousEntry: "previous entry"
    case .toggleFold: "fold or unfold the section"
    case .foldAll: "fold all sections"
    case .unfoldAll: "unfold all sections"
    case .goToDate: "go to a date"
    case .goToToday: "go to today"
    case .calendar: "month calendar"
    case .jump: "jump bar of months"
    case .statistics: "statistics of the list"
    case .read: "read the entry"
    case .preview: "show or hide the reading pane"
    case .newEntry: "new entry in the prompt"
    case .newEntryInEditor: "new entry in $EDITOR"
    case .edit: "edit the entry in the prompt"
    case .editInEditor: "edit the entry in $EDITOR"
    case .delete: "delete to the trash (u brings it back)"
    case .discardDraft: "discard the draft (in :drafts)"
    case .restore: "take out of the trash"
    case .undo: "undo the last change"
    case .redo: "redo what was undone"
    case .tick: "tick the first open item; 2x any, the 2nd"
    case .carryOver: "carry the last day's open items over"
    case .mark: "mark; d s t D and y act on the marked"
    case .markRange: "mark a range, from V to V"
    case .markAll: "mark all, or none"
    case .star: "star, or take the star away"
    case .tags: "tags: +home or home, -work"
    case .redate: "change the date"
    case .search: "search as you type"
    case .nextMatch: "next match"
    case .previousMatch: "previous match"
    case .filter: "show only what matches"
    case .order: "order and sections"
    case .trash: "the trash, or back"
    case .versions: "versions of the entry"
    case .olderVersion: "older version"
    case .newerVersion: "newer version"
    case .takeBack: "take this version back"
    case .copy: "copy to the clipboard"
    case .pipe: "pipe the text to a command"
    case .command: "command line, for example :help"
    case .help: "these keys"
    case .redraw: "draw the screen again"
    case .suspend: "suspend"
    case .back: "back, or quit"
    case .escape: "back; clear marks, search, filter"
    case .quit: "quit"
    case .sortNewest: "latest written first"
    case .sortOldest: "earliest written first"
    case .sortModified: "latest changed first"
    case .sortTitle: "by title"
    case .sectionDay: "a section for each day"
    case .sectionWeek: "a section for each week"
    case .sectionMonth: "a section for each month"
    case .sectionYear: "a section for each year"
    case .sectionTag: "a section for each tag"
    case .sectionNone: "no sections"
    }
  }

  /// Whether it changes entries, or asks for a text that would.
  var changesEntries: Bool {
    switch self {
    case .newEntry, .newEntryInEditor, .edit, .editInEditor, .delete, .restore, .undo, .redo, .star,
      .tags, .redate, .tick, .carryOver, .takeBack:
      true
    default: false
    }
  }

  /// Whether it acts on the marked entries, if there are any.
  var actsOnMarked: Bool {
    switch self {
    case .delete, .restore, .star, .tags, .redate, .copy, .pipe, .command: true
    default: false
    }
  }

  /// The word on the hint line, or `nil` for actions that stand only on the help screen.
  package func hint(in context: KeyContext) -> String? {
    switch context {
    case .list: listHint
    case .trash: trashHint
    case .reading: readingHint
    case .page: pageHint
    case .versions: versionsHint
    case .menu: self == .read ? "choose" : self == .back ? "back" : nil
    case .drafts: draftsHint
    case .calendar: calendarHint
    case .jump: self == .read ? "go there" : self == .back ? "back" : nil
    case .statistics: statisticsHint
    case .order: orderHint
    }
  }

  private var listHint: String? {
    switch self {
    case .newEntry: "new"
    case .read: "read"
    case .edit: "edit"
    case .delete: "delete"
    case .undo: "undo"
    case .star: "star"
    case .search: "search"
    case .filter: "filter"
    case .help: "help"
    case .back: "quit"
    default: nil
    }
  }

  private var trashHint: String? {
    switch self {
    case .restore: "take out"
    case .read: "read"
    case .undo: "undo"
    case .search: "search"
    case .trash: "back"
    case .help: "help"
    case .back: "back"
    default: nil
    }
  }

  /// The word on the hint line while an entry of the trash is read.
  var trashReadingHint: String? {
    switch self {
    case .restore: "take out"
    case .edit, .delete, .star: nil
    default: readingHint
    }
  }

  private var readingHint: String? {
    switch self {
    case .edit: "edit"
    case .delete: "delete"
    case .star: "star"
    case .nextEntry: "next"
    case .previousEntry: "previous"
    case .search: "search"
    case .help: "help"
    case .back: "back"
    default: nil
    }
  }

  private var pageHint: String? {
    switch self {
    case .moveDown: "down"
    case .search: "search"
    case .back: "back"
    default: nil
    }
  }

  private var versionsHint: String? {
    switch self {
    case .olderVersion: "older"
    case .newerVersion: "newer"
    case .takeBack: "take back"
    case .undo: "undo"
    case .back: "back"
    default: nil
    }
  }

  private var draftsHint: String? {
    switch self {
    case .read: "go on writing"
    case .discardDraft: "discard"
    case .back: "back"
    default: nil
    }
  }

  private var calendarHint: String? {
    switch self {
    case .read: "go there"
    case .pageUp: "month before"
    case .pageDown: "month after"
    case .goToToday: "today"
    case .back: "back"
    default: nil
    }
  }

  private var statisticsHint: String? {
    switch self {
    case .previousSection: "year before"
    case .nextSection: "year after"
    case .goToToday: "last 12 months"
    case .moveDown: "down"
    case .back: "back"
    default: nil
    }
  }

  private var orderHint: String? {
    switch self {
    case .sortNewest: "newest"
    case .sortOldest: "oldest"
    case .sortModified: "changed"
    case .sortTitle: "title"
    case .sectionDay: "day"
    case .sectionWeek: "week"
    case .sectionMonth: "month"
    case .sectionYear: "year"
    case .sectionTag: "tag"
    case .sectionNone: "none"
    default: nil
    }
  }
}
