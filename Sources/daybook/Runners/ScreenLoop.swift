import Glibc
import Journal
import JournalStore
import Screen
import Terminal
import TextLayout

/// The main loop: sleeps, turns input into events, updates the state, and runs the effects.
final class ScreenLoop {
  /// The state; the screen is a function of it and the rows of the list.
  private(set) var state: State
  let loop: EventLoop
  let prompt: PromptSession
  var timers = Timers()
  var exitCode: Int32?
  /// The paths of texts that no disk took at the end.
  private(set) var rescued: [String] = []
  /// Why the loop ended by itself, if a person must be told.
  var ending: Failure?
  let display: any Display
  let work: WorkAttendant
  var configuration: Configuration
  let memory: RecentJournals?
  /// The filter of the command line, for this run only.
  let givenFilter: String
  /// Asks for a passphrase in place of the screen; `nil` where nobody can answer.
  let askSecret: SecretAsking?
  let opener: (String, any WorkObserver) throws -> JournalHandle
  /// The entry whose questions are asked, after which the loop ends.
  let asked: AskedEntry?
  var session: JournalSession?
  /// The history of each journal that was open in this run, by its path.
  var historySessions: [String: HistorySession] = [:]
  var painter: ScreenPainter?
  var script: ScriptPlayer?
  /// The failed steps of a pipe or a script.
  var failures = ScriptFailures()
  private(set) var input: KeyInput?
  private var queue: [Event] = []
  private var isDraining = false
  /// Whether a query is being answered.
  var isAnswering = false
  /// Receives the events; replaying them repeats the run.
  var record: ((Event) -> Void)?
  /// Records the run in a file.
  let recorder: ScreenRecorder?

  /// Makes a loop over a journal.
  ///
  /// - Parameters:
  ///   - keysAreTyped: whether a person types the keys; `false` for a pipe.
  ///   - filter: the query of the list; empty for all entries.
  ///   - keepsPrompt: whether a prompt for entries stays open.
  ///   - asked: the entry whose questions are asked, after which the loop ends.
  ///   - memory: remembers view states between runs, for a person at a terminal.
  ///   - recorder: records the run.
  ///   - opener: opens another journal for `:open`.
  /// - Throws: the errors of the results controller.
  init(
    _ opened: JournalHandle, display: any Display,
    histories: PromptHistories = PromptHistories(directory: nil), loop: EventLoop,
    keysAreTyped: Bool, filter: String = "", keepsPrompt: Bool = false, asked: AskedEntry? = nil,
    configuration: Configuration = Configuration(), memory: RecentJournals? = nil,
    askSecret: SecretAsking? = nil, recorder: ScreenRecorder? = nil,
    opener: @escaping (String, any WorkObserver) throws -> JournalHandle
  ) throws {
    self.configuration = configuration
    self.opener = opener
    self.askSecret = askSecret
    self.memory = memory
    self.display = display
    self.loop = loop
    givenFilter = filter
    work = WorkAttendant(loop: loop, keysAreTyped: keysAreTyped, display: display)
    prompt = PromptSession(keeper: nil, histories: histories)
    self.recorder = recorder
    var opening = JournalSession.opening(opened, configuration.settings, memory, display.size)
    (opening.filter, opening.keepsPrompt) = (filter, keepsPrompt)
    opening.keysAreTyped = keysAreTyped
    opening.isLinear = display.voice == nil ? nil : true
    opening.strikes = display.strikes ? true : nil
    opening.drawsPictures = keysAreTyped && display.drawsPictures ? true : nil
    if keysAreTyped { opening.pictureCell = display.pictureCell }
    opening.endsWithForm = asked == nil ? nil : true
    self.asked = asked
    state = State(opening, catalog: .ofProgram)
    recorder?.begin(opening)
    use(try JournalSession(opened, state: state, place: opening.view, in: surroundings))
    journal?.actions.asked = asked
    journal?.keeper?.asked = asked
    if !filter.isEmpty { _ = try journal?.listing.parsed(filter) }
    prompt.findValues = { [weak self] in self?.session?.values(of: $0, within: $1) ?? [] }
    prompt.findTitles = { [weak self] in self?.session?.titles(matching: $0, within: $1) ?? [] }
    prompt.findWords = { [weak self] in
      self.flatMap { $0.session?.words(in: $0.state) } ?? CompletionWords(today: .earliest)
    }
    prompt.spelling.languages = { [weak self] in self?.state.settings.spellLanguages ?? [] }
    prompt.spelling.report = { [weak self] in self?.send($0) }
    input = KeyInput(loop: self, display: display, work: work, keys: configuration.keys)
    work.show = { [weak self] word in
      self.map { $0.painter?.show(work: word, over: $0.state) }
      self?.send(.journal(.working(word)))
    }
    work.hide = { [weak self] in self?.send(.journal(.working(nil))) }
    work.showLock = { [weak self] in self.map { $0.painter?.showLock(over: $0.state) } }
  }

  var surroundings: JournalSession.Surroundings {
    JournalSession.Surroundings(
      display: display, loop: loop, prompt: prompt, work: work, configuration: configuration,
      askSecret: askSecret,
      memory: memory, setTimer: { [weak self] in self?.timers.set($0, after: $1) },
      showPicture: { [weak self] in self?.painter?.take($1, for: $0) },
      dropTypedAhead: { [weak self] in self?.input?.dropTypedAhead() },
      openJournal: { [weak self] in try self?.open(journal: $0, again: $1) },
      openPast: { [weak self] in try self?.openPast($0) },
      leavePast: { [weak self] in try self?.leavePast() },
      comeBack: { [weak self] in
        // The time in another program is not idle.
        self?.armIdleLock()
        self?.comeBack()
      },
      refresh: { [weak self] in self?.refresh() },
      reloadConfiguration: { [weak self] in try self?.reloadConfiguration() ?? [] },
      send: { [weak self] in self?.send($0) })
  }

  /// The journal on the screen.
  var journal: ScreenJournal? { session?.journal }

  // MARK: Running

  /// Runs until the user quits.
  ///
  /// - Returns: the exit code.
  /// - Throws: the errors of the display.
  func run() throws -> Int32 {
    let attendant = BusyAttendant.current
    let before = attendant?.waits
    attendant?.waits = { [unowned self] in work.waited($0) }
    defer { if let before { attendant?.waits = before } }
    try start()
    while exitCode == nil {
      reopenReplaced()
      guard exitCode == nil else { break }
      try show()
      try answerAndShow()
      if let journal {
        timers.set(.dayEnd, after: journal.store.clock.untilDayEnds(state.settings.dayRule))
      }
      if painter?.readExcerpts() == true {
        painter?.invalidate()
        try show()
      }
      try drawPictures()
      let held = work.takeHeld()
      let timeout = state.work.queries.isEmpty || timers.isSet(.escape) ? timers.timeout : .zero
      for event in held.isEmpty ? loop.wait(timeout: timeout) : held where exitCode == nil {
        // The timer of the idle time itself wakes the loop, too.
        if case .input = event { armIdleSync() }
        try input?.handle(event)
        // After the key, which may have changed the time.
        if case .input = event { armIdleLock() }
      }
      handleTimers()
    }
    session?.leave(state, givenFilter: givenFilter)
    session?.journal.keeper?.close()
    rescued = session?.journal.keeper?.rescue() ?? []
    syncAtQuit()
    try show()
    // For a script an incomplete screen is a failure.
    if let unread = painter?.unread, exitCode == 0, !state.environment.keysAreTyped {
      return unread.code
    }
    return exitCode ?? 0
  }

  /// Draws or says the state, unless it is shown already.
  func show() throws {
    if let reason = recorder?.takeUntold() {
      send(.journal(.failed("the record has ended: \(reason)")))
    }
    if let failure = try painter?.show(state) { send(.journal(.failed(failure.screenMessage))) }
    armTyping()
  }

  // MARK: Events and effects

  /// Updates the state by an event; runs the effects before it returns, unless it is called while
  /// another event is handled.
  func send(_ event: Event) {
    queue.append(event)
    guard !isDraining else { return }
    isDraining = true
    var preview: Effect?
    while !queue.isEmpty {
      let event = queue.removeFirst()
      record?(event)
      recorder?.note(.event(event))
      DebugLog.ofProcess?.note("event", event)
      let (status, prompt) = (state.status, state.prompt.open?.kind)
      let hadDeleted = state.pressed.hasJustDeleted
      let effects = update(&state, event, keys: configuration.keys)
      if isScripted { failures.note(event, from: (status, prompt), to: state, effects) }
      if state.status != status {
        timers.setMessage(state.status, isWatched: state.environment.keysAreTyped || isPlaying)
      }
      if state.pressed.hasJustDeleted, !hadDeleted {
        timers.set(.deletion, after: Timers.habitTime)
      }
      if case .list(let event) = event, event.bringsRows { painter?.invalidate() }
      for effect in effects {
        if case .read(.preview) = effect { preview = effect } else { perform(effect) }
      }
      // A saved entry changes the list, then the selection; the pane is filled once, after both.
      if queue.isEmpty, let effect = preview {
        preview = nil
        if state.wants(effect) { perform(effect) }
      }
    }
    isDraining = false
    // Keys from a pipe act on the results of earlier keys.
    if !state.environment.keysAreTyped { answerQueries() }
  }

  /// Runs an effect, which sends its results as events.
  func perform(_ effect: Effect) {
    guard let session else { return }
    DebugLog.ofProcess?.note("effect", effect)
    do {
      switch effect {
      case .prompt(let effect): try session.prompts.run(effect, in: state)
      case .editor(let effect): try session.programs.run(effect, in: state)
      case .change(let effect): try session.changes.run(effect, in: state)
      case .list(let effect): try session.list.run(effect, in: state)
      case .query(let query):
        do { try session.list.check(query, in: state) } catch {
          session.list.fail(query, error, isRefused: true)
        }
      case .read(let effect): try session.reading.run(effect)
      case .program(let effect): try session.programs.run(effect, in: state)
      case .command(let effect):
        recorder?.endIfSecret(effect)
        try session.commands.run(effect, in: state)
      case .settings(let effect): try session.settings.run(effect, in: state)
      case .menu(let effect): try session.menus.run(effect, in: state)
      case .terminal(let effect): try run(effect)
      }
    } catch {
      let isReplaced = (error as? StoreError)?.kind == .replaced
      if isReplaced { session.journal.followReplacement() }
      let reason =
        (error as? StoreError)?.kind == .busy
        ? "journal busy: another program is writing to it; nothing was changed"
        : Failure(explaining: error).screenMessage
      // A prompt that asked again would keep the other file from being opened.
      send(.journal(.failed(reason, doing: isReplaced ? nil : effect)))
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
}
