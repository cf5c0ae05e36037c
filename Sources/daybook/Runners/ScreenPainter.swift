import Journal
import Screen
import Terminal
import TextLayout

/// Draws the state on a display, and keeps the last frame to draw a status line over it.
final class ScreenPainter {
  private let display: any Display
  private let journal: OpenJournal
  private let renderer: ScreenRenderer
  /// Whether excerpts yield to a waiting key.
  private let isInputWaiting: () -> Bool
  /// The state of the last frame; `nil` to draw it again.
  private var shown: State?
  private var frame: Picture?
  /// Why a row could not be shown, once that has happened.
  private(set) var unread: Failure?

  /// - Parameter isInputWaiting: whether a person's key waits; always false for keys from a pipe.
  init(
    _ journal: OpenJournal, on display: any Display, keys: KeyTable,
    isInputWaiting: @escaping () -> Bool
  ) {
    self.display = display
    self.journal = journal
    self.isInputWaiting = isInputWaiting
    renderer = ScreenRenderer(
      keys: keys, offsets: OffsetRule(journal.store.clock), row: journal.listing.row(at:))
  }

  /// Draws a state, unless it is the one that is shown.
  ///
  /// - Returns: why a row could not be read, the first time.
  /// - Throws: what the display throws when it cannot show anything more.
  func show(_ state: State) throws -> Failure? {
    guard shown != state else { return nil }
    shown = state
    var frame = renderer.picture(of: state)
    // Keys from a pipe are never kept waiting by anything, and their last frame must be whole.
    if !state.keysAreTyped, readExcerpts() { frame = renderer.picture(of: state) }
    self.frame = frame
    try display.show(frame)
    guard let failure = journal.listing.takeFailure(), unread == nil else { return nil }
    unread = Failure(explaining: failure)
    return unread
  }

  /// Draws the next state whatever it is: an equal state may show other rows.
  func invalidate() { shown = nil }

  /// Reads the excerpts that the last frame lacked; a key comes first.
  ///
  /// - Returns: whether there is something new to show.
  func readExcerpts() -> Bool {
    renderer.excerpts.read(journal.store.entries, unless: isInputWaiting)
  }

  /// Draws a word for the work that goes on on the status line, without reading the journal, which is
  /// busy with it.
  func show(work word: String, over state: State) {
    guard var frame, let row = state.layout.status.first else { return }
    var state = state
    state.work = word
    StatusLine(state).draw(row: row, on: &frame.canvas)
    self.frame = frame
    // A terminal that cannot show this will not show the next frame either, and fails then.
    try? display.show(frame)
  }

  /// Draws on the status line that another program has locked the journal.
  func showLock(over state: State) {
    var state = shown ?? state
    guard var frame, let row = state.layout.status.first else { return }
    let isShort = TextWidth.columns(of: Main.waiting) > state.size.columns - 2
    state.status = .done(isShort ? "journal busy… ^C cancels" : Main.waiting)
    state.work = nil
    StatusLine(state, showsPlace: false).draw(row: row, on: &frame.canvas)
    // The status line is drawn again whatever comes of it.
    shown = nil
    try? display.show(frame)
  }
}
