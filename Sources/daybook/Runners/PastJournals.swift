import Journal
import JournalStore
import Screen

/// Visits to the journal as it was. It is a journal of its own, in memory and read only; the present one
/// stays open, unlocked and with its undo, but the screen does not follow it meanwhile.
extension ScreenLoop {
  /// Shows the journal as it was at a date; from the past, too, the change log of the present counts.
  ///
  /// - Throws: ``Failure`` 65 for an invalid date, `StoreError` if the change log begins later; then the
  ///   screen stays as it is.
  func openPast(_ words: String) throws {
    guard let session else { return }
    let journal = session.journal
    let present =
      journal.present
      ?? PresentJournal(
        JournalHandle(
          store: journal.store, drafts: journal.drafts, isReadOnly: state.journal.isReadOnly),
        view: session.view(of: state))
    let store = present.handle.store
    let moment = try Dates.past(words, clock: store.clock, rule: state.settings.dayRule)
    defer { work.end() }
    let past = try PastOptions.past(of: store, at: moment, for: work)
    work.end()
    let handle = JournalHandle(
      store: past.store, isReadOnly: true, past: (moment, present))
    var opening = JournalSession.opening(handle, state.settings, nil, display.size)
    opening.view = session.view(of: state)
    let news = past.loss ?? "the journal as it was"
    try show(handle, opening, keepsPlace: true, "\(news); q goes back to the present")
  }

  /// Returns from the past to the present, to the place that was left.
  func leavePast() throws {
    guard let present = journal?.present else { return }
    var opening = JournalSession.opening(present.handle, state.settings, nil, display.size)
    opening.view = present.view
    try show(present.handle, opening, keepsPlace: true, "back in the present")
    // It may have been replaced meanwhile.
    refresh()
  }
}
