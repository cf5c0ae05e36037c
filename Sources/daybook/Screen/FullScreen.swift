import Glibc
import Journal
import JournalStore
import Screen
import Terminal
import TextLayout

/// The full screen, from taking the terminal to restoring it.
struct FullScreen {
  /// The requested journal; `nil` for the default one.
  var journal: String?
  /// Whether the journal is opened read-only.
  var readOnly = false
  /// When output has colours.
  var color = GlobalOptions.Color.auto
  /// Whether every distinct screen is printed if the output is not a terminal.
  var frames = false
  /// Whether the screen is read out line by line, whatever the configuration says.
  var isLinear = false
  /// The clock that dates entries.
  var clock = WallClock.system
  /// The script that is played, if any.
  var playback: Playback?
  /// Settings, keys and themes; `nil` for the user's configuration.
  var configuration: Configuration?
  /// The query of the list; empty for all entries.
  var filter = ""
  /// Whether a prompt for entries stays open.
  var keepsPrompt = false
  /// The entry whose questions are asked, after which the screen ends; `nil` in most runs.
  var asked: AskedEntry?
  /// The new file that records the run.
  var record: String?
  /// Whether the state is printed at the end.
  var dump: DumpOptions?

  /// The memory between runs; none for keys from a pipe or a script, so that the same keys always
  /// have the same result.
  private var memory: RecentJournals? {
    guard playback == nil, StandardInput.isTerminal, let directory = try? Places.state() else {
      return nil
    }
    return RecentJournals(directory: directory)
  }

  /// Runs until the user quits.
  ///
  /// - Throws: ``Failure``, `StoreError`, `TerminalError`.
  func open() throws {
    TerminalLocale.adopt()
    ViewedFiles.removeLeftInMemory()
    defer { ViewedFiles.removeLeft() }
    let configuration = configuration ?? .ofUser
    let settings = configuration.settings
    // Before the terminal is taken, so that an error leaves no trace; a locked journal needs it.
    let isLocked = try Unlocking(settings) { nil }.needsPerson(for: JournalLookup.location(journal))
    let handle =
      isLocked ? nil : try JournalHandle.open(journal, readOnly: readOnly, clock: clock)
    let recordFile = try recordFile(isSealed: isLocked || handle?.store.key != nil)
    let recorder = recordFile.map { ScreenRecorder(write: $0.append) }
    let signals = try SignalPipe()
    let isTerminal = isatty(STDOUT_FILENO) == 1
    let loop = EventLoop(
      input: playback?.input ?? STDIN_FILENO, output: isTerminal ? STDOUT_FILENO : nil,
      signals: signals)
    let (theme, themeProblems) = configuration.theme()
    let keysAreTyped = playback?.isWatched ?? StandardInput.isTerminal
    let shown = try display(theme, settings, keysAreTyped: keysAreTyped)
    if let typed = (shown as? TerminalDisplay)?.typedAhead, playback == nil { loop.unread(typed) }
    let display = playback?.display(over: shown) ?? shown
    let isAsked = isTerminal && playback == nil && StandardInput.isTerminal
    let ask = isAsked ? SecretScreen(display, loop).ask : nil
    let askSecret = ask.map { recorder?.ending($0) ?? $0 }
    let unlocking = Unlocking(settings) { askSecret }
    guard
      let opened = try handle
        ?? unlocked(
          display,
          {
            try JournalHandle.open(journal, readOnly: readOnly, clock: clock, unlocking: unlocking)
          })
    else { return }
    // Early, so that the answer comes before the first frame, but not among the keys of a passphrase;
    // a script must not take it for a key.
    if playback == nil {
      (shown as? TerminalDisplay)?.ask(background: settings.theme == Settings.automaticTheme)
    }
    let screen = try ScreenLoop(
      opened, display: display, histories: PromptHistories(directory: try? Places.state()),
      loop: loop, keysAreTyped: keysAreTyped, filter: filter,
      keepsPrompt: keepsPrompt, asked: asked, configuration: configuration,
      memory: isTerminal ? memory : nil, askSecret: askSecret, recorder: recorder
    ) { [readOnly, clock] path, observer in
      try JournalHandle.open(
        path, readOnly: readOnly, clock: clock, observer: observer, unlocking: unlocking)
    }
    if let recordFile, screen.state.environment.keysAreTyped {
      let news = "recording all that you type and see in \(recordFile.path)"
      screen.send(.journal(.saved(Saved(news))))
    }
    playback?.start(screen)
    let notes = opened.notes + (terminalNote(shown).map { [$0] } ?? [])
    for note in notes { screen.send(.journal(.noted(note))) }
    for problem in themeProblems { screen.send(.journal(.failed(problem))) }
    // Standard error may be the screen's terminal.
    defer {
      for line in screen.failures.lines { Console.complain(line) }
      for path in screen.rescued {
        Console.complain(
          "a text could not be saved to any disk; it is kept in memory until shutdown: \(path)")
      }
    }
    let code: Int32
    do {
      code = try screen.run()
      recorder?.finish()
    } catch {
      try? display.end()
      throw error
    }
    try display.end()
    try screen.prompt.saveHistory()
    try playback?.finish()
    if let dump, dump.dumpState { try dump.print(screen.state) }
    // The process ends: the kernel takes back the list of a large journal faster than it is freed.
    _ = screen.journal.map { Unmanaged.passRetained($0.listing.results) }
    if let ending = screen.ending { throw ending }
    if code != 0 { throw Failure(exitCode: code, "") }
    if !screen.failures.messages.isEmpty { throw Failure(.notDone, "") }
    if let recordFile, let reason = recorder?.failure {
      throw Failure(.inputOutput, "\(recordFile.path): the record is incomplete: \(reason)")
    }
  }

  /// The output: a drawn screen, lines that are read out, or the text of the last screen.
  ///
  /// A terminal that cannot position its cursor gets lines.
  private func display(
    _ theme: Theme, _ settings: Settings, keysAreTyped: Bool
  ) throws(TerminalError) -> any Display {
    let isTerminal = isatty(STDOUT_FILENO) == 1
    if isLinear || settings.isLinear == true || isTerminal && Places.variable("TERM") == "dumb" {
      return try LinearDisplay(keysAreTyped: keysAreTyped)
    }
    guard isTerminal else { return PlainDisplay(everyPicture: frames) }
    return try TerminalDisplay(color: color, theme: theme, mouse: settings.hearsMouse)
  }

  /// Creates the file of the record.
  ///
  /// - Throws: ``Failure`` 77 for a sealed journal, and the errors of the file.
  private func recordFile(isSealed: Bool) throws(Failure) -> RecordFile? {
    guard let record else { return nil }
    guard record != "-" else {
      throw Failure(.usage, "--record: a record is a new file, and - is none; name one")
    }
    if isSealed {
      throw Failure(
        .noPermission,
        "--record: the journal is sealed, and a record has its texts in the clear; nothing was opened"
      )
    }
    return try RecordFile(record)
  }

  /// The note about a terminal that the system does not know, once for each of its names.
  private func terminalNote(_ display: any Display) -> String? {
    guard let terminal = display as? TerminalDisplay, let name = terminal.unknownName,
      OnceWarning(directory: try? Places.state(), file: "unknown-terminals").isFirst(name)
    else { return nil }
    return "This system does not know \(name); shown as on \(terminal.knownName)"
  }

  /// Opens a locked journal on the display, which is given back if that fails.
  ///
  /// - Returns: `nil` when the person leaves.
  private func unlocked(
    _ display: any Display, _ open: () throws -> JournalHandle
  ) throws -> JournalHandle? {
    do {
      return try open()
    } catch {
      try? display.end()
      if error is Unlocking.Cancelled { return nil }
      throw error
    }
  }
}
