import Screen

/// Synchronising without being asked, as the settings say: only for a person at the screen, and only
/// a journal that has a remote.
extension ScreenLoop {
  private var autoSync: AutoSync? {
    guard state.environment.keysAreTyped, !isPlaying, session?.sync.isLinked == true else {
      return nil
    }
    return state.settings.autoSync
  }

  func syncAtStart() {
    armIdleSync()
    if autoSync?.atStart == true { trySync() }
  }

  func syncAtQuit() {
    if autoSync?.atQuit == true { return session?.sync.startLast() ?? () }
    // From the past, for what was written in the present before.
    guard let present = journal?.present, state.environment.keysAreTyped, !isPlaying,
      state.settings.autoSync.atQuit
    else { return }
    SyncRunner(present.handle.store, loop: loop, send: { _ in }).startLast()
  }

  /// Restarts the time without a key.
  func armIdleSync() {
    guard let seconds = state.settings.autoSync.idleSeconds else { return }
    timers.set(.idle, after: .seconds(seconds))
  }

  /// Synchronises after a time without a key, and waits for the next one.
  func syncWhenIdle() {
    if autoSync?.idleSeconds != nil { trySync() }
    armIdleSync()
  }

  /// A failure is noted in the journal and shown in the title bar.
  private func trySync() {
    do {
      try session?.sync.start(isAsked: false)
    } catch {
      send(.sync(.ended(.failed(Failure(explaining: error).screenMessage), isAsked: false)))
    }
  }
}
