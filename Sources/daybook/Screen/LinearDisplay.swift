import Screen
import Terminal
import TextLayout

/// Says the screen in lines, for people who do not see it.
protocol Voice: AnyObject {
  /// Whether the answers of prompts are said too, since nobody sees them typed.
  var echoesPrompts: Bool { get }
  /// Says lines, above an open prompt, which is drawn again.
  func say(_ lines: [String]) throws
  /// Says what long work does, from time to time.
  func say(progress: String) throws
}

extension Voice {
  /// The least time between two lines about long work.
  static var pause: Duration { .seconds(2) }
}

/// A terminal or a pipe that gets one line for each thing that happens, and no drawing.
final class LinearDisplay: Display, Voice {
  private let terminal: LinearTerminal
  private let keysAreTyped: Bool
  /// When work was mentioned last.
  private var toldAt: ContinuousClock.Instant?

  /// Takes the terminal over.
  ///
  /// - Parameter keysAreTyped: whether a person types the keys; every key from a pipe is answered
  ///   alone, so that a transcript does not depend on how they arrive.
  /// - Throws: `TerminalError` for a terminal that belongs to another program.
  init(keysAreTyped: Bool) throws(TerminalError) {
    terminal = try LinearTerminal()
    self.keysAreTyped = keysAreTyped
  }

  var voice: (any Voice)? { self }
  var echoesPrompts: Bool { !terminal.drawsPrompts }

  func say(_ lines: [String]) throws {
    let problem = terminal.write(lines)
    guard problem == 0 else { throw Failure.system(problem, "standard output") }
  }

  func say(progress: String) throws {
    if let toldAt, toldAt.duration(to: .now) < Self.pause { return }
    toldAt = .now
    try say([progress])
  }

  var wantsEveryPicture: Bool { !keysAreTyped }
  var size: Size {
    let size = terminal.size
    return Size(columns: size.columns, lines: size.rows)
  }
  let keys: [String: [UInt8]] = [:]

  /// Nothing is drawn.
  func show(_ picture: Frame) {}
  func redraw() { terminal.redraw() }

  func copy(_ text: String) throws(Failure) {
    throw Failure(.notDone, "not copied: --linear writes no control sequences; | pipes the text")
  }

  func use(_ theme: Theme) {}
  func hear(mouse isHeard: Bool) {}
  func suspend() { terminal.suspend() }
  func resume() { terminal.reclaim() }

  func outside<Value>(_ body: () throws -> Value) throws -> Value {
    try terminal.withTerminalReleased(body)
  }

  func end() { terminal.end() }
}
