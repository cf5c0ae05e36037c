import JournalApp
import TerminalUI

/// Prints the final screen as plain text, or every distinct one, for output that is no terminal.
final class PlainDisplay: Display {
  let wantsEveryPicture: Bool
  let size: Size
  let keys: [String: [UInt8]] = [:]
  private let output: Output
  private var last: Picture?
  private var printed: Picture?

  /// Makes a display of `LINES` × `COLUMNS`, or 24 × 80.
  init(everyPicture: Bool, output: Output = Output()) {
    wantsEveryPicture = everyPicture
    self.output = output
    let screen = ScreenSize.current(descriptor: -1)
    size = Size(columns: screen.columns, lines: screen.rows)
  }

  func show(_ picture: Picture) throws {
    last = picture
    if wantsEveryPicture { try printLast() }
  }

  func redraw() throws {}

  func copy(_ text: String) -> Bool { false }

  func use(theme name: String) throws {}

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
