import Journal
import SectionedResults

/// An event: what happened, by the feature it concerns.
///
/// Events name facts, never what to do about them; ``update(_:_:keys:)`` decides that. A recorded
/// list of events replays a run.
package enum Event: Equatable, Sendable {
  /// A key was pressed outside a prompt, in the notation of ``KeySequence``.
  case key(String)
  /// The mouse was used.
  case mouse(MouseAction)
  case prompt(PromptEvent)
  case question(QuestionEvent)
  case list(ListEvent)
  case reader(ReaderEvent)
  case versions(VersionsEvent)
  case calendar(CalendarEvent)
  case jump(JumpEvent)
  case menu(MenuEvent)
  case statistics(StatisticsEvent)
  case page(PageEvent)
  case journal(JournalEvent)
  case command(CommandEvent)
  case settings(SettingsEvent)
  case terminal(TerminalEvent)
}

/// News of the journal and of the work on it.
package enum JournalEvent: Equatable, Sendable {
  /// A change was saved.
  case saved(Saved)
  /// An effect was not carried out; the text says why and what to do.
  case failed(String, doing: Effect? = nil)
  /// Long work began, in a word such as `searching`, or ended.
  case working(String?)
  /// Somebody committed a change, whether or not the list shows it.
  case changed
  /// The journal was opened; the screen begins again with this state.
  case opened(State)
  /// A day ended by the rule of when days end, or the clock was set.
  case dayChanged(Day)
}

/// News of the settings.
package enum SettingsEvent: Equatable, Sendable {
  /// The settings in force from now on.
  case changed(Settings)
  /// The saved views of the configuration.
  case viewsChanged([SavedView])
}

/// News of the terminal and of the process.
package enum TerminalEvent: Equatable, Sendable {
  /// The screen has another size.
  case resized(Size)
  /// There will be no more keys.
  case inputEnded
  /// A signal asks the program to end.
  case signalled(Int32)
}

/// A saved change, as the screen reports it.
package struct Saved: Equatable, Sendable {
  /// The message: `added entry 42`.
  package var text: String
  /// The row of the entry, if the list shows it.
  package var path: RowPath?
  /// Whether to select the row that the last batch changed, as after an undo.
  package var showsChange: Bool
  /// The number of an added entry that the list does not show.
  package var unseen: Int64?
  /// The numbers of entries that went to the trash.
  package var deleted: [Int64]

  /// Makes the report of a change.
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
