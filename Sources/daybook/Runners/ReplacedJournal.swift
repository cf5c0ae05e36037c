import Glibc
import JournalStore
import Screen

/// Following a journal that was sealed, unsealed or restored in another terminal.
extension ScreenLoop {
  /// Opens the journal again when another file replaced it, as soon as no prompt is open, or the permanent one
  /// is empty: keys of a prompt that closed under them would be commands, also where its text was just cut.
  ///
  /// A text that could not be saved meanwhile is in the prompt afterwards.
  func reopenReplaced() {
    guard let journal, journal.isReplaced, let path = journal.path, exitCode == nil,
      state.questions.question == nil,
      state.prompt.open.map({ $0.text.isEmpty && state.prompt.reopens }) ?? true,
      state.prompt.waiting == nil,
      journal.keeper?.hasUnwritten != true
    else { return }
    journal.triedReopening()
    // A file that is gone may come back; opening would make a new one.
    guard access(path, F_OK) == 0 else { return }
    for event in prompt.leave() { send(event) }
    do {
      try open(
        journal: path, again: true, after: "opened again: \(journal.replacement)")
      guard exitCode == nil else { return }
      // It may have been saved since, to a file that came back.
      if let draft = journal.unsavedDraft, self.journal?.drafts?.isOffered(draft) == true {
        perform(.prompt(.openDraft(draft)))
        send(.journal(.failed("not saved yet: \(journal.replacement); Enter saves")))
      } else if state.prompt.reopens {
        send(.prompt(.wanted))
      }
    } catch {
      let kept = journal.unsavedDraft.map { _ in "draft kept; " } ?? ""
      send(.journal(.failed(kept + Failure(explaining: error).screenMessage)))
    }
  }
}
