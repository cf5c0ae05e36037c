import CNcurses
import CTerminal
import Glibc
import TextLayout

/// The terminal of the full screen; the only owner of ncurses.
///
/// It writes and never reads: keys come from standard input through the ``EventLoop``, a terminal
/// or a pipe. The terminal is always restored: by ``end()``, when the last reference is released,
/// and after a crash by a handler with prepared bytes.
package final class Terminal {
  /// The colours in use.
  package let colorProfile: ColorProfile

  /// The terminal's own key sequences, for ``KeyDecoder/init(terminalKeys:)``.
  package let keys: [String: [UInt8]]

  /// Whether pictures can be drawn by coloured half blocks.
  package var drawsPictures: Bool { colorProfile >= .indexed && painter.isUTF8 }

  /// The current size, as last read.
  package private(set) var size: ScreenSize

  private let input: Int32
  private let output: Int32
  private let inputIsTerminal: Bool
  private let description: TerminalDescription
  private var features: TerminalFeatures
  private var progress: ProgressTerminal?
  private var painter: TerminalPainter
  private var shown: Canvas?
  private var overlays = Overlays()
  private var isCursorShown: Bool?
  private var isReleased = false
  /// Whether the features are on, in the alternate screen: kitty's keyboard has a state for each screen.
  private var isEntered = false
  private var hasEnded = false
  /// The questions that the terminal has not answered yet, and when it was asked last.
  private var asked: ContinuousClock.Instant?
  private var unanswered = 0
  /// Whether the theme follows the terminal's background, and what that is.
  private var followsBackground = false
  private var background: UInt32?

  /// Takes the terminal over: the alternate screen, raw keys without echo, bracketed paste.
  ///
  /// Open the ``SignalPipe`` first. If `input` is not a terminal, the terminal's ^C still sends a
  /// signal, since nothing else could stop the program.
  ///
  /// - Parameters:
  ///   - input: The source of keys.
  ///   - output: The terminal.
  ///   - theme: The styles of roles.
  ///   - colors: The maximum number of colours; nil for all that the terminal has.
  ///   - mouse: Whether the terminal reports the mouse, if keys come from it.
  ///   - cache: A directory for descriptions with 24-bit colours; nil to use `TERM`'s as it is.
  /// - Throws: ``TerminalError``; the terminal is then unchanged.
  package init(
    input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO, theme: Theme = .plain,
    colors: ColorProfile? = nil, mouse: Bool = false, cache: String? = nil
  ) throws(TerminalError) {
    guard isatty(output) == 1 else { throw .notATerminal }
    let foreground = tcgetpgrp(output)
    guard foreground < 0 || foreground == getpgrp() else { throw .background }
    let isUTF8 = TerminalLocale.adopt()
    let limit = MultiplexerClient()?.limit ?? .trueColor
    description = try TerminalDescription(input: input, output: output)
    self.input = input
    self.output = output
    inputIsTerminal = isatty(input) == 1
    features = TerminalFeatures(isANSI: description.isANSI, isFamily: description.isFamily)
    features.want(.mouse, mouse && inputIsTerminal)
    progress = ProgressTerminal(descriptor: output)
    keys = description.keys
    CrashGuard.install(
      terminal: output,
      restore: description.restore(leaving: Self.undoing(features, progress)))
    guard Self.start(description.name, output: output, input: input, cache: cache) else {
      CrashGuard.remove()
      throw .system(call: "newterm", code: errno)
    }
    daybook_signals_reclaim()
    let found = Self.startColors()
    let profile = min(colors ?? .trueColor, found, limit)
    colorProfile = profile
    painter = TerminalPainter(theme: theme, profile: profile, isUTF8: isUTF8)
    size = ScreenSize.current(descriptor: output)
    setModes()
    resizeterm(Int32(size.rows), Int32(size.columns))
    beginFeatures()
  }

  /// The value of `TERM`, if no description of it is installed, so that a similar one is used.
  package var unknownName: String? { description.unknownName }

  /// The keys that were typed while the terminal was asked what it is: the first ones.
  package var typedAhead: [UInt8] { description.typed }

  /// Starts ncurses with all colours of the terminal.
  private static func start(
    _ term: String, output: Int32, input: Int32, cache: String?
  ) -> Bool {
    // LINES and COLUMNS of a shell would be wrong after a change, and without any size ncurses fails.
    // Of `use_env` and `use_tioctl` a second screen of a process knows nothing.
    let size = ScreenSize.current(descriptor: output)
    return withEnvironment(["LINES": "\(size.rows)", "COLUMNS": "\(size.columns)"]) {
      if let cache, let direct = DirectColors(for: term, cache: cache) {
        let screen = direct.whileSearched { daybook_newterm(direct.name, output, input) }
        if screen != nil { return true }
      }
      return daybook_newterm(term, output, input) != nil
    }
  }

  // MARK: Features

  /// Begins what ncurses does not know.
  private func beginFeatures() {
    write(features.entering)
    isEntered = true
  }

  /// Ends it.
  private func endFeatures() {
    if isEntered { write(features.leaving) }
    isEntered = false
    progress?.clear()
  }

  /// Changes the features, and what a crash undoes.
  private func change(_ change: (inout TerminalFeatures) -> Void) {
    change(&features)
    CrashGuard.set(restore: description.restore(leaving: Self.undoing(features, progress)))
  }

  private static func undoing(
    _ features: TerminalFeatures, _ progress: ProgressTerminal?
  ) -> [UInt8] {
    (progress == nil ? [] : TerminalFeature.progress.off) + features.leaving
  }

  /// Wants a feature from now on, or no longer.
  private func want(_ feature: TerminalFeature, _ isWanted: Bool) {
    let before = features.held.contains(feature)
    change { $0.want(feature, isWanted) }
    let isOn = features.held.contains(feature)
    guard before != isOn, isEntered, !hasEnded else { return }
    write(isOn ? feature.on : feature.off)
  }

  /// Switches mouse reports on or off, if keys come from the terminal.
  package func hear(mouse isHeard: Bool) {
    guard inputIsTerminal else { return }
    want(.mouse, isHeard)
  }

  /// Whether Esc and keys with Alt have bytes that cannot be anything else.
  package var tellsKeysApart: Bool { isEntered && features.held.contains(.keyboard) }

  /// Asks the terminal what it can do; the answers are ``TerminalReport``s among the keys.
  ///
  /// Nothing waits for them: a terminal that does not answer costs nothing.
  ///
  /// - Parameter isFollowed: whether its background and changes of it matter.
  package func ask(background isFollowed: Bool) {
    guard inputIsTerminal, description.isFamily, !hasEnded, !isReleased else { return }
    followsBackground = isFollowed && colorProfile >= .ansi
    for feature in [TerminalFeature.scheme, .keyboard] {
      want(feature, feature == .keyboard || followsBackground)
    }
    // The alternate screen comes first: a terminal that prints a question must not print it on the other.
    if shown == nil {
      wnoutrefresh(daybook_stdscr())
      doupdate()
    }
    send(TerminalFeatures.questions(followsBackground: followsBackground))
    forgetScreen()
  }

  /// Follows the terminal's background from now on, or no longer.
  package func follow(background isFollowed: Bool) {
    guard isFollowed != followsBackground, inputIsTerminal, description.isFamily else { return }
    if isFollowed { return ask(background: true) }
    followsBackground = false
    for feature in [TerminalFeature.scheme, .focus] { want(feature, false) }
  }

  private func send(_ questions: [UInt8]) {
    write(questions)
    asked = .now
    unanswered += 1
  }

  /// Asks for the background alone, which may have changed.
  private func askForBackground() {
    send(TerminalFeature.background.question + TerminalFeature.lastQuestion)
  }

  /// Takes what the terminal says about itself.
  ///
  /// - Returns: its background, if that is news.
  package func take(_ report: TerminalReport) -> UInt32? {
    guard !hasEnded, !isReleased else { return nil }
    found(report)
    switch report {
    case .background(let color):
      background = color
      return color
    case .attributes:
      unanswered = max(0, unanswered - 1)
      if unanswered == 0 { asked = nil }
      // Without news of its colours, they are asked for when the window gets the keyboard.
      want(.focus, followsBackground && background != nil && !features.has(.scheme))
    case .scheme(let isDark):
      guard followsBackground else { return nil }
      guard background != nil else { return isDark ? 0x000000 : 0xFFFFFF }
      // The answer at the start, after that of the background, is no change.
      if unanswered == 0 { askForBackground() }
    case .focus(true):
      if features.held.contains(.focus), unanswered == 0 { askForBackground() }
    case .focus, .mode, .keyboard: break
    }
    return nil
  }

  private func found(_ report: TerminalReport) {
    var feature: TerminalFeature?
    change { feature = $0.take(report) }
    guard let feature, isEntered else { return }
    if features.held.contains(feature) { write(feature.on) }
    if feature == .clusters {
      write(features.clusteringAlone)
      // Sequences on the screen are drawn whole.
      shown = nil
    }
  }

  /// Whether all of the last canvas is on the screen.
  package var isDrawn: Bool { shown != nil }

  /// Whether an answer may be under way.
  package var awaitsAnswer: Bool { asked.map { $0.duration(to: .now) < .seconds(2) } ?? false }

  /// Shows the progress of long work in the terminal's tab; ``clearProgress()`` ends it.
  ///
  /// - Parameter share: from 0 to 1; nil if it is not known.
  package func show(share: Double?) {
    guard !hasEnded, !isReleased else { return }
    progress?.show(share: share)
  }

  /// Ends the progress in the terminal's tab.
  package func clearProgress() { progress?.clear() }

  deinit {
    end()
  }

  private static func startColors() -> ColorProfile {
    guard has_colors() else { return .detect(colors: 0, isDirect: false) }
    start_color()
    use_default_colors()
    return .detect(
      colors: Int(daybook_color_count()), isDirect: daybook_terminal_flag("RGB") != 0)
  }

  private func setModes() {
    if inputIsTerminal { raw() } else { cbreak() }
    noecho()
    nonl()
    // ncurses would stop drawing while keys are pending.
    typeahead(-1)
    leaveok(daybook_stdscr(), false)
    scrollok(daybook_stdscr(), false)
    def_prog_mode()
  }

  // MARK: Drawing

  /// Draws a canvas in one update of the screen.
  ///
  /// Only changed rows are drawn, and only what is inside the screen.
  ///
  /// - Parameter cursor: The position of the cursor; nil hides it.
  package func present(_ canvas: Canvas, cursor: CursorPosition? = nil) {
    guard !hasEnded, !isReleased else { return }
    if painter.reservePairs(for: canvas) { shown = nil }
    let before = shown.flatMap { $0.width == canvas.width && $0.height == canvas.height ? $0 : nil }
    if before == nil { werase(daybook_stdscr()) }
    let changed = (0..<min(canvas.height, size.rows)).filter {
      before?[row: $0] != canvas[row: $0]
    }
    for row in changed {
      painter.draw(canvas[row: row], row: Int32(row), columns: Int32(size.columns))
    }
    shown = canvas
    let isWhole = features.has(.synchronized) && !changed.isEmpty
    if isWhole { write(TerminalFeature.synchronized.on) }
    place(cursor)
    wnoutrefresh(daybook_stdscr())
    doupdate()
    // ncurses has switched to the alternate screen.
    if !isEntered { beginFeatures() }
    write(
      overlays.bytes(
        for: canvas, changed: before == nil ? nil : changed, on: size, features, &painter))
    if isWhole { write(TerminalFeature.synchronized.off) }
  }

  private func place(_ cursor: CursorPosition?) {
    let isShown = cursor.map { 0..<size.rows ~= $0.row && 0..<size.columns ~= $0.column } ?? false
    if isShown != isCursorShown {
      curs_set(isShown ? 1 : 0)
      isCursorShown = isShown
    }
    if isShown, let cursor { wmove(daybook_stdscr(), Int32(cursor.row), Int32(cursor.column)) }
  }

  /// Changes the styles of roles from the next canvas on.
  package func use(_ theme: Theme) {
    painter.use(theme)
    shown = nil
  }

  /// Marks the screen as unknown, so that the next canvas is drawn completely (^L).
  package func forgetScreen() {
    shown = nil
    isCursorShown = nil
    guard !hasEnded, !isReleased else { return }
    _ = daybook_clear_on_refresh()
  }

  /// Reads the terminal's size; true if it has changed and everything must be redrawn.
  ///
  /// Call it at ``TerminalSignal/windowChanged`` and ``TerminalSignal/continued``: a change while
  /// the program was stopped has no signal of its own.
  @discardableResult
  package func resizeIfNeeded() -> Bool {
    let now = ScreenSize.current(descriptor: output)
    guard now != size, !hasEnded else { return false }
    size = now
    guard !isReleased else { return true }
    resizeterm(Int32(now.rows), Int32(now.columns))
    forgetScreen()
    return true
  }

  /// Copies a text to the terminal's clipboard (OSC 52); false if it is longer than ``copyLimit``, or if
  /// the terminal understands no such sequence.
  ///
  /// The text is encoded as base64, so it cannot contain control sequences.
  package func copy(_ text: String) -> Bool {
    guard !hasEnded, !isReleased, features.has(.clipboard), text.utf8.count <= Self.copyLimit else {
      return false
    }
    write(TerminalFeature.clipboard.on + Base64.encode(Array(text.utf8)) + [0x07])
    return true
  }

  /// xterm drops sequences of more than 100,000 bytes, base64 adds a third.
  package static let copyLimit = 74_000

  // MARK: Releasing the terminal

  /// Restores the terminal, runs `body`, and takes the terminal over again.
  ///
  /// For an editor or a shell command. ^C is ignored meanwhile; afterwards the size is read again
  /// and the next canvas is drawn completely.
  package func withTerminalReleased<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    release()
    daybook_signals_pause_keyboard(1)
    defer {
      daybook_signals_pause_keyboard(0)
      reclaim()
    }
    return try body()
  }

  /// Stops the program and its process group, as ^Z does in a shell, until it is continued.
  package func suspend() {
    release()
    daybook_stop_group()
    reclaim()
  }

  /// Takes the terminal over again after another program has changed it.
  ///
  /// Call it at ``TerminalSignal/continued``: a stop by SIGSTOP gives no chance to restore the
  /// terminal first.
  package func reclaim() {
    guard !hasEnded else { return }
    // Stopped without notice, it left them on.
    endFeatures()
    isReleased = false
    CrashGuard.arm(true)
    reset_prog_mode()
    size = ScreenSize.current(descriptor: output)
    resizeterm(Int32(size.rows), Int32(size.columns))
    forgetScreen()
  }

  private func release() {
    guard !hasEnded, !isReleased else { return }
    def_prog_mode()
    leave()
    isReleased = true
  }

  /// Restores the terminal permanently; a second call does nothing.
  package func end() {
    guard !hasEnded else { return }
    hasEnded = true
    if !isReleased { leave() }
    // An answer that has just come must not reach the shell.
    if let asked, asked.duration(to: .now) < .seconds(1) { tcflush(input, TCIFLUSH) }
    CrashGuard.remove()
  }

  private func leave() {
    endFeatures()
    curs_set(1)
    endwin()
    CrashGuard.arm(false)
  }

  /// Writes around ncurses, for sequences that it does not know.
  private func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(output, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        // The loop reports a terminal that is gone.
        return
      }
    }
  }
}
