/// Everything a key can be bound to, by the name that a configuration file would use.
public enum Action: String, CaseIterable, Sendable {
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
