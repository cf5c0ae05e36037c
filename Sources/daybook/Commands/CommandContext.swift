import ArgumentParser
import Files
import Journal
import JournalStore
import Screen

/// A command that a shell and the screen's `:` line run alike, in their own process.
protocol JournalCommand: ParsableCommand, WordOrdering {
  /// The global options.
  var options: GlobalOptions { get }
  /// Runs the command.
  ///
  /// - Throws: ``Failure``, and the errors of the store.
  func run(in context: CommandContext) throws
}

extension JournalCommand {
  static var wordOrder: WordOrder { .plain() }

  func run() throws { try run(in: CommandContext(shell: options)) }
}

/// The surroundings of a command: its journal, its output, and the person who waits for it.
///
/// A shell's command opens the journal that its options name, prints, and asks at the terminal. A
/// command of the screen works on the journal that is open there; its lines are collected for the
/// status line or a page, and a question becomes one of the screen.
final class CommandContext {
  /// The entries that a command of the screen is about when it names none.
  struct Selection {
    /// The numbers of the marked entries, else of the selected one.
    var numbers: () throws -> [Int64]
    /// Whether the entries are marked.
    var isMarked: Bool
  }

  /// A question that the screen has to ask before the command runs again with `--yes`.
  struct NeedsAnswer: Error {
    var question: String
    var refusal: String
  }

  /// The output for data.
  let output: Output
  /// The settings in force.
  let settings: Settings
  /// The person who waits for long work.
  let observer: any WorkObserver
  /// The entries meant where none is named; `nil` in a shell, and on the screen where no row is.
  let selection: Selection?
  /// Whether another file has taken the journal's place.
  private(set) var journalWasReplaced = false
  /// The result of a change, in words for a person; only on the screen.
  private(set) var news: String?
  private let options: GlobalOptions
  private let shownStore: (any EntryStore)?

  /// The surroundings of a command of the shell.
  init(shell options: GlobalOptions) {
    self.options = options
    output = Output()
    settings = Configuration.ofUser.settings
    observer = ShellObserver()
    selection = nil
    shownStore = nil
  }

  /// The surroundings of a command of the screen, over the journal that is open there.
  init(
    screen store: any EntryStore, options: GlobalOptions, settings: Settings,
    selection: Selection?, observer: any WorkObserver
  ) {
    self.options = options
    output = .collecting()
    self.settings = settings
    self.observer = observer
    self.selection = selection
    shownStore = store
  }

  /// Whether the command was typed on the screen.
  var isOnScreen: Bool { shownStore != nil }

  // MARK: Journal

  /// The journal's place and kind.
  ///
  /// - Throws: `StoreError` when nothing leads to one.
  func location() throws -> JournalLocation { try JournalOpening.location(options.journal) }

  /// The journal: the one on the screen, else the one that the options name.
  ///
  /// - Throws: `StoreError`.
  func store(for access: JournalOpening.Access) throws -> any EntryStore {
    if let shownStore { return shownStore }
    let (store, notes) = try JournalOpening.opened(options, for: access)
    for note in notes { complain(note) }
    return store
  }

  /// Changes the journal; tries again where another file took the journal's place meanwhile
  /// (`backup --restore`): then nothing was written, and the new file is the one that is meant.
  ///
  /// - Throws: `StoreError`, and the errors of `body`.
  func changing<Value>(_ body: (any EntryStore) throws -> Value) throws -> Value {
    for _ in 1..<Self.attempts {
      do {
        let store = try store(for: .writing)
        // Said before anything is looked for or asked.
        if store.isReadOnly { throw StoreError.readOnly(at: store.path) }
        return try body(store)
      } catch let error as StoreError where error.kind == .replaced && !isOnScreen {}
    }
    return try body(store(for: .writing))
  }

  private static let attempts = 5

  /// Notes that another file has taken the journal's place: the screen opens it again.
  func noteReplacedJournal() { journalWasReplaced = true }

  /// Begins work that may take long.
  ///
  /// - Parameter outcome: the state that cancelling leaves, for the message.
  func work(
    _ words: String, unit: String = "entries", outcome: String = "nothing was changed"
  ) -> LongWork {
    LongWork(words, unit: unit, outcome: outcome, for: observer)
  }

  // MARK: Output

  /// Reports a problem or a loss: on standard error in a shell.
  func complain(_ message: String) {
    guard isOnScreen else { return Console.complain(message) }
    let message = Failure(.notDone, message).screenMessage
    // An output in memory does not fail.
    try? output.line(message)
  }

  /// Reports a fact that only a person needs; a script that reads on does not get it.
  func hint(_ message: String) {
    if !isOnScreen { Console.hint(message) }
  }

  /// Prints a text of ours.
  ///
  /// - Throws: ``Output/Closed`` or ``Failure`` 74.
  func print(_ text: String) throws {
    try output.line(text)
    try output.flush()
  }

  /// Prints the result of a change.
  ///
  /// A caller that gets no result must at least not make the change again: a failure says that it is
  /// made.
  ///
  /// - Parameters:
  ///   - line: the line for scripts.
  ///   - news: the same in words for people, as the screen shows it.
  ///   - done: the state, in a sentence.
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
      throw Failure(exitCode: failure.code, "\(done), but \(failure.message)")
    }
  }

  /// Asks for consent.
  ///
  /// - Parameters:
  ///   - question: the question, without the hint to the answers.
  ///   - refusal: the news when the answer is no.
  /// - Throws: ``Failure`` 1 when the answer is no; ``NeedsAnswer`` on the screen.
  func confirm(_ question: String, refusal: String, advice: String) throws {
    if isOnScreen { throw NeedsAnswer(question: question, refusal: refusal) }
    guard Console.agrees("\(question) [y/N] ") else {
      throw Failure(.notDone, "\(refusal); \(advice)")
    }
  }

  // MARK: Input

  /// Whether a text that is not given as arguments is written in the user's editor.
  var hasTerminalInput: Bool { !isOnScreen && StandardInput.isTerminal }

  /// All bytes of standard input; none on the screen, which has the keys.
  ///
  /// - Throws: ``Failure`` 69 if there is no standard input.
  func standardInput() throws(Failure) -> Descriptor.Contents {
    isOnScreen ? Descriptor.Contents(bytes: []) : try StandardInput.contents()
  }
}
