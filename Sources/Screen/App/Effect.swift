import Journal
import SectionedResults
import TextLayout

/// A request to the outside world, as data, grouped by the runner that executes it.
///
/// Effects are equatable, so that a test asserts them without mocks. Their results come back as
/// events.
package indirect enum Effect: Equatable, Codable, Sendable {
  case prompt(PromptEffect)
  case editor(EditorEffect)
  case change(ChangeEffect)
  case list(ListEffect)
  case query(ListQuery)
  case read(ReadEffect)
  case program(ProgramEffect)
  case command(CommandEffect)
  case settings(SettingsEffect)
  case menu(MenuEffect)
  case terminal(TerminalEffect)
}

/// Requests to the prompt and its drafts.
package enum PromptEffect: Equatable, Codable, Sendable {
  /// Open a prompt with an initial text, for these entries, else for the open, marked or selected ones.
  case open(PromptPurpose, text: String = "", subject: PromptSubject? = nil)
  /// Put a link to the file with this path into the text that waits, and open its prompt again; without a path
  /// as it was.
  case attach(String)
  /// For a person who types, open a prompt again with the rejected text.
  case reopen(PromptPurpose, text: String)
  /// Read an entry and open a prompt with its text.
  case edit(Target)
  /// Open a prompt with the open task items of the latest day that has some.
  case carryOver
  /// Fire an event after the typing pause that saves a draft.
  case armDraftTimer
  /// Open a prompt again with a text that could be neither saved nor kept, for this reason.
  case resume(PromptPurpose, text: String, String)
  /// Save unsubmitted text as a draft, the prompt's text with this index.
  case saveDraft(PromptPurpose, String, at: Int = 0)
  /// The prompt has closed: release its drafts.
  case close(PromptPurpose)
  /// Count the drafts of earlier runs.
  case countDrafts
  /// Discard the draft of this prompt's own text, which was erased by hand.
  case discardDraft(PromptPurpose)
  /// Discard the draft of a text that was submitted empty.
  case discardEmptiedDraft(PromptPurpose)
  /// List the drafts of this journal in a menu.
  case listDrafts
  /// Open a prompt with the text of the draft of this name.
  case openDraft(String)
  /// Discard the draft with this name, and list the remaining ones.
  case removeDraft(String)
}

/// Requests to the user's editor.
package enum EditorEffect: Equatable, Codable, Sendable {
  /// Write a new entry; it begins with the template of this name, or with the default one.
  case newEntry(template: String? = nil)
  /// Edit an entry.
  case edit(Target)
  /// Continue the text of a prompt; an edit began with a text of this checksum.
  case `continue`(PromptPurpose, String, base: Int64? = nil)
}

/// Changes of the journal.
package enum ChangeEffect: Equatable, Codable, Sendable {
  /// Save a new entry.
  case add(String)
  /// Save an entry's new text; the edit began with a text of this checksum.
  case edit(Int64, String, base: Int64? = nil)
  /// Resolve a text that could not be saved because its entry had changed.
  case resolve(EditConflict, EditConflict.Answer)
  /// Look whether the entry of an open question was deleted, restored or purged since.
  case review(EditConflict)
  /// Move entries to the trash.
  case delete(Target)
  /// Restore entries from the trash.
  case restore(Target)
  /// Restore entries in the present journal as they are in that of the past on the screen.
  case restorePast(Target)
  /// Star entries, unstar them, or toggle their star.
  case star(Target, StarChange)
  /// Tag and untag entries: `home -work`.
  case tag(Target, String)
  /// Set the date of entries.
  case redate(Target, String)
  /// Restore a version of an entry, unless its current text has another checksum; of texts in conflict,
  /// the one of a page that shows it beside another.
  case restoreVersion(Int64, version: Int, comparedWith: Int? = nil, expecting: Int64)
  /// Save both of two versions of an entry in conflict, unless its current text has another checksum; then
  /// perhaps edit it.
  case keepBoth(Int64, versions: [Int], expecting: Int64, thenEdit: Bool = false)
  /// Toggle a task item of an entry: the first open one from a line of its source on, or the item
  /// with this number from there on, which may be ticked already.
  case tick(Target, fromLine: Int, item: Int?)
  /// Change links so that they name the present title of an entry, to which they led before, as a part of
  /// the step that changed the title.
  case redirect([LinkUse], to: Int64, joining: Int64? = nil)
  /// Undo the last change.
  case undo
  /// Redo the last change that was undone.
  case redo
}

/// Fast requests to the results controller.
package enum ListEffect: Equatable, Codable, Sendable {
  /// Fetch the list again, because a batch did not match.
  case reload
  /// Find the first row of a date, or the nearest row.
  case findDay(String)
  /// Find the entry numbers of the rows of a range, to mark them and then to act on them.
  case markRows(ClosedRange<RowPath>, MarkChange, then: Action? = nil)
  /// Find the marked entries that the list still contains: only visible entries stay marked.
  case findMarked([Int64])
  /// Find the index titles of the sections.
  case listIndexTitles
  /// Count the trash, to explain an empty list.
  case countTrash
  /// Parse the text of a search at the current time, to highlight its matches.
  case parseSearch(String)
  /// Find the number of the entry in a row, to return to it later.
  case findPlace(RowPath, PlaceUse)
  /// Find the row of an entry.
  case findEntry(Int64)
  /// Find the unit of a field, by name, whose sum or mean the headers are to have: that of most values in the
  /// entries of a query.
  case measure(String, FieldMeasure.Statistic?, query: String)
  /// Clear the highlight of changed rows after a while.
  case armHighlightTimer
}

/// A possibly slow request to the journal: a newer one of its kind replaces it, and a key
/// interrupts it.
package enum ListQuery: Equatable, Codable, Sendable {
  /// Show a scope and select a row.
  case show(ListScope, Landing = .nearest)
  /// Find the nearest match of a search, from a position in the list on.
  case find(String, from: ListWidget.Position?, SearchDirection)
  /// Count the matches of a search, and those before the current row.
  case countMatches(String, at: RowPath)
  /// Read what the first search needs, while its text is typed.
  case prepareSearch
  /// Find the entries whose titles contain letters in their order.
  case findTitles(String)
  /// Count entries and words for the statistics, or sum a field, of all years or of one.
  case countStatistics(ListScope, year: Int? = nil, field: String? = nil)
  /// Find the numbers of all entries in the list, to mark them.
  case markAll
  /// Find the pictures that the entries of a scope show.
  case findPictures(ListScope)
  /// Count entries and words per day in a range.
  case countDays(ClosedRange<Day>)
  /// Count what the sidebar shows.
  case countSidebar
  /// Find where the links of an entry lead nowhere, and which entries link to it.
  case findLinks(Int64)
  /// Counts the entries of queries, for the views in the sidebar.
  case countViews([String])
  /// Read the first rows of a day, in the order of their times.
  case listDay(Day, limit: Int)
}

/// Requests for whole entries.
package enum ReadEffect: Equatable, Codable, Sendable {
  /// Read an entry and focus it.
  case entry(Target)
  /// Read an entry for the pane beside the list.
  case preview(Target)
  /// Read the newest version of an entry.
  case versions(Target)
  /// Read all entries of the days that words mean.
  case day(String)
  /// Read all entries of some days again.
  case days(ClosedRange<Day>)
  /// List the files of an entry.
  case files(Target)
  /// Find the links of an entry to open, one of which a count chooses.
  case links(Target, count: Int?)
  /// Choose any entry of the list, or that a query matches, if possible another one than a number's.
  case random(String?, except: Int64?)
  /// Find where a link of an entry leads.
  case follow(Link, in: Int64)
  /// List the entries of the title that a link of an entry names.
  case namesakes(Link, in: Int64)
  /// Go where a link may lead, from the text that is read.
  case lead(LinkGoal)
  /// Read a version of an entry; `nil` for the newest.
  case version(Int64, Int?)
}

/// Requests to the commands that a shell has too.
package enum CommandEffect: Equatable, Codable, Sendable {
  /// Run a command on this journal and show its output; one without an entry applies to the target.
  case run([String], on: Target?)
  /// Run a command that only prints once more, for its open page.
  case refresh([String])
  /// Cancel the synchronisation that is under way.
  case cancelSync
}

/// Requests to other programs.
package enum ProgramEffect: Equatable, Codable, Sendable {
  /// Copy texts to the terminal's clipboard.
  case copy(Target)
  /// Copy the hash of a file, which has a name.
  case copyHash(String, of: String)
  /// Append the picture of the clipboard to an entry.
  case pastePicture(Target)
  /// Pipe texts to a shell command.
  case pipe(Target, String)
  /// Open an address in the user's browser.
  case openLink(String)
}

/// Requests for menus of names, and for other journals.
package enum MenuEffect: Equatable, Codable, Sendable {
  /// List the tags in use.
  case listTags
  /// List the fields in use.
  case listFields
  /// List the recently opened journals.
  case listJournals
  /// Open another journal.
  case openJournal(String)
  /// Show the journal as it was at a date.
  case openPast(String)
  /// Return from the past to the present.
  case leavePast
}

/// Requests to the settings and to the configuration.
package enum SettingsEffect: Equatable, Codable, Sendable {
  /// Switch to a theme.
  case useTheme(String)
  /// Show the current settings.
  case listSettings
  /// Show the value of a setting.
  case showSetting(String)
  /// Change a setting until the program ends.
  case set(String, String)
  /// Save the filter of a list as a view in the configuration.
  case saveView(String, ListScope)
  /// Remove a view from the configuration.
  case deleteView(String)
}

/// Requests to the terminal and the process.
package enum TerminalEffect: Equatable, Codable, Sendable {
  /// Redraw the whole screen.
  case redraw
  /// Stop until the shell continues the program.
  case suspend
  /// End the program with an exit code.
  case quit(Int32)
}

/// The entries of an effect.
package enum Target: Equatable, Codable, Sendable {
  /// The entry in a row of the current list.
  case row(RowPath)
  /// The entry with a number.
  case entry(Int64)
  /// The entries with these numbers, in order.
  case entries([Int64])
}

/// What a prompt will act on: its entries stay the same while the list changes below it.
package struct PromptSubject: Equatable, Codable, Sendable {
  /// The open or selected entry.
  package var one: Target?
  /// The marked entries, else the same.
  package var many: Target?
  /// The targets of the files that the open or selected entry names, in order; `nil` where none is to be
  /// saved.
  package var files: [String]?

  /// Makes a subject.
  package init(one: Target?, many: Target?, files: [String]? = nil) {
    (self.one, self.many, self.files) = (one, many, files)
  }
}

/// A change of stars.
package enum StarChange: Equatable, Codable, Sendable {
  /// Star.
  case give
  /// Unstar.
  case take
  /// Toggle; of several entries, star all unless all are starred.
  case toggle
}

/// A change of marks.
package enum MarkChange: Equatable, Codable, Sendable {
  /// Toggle each mark.
  case toggle
  /// Add marks.
  case add
  /// Replace all marks.
  case replace
}
