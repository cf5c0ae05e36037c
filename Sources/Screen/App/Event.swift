import Journal
import SectionedResults

/// What happened.
///
/// Intents name events, never what to do about them.
package enum Intent: Equatable, Sendable {
  // MARK: The user

  /// A key was pressed outside a prompt, in the notation of ``KeySequence``.
  case keyPressed(String)
  /// The mouse was used.
  case mouse(MouseIntent)
  /// There will be no more keys.
  case inputEnded

  // MARK: The prompt

  /// The prompt for entries is to be open from the start.
  case promptWanted
  /// A prompt opened with a text.
  ///
  /// - Parameter present: what the entries have now that is to be changed: their tags, their date.
  case promptOpened(PromptPurpose, text: String, present: [String] = [])
  /// The prompt shows something else; `point` in UTF-8 bytes, `lines` at the present width.
  case promptChanged(label: String, text: String, point: Int, lines: Int)
  /// Enter was pressed in the prompt.
  case promptSubmitted(String)
  /// The prompt was left; the text is what stood in it.
  case promptCancelled(String)
  /// The text of the prompt is wanted in the user's editor; the prompt has ended.
  case promptMovedToEditor(String)
  /// Tab found several ways to go on.
  case completionsFound([String])
  /// The idle time after typing is over.
  case draftTimerFired
  /// This many drafts of new entries are kept, and of edits.
  case draftsCounted(Int, edits: Int = 0)
  /// The draft that was brought back and emptied is gone.
  case emptiedDraftDiscarded
  /// A draft is gone that was chosen; the menu shows those that are left, if any.
  case draftRemoved(left: Menu?)
  /// An edited text cannot be saved, because the entry is not what it was; the text is kept.
  case conflictFound(EditConflict)
  /// Something that cannot be undone was asked for.
  case questionAsked(Question)
  /// A draft could not be kept.
  case draftFailed(String)

  // MARK: The list

  /// The results controller delivered a batch; the keys are those of its inserted sections, in order.
  case batchArrived(ResultsBatch, sectionKeys: [String])
  /// The results controller fetched everything anew.
  case listReloaded([ListSection], generation: Generation, selection: RowPath? = nil)
  /// The list shows another scope and selects `selection`; before, the entry with the number
  /// `leaving` was selected.
  case listShown(
    ListScope, [ListSection], generation: Generation, selection: RowPath?, leaving: Int64? = nil)
  /// The list cannot show a scope; the words say why.
  case listNotShown(ListScope, String)
  /// A search cannot be run; the words say why.
  case searchFailed(String)
  /// Work that keys were waiting for was cancelled.
  case workCancelled
  /// The list is folded, selected and scrolled as it was left the last time.
  case placeRestored(folded: Set<String>, selection: RowPath?, screenLine: Int)
  /// The time to see changed rows is over.
  case highlightEnded
  /// The first row of the date that was asked for, or `nil` if the list has no dates; the note says
  /// that there is none of that date, and then the row is the nearest one in time.
  case dayFound(RowPath?, note: String? = nil)
  /// The nearest match of a search, or `nil` if nothing matches, and whether the search went round the
  /// end of the list to it.
  case matchFound(String, RowPath?, wrapping: SearchDirection? = nil)
  /// Which of all matches of a search a row is.
  case matchesCounted(String, MatchPlace)
  /// The numbers of rows to be marked; then an action on the marked entries follows, if one was
  /// waiting for them.
  case rowsMarked([Int64], MarkChange, then: Action? = nil)
  /// The index titles of the sections.
  case indexTitlesFound([IndexTitle])
  /// The entries of the days of a month and its neighbours.
  case daysCounted(month: Day, [Day: Int])

  /// How much was written when in what a scope holds, ever or in a year; the years in which something was
  /// written, and the day that is today there.
  case statisticsCounted(
    ListScope, Statistics, today: Day, year: Int? = nil, years: [Int]? = nil)
  /// The lines that the statistics take at the present width.
  case statisticsMeasured(lines: Int)

  // MARK: Entries

  /// The whole entry that was asked for, and the lines it takes at the pane's width.
  case entryOpened(Entry, lines: Int)
  /// The entry for the pane beside the list; `nil` if it is gone.
  case entryPreviewed(Entry?, lines: Int)
  /// The version of an entry that was asked for.
  case versionOpened(VersionPage)
  /// The lines of the entry in the pane that the search matches.
  case linesMatched([Int])
  /// The lines that the open entry and the prompt take at the present width.
  case measured(entryLines: Int, promptLines: Int)
  /// The entry that was asked for is no longer there.
  case entryGone(Int64)
  /// A change was saved.
  case saved(Saved)
  /// Something was not done; the words say what and what to do.
  case failed(String)
  /// There is something to choose from.
  case menuOpened(Menu)
  /// A command printed something to be looked through.
  case pageOpened(Page)
  /// Work began that takes a while, in a word, or ended.
  case working(String?)

  /// The views that the configuration has.
  case viewsChanged([SavedView])
  /// Settings that hold from now on, in place of those that held.
  case settingsChanged(Settings, from: Settings)
  /// Another journal is open; the screen begins anew with this state.
  case journalOpened(State)

  // MARK: The world

  /// The screen has another size.
  case resized(Size)
  /// Somebody committed something, whether or not the list shows it.
  case journalChanged
  /// A day ended by the rule of when days end, or the clock was set.
  case dayChanged(Day)
  /// A signal asks to end.
  case signalled(Int32)
}

/// A change that was saved, as the screen tells it.
package struct Saved: Equatable, Sendable {
  /// What was done: `added entry 42`.
  package var text: String
  /// Where the entry stands in the list now, if it does.
  package var path: RowPath?
  /// Whether to go to what the last batch changed, as after an undo.
  package var showsChange: Bool
  /// The number of an added entry that the list does not show.
  package var unseen: Int64?
  /// The numbers of entries that went to the trash.
  package var deleted: [Int64]

  /// Makes the news of a change.
  package init(
    _ text: String, at path: RowPath? = nil, showsChange: Bool = false, unseen: Int64? = nil,
    deleted: [Int64] = []
  ) {
    self.text = text
    self.path = path
    self.showsChange = showsChange
    self.unseen = unseen
    self.deleted = deleted
  }
}

/// What the mouse did, and at which cell of the screen.
package struct MouseIntent: Equatable, Sendable {
  /// What the mouse can do.
  package enum Kind: Equatable, Sendable {
    /// The left button was pressed.
    case click
    /// The wheel was turned by lines, down if positive.
    case wheel(Int)
  }

  /// What it did.
  package var kind: Kind
  /// The column, from 0.
  package var column: Int
  /// The line, from 0.
  package var line: Int

  /// Makes a mouse event.
  package init(_ kind: Kind, column: Int, line: Int) {
    self.kind = kind
    self.column = column
    self.line = line
  }
}
