import JournalApp

extension AppRunner {
  /// Keeps a text: at once when its prompt has closed, else when the last writing is long enough ago.
  func keepDraft(_ text: String) {
    reportingDraft {
      if state.prompt == nil {
        try keeper?.keep(text)
      } else if let delay = try keeper?.keepSoon(text) {
        timers.set(.draft, after: delay)
      }
    }
  }

  /// Waits for a pause in the typing, unless a text waits to be written already.
  func armDraftTimer() {
    if keeper?.isWaiting != true { timers.set(.draft, after: DraftKeeper.interval) }
  }

  /// The time has come for a draft that waits, and for what was typed since.
  func keepWaitingDraft() {
    reportingDraft { try keeper?.keepWaiting() }
    send(.draftTimerFired)
  }

  private func reportingDraft(_ body: () throws -> Void) {
    do { try body() } catch {
      send(.draftFailed("draft not kept: \(Failure(explaining: error).screenMessage)"))
    }
  }
}
