import CNcurses
import CTerminal
import Glibc
import TextLayout

/// The terminal of the full screen; the only owner of ncurses.
///
/// It writes and never reads: keys come from standard input through the ``EventLoop``, a terminal
/// or a pipe. The terminal is always restored: by ``end()``, when the last reference is released,
/// and after a crash by a handler with prepared bytes.
package final class Terminal: ReleasableTerminal {
  /// The colours in use.
  package private(set) var colorProfile: ColorProfile
  /// The colours without what a multiplexer's terminal lacks.
  private let widestProfile: ColorProfile

  /// The terminal's own key sequences, for ``KeyDecoder/init(terminalKeys:)``.
  package let keys: [String: [UInt8]]

  /// Whether pictures can be drawn: by coloured half blocks, or in pixels over cells of any colours.
  package var drawsPictures: Bool {
    (colorProfile >= .indexed || overlaid != nil) && painter.isUTF8
  }

  /// Whether it is worth asking for pictures.
  var mayDrawPictures: Bool { colorProfile >= .ansi && painter.isUTF8 }

  /// Whether text can be struck out.
  package var strikes: Bool { painter.strike != nil }

  /// The current size, as last read.
  package private(set) var size: ScreenSize

  let input: Int32
  let output: Int32
  let inputIsTerminal: Bool
  let description: TerminalDescription
  var features: TerminalFeatures
  private var progress: ProgressTerminal?
  private var painter: TerminalPainter
  var shown: Canvas?
  private var overlays = Overlays()
  private var isCursorShown: Bool?
  var isReleased = false
  /// Whether the features are on, in the alternate screen: kitty's keyboard has a state for each screen.
  var isEntered = false
  var hasEnded = false
  /// The questions that the terminal has not answered yet, and when it was asked last.
  var asked: ContinuousClock.Instant?
  var unanswered = 0
  /// The pictures that the terminal has; nil where it draws none.
  var kitty: KittyPictures?
  /// The same over cells, where it has no other way.
  var overlaid: OverlaidPictures?
  /// Whether pictures in pixels are wanted.
  var mayDrawPixels = false
  /// The number of colours of such pictures, as the terminal said it.
  var answeredColors: Int?
  /// The size of a cell in pixels, as the terminal said it.
  var answeredCell: CellSize?
  /// Whether the theme follows the terminal's background, and what that is.
  var followsBackground = false
  var background: UInt32?

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
    let client = MultiplexerClient()
    let limit = client?.limit ?? .trueColor
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
    daybook_keep_palette()
    let found = Self.startColors()
    widestProfile = min(colors ?? .trueColor, found)
    let profile = min(widestProfile, limit)
    colorProfile = profile
    painter = TerminalPainter(
      theme: theme, profile: profile, isUTF8: isUTF8, strike: description.strike)
    if client?.showsPictures == true, profile >= .indexed {
      kitty = KittyPictures(.tmux, profile: profile)
    }
    size = ScreenSize.current(descriptor: output)
    setModes()
    resizeterm(Int32(size.rows), Int32(size.columns))
    beginFeatures()
  }

  /// The value of `TERM`, if no description of it is installed, so that a similar one is used.
  package var unknownName: String? { description.unknownName }

  /// The name of the description that is used.
  package var knownName: String { description.name }

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
    if isEntered {
      deletePictures()
      write(features.leaving)
    }
    isEntered = false
    progress?.clear()
  }

  /// Changes the features, and what a crash undoes.
  func change(_ change: (inout TerminalFeatures) -> Void) {
    change(&features)
    guardPictures()
  }

  /// Makes a crash delete the pictures, too, and end the one that is half written.
  func guardPictures() {
    CrashGuard.set(
      restore: (overlaid == nil ? [] : TerminalFeature.sixel.off) + (kitty?.deleting ?? [])
        + description.restore(leaving: Self.undoing(features, progress)))
  }

  private static func undoing(
    _ features: TerminalFeatures, _ progress: ProgressTerminal?
  ) -> [UInt8] {
    (progress == nil ? [] : TerminalFeature.progress.off) + features.leaving
  }

  /// Wants a feature from now on, or no longer.
  func want(_ feature: TerminalFeature, _ isWanted: Bool) {
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

  /// Whether all of the last canvas is on the screen.
  package var isDrawn: Bool { shown != nil }

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
    let canvas = kitty?.placed(canvas) ?? canvas
    if painter.reservePairs(for: canvas) { shown = nil }
    let before = shown.flatMap { $0.width == canvas.width && $0.height == canvas.height ? $0 : nil }
    if before == nil { werase(daybook_stdscr()) }
    var changed = (0..<min(canvas.height, size.rows)).filter {
      before?[row: $0] != canvas[row: $0]
    }
    if let lost = overlaid?.begin(canvas, changed: before == nil ? nil : changed, on: size) {
      for row in lost { wredrawln(daybook_stdscr(), Int32(row), 1) }
      changed = Set(changed).union(lost).sorted()
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
    // A terminal that lost its pictures gets them again.
    if isEntered { deletePictures() }
    _ = daybook_clear_on_refresh()
  }

  /// Asks a multiplexer again which colours its terminal has: it may be shown in another one by now.
  package func followClient() {
    guard getenv("TMUX") != nil, !hasEnded, !isReleased else { return }
    let profile = min(widestProfile, MultiplexerClient()?.limit ?? .trueColor)
    guard profile != colorProfile else { return }
    colorProfile = profile
    painter = TerminalPainter(
      theme: painter.theme, profile: profile, isUTF8: painter.isUTF8, strike: description.strike)
    forgetScreen()
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
    followClient()
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

  package func release() {
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
  func write(_ bytes: [UInt8]) {
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
