import JournalApp
import JournalStore

/// A text that was made from a state of its entry which is not the present one: the entry was
/// changed, deleted or purged meanwhile.
///
/// The text is a draft before anybody is asked, so every answer, and none, is safe.
struct EditorConflict {
  /// What a person is asked about.
  let question: EditConflict
  /// The text that could not be saved.
  let text: String
  /// The draft that keeps the text.
  let draft: Draft
  private let drafts: DraftStore

  /// Makes a conflict about a text that is kept.
  init(_ question: EditConflict, text: String, draft: Draft, in drafts: DraftStore) {
    self.question = question
    self.text = text
    self.draft = draft
    self.drafts = drafts
  }

  /// Saves the text over the entry's present one, out of the trash if need be; undo brings the other
  /// text back.
  ///
  /// - Throws: what the store throws, as for an entry that is gone for good; the draft then stays.
  func overwrite(_ actions: EntryActions) throws -> Saved {
    let saved = try actions.overwrite(question.number, text)
    drafts.remove(draft)
    return saved
  }

  /// Saves the text as a new entry beside the other.
  ///
  /// - Throws: what the store throws; the draft then stays.
  func addAsNew(_ actions: EntryActions) throws -> Saved {
    let saved = try actions.add(text)
    drafts.remove(draft)
    return saved
  }

  /// Leaves the text where it is, and says how to come back to it.
  ///
  /// The draft of an entry that is not in the list any more becomes one of a new entry: nobody could
  /// come back to it otherwise.
  ///
  /// - Throws: ``Failure`` when the disk refuses; the draft then is what it was.
  func keepDraft() throws -> Saved {
    guard question.fate != .changed else {
      return Saved("draft kept: press e at \(question.number), then Up")
    }
    try drafts.change(draft, to: .newEntry)
    return Saved("draft kept: press a, then Up")
  }
}
