import Glibc
import Screen
import Terminal
import TextLayout

/// The output of frames: a terminal, or standard output if it is not one.
protocol Display: AnyObject {
  /// The present size of the screen.
  var size: Size { get }
  /// Whether every frame is shown, and not only the one after all pending keys.
  var wantsEveryPicture: Bool { get }
  /// Shows a frame.
  func show(_ picture: Frame) throws
  /// Redraws the last frame completely.
  func redraw() throws
  /// The terminal's own key sequences, by key name.
  var keys: [String: [UInt8]] { get }
  /// Copies a text to the clipboard.
  ///
  /// - Throws: ``Failure`` without a clipboard, or if the text is too long for it.
  func copy(_ text: String) throws(Failure)
  /// Applies a theme from the next frame on.
  func use(_ theme: Theme)
  /// Whether the terminal's answer to a question may be among the next keys.
  var awaitsAnswer: Bool { get }
  /// Whether Esc and keys with Alt cannot be mistaken for each other.
  var tellsKeysApart: Bool { get }
  /// Takes what the terminal says about itself.
  ///
  /// - Returns: its background, if that is news.
  func take(_ report: TerminalReport) -> UInt32?
  /// Follows the terminal's background from now on, or no longer.
  func follow(background isFollowed: Bool)
  /// Shows long work in the terminal's tab, with its share from 0 to 1, where it is known.
  func show(share: Double?)
  /// Ends the progress in the terminal's tab.
  func endProgress()
  /// Turns mouse events on or off.
  func hear(mouse isHeard: Bool)
  /// Stops the process until the shell continues it.
  func suspend() throws
  /// Takes the terminal again after a stop.
  func resume() throws
  /// Gives the terminal to another program while `body` runs.
  func outside<Value>(_ body: () throws -> Value) throws -> Value
  /// Restores the terminal, or prints the output. Safe to call twice.
  func end() throws
  /// Whether text can be struck out.
  var strikes: Bool { get }
  /// Whether pictures can be drawn.
  var drawsPictures: Bool { get }
  /// The size of a cell in pixels, if pictures are drawn in pixels.
  var pictureCell: CellSize? { get }
  /// Sends pictures of the last frame to a terminal that draws pixels; a pending key interrupts it.
  func sendPictures(unless isInputWaiting: () -> Bool)
  /// Deletes the pictures that the terminal keeps.
  func deletePictures()
  /// Says lines, if the screen is read out and not drawn.
  var voice: (any Voice)? { get }
}

extension Display {
  var voice: (any Voice)? { nil }
  var strikes: Bool { false }
  var drawsPictures: Bool { false }
  var pictureCell: CellSize? { nil }
  func sendPictures(unless isInputWaiting: () -> Bool) {}
  func deletePictures() {}
  var awaitsAnswer: Bool { false }
  var tellsKeysApart: Bool { false }
  func take(_ report: TerminalReport) -> UInt32? {
    if case .background(let color) = report { color } else { nil }
  }
  func follow(background isFollowed: Bool) {}
  func show(share: Double?) {}
  func endProgress() {}
}

/// A display that adds something to another one.
protocol DisplayOver: Display {
  var base: any Display { get }
}

extension DisplayOver {
  var size: Size { base.size }
  var wantsEveryPicture: Bool { base.wantsEveryPicture }
  var voice: (any Voice)? { base.voice }
  var keys: [String: [UInt8]] { base.keys }

  func redraw() throws { try base.redraw() }
  func copy(_ text: String) throws(Failure) { try base.copy(text) }
  func use(_ theme: Theme) { base.use(theme) }
  func hear(mouse isHeard: Bool) { base.hear(mouse: isHeard) }
  func suspend() throws { try base.suspend() }
  func resume() throws { try base.resume() }
  func outside<Value>(_ body: () throws -> Value) throws -> Value { try base.outside(body) }
  func end() throws { try base.end() }
}

/// Prints the final screen as plain text, or every distinct one, if the output is not a terminal.
final class PlainDisplay: Display {
  let wantsEveryPicture: Bool
  let size: Size
  let keys: [String: [UInt8]] = [:]
  private let output: Output
  private var last: Frame?
  private var printed: Frame?

  /// A display of `LINES` × `COLUMNS`, or 24 × 80.
  init(everyPicture: Bool, output: Output = Output()) {
    wantsEveryPicture = everyPicture
    self.output = output
    let screen = ScreenSize.current(descriptor: -1)
    size = Size(columns: screen.columns, lines: screen.rows)
  }

  func show(_ picture: Frame) throws {
    last = picture
    if wantsEveryPicture { try printLast() }
  }

  func redraw() throws {}

  func copy(_ text: String) throws(Failure) {
    throw Failure(.notDone, "not copied: the clipboard is the terminal's, and there is none here")
  }

  func use(_ theme: Theme) {}

  func hear(mouse isHeard: Bool) {}

  func suspend() throws {}

  func resume() throws {}

  func outside<Value>(_ body: () throws -> Value) throws -> Value { try body() }

  func end() throws {
    try printLast()
    last = nil
    try output.flush()
  }

  private func printLast() throws {
    guard let last, last.canvas != printed?.canvas else { return }
    if printed != nil { try output.write("\u{0C}") }
    printed = last
    try output.line(last.canvas.plainText())
  }
}

/// Shows frames on the terminal.
final class TerminalDisplay: Display {
  let wantsEveryPicture = false
  private let terminal: Terminal
  private var last: Frame?

  /// Takes the terminal over.
  ///
  /// - Throws: `TerminalError` without a usable terminal.
  init(
    color: GlobalOptions.Color, theme: Theme, mouse: Bool
  ) throws(TerminalError) {
    // Colours requested on the command line override the variable; nothing else here reads it.
    if color == .always { unsetenv("NO_COLOR") }
    terminal = try Terminal(
      theme: theme, colors: color == .never ? .attributes : nil, mouse: mouse,
      cache: Places.cache().map { "\($0)/terminfo" })
  }

  var keys: [String: [UInt8]] { terminal.keys }

  var strikes: Bool { terminal.strikes }

  var drawsPictures: Bool { terminal.drawsPictures && PictureProcess.isPossible }

  var pictureCell: CellSize? { drawsPictures ? terminal.pictureCell : nil }

  func sendPictures(unless isInputWaiting: () -> Bool) {
    while terminal.sendPictures(unless: isInputWaiting), let last { show(last) }
  }

  func deletePictures() { terminal.deleteImages() }

  /// The terminal's name, if the system does not know it.
  var unknownName: String? { terminal.unknownName }
  var knownName: String { terminal.knownName }

  /// The keys that were typed while the terminal was asked what it is.
  var typedAhead: [UInt8] { terminal.typedAhead }

  var size: Size {
    terminal.resizeIfNeeded()
    return Size(columns: terminal.size.columns, lines: terminal.size.rows)
  }

  func show(_ picture: Frame) {
    last = picture
    terminal.present(picture.canvas, cursor: picture.cursor)
  }

  func redraw() {
    terminal.followClient()
    terminal.forgetScreen()
    if let last { show(last) }
  }

  /// Asks the terminal what it can do; the answers are among the keys.
  ///
  /// - Parameter isFollowed: whether the theme follows its background.
  func ask(background isFollowed: Bool) {
    terminal.ask(background: isFollowed, pictures: PictureProcess.isPossible)
  }

  var awaitsAnswer: Bool { terminal.awaitsAnswer }

  var tellsKeysApart: Bool { terminal.tellsKeysApart }

  func take(_ report: TerminalReport) -> UInt32? {
    let wasDrawn = terminal.isDrawn
    let background = terminal.take(report)
    if wasDrawn, !terminal.isDrawn, let last { show(last) }
    return background
  }

  func follow(background isFollowed: Bool) { terminal.follow(background: isFollowed) }

  func show(share: Double?) { terminal.show(share: share) }

  func endProgress() { terminal.clearProgress() }

  func copy(_ text: String) throws(Failure) {
    guard !terminal.copy(text) else { return }
    throw Failure(
      .notDone,
      text.utf8.count > Terminal.copyLimit
        ? "not copied: terminals accept at most 74,000 bytes"
        : "not copied: this terminal has no clipboard")
  }

  func use(_ theme: Theme) {
    terminal.use(theme)
    redraw()
  }

  func hear(mouse isHeard: Bool) {
    terminal.hear(mouse: isHeard)
  }

  func suspend() {
    terminal.suspend()
  }

  func resume() {
    terminal.reclaim()
  }

  func outside<Value>(_ body: () throws -> Value) throws -> Value {
    try terminal.withTerminalReleased(body)
  }

  func end() {
    terminal.end()
  }
}
