import Journal
import Screen
import Terminal
import TextLayout

/// Draws the state on a display, and keeps the last frame for messages over it.
final class ScreenPainter {
  private let display: any Display
  private let source: FrameSource
  private let recorder: ScreenRecorder?
  private let renderer: ScreenRenderer
  /// Says the screen, where it is read out.
  private let spoken: SpokenScreen?
  /// Whether a key is pending, which interrupts the reading of excerpts.
  private let isInputWaiting: () -> Bool
  /// The state of the last frame; `nil` to redraw.
  private var shown: State?
  private var frame: Frame?
  /// The first error of reading a row.
  private(set) var unread: Failure?

  /// - Parameter isInputWaiting: whether a person's key is pending; always `false` for a pipe.
  init(
    _ source: FrameSource, on display: any Display, keys: KeyTable, recorder: ScreenRecorder? = nil,
    isInputWaiting: @escaping () -> Bool
  ) {
    self.display = display
    self.source = source
    self.recorder = recorder
    self.isInputWaiting = isInputWaiting
    let read = recorder?.recording(source) ?? source
    renderer = ScreenRenderer(read, keys: keys)
    spoken = display.voice.map { [excerpts = renderer.excerpts] voice in
      SpokenScreen(
        voice,
        Speaker(
          keys: keys, echoesPrompts: voice.echoesPrompts, total: source.total,
          excerpt: excerpts.excerpt, row: source.row))
    }
    if let recorder { renderer.excerpts.record = { recorder.note(.excerpts($0)) } }
  }

  /// Draws a state, unless it is shown already.
  ///
  /// - Returns: the first error of reading a row.
  /// - Throws: the errors of the display.
  func show(_ state: State) throws -> Failure? {
    guard shown != state else { return nil }
    shown = state
    var frame = renderer.frame(of: state)
    // Keys from a pipe are not delayed by excerpts, and their last frame must be complete.
    let isComplete = !state.environment.keysAreTyped || spoken != nil
    if isComplete, readExcerpts() { frame = renderer.frame(of: state) }
    self.frame = frame
    try display.show(frame)
    try spoken?.say(state)
    recorder?.note(.frame(frame.checksum))
    guard let failure = source.takeFailure(), unread == nil else { return nil }
    unread = Failure(explaining: failure)
    return unread
  }

  /// Whether a text was typed whose results wait to be said; true once for each change.
  func takeTyping() -> Bool { spoken?.takeTyping() == true }

  /// Says the results of typing, which rests.
  ///
  /// - Throws: the errors of the display.
  func endTyping(in state: State) throws { try spoken?.endTyping(in: state) }

  /// Redraws with the next state, even an equal one: its rows may have changed.
  func invalidate() { shown = nil }

  /// Reads the excerpts that the last frame lacked, unless a key is pending.
  ///
  /// - Returns: whether the frame changed.
  func readExcerpts() -> Bool {
    renderer.excerpts.read(source.entries, unless: isInputWaiting)
  }

  /// Takes the excerpts of a record.
  func take(_ reading: Excerpts.Reading) { renderer.excerpts.take(reading) }

  /// The pictures that the last frame lacked.
  var missingPictures: [Pictures.Key] { renderer.pictures.missing }

  /// Takes the pixels of a picture for the next frame.
  func take(_ pixels: PicturePixels, for key: Pictures.Key) {
    renderer.pictures.take(pixels, for: key)
    recorder?.note(.picture(key, RecordedPicture(pixels.halves(in: key.box))))
    invalidate()
  }

  /// Shows a word for running work on the status line, without reading the journal, which is busy.
  func show(work word: String, over state: State) {
    guard var frame, let row = state.layout.status.first else { return }
    var state = state
    state.work.word = word
    StatusLine(state).draw(row: row, on: &frame.canvas)
    self.frame = frame
    // A terminal that fails here fails for the next frame too.
    try? display.show(frame)
    try? spoken?.say(work: word)
    recorder?.note(.work(word, frame.checksum))
  }

  /// Shows on the status line that another program has locked the journal.
  func showLock(over state: State) {
    var state = shown ?? state
    guard var frame, let row = state.layout.status.first else { return }
    let isShort = TextWidth.columns(of: Main.waiting) > state.environment.size.columns - 2
    state.status = .done(isShort ? "journal busy… ^C cancels" : Main.waiting)
    state.work.word = nil
    StatusLine(state, isBusy: true).draw(row: row, on: &frame.canvas)
    let isNew = shown == nil
    // The status line must be redrawn in any case.
    shown = nil
    try? display.show(frame)
    try? spoken?.say(work: Main.waiting)
    recorder?.note(.lock(isNew: isNew, frame.checksum))
  }
}
