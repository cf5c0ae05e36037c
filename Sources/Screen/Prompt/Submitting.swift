import Journal

/// Submitting the text of a prompt.
extension State {
  mutating func submitPrompt(_ text: String, _ base: Int64?) -> [Effect] {
    guard let prompt = prompt.open else { return [] }
    let kind = prompt.kind
    let subject = self.prompt.subject
    endPrompt()
    // What the answer is about was fixed when it was asked for.
    self.prompt.subject = subject
    defer { self.prompt.subject = nil }
    switch kind {
    case .newEntry, .edit: return submit(writing: text, kind, base, isOwn: prompt.isOwn)
    case .question(let form): return submit(answer: text, of: form)
    case .command:
      commands.line = text
      return run(command: text)
    case .search, .filter: return settle(text, kind)
    case .titles: return submitTitle(text)
    case .date: return text.isBlank ? [] : [.list(.findDay(text))]
    case .tags, .redate: return change(text, prompt)
    case .pipe: return text.isBlank ? [] : answer(kind, text)
    case .attachment: return [.prompt(.attach(text))]
    }
  }

  /// Saves the text; an empty text saves nothing.
  private mutating func submit(
    writing text: String, _ kind: PromptPurpose, _ base: Int64?, isOwn: Bool
  ) -> [Effect] {
    if prompt.reopens, kind == .newEntry { return file(text, isOwn: isOwn) }
    guard !text.isBlank else {
      status = .failed(Self.emptyText(of: kind))
      return [.prompt(.discardEmptiedDraft(kind)), .prompt(.close(kind))]
    }
    if case .edit(let number) = kind { return [.change(.edit(number, text, base: base))] }
    return [.change(.add(text))]
  }

  /// Saves an entry and reopens the prompt; a text that begins with `:` or `/` is a command or a
  /// search, unless it is a recalled draft.
  private mutating func file(_ text: String, isOwn: Bool) -> [Effect] {
    var effects: [Effect] = []
    if !isOwn {
      effects = [text.isBlank ? .prompt(.discardEmptiedDraft(.newEntry)) : .change(.add(text))]
    } else if text.first == ":" {
      effects = [.prompt(.discardDraft(.newEntry))] + run(command: String(text.dropFirst()))
    } else if text.first == "/" {
      effects = [.prompt(.discardDraft(.newEntry))] + run(command: "search " + text.dropFirst())
    } else {
      effects = [text.isBlank ? .prompt(.discardEmptiedDraft(.newEntry)) : .change(.add(text))]
    }
    // A view that the command opened has the focus until it is closed.
    let isLeft =
      pages.mode != .list || questions.question != nil
      || effects.contains { effect in
        switch effect {
        case .terminal(.quit), .prompt(.open), .prompt(.reopen), .command: true
        case .prompt, .editor, .change, .list, .query, .read, .program, .settings, .menu,
          .terminal:
          false
        }
      }
    return isLeft ? effects : effects + [.prompt(.open(.newEntry))]
  }

  /// Changes the tags or the date of the marked entries, else of the open or selected one.
  private mutating func change(_ text: String, _ prompt: OpenPrompt) -> [Effect] {
    let isSameDate = prompt.kind == .redate && prompt.present == [text.trimmed]
    guard !text.isBlank, !isSameDate else {
      status = .done("nothing to change")
      return []
    }
    return answer(prompt.kind, text)
  }

  /// Performs a submitted prompt on the marked entries, else on the open or selected one.
  mutating func answer(_ kind: PromptPurpose, _ text: String) -> [Effect] {
    guard let targets else {
      status = .failed("no entry selected")
      return []
    }
    if kind != .pipe { pressed.lastChange = .answer(kind, text) }
    return switch kind {
    case .tags: [.change(.tag(targets, text))]
    case .redate: [.change(.redate(targets, text))]
    case .pipe: [.program(.pipe(targets, text))]
    case .newEntry, .edit, .question, .command, .date, .search, .filter, .titles, .attachment: []
    }
  }
}
