import JournalApp
import TerminalUI

/// Shows pictures on the terminal.
final class TerminalDisplay: Display {
  let wantsEveryPicture = false
  private let terminal: Terminal
  private var last: Picture?

  /// Takes the terminal over.
  ///
  /// - Throws: `TerminalError` when there is no usable one.
  init(color: GlobalOptions.Color) throws(TerminalError) {
    terminal = try Terminal(
      colors: color == .never ? .attributes : nil, mouse: true)
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
    guard let theme = Theme.builtIn.first(where: { $0.name == name }) else {
      let names = Theme.builtIn.map(\.name).joined(separator: ", ")
      throw Failure(.usage, "no theme \(name); there are \(names)")
    }
    terminal.use(theme)
    redraw()
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
