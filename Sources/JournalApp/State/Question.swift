/// A question that one key answers: `y` does it, any other key leaves everything as it is.
public struct Question: Equatable, Sendable {
  /// The question, with the keys: `Remove 3 entries for good? y/N`.
  public var text: String
  /// What `y` does.
  public var effect: Effect
  /// The message after any other key.
  public var refusal: String

  /// Makes a question.
  public init(_ text: String, effect: Effect, refusal: String) {
    self.text = text
    self.effect = effect
    self.refusal = refusal
  }
}

extension State {
  /// Takes a key as the answer to a question.
  mutating func answer(_ question: Question, _ key: String) -> [Effect] {
    self.question = nil
    pending = PendingKeys()
    let prompt = keepsPrompt && mode == .list ? [Effect.openPrompt(.newEntry)] : []
    guard ["y", "Y"].contains(key) else {
      status = .done(question.refusal)
      return prompt
    }
    status = nil
    return [question.effect] + prompt
  }
}
