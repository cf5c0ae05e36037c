import Terminal
import TextLayout

/// Keys that arrived before a question or a failure could be seen, so that they do not answer it.
///
/// Some of them may be a text for a prompt that they did not open. It becomes a draft: no typed text
/// is lost.
enum TypedAhead {
  /// The fewest different characters of a text: fewer are keys of a list, such as `jjj`.
  private static let fewest = 4

  /// The text of dropped keys with a line for each Enter; `nil` if they wrote none.
  static func text(of events: some Sequence<KeyEvent>) -> String? {
    var text = ""
    for event in events {
      switch event {
      case .stroke(let stroke): text += stroke.text ?? (stroke.name == "<Enter>" ? "\n" : "")
      case .paste(let bytes):
        text += PromptText.clean(String(decoding: bytes, as: UTF8.self), kind: .entry)
      case .mouse, .report: break
      }
    }
    return Set(text.filter { !$0.isWhitespace }).count >= fewest ? text : nil
  }

  /// The keys of bytes that were held while work ran.
  static func events(of held: [LoopEvent], _ decoder: KeyDecoder) -> [KeyEvent] {
    var decoder = decoder
    var events: [KeyEvent] = []
    for case .input(let bytes) in held { events += decoder.feed(bytes) }
    return events + decoder.finish()
  }
}

/// Detects typing that continues when a question appears: fast keys are not answers until a pause.
struct Typist {
  /// When the last key came; `nil` if nothing is asked, or there was a pause.
  private var last: ContinuousClock.Instant?
  /// Keys not taken as answers.
  var keys: [KeyEvent] = []
  /// The draft of their text.
  var draft: Draft?

  /// Whether a question appeared, and no pause followed.
  var isTyping: Bool { last != nil }

  /// No typing.
  init() {}

  /// A question appears.
  init(at now: ContinuousClock.Instant) { last = now }

  /// The longest gap between two typed keys; too short to read a question.
  ///
  /// Somebody who has typed since it appeared may look for a word, or wait for a prompt; who gives the same
  /// answer again does neither.
  private func pause(before event: KeyEvent?) -> Duration {
    guard let before = keys.last?.stroke?.name else { return .milliseconds(300) }
    return before == event?.stroke?.name ? .milliseconds(300) : .milliseconds(1_500)
  }

  /// Something came that is no answer, whenever that is; what follows at once belongs to it.
  mutating func resume(at now: ContinuousClock.Instant) { last = now }

  /// Whether keys belong to what was typed before the question was seen.
  mutating func goesOn(_ events: ArraySlice<KeyEvent>, at now: ContinuousClock.Instant) -> Bool {
    let isTyped = events.contains {
      switch $0 {
      case .stroke, .paste: true
      case .mouse, .report: false
      }
    }
    guard let last, isTyped else { return false }
    let isWayOut =
      if case .stroke(let stroke)? = events.first {
        ["<Esc>", "<C-c>"].contains(stroke.name)
      } else {
        false
      }
    guard last.duration(to: now) < pause(before: events.first), !isWayOut else {
      self.last = nil
      return false
    }
    self.last = now
    return true
  }
}
