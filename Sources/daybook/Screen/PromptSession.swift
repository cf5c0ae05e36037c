import Journal
import JournalApp
import TerminalUI

/// The prompt that is open: readline's editing on one side, drafts on the other.
final class PromptSession {
  private let prompt: ReadlinePrompt
  private let keeper: DraftKeeper?
  private let commands: PromptHistory
  /// The checksum of the text that an edit started from.
  private(set) var base: Int64?

  /// Makes a session without a prompt; without a keeper no drafts are kept.
  init(keeper: DraftKeeper?, commands: PromptHistory, lineFeedInserts: Bool) {
    self.keeper = keeper
    self.commands = commands
    prompt = ReadlinePrompt(lineFeedInserts: lineFeedInserts)
  }

  /// Whether keys go to the prompt.
  var isActive: Bool { prompt.isActive }

  /// Opens a prompt, empty unless it is given a text.
  func open(_ purpose: PromptPurpose, text: String = "") -> Intent {
    base = nil
    keeper?.detach()
    let history: [String] = purpose == .newEntry ? keeper?.begin(.newEntry) ?? [] : []
    prompt.start(
      kind: Self.kind(of: purpose), label: purpose.label, initialText: text,
      history: purpose == .command ? commands.entries : history
    ) { word, start, _ in
      purpose == .command && start == 0 ? Command.names.filter { $0.hasPrefix(word) } : []
    }
    return .promptOpened(purpose, text: prompt.line)
  }

  /// Opens a prompt with an entry's text, or says why it cannot be edited there.
  func open(editing entry: Entry) -> Intent {
    base = entry.checksum
    let purpose = PromptPurpose.edit(entry.number)
    let history = keeper?.begin(.edit(uuid: entry.uuid)) ?? []
    prompt.start(
      kind: .entry, label: purpose.label, initialText: entry.text, history: history)
    guard prompt.line.utf8.elementsEqual(entry.text.utf8) else {
      prompt.cancel()
      return .failed("entry \(entry.number) has line ends that a prompt would change; press E")
    }
    return .promptOpened(purpose, text: prompt.line)
  }

  /// Takes a key or a paste.
  func handle(_ event: KeyEvent, size: Size) -> [Intent] {
    prompt.handle(event).map { intent(of: $0, size: size) }
  }

  /// Leaves the prompt, as Esc does.
  func cancel() -> [Intent] {
    prompt.cancel().isEmpty ? [] : [.promptCancelled(prompt.draft)]
  }

  /// What the prompt shows now.
  func shown(size: Size) -> Intent {
    .promptChanged(
      label: prompt.displayPrompt, text: prompt.line, point: prompt.point, lines: lines(size: size))
  }

  /// How many lines the prompt wants on a screen.
  func lines(size: Size) -> Int {
    PromptView.layout(
      line: prompt.line, point: prompt.point, label: prompt.displayPrompt, width: size.columns,
      maxLines: max(1, size.lines - 2)
    ).lines.count
  }

  private func intent(of event: PromptEvent, size: Size) -> Intent {
    switch event {
    case .changed:
      keeper?.notice(prompt.line)
      return shown(size: size)
    case .accepted(let text):
      if prompt.kind == .command { remember(text) }
      return .promptSubmitted(text)
    case .cancelled: return .promptCancelled(prompt.draft)
    case .externalEditor(let text): return .promptMovedToEditor(text)
    case .completions(let words): return .completionsFound(words)
    }
  }

  /// Keeps a command for Up; the text of an entry is in the journal and nowhere else.
  private func remember(_ command: String) {
    if case .add? = try? Command(command) { return }
    commands.add(command)
  }

  /// Writes the commands for the next run.
  ///
  /// - Throws: `PromptHistoryError`.
  func saveHistory() throws {
    try commands.save()
  }

  private static func kind(of purpose: PromptPurpose) -> PromptKind {
    switch purpose {
    case .newEntry, .edit: .entry
    case .command: .command
    case .date, .redate: .date
    case .search, .filter: .search
    case .tags: .tags
    case .pipe: .other
    }
  }
}
