import Glibc
import JournalApp
import TerminalUI

/// Shows pictures on the terminal.
final class TerminalDisplay: Display {
  let wantsEveryPicture = false
  private let terminal: Terminal
  private let themes: ThemeLibrary
  private var last: Picture?

  /// Takes the terminal over.
  ///
  /// - Throws: `TerminalError` when there is no usable one.
  init(
    color: GlobalOptions.Color, theme: Theme, themes: ThemeLibrary, mouse: Bool
  ) throws(TerminalError) {
    self.themes = themes
    // Asked for on the command line, colours outweigh the variable; nothing else here reads it.
    if color == .always { unsetenv("NO_COLOR") }
    terminal = try Terminal(
      theme: theme, colors: color == .never ? .attributes : nil, mouse: mouse)
  }

  /// The terminal's own key sequences.
  var keys: [String: [UInt8]] { terminal.keys }

  var size: Size {
    terminal.resizeIfNeeded()
    return Size(columns: terminal.size.columns, lines: terminal.size.rows)
  }

  func show(_ picture: Picture) {
    last = picture
    terminal.present(picture.canvas, cursor: picture.cursor)
  }

  func redraw() {
    terminal.forgetScreen()
    if let last { show(last) }
  }

  func copy(_ text: String) -> Bool { terminal.copy(text) }

  func use(theme name: String) throws {
    do throws(ThemeLibrary.Missing) {
      terminal.use(try themes.theme(named: name))
    } catch {
      throw Failure(.usage, error.message)
    }
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
