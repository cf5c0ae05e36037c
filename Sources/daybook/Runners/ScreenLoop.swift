import Glibc
import Journal
import JournalStore
import Screen
import Terminal
import TextLayout

/// The main loop: sleeps, turns what woke it into events, updates the state and has the effects
/// carried out.
final class ScreenLoop {
  /// The state; everything that is shown follows from it and from the rows of the list.
  private(set) var state: State
  let loop: EventLoop
  let prompt: PromptSession
  var timers = Timers()
  private(set) var exitCode: Int32?
  private let display: any Display
  private let work: WorkAttendant
  private let configuration: Configuration
  private let memory: JournalMemory?
  /// The filter of the command line, which holds for this run only.
  private let givenFilter: String
  private let opener: (String, OpeningAttendant) throws -> OpenedJournal
  private var decoder: KeyDecoder
  private var session: JournalSession?
  private var painter: ScreenPainter?
  private var script: ScriptPlayer?
  private var queue: [Event] = []
  private var isDraining = false
  /// Whether the rest of the keys that arrived together is to be dropped.
  private var dropsTypedAhead = false
  /// Records the events; a recorded list replays the run.
  var record: ((Event) -> Void)?

  /// Makes a loop over a journal.
  ///
  /// - Parameters:
  ///   - keysAreTyped: whether a person types the keys, as opposed to a pipe.
  ///   - filter: the entries shown at first; all if it is empty.
  ///   - keepsPrompt: whether a prompt for entries stays open.
  ///   - memory: remembers places between runs, for a person at a terminal.
  ///   - opener: opens another journal, when `:open` asks for one.
  /// - Throws: what the results controller throws.
  init(
    _ opened: OpenedJournal, display: any Display,
    histories: PromptHistories = PromptHistories(folder: nil), loop: EventLoop, keysAreTyped: Bool,
    filter: String = "", keepsPrompt: Bool = false, configuration: Configuration = Configuration(),
    memory: JournalMemory? = nil,
    opener: @escaping (String, OpeningAttendant) throws -> OpenedJournal
  ) throws {
    self.configuration = configuration
    self.opener = opener
    self.memory = memory
    self.display = display
    self.loop = loop
    givenFilter = filter
    work = WorkAttendant(loop: loop, keysAreTyped: keysAreTyped)
    decoder = KeyDecoder(terminalKeys: display.keys)
    prompt = PromptSession(keeper: nil, histories: histories, lineFeedInserts: keysAreTyped)
    var (state, place) = JournalSession.beginning(
      opened, configuration.settings, memory, display.size)
    if !filter.isEmpty { state.scope = state.scope.filtered(by: filter) }
    if keepsPrompt { state.keepsPrompt = true }
    state.keysAreTyped = keysAreTyped
    self.state = state
    use(try JournalSession(opened, state: state, place: place, in: surroundings))
    prompt.findWords = { [weak self] in
      self.flatMap { $0.session?.words(in: $0.state) } ?? CompletionWords(today: .earliest)
    }
    work.show = { [weak self] word in
      guard let self else { return }
      painter?.show(work: word, over: self.state)
      send(.journal(.working(word)))
    }
    work.showLock = { [weak self] in self.map { $0.painter?.showLock(over: $0.state) } }
  }

  private var surroundings: JournalSession.Surroundings {
    JournalSession.Surroundings(
      display: display, loop: loop, prompt: prompt, work: work, configuration: configuration,
      memory: memory, setTimer: { [weak self] in self?.timers.set($0, after: $1) },
      dropTypedAhead: { [weak self] in self?.dropTypedAhead() },
      openJournal: { [weak self] in try self?.open(journal: $0, again: $1) },
      comeBack: { [weak self] in self?.comeBack() },
      refresh: { [weak self] in self?.refresh() }, send: { [weak self] in self?.send($0) })
  }

  private func use(_ session: JournalSession) {
    self.session = session
    prompt.keeper = session.journal.keeper
    painter = ScreenPainter(session.journal, on: display, keys: configuration.keys) {
      [loop, keysAreTyped = state.keysAreTyped] in keysAreTyped && loop.isInputWaiting
    }
  }

  /// The journal that is shown.
  var journal: OpenJournal? { session?.journal }

  // MARK: Running

  /// Runs until the user ends it.
  ///
  /// - Returns: the exit code.
  /// - Throws: what the display throws when it cannot show anything more.
  func run() throws -> Int32 {
    let attendant = BusyAttendant.current
    let before = attendant?.waits
    attendant?.waits = { [unowned self] in work.waited($0) }
    defer { if let before { attendant?.waits = before } }
    try start()
    while exitCode == nil {
      try show()
      answerQueries()
      try show()
      if let journal {
        let rest = journal.store.clock.untilDayEnds(state.settings.dayRule)
        timers.set(.dayEnd, after: rest)
      }
      if painter?.readExcerpts() == true {
        painter?.invalidate()
        try show()
      }
      let held = work.takeHeld()
      let timeout = state.queries.isEmpty ? timers.timeout : .zero
      for event in held.isEmpty ? loop.wait(timeout: timeout) : held where exitCode == nil {
        try handle(event)
      }
      handleTimers()
    }
    session?.leave(state, givenFilter: givenFilter)
    try show()
    // A screen that could not be read whole is no success for a script.
    if let unread = painter?.unread, exitCode == 0, !state.keysAreTyped { return unread.code }
    return exitCode ?? 0
  }

  /// Reads the journal and opens the prompt that stays open.
  func start() throws {
    try begin()
    // Says why not where nothing may be written.
    if state.keepsPrompt { send(.prompt(.wanted)) }
    if !state.isReadOnly { session?.prompts.countDrafts() }
    if let summary = configuration.summary { send(.journal(.failed(summary))) }
  }

  private func begin() throws {
    try session?.begin(in: loop, isReadOnly: state.isReadOnly) { [weak self] in
      self?.state.statistics != nil
    }
  }

  /// Draws the state, unless it is shown already.
  func show() throws {
    if let failure = try painter?.show(state) {
      send(.journal(.failed(failure.screenMessage)))
    }
  }

  // MARK: Events and effects

  /// Updates the state by an event; the effects are carried out before this returns, unless another
  /// event is being handled already.
  func send(_ event: Event) {
    queue.append(event)
    guard !isDraining else { return }
    isDraining = true
    while !queue.isEmpty {
      let event = queue.removeFirst()
      record?(event)
      let effects = update(&state, event, keys: configuration.keys)
      if case .list = event { painter?.invalidate() }
      for effect in effects { perform(effect) }
    }
    isDraining = false
    // Keys from a pipe act on the results of those before them.
    if !state.keysAreTyped { answerQueries() }
  }

  /// Has an effect carried out; its results are sent as events.
  func perform(_ effect: Effect) {
    guard let session else { return }
    do {
      switch effect {
      case .prompt(let effect): try session.prompts.run(effect, in: state)
      case .editor(let effect): try session.programs.run(effect, in: state)
      case .change(let effect): try session.changes.run(effect, in: state, base: prompt.base)
      case .list(let effect): try session.list.run(effect, in: state)
      case .query(let query):
        // The result of the last query that can be parsed stays, also where none was shown yet.
        do { try session.list.check(query, in: state) } catch { session.list.fail(query, error) }
      case .read(let effect): try session.list.run(effect)
      case .program(let effect): try session.programs.run(effect, in: state)
      case .settings(let effect): try session.settings.run(effect, in: state)
      case .terminal(let effect): try run(effect)
      }
    } catch {
      let reason =
        (error as? StoreError)?.kind == .busy
        ? "journal busy: another program is writing to it; nothing was changed"
        : Failure(explaining: error).screenMessage
      send(.journal(.failed(reason, doing: effect)))
    }
  }

  private func run(_ effect: TerminalEffect) throws {
    switch effect {
    case .redraw: try display.redraw()
    case .suspend:
      try display.suspend()
      comeBack()
    case .quit(let code): exitCode = exitCode ?? code
    }
  }

  /// Answers the queries that are wanted; a key interrupts them, and they begin again later.
  func answerQueries() {
    answerQueries(of: \.next) { [work] in work.interruption($0) }
  }

  /// Answers what the keys so far have asked for, so that the next key acts on the result.
  ///
  /// Keys that are typed into a filter or a search do not wait: only the last text counts. `^C` ends
  /// the waiting.
  private func finishQueries() {
    guard state.queries.result != nil, state.prompt?.kind.isLive != true else { return }
    answerQueries(of: \.result) { [work] in work.cancellation($0) }
    if state.queries.result != nil { send(.list(.workCancelled)) }
  }

  private func answerQueries(
    of next: KeyPath<PendingQueries, ListQuery?>, unless isCancelled: (String) -> () -> Bool
  ) {
    while let session, let query = state.queries[keyPath: next] {
      guard session.list.answer(query, in: state, unless: isCancelled) else { return }
    }
  }
}

// MARK: - Keys, signals and timers

extension ScreenLoop {
  private func handle(_ event: LoopEvent) throws {
    switch event {
    case .input where script != nil: stopPlaying()
    case .input(let bytes):
      timers.set(.escape, after: nil)
      try press(decoder.feed(bytes))
      // In a pipe no time lies between keys: the bytes after ESC there belong to it.
      if decoder.isWaiting, state.keysAreTyped {
        timers.set(.escape, after: KeyDecoder.escapeDelay)
      }
    case .inputEnded:
      try press(decoder.finish())
      send(.terminal(.inputEnded))
    case .signal(let signal): handle(signal)
    case .readable: refresh()
    case .timer: break
    }
  }

  private func press(_ events: [KeyEvent]) throws {
    dropsTypedAhead = false
    var rest = events[...]
    while let event = rest.first, exitCode == nil, !dropsTypedAhead {
      let typed = display.wantsEveryPicture ? 0 : type(rest)
      rest = rest.dropFirst(max(1, typed))
      if typed == 0 { press(event) }
      if display.wantsEveryPicture { try show() }
    }
  }

  /// Drops the keys that were typed before a save failed: they were meant for another state.
  ///
  /// Keys from a pipe go on as they were meant.
  private func dropTypedAhead() {
    guard state.keysAreTyped else { return }
    dropsTypedAhead = true
    work.dropHeldKeys()
  }

  /// Types many characters into the prompt at once: each one alone would cost as much as all the text
  /// before it.
  ///
  /// - Returns: the number of events typed.
  private func type(_ events: ArraySlice<KeyEvent>) -> Int {
    guard prompt.isActive else { return 0 }
    var strokes: [KeyStroke] = []
    for event in events.prefix(4_096) {
      guard case .stroke(let stroke) = event, stroke.text != nil else { break }
      strokes.append(stroke)
    }
    guard strokes.count >= 16 else { return 0 }
    let typed = prompt.type(strokes[...], columns: state.size.columns)
    for event in typed.events { send(event) }
    return typed.taken
  }

  /// Handles one key, one paste or one use of the mouse.
  func press(_ event: KeyEvent) {
    finishQueries()
    if case .mouse(let mouse) = event { return send(.mouse(mouse.action)) }
    if prompt.isActive {
      if case .stroke(let stroke) = event, stroke.name == "<C-z>" { return suspendInPrompt() }
      for event in prompt.handle(event, columns: state.size.columns) { send(event) }
      return
    }
    switch event {
    case .stroke(let stroke):
      if let plain = stroke.withoutAlt,
        configuration.keys.match(KeySequence(keys: [stroke.name]), in: state.context) == .none
      {
        // Esc and a key that arrive together look like Alt; nothing is bound to that.
        send(.key(KeyStroke.escape.name))
        finishQueries()
        return send(.key(plain))
      }
      send(.key(stroke.name))
    case .paste:
      send(.journal(.failed("pasted text is not run as keys; press a, then paste")))
    case .mouse: break
    }
  }

  /// Keeps the typed text first: who stops a program may not come back to it.
  private func suspendInPrompt() {
    send(.prompt(.draftTimerFired))
    perform(.terminal(.suspend))
  }

  private func handle(_ signal: TerminalSignal) {
    switch signal {
    case .hangUp, .terminate, .quit: send(.terminal(.signalled(signal.number)))
    case .interrupt:
      if script != nil {
        stopPlaying()
      } else if prompt.isActive {
        for event in prompt.cancel() { send(event) }
      } else {
        send(.key("<C-c>"))
      }
    case .windowChanged: send(.terminal(.resized(display.size)))
    case .continued: comeBack()
    case .stop: perform(.terminal(.suspend))
    }
  }

  /// Handles the timers that are due, and the end of the day.
  func handleTimers() {
    for kind in timers.takeDue() where exitCode == nil {
      switch kind {
      case .escape: for event in decoder.timeOut() { press(event) }
      case .draft: session?.prompts.keepWaitingDraft()
      case .highlight: send(.list(.highlightEnded))
      case .refresh: refresh()
      case .dayEnd: break
      case .key: script?.step()
      }
    }
    guard let journal else { return }
    let today = state.settings.dayRule.day(of: journal.store.clock.moment())
    if today != state.today { send(.journal(.dayChanged(today))) }
  }

  /// Looks for the commits of other processes.
  func refresh() {
    timers.set(.refresh, after: session?.refresh().map { .milliseconds($0) })
  }

  /// After a stop or another program: the size may have changed, and others may have written.
  private func comeBack() {
    painter?.invalidate()
    do { try display.resume() } catch { exitCode = exitCode ?? Failure(explaining: error).code }
    send(.terminal(.resized(display.size)))
    refresh()
  }
}

// MARK: - Scripts and other journals

extension ScreenLoop {
  /// Begins to play a script.
  func play(_ player: KeyPlayer) {
    script = ScriptPlayer(player, loop: self, work: work)
    timers.followScript(skipping: player.pace.skips)
    timers.set(.key, after: .zero)
  }

  private func stopPlaying() { script?.stop() }

  /// Goes back to the user's keys and the computer's clock.
  func leaveScript() {
    script = nil
    timers.leaveScript()
    send(.terminal(.resized(display.size)))
  }

  /// Shows another journal in the place of this one.
  ///
  /// - Parameter again: whether this journal may be opened again, since another file took its place.
  /// - Throws: why it cannot be opened; then this one stays.
  private func open(journal typed: String, again: Bool) throws {
    defer {
      if work.isShown {
        work.isShown = false
        send(.journal(.working(nil)))
      }
    }
    let path = Places.expanded(typed)
    let isNew = access(path, F_OK) != 0
    let opened = try opener(path, work.openingAttendant)
    guard again || opened.path == nil || opened.path != journal?.path else {
      return send(.journal(.saved(Saved("this is \(opened.name) already"))))
    }
    var (state, place) = JournalSession.beginning(
      opened, self.state.settings, memory, display.size)
    state.keysAreTyped = self.state.keysAreTyped
    let next = try JournalSession(opened, state: state, place: place, in: surroundings)
    session?.leave(self.state, givenFilter: givenFilter)
    session?.end(in: loop)
    for timer in [Timers.Kind.refresh, .highlight] { timers.set(timer, after: nil) }
    use(next)
    send(.journal(.opened(state)))
    let isMade = isNew && opened.path != nil
    let news = isMade ? "\(opened.name) is a new journal" : "opened \(opened.name)"
    send(.journal(.saved(Saved(news))))
    // Drafts that wait there are reported after that: the status line names the journal anyway.
    try begin()
    if !state.isReadOnly, let count = next.journal.keeper?.count, count != (0, 0) {
      next.prompts.countDrafts()
    }
    for note in opened.notes { send(.journal(.saved(Saved(note)))) }
  }
}

extension MouseEvent {
  /// The event as the screen takes it.
  fileprivate var action: MouseAction {
    switch kind {
    case .press: MouseAction(.click, column: column, line: row)
    case .wheelUp: MouseAction(.wheel(-3), column: column, line: row)
    case .wheelDown: MouseAction(.wheel(3), column: column, line: row)
    }
  }
}
