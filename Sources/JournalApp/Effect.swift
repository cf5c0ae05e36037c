import SectionedResults

/// Which entry an effect is about.
public enum Target: Equatable, Sendable {
  /// The entry in a row of the list as it stands now.
  case row(RowPath)
  /// The entry with a number.
  case entry(Int64)
}

/// What the world outside is asked to do, as data: a test asserts it without mocks.
public enum Effect: Equatable, Sendable {
  /// Open a prompt, empty but for a command to be completed.
  case openPrompt(PromptPurpose)
  /// Read the entry and open a prompt with its text.
  case editInPrompt(Target)
  /// Write a new entry in the user's editor.
  case newEntryInEditor
  /// Edit an entry in the user's editor.
  case editInEditor(Target)
  /// Go on with the text of a prompt in the user's editor.
  case continueInEditor(PromptPurpose, String)
  /// Save a new entry.
  case add(String)
  /// Save an entry's new text.
  case edit(Int64, String)
  /// Move an entry to the trash.
  case delete(Target)
  /// Star an entry, take its star away, or the other of the two.
  case star(Target, StarChange)
  /// Take the last change back.
  case undo
  /// Do again what was taken back.
  case redo
  /// Read the whole entry, to show it.
  case read(Target)
  /// Measure the open entry and the prompt again, because the width changed.
  case measure
  /// Fetch the list anew, because a batch did not fit.
  case reload
  /// Find the section of the date that these words name, or the nearest one before it.
  case findDay(String)
  /// Wake up after the idle time after which typed text is kept.
  case armDraftTimer
  /// Keep unsubmitted text.
  case saveDraft(PromptPurpose, String)
  /// Say how many drafts wait.
  case countDrafts
  /// Forget the draft of this prompt: its text was erased by hand.
  case discardDraft(PromptPurpose)
  /// Do with the text that could not be saved what the person wants.
  case resolve(EditConflict, EditConflict.Answer)
  /// Draw the whole screen again.
  case redraw
  /// Stop until the shell continues us.
  case suspend
  /// End the program with an exit code.
  case quit(Int32)
}

/// What to do with a star.
public enum StarChange: Equatable, Sendable {
  /// Give it.
  case give
  /// Take it away.
  case take
  /// The other of the two.
  case toggle
}
