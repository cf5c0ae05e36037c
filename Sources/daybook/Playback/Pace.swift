import TerminalUI

/// How fast a script is played.
struct Pace: Equatable {
  /// How many times as fast as a person.
  var speed = 1.0
  /// Whether no time is waited for; the script's own clock goes on all the same.
  var skips = false
  /// Whether a key takes the time that a person takes; otherwise only what is written as a wait does.
  var hasRhythm = true

  /// The pause behind a step.
  func pause(after step: KeyScript.Step) -> Duration {
    switch step {
    case .wait(let milliseconds): .milliseconds(milliseconds) / speed
    case .event(let event): hasRhythm ? Self.rhythm(of: event) / speed : .zero
    case .run: hasRhythm ? .milliseconds(200) / speed : .zero
    case .say: .zero
    }
  }

  /// Typing runs on, a word ends with a breath, and a key that does something is looked at.
  private static func rhythm(of event: KeyEvent) -> Duration {
    guard case .stroke(let stroke) = event, let text = stroke.text else {
      return .milliseconds(250)
    }
    return .milliseconds(text == " " ? 90 : 60)
  }
}
