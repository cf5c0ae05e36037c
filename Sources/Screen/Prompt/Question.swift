import Journal

/// The questions that the next keys answer.
package struct QuestionState: Equatable, Sendable {
  /// A text that cannot be saved without the user's decision.
  package var conflict: EditConflict?
  /// A question before a change that cannot be undone; the next key answers it.
  package var question: Question?

  /// Whether the next key is an answer.
  package var isAsking: Bool { conflict != nil || question != nil }
}

extension State {
  /// Whether the next key is an answer: to a question, between two texts, or about a draft in its menu.
  package var isAsking: Bool {
    if case .menu(let menu) = pages.mode, menu.asks { return true }
    return questions.isAsking
  }
}

/// A question with one key as the answer: `y` confirms, any other key changes nothing.
package struct Question: Equatable, Codable, Sendable {
  /// The question, with the keys: `Remove 3 entries for good? y/N`.
  package var text: String
  /// The effect of `y`.
  package var effect: Effect
  /// The message after any other key.
  package var refusal: String

  package init(_ text: String, effect: Effect, refusal: String) {
    self.text = text
    self.effect = effect
    self.refusal = refusal
  }
}

/// Events of questions that keys answer.
package enum QuestionEvent: Equatable, Codable, Sendable {
  /// A change that cannot be undone was requested.
  case asked(Question)
  /// An edited text cannot be saved, because the entry has changed since; the text is kept.
  case conflictFound(EditConflict)
  /// The entry of an open question was deleted, restored or purged since.
  case conflictReviewed(EditConflict)
}

extension State {
  mutating func updateQuestion(_ event: QuestionEvent) -> [Effect] {
    switch event {
    case .asked(let question):
      self.questions.question = question
      status = nil
    case .conflictFound(let conflict): ask(conflict)
    case .conflictReviewed(let conflict):
      guard questions.conflict?.draft == conflict.draft else { return [] }
      ask(conflict)
    }
    return []
  }

  /// Handles the key that answers a question.
  mutating func answer(_ question: Question, _ key: String) -> [Effect] {
    self.questions.question = nil
    pressed.pending = PendingKeys()
    let prompt = prompt.reopens && pages.mode == .list ? [Effect.prompt(.open(.newEntry))] : []
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

/// A text that could not be saved because its entry has changed since the edit began.
///
/// The text is saved as a draft before the question, so every answer, and none, is safe.
package struct EditConflict: Equatable, Codable, Sendable {
  /// The other change of the entry.
  package enum Fate: Equatable, Codable, Sendable {
    /// It has another text.
    case changed
    /// It is in the trash.
    case deleted
    /// It was removed permanently.
    case purged
  }

  /// The user's decision.
  package enum Answer: Equatable, Codable, Sendable {
    /// Save the text over the entry's current one: merged with it, the text's words where both changed the
    /// same.
    case overwrite
    /// Save the merge with the words of the current text where both changed the same; the text is kept as a
    /// draft.
    case theirs
    /// Save both texts in the entry.
    case both
    /// Save both texts in the entry, and edit it.
    case editBoth
    /// Save the text as a new entry.
    case addAsNew
    /// Change nothing: the text is kept as a draft.
    case keepDraft
  }

  /// The entry's number.
  package var number: Int64
  /// The other change of the entry.
  package var fate: Fate
  /// The text that could not be saved.
  package var text: String
  /// The name of the draft with the text.
  package var draft: String
  /// The checksum of the text that the edit began with; `nil` if that is not known.
  package var base: Int64?
  /// The entry's current text, which cannot be merged with the text.
  package var theirs: Theirs?
  /// The first line shown of both texts.
  package var offset = 0

  /// The text of an entry that was changed elsewhere.
  package struct Theirs: Equatable, Codable, Sendable {
    /// The text.
    package var text: String
    /// When it was written.
    package var written: Moment
    /// Where it was written: `in another screen`.
    package var author: String
    /// The merge of both with the lines of this text where both changed the same words of them.
    ///
    /// Without the text that both began with, it is this text.
    package var favoured: String
    /// The merge with the lines of the text that could not be saved there, else that text.
    package var mine: String
    /// Both, without equal lines far from a change; the user's is the new one.
    package var difference: AlignedDifference

    package init(
      text: String, written: Moment, author: String, mine: String, base: String? = nil
    ) {
      (self.text, self.written, self.author) = (text, written, author)
      (favoured, self.mine) = TextMerge.conflicting(base: base, text, mine)
      difference = AlignedDifference(
        TextDifference(from: favoured, to: self.mine).folded(around: VersionPage.Conflict.context))
    }
  }

  package init(
    number: Int64, fate: Fate, text: String = "", draft: String = "", base: Int64? = nil,
    theirs: Theirs? = nil
  ) {
    (self.number, self.fate, self.base) = (number, fate, base)
    (self.text, self.draft, self.theirs) = (text, draft, theirs)
  }

  /// Whether another conflict is about the same state of the entry.
  package func isSame(as other: EditConflict) -> Bool {
    number == other.number && fate == other.fate
      && (theirs?.text ?? "").isSame(as: other.theirs?.text ?? "")
  }

  /// The question, for one line.
  package var question: String {
    switch fate {
    case .changed: "entry \(number) was changed elsewhere"
    case .deleted: "entry \(number) was deleted elsewhere"
    case .purged: "entry \(number) is not there"
    }
  }

  /// The keys that answer, each with a few words and the answer.
  package var choices: [(keys: String, word: String, answer: Answer)] {
    let save: [(keys: String, word: String, answer: Answer)] =
      switch fate {
      case .changed where theirs != nil:
        [
          ("m", "mine", .overwrite), ("t", "theirs", .theirs), ("b", "both", .both),
          ("e", "edit both", .editBoth),
        ]
      case .changed: [("o", "overwrite", .overwrite)]
      case .deleted: [("o", "restore it with this text", .overwrite)]
      case .purged: []
      }
    return save + [
      ("n", "save as a new entry", .addAsNew), ("Esc", "keep as a draft", .keepDraft),
    ]
  }

  /// The answer of a key; `nil` for other keys.
  package func answer(to key: String) -> Answer? {
    if KeySequence.givesUp(key) || key == "q" || key == "Q" { return .keepDraft }
    return choices.first { $0.keys == key }?.answer
  }
}

extension State {
  /// Asks about a conflict; further keys are answers until one of them is valid.
  mutating func ask(_ conflict: EditConflict) {
    self.questions.conflict = conflict
    status = .failed(conflict.question)
  }

  /// Whether a key only asks again: it is no answer, and does not scroll.
  package func isNoAnswer(_ key: String) -> Bool {
    guard let conflict = questions.conflict, conflict.answer(to: key) == nil else { return false }
    let isSpoken = environment.isLinear && [",", "="].contains(key)
    return !isSpoken && Self.scrolling(key, page: 1, count: 1) == nil
  }

  /// Handles a key as the answer, and asks again if it is not one.
  mutating func answer(_ conflict: EditConflict, _ key: String) -> [Effect] {
    if environment.isLinear, key == "," || key == "=" {
      speech.ask(key == "," ? .all : .place)
      return []
    }
    guard let answer = conflict.answer(to: key) else {
      if !scroll(conflict, key) { status = .failed(conflict.question) }
      return []
    }
    self.questions.conflict = nil
    status = nil
    return [.change(.resolve(conflict, answer))] + (key == "Q" ? [.terminal(.quit(0))] : [])
  }

  /// Scrolls both texts by a key; `false` for another key.
  private mutating func scroll(_ conflict: EditConflict, _ key: String) -> Bool {
    guard let layout = ConflictLayout(conflict, in: self) else { return false }
    let page = max(1, self.layout.main.count - 1)
    guard let step = Self.scrolling(key, page: page, count: layout.count) else { return false }
    let last = layout.lastOffset(height: self.layout.main.count)
    questions.conflict?.offset = min(max(0, conflict.offset + step), last)
    return true
  }

  /// The lines by which a key scrolls texts of so many lines.
  private static func scrolling(_ key: String, page: Int, count: Int) -> Int? {
    [
      "j": 1, "<Down>": 1, "k": -1, "<Up>": -1, " ": page, "<C-f>": page, "<PgDn>": page,
      "<C-b>": -page, "<PgUp>": -page, "<C-d>": page / 2, "<C-u>": -page / 2,
      "g": -count, "<Home>": -count, "G": count, "<End>": count,
    ][key]
  }
}
