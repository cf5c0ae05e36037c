import Journal
import SectionedResults

/// A request to the world outside, as data, by the runner that carries it out.
///
/// Effects are equatable, so that a test asserts them without mocks. Their results come back as
/// events.
package indirect enum Effect: Equatable, Sendable {
  case prompt(PromptEffect)
  case editor(EditorEffect)
  case change(ChangeEffect)
  case list(ListEffect)
  case query(ListQuery)
  case read(ReadEffect)
  case program(ProgramEffect)
  case command(CommandEffect)
  case settings(SettingsEffect)
  case terminal(TerminalEffect)
}

/// Requests to the prompt and to the drafts that it keeps.
package enum PromptEffect: Equatable, Sendable {
  /// Open a prompt with a text to begin with.
  case open(PromptPurpose, text: String = "")
  /// Open a prompt again with the text that was refused, where a person types.
  case reopen(PromptPurpose, text: String)
  /// Read an entry and open a prompt with its text.
  case edit(Target)
  /// Open a prompt with the open task items of the last day that has some.
  case carryOver
  /// Wake up after the pause in typing after which a draft is kept.
  case armDraftTimer
  /// Keep unsubmitted text.
  case saveDraft(PromptPurpose, String)
  /// Count the drafts of earlier runs.
  case countDrafts
  /// Discard the draft of this prompt: its text was erased by hand.
  case discardDraft(PromptPurpose)
  /// Discard the draft of a prompt that was submitted empty, and the draft that was brought back
  /// and emptied.
  case discardEmptiedDraft(PromptPurpose)
  /// List the drafts of this journal in a menu.
  case listDrafts
  /// Open a prompt with the text of the draft of this name.
  case openDraft(String)
  /// Discard the draft of this name, and list those that are left.
  case removeDraft(String)
}

/// Requests to the user's editor.
package enum EditorEffect: Equatable, Sendable {
  /// Write a new entry; it begins with the template of this name, or with the usual one.
  case newEntry(template: String? = nil)
  /// Edit an entry.
  case edit(Target)
  /// Continue the text of a prompt.
  case `continue`(PromptPurpose, String)
}

/// Changes of the journal.
package enum ChangeEffect: Equatable, Sendable {
  /// Save a new entry.
  case add(String)
  /// Save an entry's new text.
  case edit(Int64, String)
  /// Settle a text that could not be saved because its entry had changed.
  case resolve(EditConflict, EditConflict.Answer)
  /// Move entries to the trash.
  case delete(Target)
  /// Take entries out of the trash.
  case restore(Target)
  /// Star entries, unstar them, or toggle their star.
  case star(Target, StarChange)
  /// Tag and untag entries: `home -work`.
  case tag(Target, String)
  /// Give entries the date of a phrase.
  case redate(Target, String)
  /// Give an entry the text of one of its versions, unless its text has another checksum by now.
  case restoreVersion(Int64, version: Int, expecting: Int64)
  /// Tick a task item of an entry: the first open one from a line of its source on, or the item of
  /// this number from there on, which is opened again if it was ticked.
  case tick(Target, fromLine: Int, item: Int?)
  /// Undo the last change.
  case undo
  /// Redo the last change that was undone.
  case redo
}

/// Requests to the results controller that are answered at once.
package enum ListEffect: Equatable, Sendable {
  /// Fetch the list again, because a batch did not fit.
  case reload
  /// Find the first row of a date, or the nearest row.
  case findDay(String)
  /// Find the numbers of the rows of a range, to mark them and then to act on them.
  case markRows(ClosedRange<RowPath>, MarkChange, then: Action? = nil)
  /// Find the numbers of all rows, to mark them.
  case markAll
  /// Find which of the marked entries the list still has: marks belong to what can be seen.
  case findMarked([Int64])
  /// Find the index titles of the sections.
  case listIndexTitles
  /// Count the entries of the days of a range.
  case countDays(ClosedRange<Day>)
  /// Count the trash, to explain an empty list.
  case countTrash
  /// Parse the text of a search against the clock, to highlight its matches.
  case parseSearch(String)
  /// Clear the highlight of changed rows after a while.
  case armHighlightTimer
}

/// A request to the journal that may take long: only the newest of its kind is wanted, and a key
/// interrupts it.
package enum ListQuery: Equatable, Sendable {
  /// Show a scope and select a row.
  case show(ListScope, Landing = .nearest)
  /// Find the nearest match of a search, from a place of the list on.
  case find(String, from: ListPosition?, SearchDirection)
  /// Count the matches of a search, and those before the row of the present one.
  case countMatches(String, at: RowPath)
  /// Count entries and words for the statistics, of all years or of one.
  case countStatistics(ListScope, year: Int? = nil)
}

/// Requests for whole entries.
package enum ReadEffect: Equatable, Sendable {
  /// Read an entry and focus it.
  case entry(Target)
  /// Read an entry for the pane beside the list.
  case preview(Target)
  /// Read the newest version of an entry.
  case versions(Target)
  /// Read a version of an entry; `nil` for the newest.
  case version(Int64, Int?)
}

/// Requests to the commands that a shell has too.
package enum CommandEffect: Equatable, Sendable {
  /// Run a command on this journal and show its output; the target is meant where it names no entry.
  case run([String], on: Target?)
}

/// Requests to other programs.
package enum ProgramEffect: Equatable, Sendable {
  /// Copy texts to the terminal's clipboard.
  case copy(Target)
  /// Pipe texts to a shell command.
  case pipe(Target, String)
}

/// Requests to the configuration, and for menus of names.
package enum SettingsEffect: Equatable, Sendable {
  /// Switch to a theme.
  case useTheme(String)
  /// List the tags in use in a menu.
  case listTags
  /// List the journals that were open lately in a menu.
  case listJournals
  /// Show the settings in force.
  case listSettings
  /// Show the value of a setting.
  case showSetting(String)
  /// Change a setting until the program ends.
  case set(String, String)
  /// Write the filter of a list into the configuration, under a name.
  case saveView(String, ListScope)
  /// Remove a view from the configuration.
  case deleteView(String)
  /// Open another journal.
  case openJournal(String)
}

/// Requests to the terminal and the process.
package enum TerminalEffect: Equatable, Sendable {
  /// Draw the whole screen again.
  case redraw
  /// Stop until the shell continues the program.
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
