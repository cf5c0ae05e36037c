import Glibc
import Journal
import JournalApp
import JournalStore
import SectionedResults
import TerminalUI

/// The main loop: sleeps, turns what woke it into intents, and runs the effects of each.
final class AppRunner {
  /// The journal that is shown.
  private(set) var journal: OpenJournal
  let display: any Display
  /// What holds: the configuration's settings, and what was set since.
  var settings: Settings
  /// What is remembered of journals between runs; `nil` where nothing is.
  let memory: JournalMemory?
  /// The filter of the command line, which holds for this run only.
  let givenFilter: String
  /// Opens another journal.
  private let opener: (String, UpgradeObserver) throws -> OpenedJournal
  /// The text that waits for an answer, since its entry was changed elsewhere.
  var conflict: EditorConflict?
  let prompt: PromptSession
  private(set) var renderer: ScreenRenderer
  let loop: EventLoop
  var state: State
  var timers = Timers()
  var wanted = WantedWork()
  /// The script that is played, as long as it is.
  var player: KeyPlayer?
  /// The line typed after `:` whose effects are being run.
  private(set) var commandLine: String?
  /// Whether the screen says that another program is waited for.
  var isWaitTold = false
  /// Keys that came while work went on, to be pressed when it is over.
  var heldEvents: [LoopEvent] = []
  /// Whether the rest of the keys that arrived together is to be forgotten.
  var dropsTypedAhead = false
  let configuration: Configuration
  let keys: KeyTable
  let keysAreTyped: Bool
  var decoder: KeyDecoder
  var observation: CommitObservation?
  private var queue: [Intent] = []
  private var isDraining = false
  /// What the last picture was drawn of; `nil` draws it again.
  var shown: State?
  /// Where in the journal one was the last time.
  private(set) var place = ViewState()
  /// Why a row could not be shown, once that has happened.
  private var unread: Failure?
  private var picture: Picture?
  private(set) var exitCode: Int32?

  /// Makes a screen over a journal.
  ///
  /// - Parameters:
  ///   - filter: which entries are shown at first; all if it is empty.
  ///   - keepsPrompt: whether a prompt for entries stays open.
  ///   - memory: what is remembered between runs, for a person at a terminal.
  ///   - opener: opens another journal, when `:open` asks for one.
  /// - Throws: what the results controller throws.
  init(
    _ opened: OpenedJournal, display: any Display,
    histories: PromptHistories = PromptHistories(folder: nil), loop: EventLoop, keysAreTyped: Bool,
    filter: String = "", keepsPrompt: Bool = false, configuration: Configuration = Configuration(),
    memory: JournalMemory? = nil,
    opener: @escaping (String, UpgradeObserver) throws -> OpenedJournal
  ) throws {
    self.configuration = configuration
    self.opener = opener
    self.memory = memory
    keys = configuration.keys
    settings = configuration.settings
    self.display = display
    self.loop = loop
    self.keysAreTyped = keysAreTyped
    decoder = KeyDecoder(terminalKeys: display.keys)
    var (state, view) = Self.beginning(opened, settings, memory, display.size)
    if !filter.isEmpty { state.scope = state.scope.filtered(by: filter) }
    givenFilter = filter
    if keepsPrompt { state.keepsPrompt = true }
    state.keysAreTyped = keysAreTyped
    self.state = state
    place = view
    journal = try OpenJournal(
      opened, scope: state.scope, settings: settings, revealing: Self.revealingKey(keys))
    prompt = PromptSession(
      keeper: journal.keeper, histories: histories, lineFeedInserts: keysAreTyped)
    renderer = Self.renderer(keys, settings, journal.listing, journal.store.clock)
    connect()
  }

  private func connect() {
    journal.listing.send = { [weak self] in self?.send($0) }
    prompt.keeper = journal.keeper
    prompt.findWords = { [weak self] in self?.words ?? CompletionWords(today: .earliest) }
  }

  /// Shows another journal in the place of this one.
  ///
  /// - Parameter again: whether this journal may be opened again, since another file took its place.
  /// - Throws: why it cannot be opened; then this one stays.
  func open(journal typed: String, again: Bool = false) throws {
    defer { if state.work != nil { send(.working(nil)) } }
    let path = Places.expanded(typed)
    let isNew = access(path, F_OK) != 0
    let opened = try opener(path, openingAttendant)
    guard again || opened.path == nil || opened.path != journal.path else {
      return send(.saved(Saved("this is \(opened.name) already")))
    }
    var (state, view) = Self.beginning(opened, settings, memory, display.size)
    state.keysAreTyped = keysAreTyped
    let next = try OpenJournal(
      opened, scope: state.scope, settings: settings, revealing: Self.revealingKey(keys))
    leaveJournal()
    if let descriptor = store.changeDescriptor { loop.unwatch(descriptor) }
    for timer in [Timers.Kind.refresh, .highlight] { timers.set(timer, after: nil) }
    journal = next
    wanted = WantedWork()
    (place, conflict) = (view, nil)
    renderer = Self.renderer(keys, settings, next.listing, next.store.clock)
    connect()
    send(.journalOpened(state))
    let isMade = isNew && opened.path != nil
    send(.saved(Saved(isMade ? "\(opened.name) is a new journal" : "opened \(opened.name)")))
    // Drafts that wait there are told after that: the status line names the journal anyway.
    try enterJournal()
    if !state.isReadOnly, let count = keeper?.count, count != (0, 0) { countDrafts() }
    for note in opened.notes { send(.saved(Saved(note))) }
  }

  /// Takes over what was set.
  func take(_ settings: Settings) {
    let old = self.settings
    self.settings = settings
    (journal.listing.rule, journal.actions.rule) = (settings.dayRule, settings.dayRule)
    renderer = Self.renderer(keys, settings, listing, store.clock)
    shown = nil
    send(.settingsChanged(settings, from: old))
  }

  /// Runs until the user ends it.
  ///
  /// - Returns: the exit code.
  /// - Throws: what the display throws when it cannot show anything more.
  func run() throws -> Int32 {
    let attendant = BusyAttendant.current
    let before = attendant?.waits
    attendant?.waits = { [unowned self] in waited($0) }
    defer { if let before { attendant?.waits = before } }
    try start()
    while exitCode == nil {
      try show()
      doWanted()
      try show()
      timers.set(.dayEnd, after: store.clock.untilDayEnds(settings.dayRule))
      if readExcerpts() { try redraw() }
      let timeout = wanted.isEmpty ? timers.timeout : .zero
      let events = heldEvents.isEmpty ? loop.wait(timeout: timeout) : heldEvents
      heldEvents = []
      for event in events where exitCode == nil { try handle(event) }
      handleTimers()
    }
    leaveJournal()
    try show()
    // A screen that could not be read whole is no success for a script.
    if let unread, exitCode == 0, !keysAreTyped { return unread.code }
    return exitCode ?? 0
  }

  func start() throws {
    try enterJournal()
    // Says why not where nothing may be written.
    if state.keepsPrompt { send(.promptWanted) }
    if !state.isReadOnly { countDrafts() }
    if let summary = configuration.summary { send(.failed(summary)) }
  }

  /// Reads the journal for the first time, and goes where one was in it.
  private func enterJournal() throws {
    try listing.start()
    if let descriptor = store.changeDescriptor { loop.watch(descriptor) }
    observation = store.observeCommits { [weak self] in self?.noteCommit() }
    restorePlace()
  }

  func show() throws {
    guard shown != state else { return }
    shown = state
    var picture = renderer.picture(of: state)
    // Keys from a pipe are never kept waiting by anything, and their last picture must be whole.
    if !keysAreTyped, readExcerpts() { picture = renderer.picture(of: state) }
    self.picture = picture
    try display.show(picture)
    guard let failure = listing.takeFailure(), unread == nil else { return }
    unread = Failure(explaining: failure)
    send(.failed(unread?.screenMessage ?? ""))
  }

  /// Shows the state as it is again, since what is read beside it changed.
  private func redraw() throws {
    shown = nil
    try show()
  }

  /// Reads the texts of rows that were drawn without a piece of them; a key comes first.
  ///
  /// - Returns: whether there is something new to show.
  private func readExcerpts() -> Bool {
    renderer.excerpts.read(store.entries) { [loop, keysAreTyped] in
      keysAreTyped && loop.isInputWaiting
    }
  }

  /// Sends an intent; its effects run before this returns, unless one is being reduced already.
  func send(_ intent: Intent) {
    queue.append(intent)
    guard !isDraining else { return }
    isDraining = true
    defer { isDraining = false }
    while !queue.isEmpty {
      let next = queue.removeFirst()
      if case .promptSubmitted(let line) = next, state.prompt?.kind == .command {
        commandLine = line
      }
      defer { commandLine = nil }
      for effect in reduce(&state, next, keys: keys) { perform(effect) }
      switch next {
      case .batchArrived(let batch, _):
        listChanged()
        if !batch.deletedRows.isEmpty || !batch.deletedSections.isEmpty { dropLostMarks() }
      case .listShown, .listReloaded:
        listChanged()
        dropLostMarks()
      default: break
      }
    }
  }

  /// An equal state may show other rows: the controller gives them, not the state.
  private func listChanged() {
    shown = nil
    wanted.forgetMatches()
  }

  /// Marks belong to what can be seen: those of entries that left the list go.
  ///
  /// A filter that is being typed may yet be left with Esc, which brings the list back.
  private func dropLostMarks() {
    let marks = state.marks
    guard !marks.isEmpty, state.prompt?.kind != .filter else { return }
    // A few are looked up one by one; many are compared with the whole list at once.
    let left: Set<Int64>
    if marks.count <= 256 {
      left = marks.filter { ((try? listing.path(of: $0)) ?? nil) != nil }
    } else {
      left = marks.intersection((try? listing.allNumbers()) ?? Array(marks))
    }
    if left.count < marks.count { queue.append(.rowsMarked(Array(left), .replace)) }
  }

  /// Says on the status line that work goes on, without asking the journal, which is doing it.
  func showWork(_ word: String) {
    guard var picture, let row = state.layout.status.first else { return }
    state.work = word
    StatusLine(state).draw(row: row, on: &picture.canvas)
    // A terminal that cannot show this will not show the next picture either, and says so then.
    try? display.show(picture)
  }

  /// Says on the status line that another program is waited for, on the picture that is shown.
  func showWait() {
    var told = shown ?? state
    guard var picture, let row = told.layout.status.first else { return }
    let isShort = TextWidth.columns(of: Main.waiting) > told.size.columns - 2
    told.status = .done(isShort ? "journal busy… ^C cancels" : Main.waiting)
    told.work = nil
    let line = StatusLine(told, showsPlace: false)
    line.draw(row: row, on: &picture.canvas)
    // Whatever comes of it, the line is drawn anew.
    shown = nil
    try? display.show(picture)
  }

  /// What is not in the list may count all the same.
  private func noteCommit() {
    if state.statistics != nil { send(.journalChanged) }
  }

  /// Ends the loop.
  func quit(_ code: Int32) {
    exitCode = exitCode ?? code
  }
}
