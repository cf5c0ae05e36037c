import ArgumentParser
import Files
import Journal
import JournalStore
import Screen

/// A command that runs the same in a shell and on the screen's `:` line, there in the same process.
protocol JournalCommand: ParsableCommand, WordOrdering {
  var options: GlobalOptions { get }
  /// Runs the command.
  ///
  /// - Throws: ``Failure``, and the errors of the store.
  func run(in context: CommandContext) throws
}

extension JournalCommand {
  static var wordOrder: WordOrder { .plain }

  func run() throws { try run(in: CommandContext(shell: options.values)) }
}

/// The surroundings of a command: its journal, its output, and the person waiting for it.
///
/// A command in a shell opens the journal of its options, prints, and asks at the terminal. A
/// command on the screen uses the open journal; its lines are collected for the status line or a
/// page, and the screen asks its questions.
final class CommandContext {
  /// The entries of a command on the screen that names none.
  struct Selection {
    /// The numbers of the marked entries, else of the selected one.
    var numbers: () throws -> [Int64]
    /// Whether the entries are marked.
    var isMarked: Bool
  }

  /// A question for the screen to ask before the command runs again.
  struct NeedsAnswer: Error {
    var question: String
    var refusal: String
    /// The options of the second run.
    var consent: [String]
  }

  /// The output for data.
  let output: Output
  let settings: Settings
  /// The configuration and its file on the screen; `nil` in a shell.
  private let shownConfiguration: ShownConfiguration?
  /// The person waiting for long work.
  let observer: any WorkObserver
  /// The default entries; `nil` in a shell, and on a screen without rows.
  let selection: Selection?
  /// Whether another file has replaced the journal, or it was locked: the screen opens it again.
  private(set) var journalWasReplaced = false
  /// The result of a change, in words for a person; only on the screen.
  private(set) var news: String?
  /// The screen's message for a command without output.
  private(set) var hinted: String?
  /// The options with which the screen runs the command when a person accepts what its lines show.
  private(set) var proposal: [String]?
  /// How to get the key of a sealed journal, and new passphrases.
  let unlocking: Unlocking
  private let options: GlobalOptions.Values
  /// The journal that is open on the screen.
  private let shownStore: (any EntryStore)?
  /// The form of what is kept beside the journal that the command opened, or that is on the screen;
  /// `nil` before a command in a shell opens one.
  private(set) var form: DraftForm?

  init(shell options: GlobalOptions.Values) {
    self.options = options
    output = Output()
    settings = Configuration.ofUser.settings
    observer = ShellObserver()
    selection = nil
    shownStore = nil
    shownConfiguration = nil
    unlocking = .inShell
  }

  /// The configuration of the screen, and what it does with its file.
  struct ShownConfiguration {
    var configuration: Configuration
    /// Runs the user's editor on a file.
    var edit: (String) throws -> SubProcess.End
    /// Reads the file again and applies it; returns its errors.
    var reload: () throws -> [ConfigProblem]
  }

  /// - Parameters:
  ///   - store: the journal that is open on the screen.
  ///   - configuration: `nil` where no editor can be opened, in a key script.
  ///   - askSecret: asks for a passphrase; `nil` where nobody can answer.
  init(
    screen store: any EntryStore, options: GlobalOptions.Values, settings: Settings,
    selection: Selection?, configuration: ShownConfiguration? = nil,
    askSecret: SecretAsking? = nil, columns: Int? = nil, observer: any WorkObserver
  ) {
    screenColumns = columns
    unlocking = Unlocking(settings) { askSecret }
    shownConfiguration = configuration
    self.options = options
    output = .collecting()
    self.settings = settings
    self.observer = observer
    self.selection = selection
    shownStore = store
    form = DraftForm(of: store)
  }

  /// The width of the screen; `nil` in a shell.
  private(set) var screenColumns: Int?

  /// Whether the command runs on the screen.
  var isOnScreen: Bool { shownStore != nil }

  // MARK: Journal

  /// The journal's path and kind.
  ///
  /// - Throws: `StoreError` when options, environment and configuration give no path.
  func location() throws -> JournalLocation { try JournalLookup.location(options.journal) }

  /// The journal: the one open on the screen, else the one that the options name.
  ///
  /// - Throws: `StoreError`.
  func store(for access: JournalLookup.Access) throws -> any EntryStore {
    if let shownStore {
      // The line may say --read-only itself.
      if [.writing, .unlocking].contains(access), options.readOnly || shownStore.isReadOnly {
        throw shownStore.readOnlyError
      }
      return shownStore
    }
    let (store, notes) = try JournalLookup.opened(
      options.journal, readOnly: options.readOnly, for: access)
    for note in notes { complain(note) }
    form = DraftForm(of: store)
    return store
  }

  /// Changes the journal; repeats the change if another file replaced the journal meanwhile
  /// (`backup --restore`): then nothing was written, and the new file is the journal.
  ///
  /// - Throws: `StoreError`, and the errors of `body`.
  func changing<Value>(_ body: (any EntryStore) throws -> Value) throws -> Value {
    for _ in 1..<Self.attempts {
      do {
        let store = try store(for: .writing)
        // Reported before any search or question.
        if store.isReadOnly { throw store.readOnlyError }
        return try body(store)
      } catch let error as StoreError where error.kind == .replaced && !isOnScreen {}
    }
    return try body(store(for: .writing))
  }

  private static let attempts = 5

  /// Notes that another file has replaced the journal: the screen reopens it.
  func noteReplacedJournal() { journalWasReplaced = true }

  // MARK: Configuration

  /// The configuration in use.
  var configuration: Configuration { shownConfiguration?.configuration ?? .ofUser }

  /// Opens the configuration in the user's editor, and reads it again.
  ///
  /// - Returns: the errors in the file.
  /// - Throws: ``Failure`` when the editor fails.
  func editConfiguration(_ path: String) throws -> [ConfigProblem] {
    guard !isOnScreen || shownConfiguration != nil else {
      throw Failure(.usage, "config edit: a key script has no editor")
    }
    let end =
      try shownConfiguration?.edit(path)
      ?? EditorProcess.run(
        EditorProcess.command(setting: settings.editor), on: path, signals: nil)
    switch end {
    case .exited(0): break
    case .exited(127): throw Failure(.notDone, "no such editor")
    case .exited(let code): throw Failure(.notDone, "editor ended with \(code)")
    case .signalled(let number): throw Failure(exitCode: 128 + number, "ended")
    }
    return try shownConfiguration?.reload() ?? configuration.reloaded().problems
  }

  /// Begins work that may take long.
  ///
  /// - Parameter outcome: the state after cancelling, for the message.
  func work(
    _ words: String, unit: String = "entries", outcome: String = "nothing was changed"
  ) -> LongWork {
    LongWork(words, unit: unit, outcome: outcome, for: observer)
  }

  /// Makes a change of many entries with progress; if it is cancelled, nothing is changed.
  ///
  /// In a shell SQLite's own work after the last entry can be cancelled, too. On the screen it
  /// cannot: the lists that follow the commit would be cancelled with it.
  ///
  /// - Throws: the errors of `body`; ``Failure`` with 128 + n when it is cancelled.
  func bulkChange<Value>(
    _ words: String, in store: any EntryStore, _ body: (BulkOptions) throws -> Value
  ) throws -> Value {
    let work = work(words)
    let options = BulkOptions(progress: work.step)
    guard !isOnScreen else {
      defer { work.end() }
      return try body(options)
    }
    return try work.run { isCancelled in try store.cancellable(isCancelled) { try body(options) } }
  }

  // MARK: Output

  /// Reports a problem or a loss: on standard error in a shell.
  func complain(_ message: Sentence) {
    guard isOnScreen else { return Console.complain(message.inShell) }
    // An output in memory never fails.
    try? output.line(message.onScreen)
  }

  /// The text of a sentence where the command runs.
  func text(_ sentence: Sentence) -> String { isOnScreen ? sentence.onScreen : sentence.inShell }

  /// Reports a problem or a loss without commands.
  @_disfavoredOverload
  func complain(_ message: String) { complain(Sentence(message)) }

  /// Reports a fact that only a person needs; scripts do not get it, and the screen shows it if there is
  /// nothing else to show.
  func hint(_ message: String) {
    guard isOnScreen else { return Console.hint(message) }
    hinted = hinted ?? message
  }

  /// Prints a text of the program.
  ///
  /// - Throws: ``Output/Closed`` or ``Failure`` 74.
  func print(_ text: String) throws {
    // A tab between columns stays one, also on a terminal.
    let columns = text.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    let shown = output.isTerminal ? columns.map(Sanitizing.body) : columns
    try output.line(shown.joined(separator: "\t"), isSafe: true)
    try output.flush()
  }

  /// Runs `body`, whose output goes through the user's pager if it is longer than the terminal.
  ///
  /// - Throws: the errors of `body`; ``Output/Closed`` if the user leaves the pager early.
  func paging(_ options: PagerOptions, _ body: () throws -> Void) throws {
    let isWanted = !isOnScreen && output.isTerminal && !options.noPager
    var pager = isWanted ? Pager.ofUser(settings) : nil
    pager?.leavesNoTrace = form?.isSealed == true
    try output.paged(by: pager, body)
  }

  /// Prints the result of a change.
  ///
  /// The change is made even if its result cannot be printed; the failure says so, so that the
  /// caller does not repeat it.
  ///
  /// - Parameters:
  ///   - line: the line for scripts.
  ///   - news: the result in words for people, as the screen shows it.
  ///   - done: the state, in a sentence, for the failure.
  /// - Throws: ``Output/Closed`` or ``Failure`` 74.
  func printDone(
    _ line: String, news: String? = nil, done: String = "the change is made"
  ) throws {
    guard !isOnScreen else {
      self.news = news ?? line
      return
    }
    do {
      try print(line)
    } catch let failure as Failure {
      throw Failure(exitCode: failure.code, "\(done), but \(failure.sentence)")
    }
  }

  /// Asks for consent.
  ///
  /// - Parameters:
  ///   - question: the question, without the possible answers.
  ///   - refusal: the message when the answer is no.
  ///   - consent: the options with which the screen runs the command after a yes.
  /// - Throws: ``Failure`` 1 when the answer is no; ``NeedsAnswer`` on the screen.
  func confirm(
    _ question: String, refusal: String, advice: String, consent: [String] = ["--yes"]
  ) throws {
    if isOnScreen {
      throw NeedsAnswer(question: question, refusal: refusal, consent: consent)
    }
    guard Console.agrees("\(question) [y/N] ") else {
      throw Failure(.notDone, "\(refusal); \(advice)")
    }
  }

  /// Proposes to run the command with further options, after its lines show what it would do; only
  /// on the screen.
  func propose(with consent: [String]) { proposal = consent }

  // MARK: Input

  /// Whether a text that is not given as arguments is written in the user's editor.
  var hasTerminalInput: Bool { !isOnScreen && StandardInput.isTerminal }

  /// All bytes of standard input; none on the screen, where standard input is the keyboard.
  ///
  /// - Throws: ``Failure`` 69 if there is no standard input.
  func standardInput() throws(Failure) -> Descriptor.Contents {
    isOnScreen ? Descriptor.Contents(bytes: []) : try StandardInput.contents()
  }
}
