/// Everything a key can be bound to, by the name that a configuration file would use.
public enum Action: String, CaseIterable, Sendable {
  /// One row, or one line while reading, down.
  case moveDown = "move-down"
  /// One row, or one line while reading, up.
  case moveUp = "move-up"
  /// Half a screen down.
  case halfPageDown = "half-page-down"
  /// Half a screen up.
  case halfPageUp = "half-page-up"
  /// A screen down.
  case pageDown = "page-down"
  /// A screen up.
  case pageUp = "page-up"
  /// To the first row; with a count, to the row of that number.
  case first
  /// To the last row; with a count, to the row of that number.
  case last
  /// To the first row of the section before.
  case previousSection = "previous-section"
  /// To the first row of the next section.
  case nextSection = "next-section"
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
  /// Shows the whole selected entry.
  case read
  /// Writes a new entry in the prompt.
  case newEntry = "new-entry"
  /// Writes a new entry in the user's editor.
  case newEntryInEditor = "new-entry-in-editor"
  /// Edits the selected entry in the prompt.
  case edit
  /// Edits the selected entry in the user's editor.
  case editInEditor = "edit-in-editor"
  /// Moves the selected entry to the trash.
  case delete
  /// Takes back the last change.
  case undo
  /// Does again what was taken back.
  case redo
  /// Stars the selected entry or takes its star away.
  case star
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
  /// Leaves what is open, but not the program.
  case escape
  /// Leaves the program.
  case quit
}
