import Files
import JournalStore
import Screen
import Seal

/// Locking a sealed journal after a time without a key, as `:lock` does, for a person at the screen.
extension ScreenLoop {
  /// Restarts the time without a key.
  func armIdleLock() {
    let seconds = state.settings.lockAfter
    let isWanted =
      seconds > 0 && session?.journal.isSealed == true && state.environment.keysAreTyped
      && !isPlaying
      && askSecret != nil
    timers.set(.lock, after: isWanted ? .seconds(Int(seconds)) : nil)
  }

  /// Keeps what is being written as a sealed draft, and locks the journal.
  ///
  /// With a text that cannot be kept it stays open: locking would lose it.
  func lockWhenIdle() {
    guard let journal, let path = journal.path, let key = journal.store.key else { return }
    for event in prompt.leave() { send(event) }
    if state.prompt.open == nil { journal.keeper?.close() }
    guard state.prompt.open?.isWriting != true, journal.keeper?.hasUnwritten != true else {
      send(.journal(.failed("a draft cannot be written, so the journal stays open; save the text")))
      return armIdleLock()
    }
    JournalKey.removeFromKeyring(id: key.id)
    JournalKey.forget(id: key.id)
    do {
      try waitForPerson(path)
      try open(journal: path, again: true)
      if exitCode == nil, state.prompt.reopens { send(.prompt(.wanted)) }
    } catch {
      // The screen still shows a journal that is locked now.
      endLocked(error)
    }
  }

  /// Hides the journal until somebody is there, if a command or a descriptor would unlock it at once.
  private func waitForPerson(_ path: String) throws {
    guard state.settings.passphraseCommand != nil else { return }
    let question = SecretQuestion(
      title: "\(Directory.name(of: path)) was locked", label: "Enter unlocks it", enter: "unlock")
    guard try askSecret?(question) != nil else { throw Unlocking.Cancelled() }
  }
}
