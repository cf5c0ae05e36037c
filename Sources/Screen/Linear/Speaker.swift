import Journal
import SectionedResults
import TextLayout

/// Says the state in words, for people who do not see the screen: the second renderer beside
/// ``ScreenRenderer``.
///
/// The spoken lines follow from the last spoken state and the present one: changes, the most important
/// first, each once, in whole lines, without visual marks.
/// Between two states it keeps only which entry was selected, and whether a key is not answered yet.
package final class Speaker {
  let keys: KeyTable
  /// Whether the answers of prompts are said, as in a transcript; a terminal shows them as they are
  /// typed.
  let echoesPrompts: Bool
  let row: (RowPath) -> EntryRow?
  let total: (Int) -> String?
  let excerpt: (EntryRow) -> Excerpts.Excerpt?
  /// The entry that was selected last.
  var selected: EntryRowID?
  /// Whether the last key was not answered, since what it has started was not there yet.
  private var owesAnswer = false

  /// Makes a speaker.
  ///
  /// - Parameters:
  ///   - keys: the key table, for choices and help.
  ///   - echoesPrompts: whether the answers of prompts are said.
  ///   - total: the sum or the mean of a field in a section; `nil` without values.
  ///   - excerpt: the excerpt of an entry whose title has no match; `nil` if there is none.
  ///   - row: reads a row of the list; `nil` if the journal could not read it.
  package init(
    keys: KeyTable = .standard, echoesPrompts: Bool = false,
    total: @escaping (Int) -> String? = { _ in nil },
    excerpt: @escaping (EntryRow) -> Excerpts.Excerpt? = { _ in nil },
    row: @escaping (RowPath) -> EntryRow?
  ) {
    (self.keys, self.echoesPrompts) = (keys, echoesPrompts)
    (self.total, self.excerpt, self.row) = (total, excerpt, row)
  }

  /// The lines for a state after another one; `nil` at the start.
  package func lines(from before: State?, to state: State) -> [String] {
    let lines = before.map { changes(from: $0, to: state) } ?? greeting(state)
    selected = state.list.widget.selection?.path.flatMap(row)?.id
    // Blanks that align or part words say nothing.
    return lines.map { Sanitizer.plainLine($0).split(separator: " ").joined(separator: " ") }
      .filter { !$0.isBlank }
  }

  private func changes(from before: State, to state: State) -> [String] {
    if before.journal.name != state.journal.name || before.journal.past != state.journal.past {
      return echo(before, state) + message(before, state) + greeting(state)
    }
    let typed = echo(before, state)
    var lines = message(before, state) + questions(before, state)
    lines += day(before, state) + view(before, state)
    lines += pending(before, state) + prompt(before, state) + sync(before, state)
    if state.speech.requests != before.speech.requests {
      lines +=
        state.speech.request == .place ? place(state) : everything(state, isAsked: true)
    }
    // A key without effect is answered by what there is.
    let isPressed =
      state.speech.presses != before.speech.presses
      || before.prompt.open != nil && state.prompt.open == nil
    // The result of a key is spoken when it arrives.
    let isDone = state.pressed.pending.isEmpty && state.awaitedQuery == nil
    owesAnswer = lines.isEmpty && (isPressed || owesAnswer)
    guard owesAnswer, isDone else { return typed + lines }
    owesAnswer = false
    return typed + unchanged(state)
  }

  private func unchanged(_ state: State) -> [String] {
    state.status.map { [words(of: $0)] } ?? place(state)
  }
}

// MARK: - Messages and questions

extension Speaker {
  /// A message; a failure begins with the word error.
  private func words(of status: Status) -> String {
    switch status.kind {
    case .done, .asked: status.text
    case .failed: "error: \(status.text)"
    }
  }

  private func message(_ before: State, _ state: State) -> [String] {
    guard let status = state.status, status != before.status else { return [] }
    // A new question says its own words.
    let (question, conflict) = (state.questions.question, state.questions.conflict)
    let isAsked =
      question?.text == status.text && question != before.questions.question
      || conflict?.question == status.text && before.questions.conflict == nil
    return isAsked ? [] : [words(of: status)]
  }

  /// Whether the message is a new one, though its words may be those of the last one: each key takes the
  /// message away that was there before.
  func isNews(_ before: State, _ state: State) -> Bool {
    guard let status = state.status else { return false }
    return status != before.status
      || state.speech.presses != before.speech.presses && state.questions.conflict == nil
  }

  private func questions(_ before: State, _ state: State) -> [String] {
    if let conflict = state.questions.conflict, conflict == before.questions.conflict,
      state.speech.presses != before.speech.presses,
      state.speech.requests == before.speech.requests
    {
      // A key that is no answer: its message is the question.
      return (state.status == before.status ? [conflict.question] : []) + choices(of: conflict)
    }
    guard let question = state.questions.question, question != before.questions.question else {
      return []
    }
    return [question.text]
  }

  private func day(_ before: State, _ state: State) -> [String] {
    before.journal.today == state.journal.today
      ? [] : ["a new day: \(state.dates.text(of: state.journal.today))"]
  }

  private func sync(_ before: State, _ state: State) -> [String] {
    // The work of a running sync is spoken as progress.
    guard let note = state.sync, !note.isRunning, note.parts != before.sync?.parts else {
      return []
    }
    return note.parts.isEmpty ? [] : ["sync: \(Spoken.list(note.parts))"]
  }

  /// The progress of long work, spoken from time to time; `nil` without any.
  package static func progress(of state: State) -> String? {
    if let word = state.work.word { return word }
    guard let sync = state.sync, sync.isRunning else { return nil }
    return sync.progress.map { "syncing: \($0.words)" } ?? "syncing"
  }

  /// The keys that can follow those pressed so far.
  private func pending(_ before: State, _ state: State) -> [String] {
    if let use = state.places.letterUse, use != before.places.letterUse {
      return ["a letter for a mark, apostrophe for the last place, Esc cancels"]
    }
    let pending = state.pressed.pending
    guard !pending.isEmpty, pending != before.pressed.pending else { return [] }
    let count = pending.count.map { Numbers.counted($0, "time", "times") } ?? ""
    guard !pending.sequence.keys.isEmpty else { return [count] }
    let choices = keys.continuations(of: pending.sequence, in: state.context).map {
      Spoken.choice(Choices.Item(keys: $0.keys, word: $0.word))
    }
    return [Spoken.list([count, Spoken.keys(KeyTable.display(pending.sequence)) + ", then:"])]
      + choices
  }
}

// MARK: - Prompts

extension Speaker {
  /// The answer of a prompt that has closed, where nobody saw it typed.
  private func echo(_ before: State, _ state: State) -> [String] {
    guard echoesPrompts, let prompt = before.prompt.open else { return [] }
    // A prompt that opens again is empty.
    if let open = state.prompt.open, Self.isSame(open, prompt),
      !open.text.isEmpty || prompt.text.isEmpty || !isNews(before, state)
    {
      return []
    }
    let lines = prompt.text.split(separator: "\n", omittingEmptySubsequences: false)
    return ["\(prompt.label)\(lines.first ?? "")"] + lines.dropFirst().map(String.init)
  }

  private static func isSame(_ a: OpenPrompt, _ b: OpenPrompt) -> Bool {
    a.kind == b.kind && a.initial == b.initial && a.present == b.present
  }

  private func prompt(_ before: State, _ state: State) -> [String] {
    guard let prompt = state.prompt.open else { return [] }
    guard let other = before.prompt.open, Self.isSame(prompt, other) else {
      return opened(prompt, in: state)
    }
    var lines: [String] = []
    if prompt.index != other.index || prompt.label != other.label, echoesPrompts {
      lines.append("\(prompt.label)\(prompt.text)")
    }
    let completions = state.prompt.completions
    if completions != before.prompt.completions, !completions.isEmpty {
      lines.append(Self.words(of: completions))
    }
    let known = Self.misspelled(before.prompt)
    let wrong = Self.misspelled(state.prompt).filter { !known.contains($0) }
    if !wrong.isEmpty { lines.append("misspelled: \(Spoken.list(wrong))") }
    if let choice = state.prompt.spelling, choice != before.prompt.spelling {
      lines.append("words for it; a key chooses one:")
      lines += choice.items.map(Spoken.choice)
    }
    return lines
  }

  /// The wrong words of a prompt.
  private static func misspelled(_ prompt: PromptState) -> [String] {
    guard !prompt.misspelled.isEmpty, let text = prompt.open?.text else { return [] }
    let bytes = Array(text.utf8)
    return prompt.misspelled.filter { $0.upperBound <= bytes.count }
      .map { String(decoding: bytes[$0], as: UTF8.self) }
  }

  private static let mostCompletions = 20

  private static func words(of completions: [String]) -> String {
    let shown = completions.prefix(mostCompletions).joined(separator: ", ")
    let others = completions.count - min(completions.count, mostCompletions)
    return "\(Numbers.counted(completions.count, "completion", "completions")): \(shown)"
      + (others > 0 ? " and \(Numbers.grouped(others)) more" : "")
  }

  /// The purpose of a new prompt, its text so far, and its keys.
  private func opened(_ prompt: OpenPrompt, in state: State) -> [String] {
    let hints = prompt.hints(stays: state.prompt.reopens, isDrawn: false).map { hint in
      "\(Spoken.keys(hint.keys)) \(hint.word)"
    }
    let head = Spoken.head(Self.purpose(prompt.kind), hints.joined(separator: ", "))
    let present = prompt.present.isEmpty ? [] : ["now: \(prompt.present.joined(separator: ", "))"]
    let text =
      echoesPrompts && !prompt.text.isEmpty
      ? "text: \(prompt.text)".split(separator: "\n").map(String.init) : []
    return [head] + present + text
  }

  private static func purpose(_ purpose: PromptPurpose) -> String {
    switch purpose {
    case .newEntry: "new entry"
    case .edit(let number): "edit entry \(number)"
    case .question(let form):
      form.questions.count > 1
        ? "question \(form.index + 1) of \(form.questions.count)" : "question"
    case .command: "command"
    case .date: "go to a date"
    case .search: "search"
    case .filter: "filter"
    case .titles: "find a title"
    case .tags: "tags"
    case .redate: "new date"
    case .pipe: "shell command that reads the text"
    case .attachment: "path of a file to attach"
    }
  }
}
