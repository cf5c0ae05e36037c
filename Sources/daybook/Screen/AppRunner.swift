import Journal
import JournalApp
import JournalStore
import SectionedResults
import TerminalUI

/// The main loop: sleeps, turns what woke it into intents, and runs the effects of each.
final class AppRunner {
  let store: any EntryStore
  let listing: Listing
  let actions: EntryActions
  let display: any Display
  let draftStore: DraftStore?
  let keeper: DraftKeeper?
  /// The editor of the configuration; `nil` for the environment's.
  var editor: String?
  /// The text that waits for an answer, since its entry was changed elsewhere.
  var conflict: EditorConflict?
  let prompt: PromptSession
  let renderer: ScreenRenderer
  let loop: EventLoop
  var state: State
  var timers = Timers()
  var wanted = WantedWork()
  /// The script that is played, as long as it is.
  var player: KeyPlayer?
  /// The row that was selected on the last screen, to be found again when a batch moves it away.
  private(set) var selected: EntryRowID?
  let configuration: Configuration
  private let keys: KeyTable
  let keysAreTyped: Bool
  private var decoder: KeyDecoder
  private var observation: CommitObservation?
  private var queue: [Intent] = []
  private var isDraining = false
  private var shown: State?
  /// Why a row could not be shown, once that has happened.
  private var unread: Failure?
  private var picture: Picture?
  private(set) var exitCode: Int32?

  /// Makes a screen over a journal.
  ///
  /// - Throws: what the results controller throws.
  init(
    store: any EntryStore, display: any Display, drafts: DraftStore?,
    histories: PromptHistories = PromptHistories(folder: nil), loop: EventLoop, keysAreTyped: Bool,
    filter: String = "", keepsPrompt: Bool = false, configuration: Configuration = Configuration()
  ) throws {
    self.configuration = configuration
    keys = configuration.keys
    self.store = store
    self.display = display
    self.loop = loop
    self.keysAreTyped = keysAreTyped
    decoder = KeyDecoder(terminalKeys: display.keys)
    draftStore = drafts
    let keeper = drafts.map { DraftKeeper(store: $0) }
    self.keeper = keeper
    prompt = PromptSession(
      keeper: keeper, histories: histories, lineFeedInserts: keysAreTyped)
    let name = store.place.split(separator: "/").last.map(String.init) ?? store.place
    state = State(journal: name, today: store.clock.moment().localDay, size: display.size)
    let settings = configuration.settings
    let rule = settings.dayRule
    state.take(settings)
    if !filter.isEmpty { state.scope.filter = filter }
    if keepsPrompt { state.keepsPrompt = true }
    editor = settings.editor
    let listing = try Listing(store: store, scope: state.scope, rule: rule)
    self.listing = listing
    actions = EntryActions(store: store, listing: listing, rule: rule)
    renderer = ScreenRenderer(
      keys: keys, dates: settings.dateStyle(names: .ofUser),
      firstWeekday: settings.weekStart.weekday, row: listing.row(at:),
      query: { try? listing.parsed($0) })
    listing.send = { [weak self] in self?.send($0) }
    prompt.findWords = { [weak self] in self?.words ?? CompletionWords(today: .earliest) }
  }

  /// What Tab completes with; a journal that cannot be read just now has no tags.
  private var words: CompletionWords {
    var words = CompletionWords(today: store.clock.moment().localDay)
    let counts = (try? store.tagCounts()) ?? []
    words.tags = counts.map { CompletionWords.TagUse($0.tag, count: $0.count) }
    words.themes = configuration.themes.names
    words.templates = configuration.templates.names
    words.views = state.views.map(\.name)
    words.entries = state.list.visibleLines().compactMap { line in
      guard case .row(let path) = line, let row = listing.row(at: path) else { return nil }
      return CompletionWords.EntryName(row.id.number, title: row.title)
    }
    return words
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
      timers.set(.midnight, after: store.clock.untilMidnight)
      let timeout = wanted.isEmpty ? timers.timeout : .zero
      for event in loop.wait(timeout: timeout) where exitCode == nil { try handle(event) }
      handleTimers()
    }
    try show()
    // A screen that could not be read whole is no success for a script.
    if let unread, exitCode == 0, !keysAreTyped { return unread.code }
    return exitCode ?? 0
  }

  private func start() throws {
    try listing.start()
    if let descriptor = store.changeDescriptor { loop.watch(descriptor) }
    observation = store.observeCommits { [weak self] in self?.noteCommit() }
    if let count = keeper?.count, count > 0 { send(.draftsCounted(count)) }
    if let summary = configuration.summary { send(.failed(summary)) }
    if state.keepsPrompt { perform(.openPrompt(.newEntry)) }
  }

  private func show() throws {
    guard shown != state else { return }
    shown = state
    let picture = renderer.picture(of: state)
    self.picture = picture
    try display.show(picture)
    selected = state.list.selection?.path.flatMap(listing.row(at:))?.id
    guard let failure = listing.takeFailure(), unread == nil else { return }
    unread = Failure(explaining: failure)
    send(.failed(unread?.message ?? ""))
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

// MARK: - What wakes the loop

extension AppRunner {
  private func handle(_ event: LoopEvent) throws {
    switch event {
    case .input where player != nil: stopPlaying()
    case .input(let bytes):
      timers.set(.escape, after: nil)
      try press(decoder.feed(bytes))
      // In a pipe no time lies between keys: what follows ESC there belongs to it.
      if decoder.isWaiting, keysAreTyped { timers.set(.escape, after: KeyDecoder.escapeDelay) }
    case .inputEnded:
      try press(decoder.finish())
      send(.inputEnded)
    case .signal(let signal): handle(signal)
    case .readable: refresh()
    case .timer: break
    }
  }

  private func press(_ events: [KeyEvent]) throws {
    for event in events where exitCode == nil {
      press(event)
      if display.wantsEveryPicture { try show() }
    }
  }

  /// Handles one key, one paste or one use of the mouse.
  func press(_ event: KeyEvent) {
    if case .mouse(let mouse) = event { return send(.mouse(mouse.intent)) }
    if prompt.isActive {
      for intent in prompt.handle(event, size: state.size) { send(intent) }
      return
    }
    switch event {
    case .stroke(let stroke): send(.keyPressed(stroke.name))
    case .paste: send(.failed("pasted text is not run as keys; press a, then paste"))
    case .mouse: break
    }
  }

  private func handle(_ signal: TerminalSignal) {
    switch signal {
    case .hangUp, .terminate, .quit: send(.signalled(signal.number))
    case .interrupt:
      if player != nil {
        stopPlaying()
      } else if prompt.isActive {
        for intent in prompt.cancel() { send(intent) }
      } else {
        send(.keyPressed("<C-c>"))
      }
    case .windowChanged: send(.resized(display.size))
    case .continued: comeBack()
    case .stop: perform(.suspend)
    }
  }

  private func handleTimers() {
    for kind in timers.takeDue() where exitCode == nil {
      switch kind {
      case .escape: for event in decoder.timeOut() { press(event) }
      case .draft: keepWaitingDraft()
      case .highlight: send(.highlightEnded)
      case .refresh: refresh()
      case .midnight: break
      case .key: playStep()
      }
    }
    let today = store.clock.moment().localDay
    if today != state.today { send(.dayChanged(today)) }
  }

  /// Looks whether another process committed.
  func refresh() {
    do {
      let found = try store.refresh()
      timers.set(.refresh, after: found.retryAfter.map { .milliseconds($0) })
      switch found.place {
      case .same: break
      case .replaced: send(.failed("another file has taken the journal's place; quit and reopen"))
      case .removed: send(.failed("the journal's file is gone; quit and reopen"))
      }
    } catch {
      send(.failed(Failure(explaining: error).message))
    }
  }

  /// After a stop or another program: the size may have changed, and others may have written.
  func comeBack() {
    shown = nil
    do { try display.resume() } catch { quit(Failure(explaining: error).code) }
    send(.resized(display.size))
    refresh()
  }
}

extension MouseEvent {
  /// The event as the reducer takes it.
  var intent: MouseIntent {
    switch kind {
    case .press: MouseIntent(.click, column: column, line: row)
    case .wheelUp: MouseIntent(.wheel(-3), column: column, line: row)
    case .wheelDown: MouseIntent(.wheel(3), column: column, line: row)
    }
  }
}
