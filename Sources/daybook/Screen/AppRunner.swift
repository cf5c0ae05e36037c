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
  private let opener: (String, OpeningAttendant) throws -> OpenedJournal
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
  /// The row that was selected on the last screen, to be found again when a batch moves it away.
  private(set) var selected: EntryRowID?
  /// The line typed after `:` whose effects are being run.
  private(set) var commandLine: String?
  /// Keys that came while work went on, to be pressed when it is over.
  var heldEvents: [LoopEvent] = []
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
    opener: @escaping (String, OpeningAttendant) throws -> OpenedJournal
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
    self.state = state
    place = view
    journal = try OpenJournal(
      opened, scope: state.scope, settings: settings, revealing: Self.revealingKey(keys))
    prompt = PromptSession(
      keeper: journal.keeper, histories: histories, lineFeedInserts: keysAreTyped)
    renderer = Self.renderer(keys, settings, journal.listing)
    connect()
  }

  private func connect() {
    journal.listing.send = { [weak self] in self?.send($0) }
    prompt.keeper = journal.keeper
    prompt.findWords = { [weak self] in self?.words ?? CompletionWords(today: .earliest) }
  }

  /// Shows another journal in the place of this one.
  ///
  /// - Throws: why it cannot be opened; then this one stays.
  func open(journal typed: String) throws {
    defer { if state.work != nil { send(.working(nil)) } }
    let path = Places.expanded(typed)
    let isNew = access(path, F_OK) != 0
    let opened = try opener(path, openingAttendant)
    guard opened.path == nil || opened.path != journal.path else {
      return send(.saved(Saved("this is \(opened.name) already")))
    }
    let (state, view) = Self.beginning(opened, settings, memory, display.size)
    let next = try OpenJournal(
      opened, scope: state.scope, settings: settings, revealing: Self.revealingKey(keys))
    leaveJournal()
    if let descriptor = store.changeDescriptor { loop.unwatch(descriptor) }
    for timer in [Timers.Kind.refresh, .highlight] { timers.set(timer, after: nil) }
    journal = next
    wanted = WantedWork()
    (selected, place, conflict) = (nil, view, nil)
    renderer = Self.renderer(keys, settings, next.listing)
    connect()
    send(.journalOpened(state))
    let isMade = isNew && opened.path != nil
    send(.saved(Saved(isMade ? "\(opened.name) is a new journal" : "opened \(opened.name)")))
    // Drafts that wait there are told after that: the status line names the journal anyway.
    try enterJournal()
    for note in opened.notes { send(.saved(Saved(note))) }
  }

  /// Takes over what was set.
  func take(_ settings: Settings) {
    let old = self.settings
    self.settings = settings
    (journal.listing.rule, journal.actions.rule) = (settings.dayRule, settings.dayRule)
    renderer = Self.renderer(keys, settings, listing)
    shown = nil
    send(.settingsChanged(settings, from: old))
  }

  /// Runs until the user ends it.
  ///
  /// - Returns: the exit code.
  /// - Throws: what the display throws when it cannot show anything more.
  func run() throws -> Int32 {
    try start()
    while exitCode == nil {
      try show()
      doWanted()
      try show()
      if readExcerpts() { try redraw() }
      timers.set(.midnight, after: store.clock.untilMidnight)
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

  private func start() throws {
    try enterJournal()
    if let summary = configuration.summary { send(.failed(summary)) }
    guard state.keepsPrompt else { return }
    // Says why not where nothing may be written.
    send(.promptWanted)
  }

  /// Reads the journal for the first time, and goes where one was in it.
  private func enterJournal() throws {
    try listing.start()
    if let descriptor = store.changeDescriptor { loop.watch(descriptor) }
    observation = store.observeCommits { [weak self] in self?.noteCommit() }
    restorePlace()
    if let count = keeper?.count, count > 0 { send(.draftsCounted(count)) }
  }

  func show() throws {
    guard shown != state else { return }
    shown = state
    var picture = renderer.picture(of: state)
    // Keys from a pipe are never kept waiting by anything, and their last picture must be whole.
    if !keysAreTyped, readExcerpts() { picture = renderer.picture(of: state) }
    self.picture = picture
    try display.show(picture)
    selected = state.list.selection?.path.flatMap(listing.row(at:))?.id
    guard let failure = listing.takeFailure(), unread == nil else { return }
    unread = Failure(explaining: failure)
    send(.failed(unread?.message ?? ""))
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
      let before = state.list.selection?.path
      if case .promptSubmitted(let line) = next, state.prompt?.kind == .command {
        commandLine = line
      }
      defer { commandLine = nil }
      for effect in reduce(&state, next, keys: keys) { perform(effect) }
      switch next {
      case .batchArrived(let batch, _):
        follow(before, through: batch)
        if !batch.deletedRows.isEmpty || !batch.deletedSections.isEmpty { dropLostMarks() }
      case .listShown, .listReloaded: dropLostMarks()
      default: break
      }
    }
  }

  /// Marks belong to what can be seen: those of entries that left the list go.
  private func dropLostMarks() {
    let marks = state.marks
    guard !marks.isEmpty else { return }
    // A few are looked up one by one; many are compared with the whole list at once.
    let left: Set<Int64>
    if marks.count <= 256 {
      left = marks.filter { ((try? listing.path(of: $0)) ?? nil) != nil }
    } else {
      left = marks.intersection((try? listing.allNumbers()) ?? Array(marks))
    }
    if left.count < marks.count { queue.append(.rowsMarked(Array(left), .replace)) }
  }

  /// A row whose section came or went with it is a delete and an insert to the list; the selection
  /// goes with the entry all the same.
  private func follow(_ path: RowPath?, through batch: ResultsBatch) {
    guard let path, let selected, batch.map(path).path == nil else { return }
    if let now = try? listing.path(of: selected) { queue.append(.selectionMoved(now)) }
  }

  /// Says on the status line that work goes on, without asking the journal, which is doing it.
  func showWork(_ word: String) {
    guard var picture, let row = state.layout.status.first else { return }
    state.work = word
    StatusLine(state).draw(row: row, on: &picture.canvas)
    // A terminal that cannot show this will not show the next picture either, and says so then.
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
