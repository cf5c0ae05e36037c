import TextLayout

/// A line being typed, edited by readline with the user's own `~/.inputrc`.
///
/// readline is fed with keys and asked for its line; it never reads from, writes to or changes
/// the terminal, and needs none. There is one readline in a process, so one prompt at a time:
/// starting a prompt cancels another one. Everything is called on the thread of the main loop.
package final class ReadlinePrompt {
  /// What is asked for.
  package private(set) var kind = PromptKind.other

  /// What stands before the text.
  package private(set) var label = ""

  /// Whether a prompt is being answered.
  package private(set) var isActive = false

  /// The text as it is shown, also while a search through the history replaces it.
  package private(set) var line = ""

  /// Where the cursor is, in bytes of the UTF-8 of ``line``.
  package private(set) var point = 0

  /// What stands before the text: ``label``, or readline's own while it searches the history or
  /// takes a number.
  ///
  /// A searched text stands in it: show it through the sanitiser.
  package private(set) var displayPrompt = ""

  /// The text that the user typed, for a draft.
  ///
  /// While the history is searched it is the text from before, and after the prompt has ended
  /// its last text.
  package private(set) var draft = ""

  /// The columns of the rows in which the text is shown: Up and Down move by these rows.
  package var width = 80

  private let lineFeedInserts: Bool
  /// The column in which Up and Down move, also through rows that do not reach it.
  private var goal: Int?
  private var engine: Readline { Readline.shared }

  /// Makes a prompt that is not yet asking.
  ///
  /// - Parameter lineFeedInserts: Whether the key ^J makes a new line in an entry, as it should
  ///   when a person types; in piped keys a line feed is Enter.
  package init(lineFeedInserts: Bool) {
    self.lineFeedInserts = lineFeedInserts
  }

  deinit {
    if isActive { Readline.shared.abandon(owner: ObjectIdentifier(self)) }
  }

  /// Begins to ask.
  ///
  /// - Parameters:
  ///   - kind: What is asked for.
  ///   - label: What stands before the text.
  ///   - initialText: The text to begin with; undo does not remove it.
  ///   - history: Earlier answers, oldest first, which Up and ^R bring back.
  ///   - completions: Finds ways to complete a word, asked at Tab.
  package func start(
    kind: PromptKind, label: String, initialText: String = "", history: [String] = [],
    completions: @escaping PromptCompletions.Source = { _, _, _ in PromptCompletions() }
  ) {
    self.kind = kind
    self.label = label
    goal = nil
    engine.start(
      owner: ObjectIdentifier(self), text: PromptText.clean(initialText, kind: kind),
      history: history.map { PromptText.clean($0, kind: kind) }, completions: completions)
    isActive = engine.owner == ObjectIdentifier(self)
    draft = ""
    refresh()
  }

  /// Takes a key or a paste.
  ///
  /// Empty when the key does nothing here. After an event that ends the prompt ``isActive`` is
  /// false.
  package func handle(_ event: KeyEvent) -> [ReadlineEvent] {
    switch event {
    case .stroke(let stroke): return handle(stroke)
    case .paste(let bytes): return insert(String(decoding: bytes, as: UTF8.self))
    case .mouse: return []
    }
  }

  /// Takes keys that type characters, as many as do nothing else, and looks at the line once.
  ///
  /// - Returns: what came of them, and how many were taken; the others are to be handled one by one.
  /// - Complexity: Linear in the keys and in the length of the line.
  package func type(_ strokes: ArraySlice<KeyStroke>) -> (events: [ReadlineEvent], taken: Int) {
    guard owns else { return ([], 0) }
    let taken = engine.type(strokes.lazy.map(\.bytes))
    guard taken > 0 else { return ([], 0) }
    goal = nil
    return (outcome(), taken)
  }

  /// Takes the bytes of one key, or of text.
  ///
  /// Bytes behind the key that ends the prompt are dropped: they were typed for something else.
  package func feed(_ bytes: [UInt8]) -> [ReadlineEvent] {
    guard owns else { return [] }
    engine.feed(bytes)
    return outcome()
  }

  /// Puts text at the cursor, whatever it holds: no byte of it is a key.
  ///
  /// Line ends become line feeds, or spaces where the answer is one line; a NUL becomes U+FFFD.
  /// Linear in the length of the text.
  package func insert(_ text: String) -> [ReadlineEvent] {
    guard owns, !text.isEmpty else { return [] }
    engine.insert(PromptText.clean(text, kind: kind))
    return outcome()
  }

  /// Ends the prompt without an answer; ``draft`` keeps what was typed.
  @discardableResult
  package func cancel() -> [ReadlineEvent] {
    guard owns else {
      isActive = false
      return []
    }
    engine.cancel()
    isActive = false
    return [.cancelled]
  }

  /// The line of the history that is shown, counted from the oldest one; nil for the prompt's own.
  package var historyLine: Int? { owns ? engine.historyLine : nil }

  private var owns: Bool { isActive && engine.owner == ObjectIdentifier(self) }

  private func handle(_ stroke: KeyStroke) -> [ReadlineEvent] {
    guard owns else { return [] }
    let column = goal
    goal = nil
    switch stroke.name {
    case "<C-c>": return cancel()
    case "<Esc>":
      // In vi's insert mode Esc belongs to the editing; from the command mode it cancels.
      return engine.isViInserting ? feed(stroke.bytes) : cancel()
    case _ where Self.newLineKeys.contains(stroke.name):
      return kind.isMultiline ? insert("\n") : feed([0x0D])
    case "<Enter>":
      let isLineFeed = stroke.bytes == [0x0A] && lineFeedInserts && kind.isMultiline
      return isLineFeed ? insert("\n") : feed([0x0D])
    case "<Up>", "<Down>":
      return moveToRow(stroke.name == "<Up>" ? -1 : 1, from: column)
        ? outcome() : feedKey(stroke)
    default: return feedKey(stroke)
    }
  }

  /// Enter with any modifier, which people know from programs where Enter sends.
  private static let newLineKeys: Set<String> = [
    "<S-Enter>", "<A-Enter>", "<C-Enter>", "<A-S-Enter>", "<C-S-Enter>", "<C-A-Enter>",
    "<C-A-S-Enter>",
  ]

  private func feedKey(_ stroke: KeyStroke) -> [ReadlineEvent] {
    // readline would run the rest of a sequence that it does not know as typed text.
    guard !stroke.isControlSequence || engine.isBound(stroke.bytes) else { return [] }
    // A command of two keys that fails inside the search makes readline crash (8.2: ^R ^X ^G),
    // so the search ends before any key that is no part of it.
    if engine.isIncremental, stroke.text == nil, !Self.searchKeys.contains(stroke.name) {
      engine.endSearch()
    }
    if let first = stroke.bytes.first, first >= 0x80 { engine.dropSequence() }
    return feed(stroke.bytes)
  }

  private static let searchKeys: Set<String> = [
    "<C-r>", "<C-s>", "<C-g>", "<BS>", "<C-w>", "<C-y>", "<Enter>",
  ]

  /// Moves the cursor by one row of the text as it is shown; false at the first and the last one,
  /// from where the history takes over.
  private func moveToRow(_ step: Int, from column: Int?) -> Bool {
    guard kind.isMultiline, !engine.isSearching else { return false }
    let target = PromptView.point(
      in: line, from: point, movedBy: step, column: column, label: displayPrompt, width: width)
    guard let target else { return false }
    engine.move(to: target.point)
    goal = target.column
    return true
  }

  /// Reads what readline made of the input.
  private func outcome() -> [ReadlineEvent] {
    switch engine.takeOutcome() {
    case .accepted(let text):
      line = text
      point = text.utf8.count
      draft = text
      isActive = false
      return [.accepted(text)]
    case .ended:
      isActive = false
      return [.cancelled]
    case .editor:
      refresh()
      let text = line
      engine.cancel()
      isActive = false
      return [.externalEditor(text)]
    case .editing(let matches):
      refresh()
      return [.changed] + (matches.isEmpty ? [] : [.completions(matches)])
    }
  }

  private func refresh() {
    line = engine.line
    point = min(engine.point, line.utf8.count)
    displayPrompt = engine.message ?? label
    if !engine.isSearching { draft = line }
  }
}

/// What a key did to the prompt.
package enum ReadlineEvent: Hashable, Sendable {
  /// The line, the cursor or the label is not what it was; draw it again.
  case changed

  /// Enter: the prompt has ended with this text.
  case accepted(String)

  /// Esc, ^C, or ^D on an empty line: the prompt has ended; ``ReadlinePrompt/draft`` keeps what
  /// was typed.
  case cancelled

  /// ^X^E: the prompt has ended, and this text is to be edited in `$EDITOR`.
  case externalEditor(String)

  /// Tab found several ways to go on; they are to be shown beside the prompt.
  case completions([String])
}

/// Ways to complete the word at the cursor.
package struct PromptCompletions: Equatable, Sendable {
  /// Whole words that can stand in the place of the typed one, best first.
  package var words: [String]
  /// What is shown for each word where there are several: `#home 12`.
  package var labels: [String]
  /// Whether a word that is the only one is finished, so that a space follows.
  package var isFinished: Bool

  /// Makes completions; the words are their own labels unless there are as many others.
  package init(_ words: [String] = [], labels: [String] = [], isFinished: Bool = true) {
    self.words = words
    self.labels = labels.count == words.count ? labels : words
    self.isFinished = isFinished
  }

  /// Finds completions: of the word `text` that begins at the byte `start` of `line`.
  package typealias Source = (_ text: String, _ start: Int, _ line: String) -> PromptCompletions
}
