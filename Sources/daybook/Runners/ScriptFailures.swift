import Screen
import TextLayout

/// The failed steps of a script: of keys from a pipe, or of a key file.
///
/// Nobody watches a script, and a message disappears with the next key, so each is printed at the
/// end, and the exit code is 1. The rest of the script is played.
struct ScriptFailures {
  /// The messages, each with the place of its step.
  private(set) var messages: [String] = []
  /// The number of failures without a message here.
  private var omitted = 0
  private var place: String?
  private var words = ""
  private var last: (place: String, text: String)?

  private static let limit = 100

  /// Begins a step.
  mutating func begin(_ step: KeyScript.Step, at place: String) {
    self.place = place
    words =
      switch step {
      case .event(.stroke(let stroke)): stroke.name
      case .run(let words): "<Run \(words)>"
      case .event, .wait, .say: ""
      }
  }

  /// Notes the failure that an event reports, if any.
  ///
  /// - Parameter before: the message and the prompt before the event.
  mutating func note(
    _ event: Event, from before: (status: Status?, prompt: PromptPurpose?), to state: State,
    _ effects: [Effect]
  ) {
    // Lines are named, but not texts of entries.
    if case .prompt(.submitted(let text, _)) = event, let kind = before.prompt, !kind.keepsDrafts {
      words = kind.label + text
    }
    // The messages of the start belong to no step.
    guard let place, let failure = Self.failure(event, before.status, state, effects) else {
      return
    }
    // An error and the refused query behind it are one.
    guard last?.place != place || last?.text != failure else { return }
    last = (place, failure)
    guard messages.count < Self.limit else {
      omitted += 1
      return
    }
    messages.append("\(place)\(words.isEmpty ? "" : " (\(words))"): \(failure)")
  }

  private static func failure(
    _ event: Event, _ before: Status?, _ state: State, _ effects: [Effect]
  ) -> String? {
    if case .command(.finished(let news)) = event, let failure = news.failure {
      return failure.isEmpty ? news.lines.last ?? "\(news.words.first ?? ""): not done" : failure
    }
    guard let status = state.status, status.kind == .failed, state.prompt.open?.kind.isLive != true,
      // A query that is still being typed is often invalid; the last message stays on the screen.
      !effects.contains(.terminal(.quit(0)))
    else { return nil }
    return status != before || isStep(event) ? status.text : nil
  }

  /// Whether an event fails again, although it has the same message as the one before.
  private static func isStep(_ event: Event) -> Bool {
    if case .key = event { return true }
    if case .prompt(.submitted) = event { return true }
    return if case .journal(.failed) = event { true } else { false }
  }

  /// All lines for standard error.
  var lines: [String] { messages + (omitted > 0 ? ["\(omitted) more steps failed"] : []) }
}
