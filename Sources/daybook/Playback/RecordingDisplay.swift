import JournalApp
import TerminalUI

/// Shows pictures on another display and keeps what is recorded of them.
final class RecordingDisplay: Display {
  /// What is kept.
  let recording: Recording
  private let base: any Display

  /// Makes a display that records.
  init(over base: any Display, _ recording: Recording) {
    self.base = base
    self.recording = recording
  }

  func show(_ picture: Picture) throws {
    recording.take(picture)
    try base.show(picture)
  }

  func use(theme name: String) throws {
    try base.use(theme: name)
    try recording.use(theme: name)
  }

  var size: Size { base.size }

  var wantsEveryPicture: Bool { base.wantsEveryPicture }

  func redraw() throws { try base.redraw() }

  var keys: [String: [UInt8]] { base.keys }

  func copy(_ text: String) -> Bool { base.copy(text) }

  func hear(mouse isHeard: Bool) { base.hear(mouse: isHeard) }

  func suspend() throws { try base.suspend() }

  func resume() throws { try base.resume() }

  func outside<Value>(_ body: () throws -> Value) throws -> Value { try base.outside(body) }

  func end() throws { try base.end() }
}
