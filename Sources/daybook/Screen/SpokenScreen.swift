import Journal
import Screen

/// Says what has changed since the state that was said last.
final class SpokenScreen {
  private let voice: any Voice
  private let speaker: Speaker
  /// The state that was said last; `nil` before the first.
  private var said: State?
  /// The text of a prompt that the list follows while it is typed.
  private var typed: String?
  /// Whether typing rests, so that its results are said.
  private var rests = false

  /// How long a person types nothing before results are said.
  static let rest = Duration.milliseconds(700)

  init(_ voice: any Voice, _ speaker: Speaker) {
    (self.voice, self.speaker) = (voice, speaker)
  }

  /// Whether results wait until typing rests.
  private var isWaiting = false
  /// Whether there was typing since this was asked last.
  private var isNew = false

  /// Whether a text was typed whose results wait; true once for each change.
  func takeTyping() -> Bool {
    defer { isNew = false }
    return isNew
  }

  /// Says a state.
  ///
  /// While a filter or a search is typed its results wait for a pause.
  func say(_ state: State) throws {
    let progress = Speaker.progress(of: state)
    if let progress, progress != said.flatMap({ Speaker.progress(of: $0) }) {
      try voice.say(progress: progress)
    }
    if let prompt = state.prompt.open, prompt.kind.isLive, prompt.kind == said?.prompt.open?.kind {
      if prompt.text != typed {
        (typed, rests, isWaiting, isNew) = (prompt.text, false, true, true)
      }
      guard rests || !isWaiting || state.status?.kind == .failed else {
        said?.prompt.open = prompt
        return try voice.say([])
      }
    } else {
      (typed, rests, isWaiting) = (state.prompt.open?.text, false, false)
    }
    let lines = speaker.lines(from: said, to: state)
    said = state
    try voice.say(lines)
  }

  /// Says the results of what was typed.
  func endTyping(in state: State) throws {
    guard isWaiting else { return }
    (rests, isWaiting) = (true, false)
    try say(state)
  }

  /// Says that work goes on.
  func say(work word: String) throws { try voice.say(progress: word) }
}
