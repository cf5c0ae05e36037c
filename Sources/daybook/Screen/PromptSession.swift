import Journal
import Screen
import Terminal
import TextLayout

/// The prompt that is open: readline's editing on one side, drafts on the other.
final class PromptSession {
  private let prompt: ReadlinePrompt
  /// Keeps drafts; without one there are none.
  var keeper: DraftKeeper?
  private let histories: PromptHistories
  /// Gives what Tab completes with; asked at the first Tab in a prompt.
  var findWords: () -> CompletionWords = { CompletionWords(today: .earliest) }
  /// What Tab completes with, once it was asked for in this prompt.
  private var completer: Completer?
  private var purpose = PromptPurpose.command
  /// The earlier answers that Up brings back, oldest first.
  private var history: [String] = []
  /// The checksum of the text that an edit started from.
  private(set) var base: Int64?

  /// Makes a session without a prompt.
  ///
  /// - Parameter keeper: Keeps drafts; without one there are none.
  init(keeper: DraftKeeper?, histories: PromptHistories, lineFeedInserts: Bool) {
    self.keeper = keeper
    self.histories = histories
    prompt = ReadlinePrompt(lineFeedInserts: lineFeedInserts)
  }

  /// Whether keys go to the prompt.
  var isActive: Bool { prompt.isActive }

  /// Opens a prompt, empty unless it is given a text.
  ///
  /// - Parameter present: what the entries have now that is to be changed; a date can be brought back
  ///   with Up, to be edited.
  func open(_ purpose: PromptPurpose, text: String = "", present: [String] = []) -> Event {
    base = nil
    keeper?.detach()
    let drafts = purpose == .newEntry ? keeper?.begin(.newEntry) : nil
    let earlier = drafts ?? histories.entries(for: purpose)
    start(purpose, text: text, history: earlier + (purpose == .redate ? present : []))
    return .prompt(.opened(purpose, text: prompt.line, present: present))
  }

  /// Opens a prompt for a new entry, or for one that is edited, with the text of a draft.
  func open(_ draft: Draft, _ text: String, editing entry: Entry?) -> Event {
    let opened = entry.map { open(editing: $0) } ?? open(.newEntry)
    guard isActive else { return opened }
    keeper?.recall(draft, text)
    start(purpose, text: text, history: history)
    return .prompt(.opened(purpose, text: prompt.line))
  }

  /// Opens a prompt with an entry's text, or says why it cannot be edited there.
  func open(editing entry: Entry) -> Event {
    base = entry.checksum
    let purpose = PromptPurpose.edit(entry.number)
    let history = keeper?.begin(.edit(uuid: entry.uuid)) ?? []
    start(purpose, text: entry.text, history: history)
    guard prompt.line.utf8.elementsEqual(entry.text.utf8) else {
      prompt.cancel()
      let reason = "entry \(entry.number) has line ends that a prompt would change; press E"
      return .journal(.failed(reason))
    }
    return .prompt(.opened(purpose, text: prompt.line))
  }

  private func start(_ purpose: PromptPurpose, text: String = "", history: [String]) {
    self.purpose = purpose
    self.history = history
    completer = nil
    prompt.start(
      kind: Self.kind(of: purpose), label: purpose.label, initialText: text, history: history
    ) { [weak self] word, start, line in
      self?.completions(of: word, start, line) ?? PromptCompletions()
    }
  }

  /// Takes a key or a paste.
  func handle(_ event: KeyEvent, columns: Int) -> [Event] {
    prompt.width = columns
    return prompt.handle(event).map(self.event)
  }

  /// Takes keys that type characters, as many as do nothing else.
  ///
  /// - Returns: what came of them, and how many were taken.
  func type(_ strokes: ArraySlice<KeyStroke>, columns: Int) -> (events: [Event], taken: Int) {
    prompt.width = columns
    let typed = prompt.type(strokes)
    return (typed.events.map(event), typed.taken)
  }

  /// Leaves the prompt, as Esc does.
  func cancel() -> [Event] {
    prompt.cancel().isEmpty ? [] : [.prompt(.cancelled(prompt.draft))]
  }

  /// The label, the text and the cursor of the prompt.
  func shown() -> Event {
    .prompt(.changed(label: prompt.displayPrompt, text: prompt.line, point: prompt.point))
  }

  private func event(of event: ReadlineEvent) -> Event {
    switch event {
    case .changed:
      keeper?.notice(prompt.line, line: prompt.historyLine)
      return shown()
    case .accepted(let text):
      histories.add(text, for: purpose)
      return .prompt(.submitted(text))
    case .cancelled: return .prompt(.cancelled(prompt.draft))
    case .externalEditor(let text): return .prompt(.movedToEditor(text))
    case .completions(let words): return .prompt(.completionsFound(words))
    }
  }

  /// The ways to complete a word that readline has found, in words that take its whole place.
  private func completions(of word: String, _ start: Int, _ line: String) -> PromptCompletions {
    var completer = completer ?? Completer(findWords())
    let point = start + word.utf8.count
    if purpose == .command, let folder = completer.folder(in: line, at: point) {
      completer.words.files = Places.names(in: folder)
    }
    self.completer = completer
    let found = completer.completion(of: line, at: point, for: purpose)
    // What Daybook completes may begin within what readline takes for a word, as in `--tag=ho`.
    if found.range.lowerBound < start { return behindSpaces(found, line, start) }
    let kept = String(decoding: word.utf8.prefix(found.range.lowerBound - start), as: UTF8.self)
    return PromptCompletions(
      found.candidates.map { kept + $0.text }, labels: found.candidates.map(\.label),
      isFinished: found.candidates.first?.isOpen != true)
  }

  /// The ways to complete a name with spaces in it, of which readline's word is only the end: what
  /// stands before that word must stay as it is.
  private func behindSpaces(
    _ found: Completion, _ line: String, _ start: Int
  ) -> PromptCompletions {
    let typed = Array(line.utf8.prefix(start).dropFirst(found.range.lowerBound))
    let fitting = found.candidates.filter { $0.text.utf8.starts(with: typed) }
    return PromptCompletions(
      fitting.map { String(decoding: $0.text.utf8.dropFirst(typed.count), as: UTF8.self) },
      labels: fitting.map(\.label), isFinished: fitting.first?.isOpen != true)
  }

  /// Writes the histories for the next run.
  ///
  /// - Throws: `PromptHistoryError`.
  func saveHistory() throws {
    try histories.save()
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

/// The earlier answers of the prompts, one history for each kind, in files that only their owner can
/// read.
///
/// Commands, queries (of `/` and `f` together) and dates are kept; the text of an entry never is. A
/// command that carries one comes back with Up as long as the program runs, and is in no file.
final class PromptHistories {
  /// A kind of answers that are kept together.
  enum Kind: String, CaseIterable {
    case commands, queries, dates
  }

  private let histories: [Kind: PromptHistory]
  /// Commands that carry the text of an entry.
  private var unwritten: [String] = []

  /// Makes the histories over the folder of the state; without one they are in memory only.
  init(folder: String?) {
    histories = Dictionary(
      uniqueKeysWithValues: Kind.allCases.map { kind in
        (kind, PromptHistory(path: folder.map { "\($0)/\(kind.rawValue)" }))
      })
  }

  /// The earlier answers to a prompt, oldest first.
  func entries(for purpose: PromptPurpose) -> [String] {
    (history(for: purpose)?.entries ?? []) + (purpose == .command ? unwritten : [])
  }

  /// Adds an answer; those that do not belong into a history are passed over.
  func add(_ answer: String, for purpose: PromptPurpose) {
    if purpose == .command, Self.carriesText(answer) { return unwritten.append(answer) }
    history(for: purpose)?.add(answer)
  }

  /// Writes what was added into the files.
  ///
  /// - Throws: `PromptHistoryError`, when all that can be written is.
  func save() throws {
    var problem: (any Error)?
    for history in histories.values {
      do { try history.save() } catch { problem = error }
    }
    if let problem { throw problem }
  }

  private func history(for purpose: PromptPurpose) -> PromptHistory? {
    Self.kind(of: purpose).flatMap { histories[$0] }
  }

  private static func kind(of purpose: PromptPurpose) -> Kind? {
    switch purpose {
    case .newEntry, .edit, .tags, .pipe: nil
    case .command: .commands
    case .search, .filter: .queries
    case .date, .redate: .dates
    }
  }

  /// Whether a command holds the text of an entry: `add TEXT`, `edit ID TEXT`.
  private static func carriesText(_ command: String) -> Bool {
    let words = command.split(separator: " ", maxSplits: 2)
    let typed = words.first.map(String.init) ?? ""
    let name = typed.hasPrefix(":") ? String(typed.dropFirst()) : typed
    // A beginning of a command may be too short to say which: then nothing is run, and it is kept.
    switch (try? CommandCatalog.ofProgram.name(name)) ?? name {
    case "add": return true
    case "edit": return words.count > 2
    default: return false
    }
  }
}
