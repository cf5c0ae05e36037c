/// Takes one intent into the state and says what the world outside must do.
///
/// This is all of the program's logic: it reads no clock, no file and no terminal, so a log of
/// intents replays a run.
public func reduce(
  _ state: inout State, _ intent: Intent, keys: KeyTable = .standard
) -> [Effect] {
  switch intent {
  case .keyPressed(let key): state.press(key, keys)
  case .promptOpened(let kind, let text): state.openPrompt(kind, text)
  case .promptChanged(let label, let text, let point, let lines):
    state.changePrompt(label: label, text: text, point: point, lines: lines)
  case .promptSubmitted(let text): state.submitPrompt(text)
  case .promptCancelled(let text): state.cancelPrompt(text)
  case .promptMovedToEditor(let text): state.moveToEditor(text)
  case .draftTimerFired: state.keepDraft()
  case .inputEnded: state.leave(exitCode: 0)
  case .signalled(let number): state.leave(exitCode: 128 + number)
  default: state.learn(intent)
  }
}

extension State {
  /// Takes in what came from outside: the store, the clock, the terminal.
  mutating func learn(_ intent: Intent) -> [Effect] {
    switch intent {
    case .batchArrived(let batch, let keys): return apply(batch, sectionKeys: keys)
    case .listReloaded(let sections, let generation):
      list.reload(sections: sections, generation: generation)
      return refreshedReading()
    case .entryOpened(let entry, let lines): open(entry, lines: lines)
    case .measured(let entryLines, let promptLines):
      measure(entryLines: entryLines, promptLines: promptLines)
    case .entryGone(let number): close(number)
    case .saved(let saved): tell(saved)
    case .failed(let text): status = .failed(text)
    case .completionsFound(let words): status = .done(words.joined(separator: "  "))
    case .dayFound(let section): goTo(section: section)
    case .resized(let size): return resize(size)
    case .dayChanged(let day): today = day
    case .draftsCounted(let count): countDrafts(count)
    case .conflictFound(let conflict): ask(conflict)
    case .draftFailed(let text): status = .failed(text)
    default: break
    }
    return []
  }
}
