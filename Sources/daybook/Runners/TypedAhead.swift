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
      case .paste(let bytes): text += String(decoding: bytes, as: UTF8.self)
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
