import Journal
import SectionedResults

/// What the world outside is asked to do, as data: a test asserts it without mocks.
package enum Effect: Equatable, Sendable {
  // MARK: The prompt

  /// Open a prompt with a text to begin with.
  case openPrompt(PromptPurpose, text: String = "")
  /// Open a prompt again with what was typed wrong, where a person types.
  case reopenPrompt(PromptPurpose, text: String)
  /// Read the entry and open a prompt with its text.
  case editInPrompt(Target)
  /// Wake up after the idle time after which typed text is kept.
  case armDraftTimer
  /// Keep unsubmitted text.
  case saveDraft(PromptPurpose, String)
  /// Say how many drafts wait.
  case countDrafts
  /// Forget the draft of this prompt: its text was erased by hand.
  case discardDraft(PromptPurpose)
  /// Enter was pressed in an empty prompt: forget its draft, and the one that was brought back and
  /// emptied.
  case discardEmptiedDraft(PromptPurpose)
  /// Show the drafts of this journal, to choose one.
  case listDrafts
  /// Open a prompt with the text of the draft of this name.
  case openDraft(String)
  /// Forget the draft of this name, and show those that are left.
  case removeDraft(String)

  // MARK: The user's editor

  /// Write a new entry in the user's editor.
  case newEntryInEditor
  /// Write a new entry in the user's editor, beginning with the template of this name.
  case newEntryFromTemplate(String)
  /// Edit an entry in the user's editor.
  case editInEditor(Target)
  /// Go on with the text of a prompt in the user's editor.
  case continueInEditor(PromptPurpose, String)

  // MARK: Changes

  /// Do with the text that could not be saved what the person wants.
  case resolve(EditConflict, EditConflict.Answer)
  /// Save a new entry.
  case add(String)
  /// Save an entry's new text.
  case edit(Int64, String)
  /// Move entries to the trash.
  case delete(Target)
  /// Take entries out of the trash.
  case restore(Target)
  /// Star entries, take their star away, or the other of the two.
  case star(Target, StarChange)
  /// Give tags to entries and take tags from them, as these words say: `home -work`.
  case tag(Target, String)
  /// Give entries the date that these words name.
  case redate(Target, String)
  /// Give an entry the text of one of its versions, unless its text has another checksum by now.
  case takeBack(Int64, version: Int, expecting: Int64)
  /// Tick a task item of an entry: the first open one from a line of the pane on, or the one of this
  /// number from there on, which is opened again if it was ticked.
  case tick(Target, fromLine: Int, item: Int?)
  /// Remove what is in the trash for good, or what went there before the time these words name; after
  /// a question perhaps.
  case purge(older: String?, asks: Bool)
  /// Open a prompt with the open task items of the last day that has some.
  case carryOver
  /// Take the last change back.
  case undo
  /// Do again what was taken back.
  case redo

  // MARK: The list

  /// Show this and select what the landing says; an unfinished fetch is cancelled when a newer one
  /// is asked for.
  case show(ListScope, Landing = .nearest)
  /// Fetch the list anew, because a batch did not fit.
  case reload
  /// Find the section of the date that these words name, or the nearest one.
  case findDay(String)
  /// Find the nearest match of a query, from a place of the list on.
  case find(String, from: ListPosition?, SearchDirection)
  /// Find the numbers of the rows of a range of the list, to mark them and then to do an action.
  case markRows(ClosedRange<RowPath>, MarkChange, then: Action? = nil)
  /// Count the matches of a query, and those before the row of the present one.
  case countMatches(String, at: RowPath)
  /// Find the numbers of all rows, to mark them.
  case markAll
  /// Find the index titles of the sections.
  case listIndexTitles
  /// Count the entries of the days of a range.
  case countDays(ClosedRange<Day>)
  /// Count how much was written when, ever or in a year; given up when a newer count is asked for.
  case countStatistics(ListScope, year: Int? = nil)
  /// Take the colour from changed rows when they have been seen.
  case armHighlightTimer

  // MARK: Reading

  /// Read the whole entry and go to it.
  case read(Target)
  /// Read the entry for the pane beside the list.
  case preview(Target)
  /// Find the lines of the entry in the pane that a query matches.
  case matchLines(String)
  /// Measure the entry in the pane and the prompt again, because the width changed.
  case measure

  // MARK: Other programs

  /// Run a command of the command line on this journal, for entries perhaps, and show what it prints.
  case run([String], on: Target?)
  /// Show the newest version of an entry.
  case showVersions(Target)
  /// Show a version of an entry; `nil` for the newest.
  case showVersion(Int64, Int?)
  /// Hand texts to the terminal's clipboard.
  case copy(Target)
  /// Hand texts to a shell command.
  case pipe(Target, String)
  /// Look different.
  case useTheme(String)

  // MARK: Pages and settings

  /// Show the tags in use, to choose one.
  case listTags
  /// Show the journals that were open lately, to choose one.
  case listJournals
  /// Show what holds.
  case listSettings
  /// Say what a setting is.
  case showSetting(String)
  /// Have a setting be another until the program ends.
  case set(String, String)
  /// Write the filter of a list into the configuration, under a name.
  case saveView(String, ListScope)
  /// Take a view out of the configuration.
  case deleteView(String)
  /// Go to another journal.
  case openJournal(String)

  // MARK: The program

  /// Draw the whole screen again.
  case redraw
  /// Stop until the shell continues us.
  case suspend
  /// End the program with an exit code.
  case quit(Int32)
}

/// Which entries an effect is about.
package enum Target: Equatable, Sendable {
  /// The entry in a row of the list as it stands now.
  case row(RowPath)
  /// The entry with a number.
  case entry(Int64)
  /// The entries with these numbers, in order.
  case entries([Int64])
}

/// What to do with a star.
package enum StarChange: Equatable, Sendable {
  /// Give it.
  case give
  /// Take it away.
  case take
  /// The other of the two; of many entries all get it, unless all have it.
  case toggle
}

/// What to do with marks.
package enum MarkChange: Equatable, Sendable {
  /// Mark what is not, and take the mark from what is.
  case toggle
  /// Mark.
  case add
  /// Exactly these are marked.
  case replace
}
