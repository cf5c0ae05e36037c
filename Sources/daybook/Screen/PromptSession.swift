import Glibc
import Journal
import JournalStore
import Screen
import Terminal
import TextLayout

/// The open prompt, with readline's editing, completion, history and drafts.
final class PromptSession {
  private let prompt = ReadlinePrompt()
  /// Keeps drafts; `nil` for none.
  private var keeper: DraftKeeper?
  /// The histories of readable journals.
  private let kept: PromptHistories
  /// The histories in use.
  private var histories: PromptHistories
  /// The paths of the files that were chosen in this run, without drafts that record them.
  private var chosen: Set<[UInt8]> = []
  /// Provides the vocabulary of completion; called at the first Tab in a prompt.
  var findWords: () -> CompletionWords = { CompletionWords(today: .earliest) }
  /// Finds the titles that a link can name for typed letters, within a time.
  var findTitles: (String, Duration) -> [FoundTitle] = { _, _ in [] }
  /// Finds the values of a field that begin with typed letters, within a time.
  var findValues: (FieldBeingTyped, Duration) -> [String] = { _, _ in [] }
  /// Spelling in a prompt for writing.
  let spelling = PromptSpelling()
  /// The completer of this prompt, after its first Tab.
  private var completer: Completer?
  private var purpose = PromptPurpose.command
  /// The shown completions of the word being typed.
  private var candidates: [String] = []
  /// The texts of a prompt for writing: the drafts that Up recalls, oldest first, and its own.
  private var texts = [""]
  /// Which of ``texts`` is on the screen.
  private var index = 0
  /// The changes of texts that were left for another text or question of the prompt, by their places: undo
  /// comes back with the text.
  private var undos: [Int: (text: String, changes: PromptUndo)] = [:]
  /// The text that went to the editor last.
  private(set) var left: LeftPrompt?
  /// The checksum of the text that is edited.
  private var edited: Int64?

  /// The text for which a file is asked for.
  private var waiting: WaitingText?

  /// The checksum of the text that the edit of the submitted text began with: a recalled draft has its own.
  private var base: Int64? { edited.map { keeper?.edited ?? $0 } }

  /// A session without an open prompt.
  ///
  /// - Parameter keeper: keeps drafts; `nil` for none.
  init(keeper: DraftKeeper?, histories: PromptHistories) {
    self.keeper = keeper
    self.histories = histories
    kept = histories
  }

  /// Takes the drafts and histories of another journal; those of a sealed one are new, and in memory
  /// only.
  func use(_ keeper: DraftKeeper?, isSealed: Bool) {
    self.keeper?.close()
    self.keeper = keeper
    histories = isSealed ? PromptHistories(directory: nil) : kept
  }

  /// Whether the prompt is open.
  var isActive: Bool { prompt.isActive }

  /// Opens a prompt, with a text if one is given.
  ///
  /// - Parameters:
  ///   - present: the values that the prompt will replace; Up recalls a date, so that it can be edited.
  ///   - subject: the entries that it is for.
  func open(
    _ purpose: PromptPurpose, text: String = "", present: [String] = [], isUnsaved: Bool = false,
    subject: PromptSubject? = nil
  ) -> Event {
    edited = nil
    if purpose == .newEntry {
      texts = (keeper?.begin(.newEntry) ?? []) + [text]
      start(purpose, text: text)
    } else if case .question(let form) = purpose {
      // Its other texts are the other answers; drafts of earlier runs are offered by the prompt for entries.
      if form.isBegun { leaveText() } else { _ = keeper?.begin(.newEntry) }
      texts = [text]
      start(purpose, text: text)
      return opened(isUnsaved: true)
    } else {
      keeper?.close()
      let earlier = histories.entries(for: purpose) + (purpose == .redate ? present : [])
      texts = [text]
      start(purpose, text: text, history: earlier)
    }
    return opened(present: present, isUnsaved: isUnsaved, subject: subject)
  }

  /// Opens a prompt with the text of a draft, for a new entry or an edit.
  func open(_ draft: Draft, _ text: String, editing entry: Entry?) -> Event {
    if let entry { return open(editing: entry, with: (draft, text)) }
    edited = nil
    texts = (keeper?.begin(.newEntry, with: (draft, text)) ?? []) + [text]
    start(.newEntry, text: text)
    return opened(isUnsaved: true)
  }

  /// Opens a prompt with the text that came back from the editor, a draft; the cursor is where it was.
  ///
  /// - Returns: the events.
  func comeBack(_ draft: Draft, _ text: String, editing entry: Entry?) -> [Event] {
    let event = open(draft, text, editing: entry)
    guard isActive, let left else { return [event] }
    prompt.move(to: left.place(in: text))
    return [event, shown()]
  }

  /// Opens a prompt with an entry's text or the draft of an edit, or reports why the entry cannot be
  /// edited there.
  func open(editing entry: Entry, with draft: (draft: Draft, text: String)? = nil) -> Event {
    edited = entry.checksum
    let text = draft?.text ?? entry.text
    texts =
      (keeper?.begin(
        .edit(uuid: entry.uuid), with: draft, edited: entry.checksum, conflicts: entry.conflicts)
        ?? []) + [text]
    guard PromptText.clean(entry.text, kind: .entry).isSame(as: entry.text) else {
      keeper?.close()
      let reason = "entry \(entry.number) has line ends that a prompt would change; press E"
      return .journal(.failed(reason))
    }
    start(.edit(entry.number), text: text)
    return opened(isUnsaved: draft != nil)
  }

  /// Opens the prompt again with a text that could be neither saved nor kept, so that it stays on the
  /// screen.
  func resume(_ purpose: PromptPurpose, _ text: String) -> Event {
    let place = keeper?.index(ofUnkept: text) ?? index
    guard purpose == self.purpose, texts.indices.contains(place) else {
      // An edit whose entry was read before would overwrite what changed since.
      return open(.newEntry, text: text, isUnsaved: true)
    }
    // The same prompt, with its base and its other texts.
    guard isActive else {
      texts[place] = text
      start(purpose, at: place, text: text)
      return opened(isUnsaved: true)
    }
    leaveText()
    texts[place] = text
    index = place
    prompt.replace(text, undo: undo(of: text))
    // The state may have closed it, as before the end of the program.
    return opened(isUnsaved: true)
  }

  private func opened(
    present: [String] = [], isUnsaved: Bool = false, subject: PromptSubject? = nil
  ) -> Event {
    .prompt(
      .opened(
        purpose, text: prompt.line, present: present, isUnsaved: isUnsaved, index: index,
        count: texts.count, subject: subject))
  }

  private func start(
    _ purpose: PromptPurpose, at index: Int? = nil, text: String, history: [String] = []
  ) {
    if purpose != .attachment { waiting = nil }
    if !goesOn(with: purpose) { undos = [:] }
    self.purpose = purpose
    self.index = index ?? texts.count - 1
    completer = nil
    candidates = []
    spelling.begin(isWriting: purpose.keepsDrafts)
    prompt.start(
      kind: Self.kind(of: purpose), label: purpose.label, initialText: text,
      undo: purpose == .attachment ? nil : undo(of: text), history: history,
      spansBlanks: { line, point in
        purpose.keepsDrafts && CompletionWord(linkIn: line, endingAt: point) != nil
      },
      completions: { [weak self] word, start, line in
        self?.completions(of: word, start, line) ?? PromptCompletions()
      })
  }

  /// Shows the text before or after the one on the screen.
  private func show(_ step: Int) -> Event? {
    guard texts.indices.contains(index + step) else { return nil }
    leaveText()
    index += step
    prompt.replace(texts[index], undo: undo(of: texts[index]))
    return shown()
  }

  /// Leaves the text on the screen for another one of the prompt.
  private func leaveText() {
    guard isActive else { return }
    texts[index] = prompt.line
    undos[place] = prompt.takeUndo().map { (text: prompt.line, changes: $0) }
  }

  /// The changes of the text that comes next, if it was left as it is now.
  private func undo(of text: String) -> PromptUndo? {
    guard let left = undos.removeValue(forKey: place), left.text.isSame(as: text) else {
      return nil
    }
    return left.changes
  }

  /// The place of the text among those of the prompt: the index of a question, else of the text.
  private var place: Int { if case .question(let form) = purpose { form.index } else { index } }

  /// Whether a prompt has the texts of the one before: the next question, or the text for which a file was
  /// asked for.
  private func goesOn(with purpose: PromptPurpose) -> Bool {
    if case .question(let form) = purpose, form.isBegun { return true }
    return purpose == .attachment || self.purpose == .attachment
  }

  /// Whether readline has a command for a key with Alt.
  func takes(alt stroke: KeyStroke) -> Bool { prompt.takes(alt: stroke) }

  /// Handles a key or a paste.
  ///
  /// - Parameters:
  ///   - columns: the width of the screen.
  ///   - page: the rows of a page if the prompt fills the screen.
  func handle(_ event: KeyEvent, columns: Int, page: Int? = nil) -> [Event] {
    if purpose == .titles, isActive, case .stroke(let stroke) = event,
      let steps = Self.steps[stroke.name]
    {
      return [.prompt(.selectionMoved(steps))]
    }
    prompt.width = columns
    prompt.pageRows = page
    guard spelling.isChoosing else {
      if case .stroke(let stroke) = event, stroke.name == "<Tab>", let link = droppedPicture {
        choose(link.path)
        // A step of undo brings the path back.
        let changes = prompt.replace(0..<prompt.line.utf8.count, by: link.markdown)
        return changes.flatMap(events) + newCandidates() + misspelled()
      }
      return prompt.handle(event).flatMap(events) + newCandidates() + misspelled()
    }
    switch spelling.answer(event, in: prompt.line) {
    case .handled(let events): return events + misspelled()
    case .replace(let range, let word, let events):
      return events + prompt.replace(range, by: word).flatMap(self.events) + misspelled()
    case .closed(let events): return events + handle(event, columns: columns, page: page)
    }
  }

  /// The wrong words of a text that is written.
  private func misspelled() -> [Event] {
    isActive && purpose.keepsDrafts ? spelling.news(prompt.line, prompt.point) : []
  }

  /// The keys that select among titles, which have no history.
  private static let steps = [
    "<Up>": -1, "<C-p>": -1, "<Down>": 1, "<C-n>": 1, "<PageUp>": -10, "<PageDown>": 10,
  ]

  /// Types characters up to the first key with another function.
  ///
  /// - Returns: the events, and the number of keys typed.
  func type(_ strokes: ArraySlice<KeyStroke>, columns: Int) -> (events: [Event], taken: Int) {
    guard !spelling.isChoosing else { return ([], 0) }
    prompt.width = columns
    let typed = prompt.type(strokes)
    return (typed.events.flatMap(events) + newCandidates() + misspelled(), typed.taken)
  }

  /// The completions of the word before the cursor, if they differ from the shown ones.
  ///
  /// They are shown for tags, commands, fields and dates; other words would have too many.
  private func newCandidates() -> [Event] {
    guard isActive else { return [] }
    let line = prompt.line
    var found = droppedPicture.map { ["Tab attaches \($0.words)"] } ?? []
    if asksForCandidates(Array(line.utf8.prefix(prompt.point).suffix(Self.longestWord))) {
      // The names of commands need no word of the journal, which takes time to read.
      let isName = purpose == .command && !line.utf8.prefix(prompt.point).contains(0x20)
      if completer == nil, !isName { completer = newCompleter() }
      let completer = knowingTitles(
        completer ?? Self.commandNames, line, prompt.point, .milliseconds(40))
      let completion = completer.completion(of: line, at: prompt.point, for: purpose)
      let typed = line.utf8.dropFirst(completion.range.lowerBound).prefix(completion.range.count)
      found = completion.candidates.prefix(Self.mostCandidates).map(\.label)
      // A finished word has nothing to choose from.
      if completion.candidates.count == 1,
        completion.candidates[0].text.utf8.elementsEqual(typed)
      {
        found = []
      }
    }
    guard found != candidates else { return [] }
    candidates = found
    return [.prompt(.candidatesFound(found))]
  }

  /// The completer with the titles for the letters of a link.
  private func knowingTitles(
    _ completer: Completer, _ line: String, _ point: Int, _ limit: Duration
  ) -> Completer {
    guard let typed = completer.linkTarget(in: line, at: point, for: purpose) else {
      return completer
    }
    var completer = completer
    completer.words.titles = findTitles(typed, limit)
    return completer
  }

  /// Completes the names of commands, which need no word of the journal.
  private static let commandNames: Completer = {
    var words = CompletionWords(today: .earliest)
    words.commands = .ofProgram
    return Completer(words)
  }()

  /// A completer of this prompt.
  ///
  /// Options of commands, which take some milliseconds to describe, complete commands only.
  private func newCompleter() -> Completer {
    var words = findWords()
    if purpose == .command { words.commands = .withArguments }
    return Completer(words)
  }

  /// The most candidates that one line of a screen can show.
  private static let mostCandidates = 40

  /// The longest word with candidates, in bytes.
  private static let longestWord = 200

  /// - Parameter typed: the bytes before the cursor.
  private func asksForCandidates(_ typed: [UInt8]) -> Bool {
    let start = typed.lastIndex { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
    let word = typed[(start.map { $0 + 1 } ?? 0)...]
    switch purpose {
    case .newEntry, .edit, .question:
      if CompletionWord(linkIn: prompt.line, endingAt: prompt.point) != nil { return true }
      return (word.first == UInt8(ascii: "#") || word.first == UInt8(ascii: "@")) && word.count > 1
    case .tags: return !word.isEmpty
    case .command: return !word.isEmpty
    case .search, .filter: return word.count > 1
    case .date, .redate: return !word.isEmpty
    case .pipe, .titles, .attachment: return false
    }
  }

  /// Cancels the prompt, as Esc does.
  func cancel() -> [Event] {
    guard !prompt.cancel().isEmpty else { return [] }
    guard let waiting else { return [.prompt(.cancelled(prompt.draft))] }
    // The text that waits is closed with the question about its file.
    self.waiting = nil
    purpose = waiting.purpose
    (texts, index, edited) = (waiting.texts, waiting.index, waiting.edited)
    return [.prompt(.cancelled(waiting.text))]
  }

  /// Cancels the prompt before the journal is locked; the text of an entry in a command is kept, too.
  func leave() -> [Event] {
    if isActive, purpose == .command, PromptHistories.carriesText(prompt.line) {
      try? keeper?.keepOther(prompt.line)
    }
    return cancel()
  }

  /// The label, the text and the cursor of the prompt.
  func shown() -> Event {
    .prompt(
      .changed(label: prompt.displayPrompt, text: prompt.line, point: prompt.point, index: index))
  }

  private func events(of event: ReadlineEvent) -> [Event] {
    if purpose == .attachment { return answers(to: event) }
    if case .asked(.attachment) = event { return askForFile() }
    return self.event(of: event).map { [$0] } ?? []
  }

  private func event(of event: ReadlineEvent) -> Event? {
    switch event {
    case .changed: return shown()
    case .accepted(let text):
      histories.add(text, for: purpose)
      keeper?.submit(at: keptIndex)
      return .prompt(.submitted(text, base: base))
    case .cancelled: return .prompt(.cancelled(prompt.draft))
    case .externalEditor(let text):
      left = LeftPrompt(text: text, point: prompt.point)
      keeper?.submit(at: keptIndex)
      return .prompt(.movedToEditor(text, base: base))
    case .completions(let words): return .prompt(.completionsFound(words))
    case .leftText(let step):
      if case .question = purpose { return .prompt(.selectionMoved(step)) }
      return show(step)
    case .asked(.fullScreen): return .prompt(.fullScreenToggled)
    case .asked(.spelling): return spelling.ask(prompt.line, prompt.point)
    case .asked(.attachment): return nil
    case .turnedPage(let step): return .prompt(.pageTurned(step))
    }
  }

  // MARK: Files

  /// Asks for a file for the text that is written, which waits.
  private func askForFile() -> [Event] {
    guard purpose.keepsDrafts else { return [] }
    leaveText()
    let text = WaitingText(
      purpose: purpose, texts: texts, index: index, edited: edited, text: prompt.line,
      point: prompt.point)
    start(.attachment, at: 0, text: "")
    waiting = text
    return [.prompt(.attachmentAsked)]
  }

  /// Asks for the file again, after a path that leads to none.
  func askForFile(again path: String) -> [Event] {
    guard waiting != nil else { return [] }
    start(.attachment, at: 0, text: path)
    return [.prompt(.opened(.attachment, text: path))]
  }

  /// Goes on with the text that waits, with a link at the cursor.
  func goOn(inserting link: String? = nil) -> [Event] {
    guard let waiting else { return [] }
    (texts, edited) = (waiting.texts, waiting.edited)
    start(waiting.purpose, at: waiting.index, text: waiting.text)
    let opened = opened(isUnsaved: true)
    prompt.move(to: waiting.point)
    guard let link else { return [opened, shown()] }
    return [opened] + prompt.insert(waiting.spaced(link)).flatMap(events)
  }

  /// The events of a key in the question about a file.
  private func answers(to event: ReadlineEvent) -> [Event] {
    switch event {
    case .changed: [shown()]
    case .accepted(let path): [.prompt(.submitted(path))]
    case .cancelled, .externalEditor: goOn()
    case .completions(let words): [.prompt(.completionsFound(words))]
    case .leftText, .asked, .turnedPage: []
    }
  }

  /// Records that a file was chosen for the text that is written, so that a link to its path attaches it.
  ///
  /// Any text may have such a link: a page that is pasted must not take a file of its reader.
  func choose(_ path: String) {
    let place = waiting?.index ?? index
    keeper?.choose(path, at: place == texts.count - 1 ? keeper?.own ?? place : place)
    if keeper == nil { chosen.insert(Array(path.utf8)) }
  }

  /// Whether a file was chosen here, where no drafts are kept.
  func hasChosen(_ path: String) -> Bool { chosen.contains(Array(path.utf8)) }

  /// A link to the picture whose path is the whole text; `nil` for any other text.
  private var droppedPicture: PathLink? {
    guard isActive, purpose.keepsDrafts, let path = DroppedPath.path(in: prompt.line),
      (try? FileContent.isPicture(at: Places.expanded(path))) == true
    else { return nil }
    return PathLink(Places.expanded(path), isPicture: true)
  }

  /// Which text of the keeper is on the screen.
  private var keptIndex: Int {
    if case .question = purpose { keeper?.own ?? 0 } else { index }
  }

  /// The candidates for readline's word, each as a replacement of the whole word.
  private func completions(of word: String, _ start: Int, _ line: String) -> PromptCompletions {
    var completer = completer ?? newCompleter()
    let point = start + word.utf8.count
    completer = knowingTitles(completer, line, point, .seconds(2))
    let field = completer.field(in: line, at: point, for: purpose)
    completer.words.values = field.map { findValues($0, .seconds(2)) } ?? []
    if let directory = completer.directory(in: line, at: point, for: purpose) {
      completer.words.files = Places.names(in: directory)
    }
    self.completer = completer
    let found = completer.completion(of: line, at: point, for: purpose)
    // The completed part may begin inside readline's word, as in `--tag=ho`.
    if found.range.lowerBound < start { return behindSpaces(found, line, start) }
    let kept = String(decoding: word.utf8.prefix(found.range.lowerBound - start), as: UTF8.self)
    return PromptCompletions(
      found.candidates.map { kept + $0.text }, labels: found.candidates.map(\.label),
      isFinished: found.candidates.first?.isOpen != true)
  }

  /// The candidates for a name with spaces, of which readline's word is only the end: the part
  /// before that word stays.
  private func behindSpaces(
    _ found: Completion, _ line: String, _ start: Int
  ) -> PromptCompletions {
    let typed = Array(line.utf8.prefix(start).dropFirst(found.range.lowerBound))
    let fitting = found.candidates.filter { $0.text.utf8.starts(with: typed) }
    return PromptCompletions(
      fitting.map { String(decoding: $0.text.utf8.dropFirst(typed.count), as: UTF8.self) },
      labels: fitting.map(\.label), isFinished: fitting.first?.isOpen != true)
  }

  /// Saves the histories for the next run.
  ///
  /// - Throws: `PromptHistoryError`.
  func saveHistory() throws {
    try kept.save()
  }

  private static func kind(of purpose: PromptPurpose) -> PromptKind {
    switch purpose {
    case .newEntry, .edit, .question: .entry
    case .command: .command
    case .date, .redate: .date
    case .search, .filter, .titles: .search
    case .tags: .tags
    case .pipe, .attachment: .other
    }
  }
}
