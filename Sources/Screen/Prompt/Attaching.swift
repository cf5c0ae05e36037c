/// Asking for a file while a text is written.
///
/// The path is asked for in a prompt of its own; the text waits, with its draft. Its prompt opens again, with a
/// ``PathLink`` to the file, whose bytes are read when the text is saved.
extension State {
  /// Asks for the path of a file for the text of the open prompt, which is saved as a draft at once.
  mutating func askForAttachment() -> [Effect] {
    guard let writing = prompt.open, writing.kind.keepsDrafts else { return [] }
    let effects = keepDraft()
    prompt.show(OpenPrompt(kind: .attachment))
    prompt.waiting = writing
    prompt.waiting?.unsaved = 0
    prompt.measure(on: environment.size)
    fit()
    return effects
  }
}

extension PromptState {
  /// A prompt that opens; a text that waited goes on as it was.
  mutating func continuing(_ opened: OpenPrompt) -> OpenPrompt {
    guard let waited = waiting, opened.kind != .attachment else { return opened }
    waiting = nil
    guard opened.kind == waited.kind, opened.index == waited.index else { return opened }
    var opened = opened
    (opened.initial, opened.isFull, opened.isUnkept) = (
      waited.initial, waited.isFull, waited.isUnkept
    )
    return opened
  }

  /// Shows the text that waits again, before its prompt closes.
  mutating func stopWaiting() {
    guard let waited = waiting else { return }
    show(waited)
    waiting = nil
  }
}
