import Journal
import SectionedResults

/// An event, grouped by feature.
///
/// Events describe facts, never reactions; ``update(_:_:keys:)`` decides those. A recorded list of
/// events replays a run.
package enum Event: Equatable, Sendable {
  /// A key was pressed outside a prompt, in the notation of ``KeySequence``.
  case key(String)
  /// A mouse event.
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

/// Events of the journal and of work on it.
package enum JournalEvent: Equatable, Sendable {
  /// A change was saved.
  case saved(Saved)
  /// An effect failed; the text gives the reason and the remedy.
  case failed(String, doing: Effect? = nil)
  /// Long work began, described by a word such as `searching`, or ended.
  case working(String?)
  /// A process committed a change, visible in the list or not.
  case changed
  /// The journal was opened; the screen restarts with this state.
  case opened(State)
  /// The journal day ended, or the clock was changed.
  case dayChanged(Day)
}

/// Events of the settings.
package enum SettingsEvent: Equatable, Sendable {
  /// The current settings.
  case changed(Settings)
  /// The saved views of the configuration.
  case viewsChanged([SavedView])
}

/// Events of the terminal and of the process.
package enum TerminalEvent: Equatable, Sendable {
  /// The size of the screen changed.
  case resized(Size)
  /// The input has ended.
  case inputEnded
  /// A signal asks the program to end.
  case signalled(Int32)
}

/// A saved change, for the status line.
package struct Saved: Equatable, Sendable {
  /// The message: `added entry 42`.
  package var text: String
  /// The row of the entry, if the list shows it.
  package var path: RowPath?
  /// Whether to select the row that the last batch changed, for example after an undo.
  package var showsChange: Bool
  /// The number of an added entry that the list does not show.
  package var unseen: Int64?
  /// The numbers of deleted entries.
  package var deleted: [Int64]

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
