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

  /// The current size, as last read.
  package private(set) var size: ScreenSize

  private let input: Int32
  private let output: Int32
  private let inputIsTerminal: Bool
  private var usesMouse: Bool
  private let description: TerminalDescription
  private var painter: TerminalPainter
  private var shown: Canvas?
  /// The links on the screen.
  private var links: [CanvasLink] = []
  private var isCursorShown: Bool?
  private var isReleased = false
  private var hasEnded = false
  /// When the terminal was asked for its background.
  private var asked: ContinuousClock.Instant?

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
    description = try TerminalDescription(input: input, output: output)
    self.input = input
    self.output = output
    inputIsTerminal = isatty(input) == 1
    usesMouse = mouse && inputIsTerminal
    keys = description.keys
    CrashGuard.install(terminal: output, restore: description.restore)
    // LINES and COLUMNS of a shell would fix the size; ncurses must ask the terminal. One that knows no
    // size (`script` without a terminal) has that of its description: ncurses 6.5 fails at 0 lines.
    use_env(false)
    use_tioctl(ScreenSize.window(descriptor: output) != nil)
    guard Self.start(description.name, output: output, input: input, cache: cache) else {
      CrashGuard.remove()
      throw .system(call: "newterm", code: errno)
    }
    daybook_signals_reclaim()
    let found = Self.startColors()
    let profile = min(colors ?? .trueColor, found)
    colorProfile = profile
    painter = TerminalPainter(theme: theme, profile: profile, isUTF8: isUTF8)
    size = ScreenSize.current(descriptor: output)
    setModes()
    resizeterm(Int32(size.rows), Int32(size.columns))
    write(entering)
  }

  /// The value of `TERM`, if no description of it is installed, so that a similar one is used.
  package var unknownName: String? { description.unknownName }

  /// The keys that were typed while the terminal was asked what it is: the first ones.
  package var typedAhead: [UInt8] { description.typed }

  /// Starts ncurses with all colours of the terminal.
  private static func start(
    _ term: String, output: Int32, input: Int32, cache: String?
  ) -> Bool {
    if let cache, let direct = DirectColors(for: term, cache: cache) {
      let screen = direct.whileSearched { daybook_newterm(direct.name, output, input) }
      if screen != nil { return true }
    }
    return daybook_newterm(term, output, input) != nil
  }

  /// The modes that ncurses does not set.
  private var entering: [UInt8] {
    guard description.isANSI else { return [] }
    return (description.hasTitle ? TerminalDescription.titleOn : [])
      + TerminalDescription.pasteOn + (usesMouse ? TerminalDescription.mouseOn : [])
  }

  private var leaving: [UInt8] {
    guard description.isANSI else { return [] }
    return (usesMouse ? TerminalDescription.mouseOff : []) + TerminalDescription.pasteOff
      + (description.hasTitle ? TerminalDescription.titleOff : [])
  }

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

  /// Switches mouse reports on or off, if keys come from the terminal.
  package func hear(mouse isHeard: Bool) {
    guard usesMouse != isHeard, inputIsTerminal, description.isANSI else { return }
    usesMouse = isHeard
    guard !hasEnded, !isReleased else { return }
    write(isHeard ? TerminalDescription.mouseOn : TerminalDescription.mouseOff)
  }

  /// Asks the terminal for its background; the answer is a ``KeyEvent/background(_:)`` among the keys.
  ///
  /// Many terminals do not answer, and nothing waits for it.
  package func askForBackground() {
    guard inputIsTerminal, description.hasTitle, colorProfile >= .ansi else { return }
    write(TerminalDescription.backgroundQuery)
    asked = .now
  }

  /// Whether an answer may be under way.
  package var awaitsAnswer: Bool { asked.map { $0.duration(to: .now) < .seconds(2) } ?? false }

  // MARK: Drawing

  /// Draws a canvas in one update of the screen.
  ///
  /// Only changed rows are drawn, and only what is inside the screen.
  ///
  /// - Parameter cursor: The position of the cursor; nil hides it.
  package func present(_ canvas: Canvas, cursor: CursorPosition? = nil) {
    guard !hasEnded, !isReleased else { return }
    let before = shown.flatMap { $0.width == canvas.width && $0.height == canvas.height ? $0 : nil }
    if before == nil { werase(daybook_stdscr()) }
    for row in 0..<min(canvas.height, size.rows) where before?[row: row] != canvas[row: row] {
      painter.draw(canvas[row: row], row: Int32(row), columns: Int32(size.columns))
    }
    shown = canvas
    place(cursor)
    wnoutrefresh(daybook_stdscr())
    doupdate()
    if description.hasLinks, !links.isEmpty || !canvas.links.isEmpty {
      mark(canvas, after: before)
    }
  }

  /// Marks links on the drawn screen: ncurses knows no links, so their cells are written once more.
  ///
  /// ncurses wrote the cells of a changed row without links. A link that is gone may have left
  /// unchanged cells, which are written without it.
  private func mark(_ canvas: Canvas, after before: Canvas?) {
    let rows = Set((0..<canvas.height).filter { before?[row: $0] != canvas[row: $0] })
    let next = canvas.links.filter { $0.row < size.rows && $0.columns.upperBound <= size.columns }
    let kept = Set(next)
    let gone = before == nil ? [] : links.filter { !kept.contains($0) }
    let dirty = rows.union(gone.map(\.row))
    let known = Set(links)
    links = next
    var bytes: [UInt8] = []
    for link in gone {
      bytes += painter.bytes(of: canvas, link, isLink: false)
    }
    for link in next where before == nil || dirty.contains(link.row) || !known.contains(link) {
      bytes += painter.bytes(of: canvas, link, isLink: true)
    }
    guard !bytes.isEmpty else { return }
    let normal = TerminalPainter.bytes(attributes: 0, pair: 0) ?? []
    write(normal + TerminalDescription.saveCursor + bytes + TerminalDescription.restoreCursor)
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
    guard !hasEnded, !isReleased, description.isANSI, text.utf8.count <= Self.copyLimit else {
      return false
    }
    write(Array("\u{1B}]52;c;".utf8) + Base64.encode(Array(text.utf8)) + [0x07])
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
    isReleased = false
    CrashGuard.arm(true)
    reset_prog_mode()
    write(entering)
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
    write(leaving)
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

/// The reason why the terminal cannot be used.
package enum TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Standard output is not a terminal.
  case notATerminal

  /// `TERM` is unset or empty.
  case termUnset

  /// No description of this `TERM` is installed.
  case termUnknown(String)

  /// The terminal cannot position its cursor (`dumb`, a printer).
  case termUnusable(String)

  /// The program runs in the background, and another one owns the terminal.
  case background

  /// A system call failed.
  case system(call: String, code: Int32)

  /// One line with the error and the remedy.
  ///
  /// The name of the terminal is external text: pass the line through the sanitiser.
  package var description: String {
    switch self {
    case .notATerminal:
      "standard output is not a terminal; the full screen needs one"
    case .termUnset:
      "TERM is not set; try TERM=xterm-256color, or use the commands (daybook --help)"
    case .termUnknown(let name):
      "unknown terminal type \"\(name)\" in TERM; try TERM=xterm-256color, or use the commands"
        + " (daybook --help)"
    case .termUnusable(let name):
      "terminal type \"\(name)\" in TERM has no full screen; use the commands (daybook --help)"
    case .background:
      "the terminal belongs to another program; bring daybook to the foreground (fg)"
    case .system(let call, let code):
      "\(call): \(String(cString: strerror(code)))"
    }
  }
}

/// The encoding of RFC 4648, section 4, with padding.
enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func encode(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      bits <<= UInt32(3 - group.count) * 8
      for index in 0..<4 {
        let digit = alphabet[Int(bits >> UInt32(18 - 6 * index) & 63)]
        text.append(index <= group.count ? digit : UInt8(ascii: "="))
      }
    }
    return text
  }
}
