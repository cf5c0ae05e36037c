import Glibc
import JournalStore
import Screen

/// Opening, refreshing and replacing the journal on the screen, and its configuration. A new journal is opened before the
/// old one is closed, so that a failure changes nothing.
extension ScreenLoop {
  func use(_ session: JournalSession) {
    self.session = session
    if session.journal.isSealed { recorder?.end("no record is made of a sealed journal") }
    prompt.use(session.journal.keeper, isSealed: session.journal.isSealed)
    usePainter(of: session)
  }

  /// Reads the configuration again and applies it, unless its file is not TOML: then the settings in
  /// use stay.
  ///
  /// - Returns: the errors in the file.
  /// - Throws: ``Failure`` 64 for a theme that does not exist.
  func reloadConfiguration() throws -> [ConfigProblem] {
    let new = configuration.reloaded()
    guard !new.isIgnored, let session else { return new.problems }
    configuration = new
    input?.keys = new.keys
    usePainter(of: session)
    try session.use(new, in: state)
    armIdleLock()
    return new.problems
  }

  /// Ends the screen of a journal that is locked now.
  func endLocked(_ error: any Error) {
    guard !(error is Unlocking.Cancelled) else {
      exitCode = 0
      return
    }
    ending = Failure(explaining: error)
    exitCode = ending?.code
  }

  private static func staysLocked(_ error: any Error) -> Bool {
    let kind = (error as? StoreError)?.kind
    return error is Unlocking.Cancelled || kind == .locked || kind == .wrongPassphrase
  }

  private func usePainter(of session: JournalSession) {
    recorder?.noteScreen(keys: configuration.keys)
    painter = ScreenPainter(
      FrameSource(session.journal), on: display, keys: configuration.keys, recorder: recorder
    ) {
      [loop, keysAreTyped = state.environment.keysAreTyped] in keysAreTyped && loop.isInputWaiting
    }
  }

  /// Reads the journal the first time.
  func begin() throws {
    armIdleLock()
    try session?.begin(in: loop, isReadOnly: state.journal.isReadOnly) { [weak self] in
      self?.state.showsCommits == true
    }
  }

  /// Updates the size and reads commits, after a stop or another program.
  func comeBack() {
    painter?.invalidate()
    do { try display.resume() } catch { exitCode = exitCode ?? Failure(explaining: error).code }
    send(.terminal(.resized(display.size)))
    refresh()
  }

  /// Reads the news of a synchronisation, or the commits of other processes.
  func handle(readable descriptor: Int32) {
    if session?.sync.read(descriptor) == true || session?.pictures.read(descriptor) == true {
      return
    }
    refresh()
  }

  /// Begins to decode the pictures that the last frame lacked, and sends decoded ones to the terminal.
  ///
  /// - Throws: the errors of the display.
  func drawPictures() throws {
    guard let painter else { return }
    if state.environment.keysAreTyped, let cell = display.pictureCell,
      cell != state.environment.pictureCell
    {
      send(.terminal(.pictureCellFound(cell)))
      try show()
    }
    display.sendPictures { [loop] in loop.isInputWaiting }
    session?.pictures.draw(painter.missingPictures) { [loop] in loop.isInputWaiting }
  }

  /// Reads the commits of other processes.
  func refresh() {
    timers.set(.refresh, after: session?.refresh().map { .milliseconds($0) })
  }

  /// Reads the journal, and opens the permanent prompt.
  func start() throws {
    try begin()
    // Reports a read-only journal.
    if state.prompt.reopens { send(.prompt(.wanted)) }
    if !state.journal.isReadOnly { session?.prompts.countDrafts() }
    if let summary = configuration.summary { send(.journal(.failed(summary))) }
    syncAtStart()
    if let asked { send(.prompt(.formFound(asked.form))) }
  }

  /// Replaces this journal by another one.
  ///
  /// - Parameters:
  ///   - again: whether to reopen this journal, after another file replaced it.
  ///   - event: what happened to it elsewhere.
  /// - Throws: the errors of opening; then this journal stays open.
  func open(journal typed: String, again: Bool, after event: String? = nil) throws {
    defer { work.end() }
    let path = Places.expanded(typed)
    let isNew = access(path, F_OK) != 0
    // In memory, as the journal is that may be locked now.
    let view = again ? journal?.present?.view ?? session?.view(of: state) : nil
    let opened: JournalHandle
    do {
      opened = try opener(path, work)
    } catch  where again && Self.staysLocked(error) {
      // The screen still shows a journal that is locked now.
      endLocked(error)
      return
    }
    guard again || opened.path == nil || opened.path != journal?.path else {
      if journal?.present != nil { return try leavePast() }
      return send(.journal(.noted("\(opened.name) is already open")))
    }
    // What `u` takes back stays the same also after a visit to another journal.
    if let journal {
      let present = journal.present?.handle
      let (path, store) = (present?.path ?? journal.path, present?.store ?? journal.store)
      if let path { historySessions[path] = store.session }
    }
    if let history = opened.path.flatMap({ historySessions[$0] }) { opened.store.resume(history) }
    let isMade = isNew && opened.path != nil
    let news = isMade ? "\(opened.name) is a new journal" : event ?? "opened \(opened.name)"
    var opening = JournalSession.opening(opened, state.settings, memory, display.size)
    if var view {
      if !Listing.canShow(view.filter, opened.store, state.settings.dayRule) { view.filter = "" }
      opening.view = view
    }
    try show(opened, opening, keepsPlace: view != nil, news)
  }

  /// Replaces the journal on the screen by an open one.
  ///
  /// - Parameter keepsPlace: whether the place in `opening` is that of this run.
  func show(
    _ opened: JournalHandle, _ opening: Opening, keepsPlace: Bool = false, _ news: String
  ) throws {
    var opening = opening
    opening.keysAreTyped = state.environment.keysAreTyped
    opening.isLinear = state.environment.isLinear ? true : nil
    opening.strikes = state.environment.strikes ? true : nil
    opening.drawsPictures = state.environment.drawsPictures ? true : nil
    opening.pictureCell = state.environment.pictureCell
    let next = try JournalSession(
      opened, state: State(opening, catalog: state.commands.catalog), place: opening.view,
      keepsPlace: keepsPlace, in: surroundings)
    session?.leave(state, givenFilter: givenFilter)
    session?.end(in: loop)
    for timer in [Timers.Kind.refresh, .highlight] { timers.set(timer, after: nil) }
    use(next)
    send(.journal(.opened(opening)))
    send(.journal(.noted(news)))
    // Pending drafts are reported later, since the status line names the journal first.
    try begin()
    if !state.journal.isReadOnly, let count = next.journal.keeper?.count, count != (0, 0) {
      next.prompts.countDrafts()
    }
    for note in opened.notes { send(.journal(.noted(note))) }
  }
}
