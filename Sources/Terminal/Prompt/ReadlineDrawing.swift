import CReadline
import Glibc
import TextLayout

/// readline's own drawing of the line, on the last line of a terminal that is written line by line.
///
/// The keys are readline's as everywhere; only the drawing is not the screen's. It is drawn after all
/// keys that came together, and left, with a line end, before anything else is written.
struct ReadlineDrawing {
  /// The label before the text.
  var label = "" {
    didSet { shownLabel = Sanitizer.plainLine(label) }
  }
  private var shownLabel = ""
  /// Whether the present line is on the terminal.
  var isDrawn = false
  /// Whether a line is there, maybe an earlier one.
  private(set) var isOpen = false
  /// The size that readline knows.
  private var size: ScreenSize?
  private let output: Int32

  /// Connects readline with a terminal; `nil` without a stream for it.
  init?(output: Int32) {
    let copy = fcntl(output, F_DUPFD_CLOEXEC, 3)
    guard Readline.shared.isPrepared, copy >= 0, let stream = fdopen(copy, "w") else { return nil }
    self.output = output
    daybook_readline_attach(stream)
    daybook_readline_draws_never {}
  }

  /// Begins a new line, which is not drawn yet.
  mutating func begin() { (isDrawn, isOpen) = (false, false) }

  /// Forgets the line: readline has left it with Enter.
  mutating func end() { (isDrawn, isOpen) = (true, false) }

  /// Draws the line, unless it is there.
  mutating func draw() {
    guard !isDrawn, Readline.shared.owner != nil else { return }
    follow()
    daybook_readline_draw(shownLabel, isOpen ? 0 : 1)
    (isDrawn, isOpen) = (true, true)
  }

  /// Goes to a line of its own, before another text; the line is drawn again by ``draw()``.
  mutating func leave() {
    guard isOpen, Readline.shared.owner != nil else { return }
    daybook_readline_leave(shownLabel)
    (isDrawn, isOpen) = (false, false)
  }

  /// Follows the size of the terminal; what was drawn at another one stays above.
  private mutating func follow() {
    let now = ScreenSize.current(descriptor: output)
    guard now != size else { return }
    size = now
    daybook_readline_screen_size(Int32(now.rows), Int32(now.columns))
    guard isOpen else { return }
    rl_crlf()
    isOpen = false
  }
}
