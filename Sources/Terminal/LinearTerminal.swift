import Files
import Glibc
import TextLayout

/// A terminal that is written line by line, for people who hear it: no screen of its own, no cursor
/// addressing, no colours, and no ncurses.
///
/// Keys are read one by one and without echo, from a terminal; all settings are restored by
/// ``end()``, when the last reference is released, and after a crash. Prompts are drawn by readline.
package final class LinearTerminal: ReleasableTerminal {
  private let input: Int32
  private let output: Int32
  /// The settings of the input before; `nil` if it is not a terminal.
  private let before: termios?
  /// Whether a paste is marked, so that its line ends are no keys; a dumb terminal has no such mode.
  private let marksPastes: Bool
  private var (hasEnded, isReleased) = (false, false)

  private static let pasteOn = Array("\u{1B}[?2004h".utf8)
  private static let pasteOff = Array("\u{1B}[?2004l".utf8)

  /// Takes the terminal over, if the input is one.
  ///
  /// - Throws: ``TerminalError``; the terminal is then unchanged.
  package init(
    input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO
  ) throws(TerminalError) {
    TerminalLocale.adopt()
    (self.input, self.output) = (input, output)
    let hasTerminal = isatty(output) == 1
    var settings = termios()
    if isatty(input) == 1, tcgetattr(input, &settings) == 0 {
      let foreground = tcgetpgrp(input)
      guard foreground < 0 || foreground == getpgrp() else { throw .background }
      before = settings
    } else {
      before = nil
    }
    let term = getenv("TERM").map { String(cString: $0) } ?? ""
    marksPastes = hasTerminal && before != nil && !["", "dumb"].contains(term)
    if before != nil {
      CrashGuard.install(terminal: input, restore: marksPastes ? Self.pasteOff : [])
    }
    if hasTerminal, before != nil { Readline.shared.drawing = ReadlineDrawing(output: output) }
    take()
  }

  deinit { end() }

  /// Whether prompts are drawn on the terminal while they are typed.
  package var drawsPrompts: Bool { Readline.shared.drawing != nil }

  /// The size of the terminal; without one that of `LINES` and `COLUMNS`, or 24 × 80.
  package var size: ScreenSize { ScreenSize.current(descriptor: output) }

  /// Writes lines, each whole; an open prompt is left before and drawn again after them.
  ///
  /// - Returns: 0, or the error of the output.
  package func write(_ lines: [String]) -> Int32 {
    guard !hasEnded, !isReleased else { return 0 }
    var problem: Int32 = 0
    if !lines.isEmpty {
      Readline.shared.drawing?.leave()
      let text = lines.map { $0 + "\n" }.joined()
      problem = Descriptor.writeAll(output, Array(text.utf8))
    }
    Readline.shared.drawing?.draw()
    return problem
  }

  /// Draws an open prompt on a line of its own.
  package func redraw() {
    Readline.shared.drawing?.leave()
    Readline.shared.drawing?.draw()
  }

  private func take() {
    CrashGuard.arm(true)
    guard var raw = before else { return }
    raw.c_iflag &= ~tcflag_t(BRKINT | ICRNL | INLCR | IGNCR | INPCK | ISTRIP | IXON)
    // The output keeps its line ends.
    raw.c_lflag &= ~tcflag_t(ECHO | ICANON | IEXTEN | ISIG)
    raw.c_cc.6 = 1
    raw.c_cc.5 = 0
    tcsetattr(input, TCSADRAIN, &raw)
    if marksPastes { _ = Descriptor.writeAll(output, Self.pasteOn) }
  }

  private func leave() {
    Readline.shared.drawing?.leave()
    if marksPastes { _ = Descriptor.writeAll(output, Self.pasteOff) }
    if var settings = before { tcsetattr(input, TCSADRAIN, &settings) }
    CrashGuard.arm(false)
  }

  // MARK: Releasing the terminal

  /// Takes the terminal over again after another program has changed it.
  package func reclaim() {
    guard !hasEnded else { return }
    let wasReleased = isReleased
    isReleased = false
    take()
    // After ^Z this is called twice.
    if wasReleased { redraw() }
  }

  package func release() {
    guard !hasEnded, !isReleased else { return }
    leave()
    isReleased = true
  }

  /// Restores the terminal permanently; a second call does nothing.
  package func end() {
    guard !hasEnded else { return }
    if !isReleased { leave() }
    hasEnded = true
    Readline.shared.drawing = nil
    if before != nil { CrashGuard.remove() }
  }
}
