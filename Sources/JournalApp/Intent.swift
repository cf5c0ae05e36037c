import Journal
import SectionedResults

/// What happened.
///
/// Intents name events, never what to do about them.
public enum Intent: Equatable, Sendable {
  /// A key was pressed outside a prompt, in the notation of ``KeySequence``.
  case keyPressed(String)
  /// A prompt opened with a text.
  case promptOpened(PromptPurpose, text: String)
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
  /// This many drafts are kept.
  case draftsCounted(Int)
  /// An edited text cannot be saved, because the entry is not what it was; the text is kept.
  case conflictFound(EditConflict)
  /// A draft could not be kept.
  case draftFailed(String)
  /// The results controller delivered a batch; the keys are those of its inserted sections, in order.
  case batchArrived(ResultsBatch, sectionKeys: [String])
  /// The results controller fetched everything anew.
  case listReloaded([ListSection], generation: Generation)
  /// The whole entry that was asked for, and the lines it takes at the present width.
  case entryOpened(Entry, lines: Int)
  /// The lines that the open entry and the prompt take at the present width.
  case measured(entryLines: Int, promptLines: Int)
  /// The entry that was asked for is no longer there.
  case entryGone(Int64)
  /// A change was saved.
  case saved(Saved)
  /// Something was not done; the words say what and what to do.
  case failed(String)
  /// The section of the date that was asked for, or `nil` if the list is empty.
  case dayFound(section: Int?)
  /// The screen has another size.
  case resized(Size)
  /// Midnight, or the clock was set.
  case dayChanged(Day)
  /// There will be no more keys.
  case inputEnded
  /// A signal asks to end.
  case signalled(Int32)
}

/// A change that was saved, as the screen tells it.
public struct Saved: Equatable, Sendable {
  /// What was done: `added 42`.
  public var text: String
  /// Where the entry stands in the list now, if it does.
  public var path: RowPath?

  /// Makes the news of a change.
  public init(_ text: String, at path: RowPath? = nil) {
    self.text = text
    self.path = path
  }
}
