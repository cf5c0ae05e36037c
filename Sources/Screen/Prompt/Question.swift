/// A question that one key answers: `y` does it, any other key leaves everything as it is.
package struct Question: Equatable, Sendable {
  /// The question, with the keys: `Remove 3 entries for good? y/N`.
  package var text: String
  /// What `y` does.
  package var effect: Effect
  /// The message after any other key.
  package var refusal: String

  /// Makes a question.
  package init(_ text: String, effect: Effect, refusal: String) {
    self.text = text
    self.effect = effect
    self.refusal = refusal
  }
}

/// News of questions that keys answer.
package enum QuestionEvent: Equatable, Sendable {
  /// A change that cannot be undone was asked for.
  case asked(Question)
  /// An edited text cannot be saved, because the entry is not what it was; the text is kept.
  case conflictFound(EditConflict)
}

extension State {
  mutating func updateQuestion(_ event: QuestionEvent) -> [Effect] {
    switch event {
    case .asked(let question):
      self.question = question
      status = nil
    case .conflictFound(let conflict): ask(conflict)
    }
    return []
  }

  /// Takes a key as the answer to a question.
  mutating func answer(_ question: Question, _ key: String) -> [Effect] {
    self.question = nil
    pending = PendingKeys()
    let prompt = keepsPrompt && mode == .list ? [Effect.prompt(.open(.newEntry))] : []
    guard ["y", "Y"].contains(key) else {
      status = .done(question.refusal)
      return prompt
    }
    status = nil
    // A command opens the prompt again itself: it may have a page to show.
    if case .command = question.effect { return [question.effect] }
    return [question.effect] + prompt
  }
}

/// A text that could not be saved because its entry is not what it was when the editing began.
package struct EditConflict: Equatable, Sendable {
  /// What somebody else did to the entry.
  package enum Fate: Equatable, Sendable {
    /// It has another text.
    case changed
    /// It is in the trash.
    case deleted
    /// It is gone for good.
    case purged
  }

  /// What a person wants done about it.
  package enum Answer: Equatable, Sendable {
    /// Save the text over the entry's present one.
    case overwrite
    /// Save the text as a new entry.
    case addAsNew
    /// Do nothing: the text is kept as a draft.
    case keepDraft
  }

  /// The entry's number.
  package var number: Int64
  /// What has become of it.
  package var fate: Fate

  /// Makes a conflict.
  package init(number: Int64, fate: Fate) {
    self.number = number
    self.fate = fate
  }

  /// The question, for one line.
  package var question: String {
    switch fate {
    case .changed: "entry \(number) was changed elsewhere meanwhile"
    case .deleted: "entry \(number) was deleted elsewhere meanwhile"
    case .purged: "entry \(number) was purged elsewhere meanwhile"
    }
  }

  /// The keys that answer, each with a few words and the answer.
  package var choices: [(keys: String, word: String, answer: Answer)] {
    let save: [(keys: String, word: String, answer: Answer)] =
      switch fate {
      case .changed: [("o", "overwrite", .overwrite)]
      case .deleted: [("o", "restore it with this text", .overwrite)]
      case .purged: []
      }
    return save + [
      ("n", "save as a new entry", .addAsNew), ("Esc", "keep as a draft", .keepDraft),
    ]
  }

  /// The answer that a key gives; `nil` for another key.
  package func answer(to key: String) -> Answer? {
    if ["<Esc>", "<C-c>", "q"].contains(key) { return .keepDraft }
    return choices.first { $0.keys == key }?.answer
  }
}

extension State {
  /// Asks what to do about a conflict; keys are answers until one of them is.
  mutating func ask(_ conflict: EditConflict) {
    self.conflict = conflict
    status = .failed(conflict.question)
  }

  /// Takes a key as the answer to a question, and asks again when it is none.
  mutating func answer(_ conflict: EditConflict, _ key: String) -> [Effect] {
    guard let answer = conflict.answer(to: key) else {
      status = .failed(conflict.question)
      return []
    }
    self.conflict = nil
    status = nil
    return [.change(.resolve(conflict, answer))]
  }
}
