import Journal

/// The questions of a template, asked in the prompt one by one.
extension State {
  /// Goes on to the next question; after the last one the answers are saved.
  mutating func submit(answer: String, of form: Form) -> [Effect] {
    var form = form
    form.take(answer)
    let text = form.text
    if form.go(by: 1) {
      // What was answered is a draft before the next question can be.
      return keeping(text, of: form) + [.prompt(.open(.question(form), text: form.answer))]
    }
    let reopened: [Effect] = prompt.reopens ? [.prompt(.open(.newEntry))] : []
    guard !text.isBlank else {
      status = .failed(Self.emptyText(of: .newEntry))
      let ended: [Effect] = environment.endsWithForm ? [.terminal(.quit(1))] : reopened
      return [.prompt(.discardDraft(.question(form))), .prompt(.close(.question(form)))] + ended
    }
    return [.change(.add(text))] + reopened
  }

  /// Goes to the question before or after the present one, with its answer so far.
  mutating func ask(_ form: Form, by step: Int) -> [Effect] {
    var form = form
    form.take(prompt.open?.text ?? form.answer)
    guard form.go(by: step) else { return [] }
    return keeping(form.text, of: form) + [.prompt(.open(.question(form), text: form.answer))]
  }

  private func keeping(_ text: String, of form: Form) -> [Effect] {
    let kind = PromptPurpose.question(form)
    return text.isBlank ? [.prompt(.discardDraft(kind))] : [.prompt(.saveDraft(kind, text))]
  }
}
