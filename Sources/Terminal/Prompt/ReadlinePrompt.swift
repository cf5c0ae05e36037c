import TextLayout

/// A line editor by readline with the user's own `~/.inputrc`.
///
/// readline receives keys and returns its line; it never reads from, writes to or changes the
/// terminal, and needs none. There is one readline in a process, so one prompt at a time: starting
/// a prompt cancels an active one. All calls come from the main loop's thread.
package final class ReadlinePrompt {
  /// The kind of answer.
  package private(set) var kind = PromptKind.other

  /// The label before the text.
  package private(set) var label = ""

  /// Whether the prompt is active.
  package private(set) var isActive = false

  /// The displayed text, also during a history search.
  package private(set) var line = ""

  /// The cursor position, in UTF-8 bytes of ``line``.
  package private(set) var point = 0

  /// The displayed label: ``label``, or readline's own during a history search or a numeric
  /// argument.
  ///
  /// It may contain the searched text: pass it through the sanitiser.
  package private(set) var displayPrompt = ""

  /// The typed text, for a draft.
  ///
  /// During a history search it is the text before the search; after the end of the prompt, its
  /// last text.
  package private(set) var draft = ""

  /// The width of the displayed rows, in columns: Up and Down move by these rows.
  package var width = 80

  /// The rows by which PgUp and PgDn move the cursor in a prompt that fills the screen.
  ///
  /// `nil` elsewhere: they scroll what is beside the prompt.
  package var pageRows: Int?

  /// The target column of Up and Down, kept across shorter rows.
  private var goal: Int?
  private var engine: Readline { Readline.shared }

  /// Makes an inactive prompt.
  package init() {}

  deinit {
    if isActive { Readline.shared.abandon(owner: ObjectIdentifier(self)) }
  }

  /// Starts the prompt.
  ///
  /// - Parameters:
  ///   - kind: The kind of answer.
  ///   - label: The label before the text.
  ///   - initialText: The initial text; undo does not remove it.
  ///   - undo: The changes of the initial text, of which ``takeUndo()`` was asked when it was left.
  ///   - history: Earlier answers, oldest first, for Up and ^R; a text of several lines has none, since
  ///     readline's many commands for the history would replace it.
  ///   - spansBlanks: Whether the word at a byte of a line is a name with blanks, after a bracket.
  ///   - completions: Finds completions of a word, called at Tab.
  package func start(
    kind: PromptKind, label: String, initialText: String = "", undo: PromptUndo? = nil,
    history: [String] = [],
    spansBlanks: @escaping (_ line: String, _ point: Int) -> Bool = { _, _ in false },
    completions: @escaping PromptCompletions.Source = { _, _, _ in PromptCompletions() }
  ) {
    assert(!kind.isMultiline || history.isEmpty)
    self.kind = kind
    self.label = label
    goal = nil
    engine.start(
      owner: ObjectIdentifier(self), isMultiline: kind.isMultiline,
      text: PromptText.clean(initialText, kind: kind), undo: undo,
      history: history.map { PromptText.clean($0, kind: kind) }, spansBlanks: spansBlanks,
      completions: completions)
    isActive = engine.owner == ObjectIdentifier(self)
    engine.drawing?.label = label
    draft = ""
    refresh()
  }

  /// Handles a key or a paste.
  ///
  /// Returns no events if the key has no effect. After an event that ends the prompt ``isActive``
  /// is false.
  package func handle(_ event: KeyEvent) -> [ReadlineEvent] {
    switch event {
    case .stroke(let stroke): return handle(stroke)
    case .paste(let bytes): return insert(String(decoding: bytes, as: UTF8.self))
    case .mouse, .report: return []
    }
  }

  /// Types the leading keys that only insert characters, and inspects the line once.
  ///
  /// - Returns: the events, and the number of keys used; the others must be handled one by one.
  /// - Complexity: Linear in the keys and in the length of the line.
  package func type(_ strokes: ArraySlice<KeyStroke>) -> (events: [ReadlineEvent], taken: Int) {
    guard owns else { return ([], 0) }
    let taken = engine.type(strokes.lazy.map(\.bytes))
    guard taken > 0 else { return ([], 0) }
    goal = nil
    return (outcome(), taken)
  }

  /// Feeds the bytes of a key or of text.
  ///
  /// Bytes after the key that ends the prompt are dropped: they were not meant for it.
  package func feed(_ bytes: [UInt8]) -> [ReadlineEvent] {
    guard owns else { return [] }
    engine.feed(bytes)
    return outcome()
  }

  /// Inserts any text at the cursor; none of its bytes counts as a key.
  ///
  /// Line ends become line feeds, or spaces in a one-line answer; a NUL becomes U+FFFD. Linear in
  /// the length of the text.
  package func insert(_ text: String) -> [ReadlineEvent] {
    guard owns, !text.isEmpty else { return [] }
    engine.insert(PromptText.clean(text, kind: kind))
    return outcome()
  }

  /// Moves the cursor to a byte, or to the start of the character with it.
  package func move(to point: Int) {
    guard owns else { return }
    goal = nil
    engine.move(toCharacterAt: min(max(0, point), engine.length))
    refresh()
  }

  /// Replaces bytes of the text, as one step of undo; the cursor stays where it is in the rest.
  package func replace(_ range: Range<Int>, by text: String) -> [ReadlineEvent] {
    guard owns, range.upperBound <= engine.length else { return [] }
    goal = nil
    engine.replace(range, by: PromptText.clean(text, kind: kind))
    return outcome()
  }

  /// Ends the prompt without an answer; ``draft`` keeps the typed text.
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

  /// Replaces the whole text, without an undo; the cursor goes to its end.
  ///
  /// - Parameter undo: The changes of the new text, of which ``takeUndo()`` was asked when it was left.
  package func replace(_ text: String, undo: PromptUndo? = nil) {
    guard owns else { return }
    goal = nil
    engine.replace(PromptText.clean(text, kind: kind), undo: undo)
    refresh()
  }

  /// Takes the changes that undo would take back, when the text is left for another one that comes next.
  ///
  /// - Returns: `nil` without changes, and in an answer of one line.
  package func takeUndo() -> PromptUndo? { owns ? engine.takeUndo() : nil }

  /// Whether a key that arrived together with Esc is a key with Alt: readline has a command for it.
  ///
  /// Otherwise the two are Esc and the key.
  package func takes(alt stroke: KeyStroke) -> Bool {
    owns && (Self.newLineKeys.contains(stroke.name) || engine.takes(alt: stroke.bytes))
  }

  private var owns: Bool { isActive && engine.owner == ObjectIdentifier(self) }

  private func handle(_ stroke: KeyStroke) -> [ReadlineEvent] {
    guard owns else { return [] }
    // Text that came with this key is seen before the key ends the prompt.
    if stroke.text == nil { engine.drawing?.draw() }
    let column = goal
    goal = nil
    switch stroke.name {
    case "<C-c>": return cancel()
    case "<Esc>":
      // In vi's insert mode Esc ends the insertion; in command mode it cancels.
      return engine.isViInserting ? feed(stroke.bytes) : cancel()
    case _ where Self.newLineKeys.contains(stroke.name):
      return kind.isMultiline ? insert("\n") : feed([0x0D])
    case "<Enter>":
      // ^J is a new line in an entry.
      return stroke.bytes == [0x0A] && kind.isMultiline ? insert("\n") : feed([0x0D])
    case "<PageUp>" where kind.isMultiline: return turnPage(-1, from: column)
    case "<PageDown>" where kind.isMultiline: return turnPage(1, from: column)
    default:
      guard let step = rowStep(of: stroke) else { return feedKey(stroke) }
      return moveToRow(step, from: column) ? outcome() : [.leftText(step)]
    }
  }

  /// The rows by which a key moves in a text of several lines; nil for other keys.
  ///
  /// readline would replace the whole text by a line of its history. In vi's command mode a number
  /// before `j` or `k` is readline's.
  private func rowStep(of stroke: KeyStroke) -> Int? {
    guard kind.isMultiline else { return nil }
    switch stroke.name {
    case "<Up>", "<C-p>": return -1
    case "<Down>", "<C-n>": return 1
    case "k" where engine.isViCommanding && engine.message == nil: return -1
    case "j" where engine.isViCommanding && engine.message == nil: return 1
    default: return nil
    }
  }

  /// Enter with a modifier, for users of programs in which Enter sends.
  private static let newLineKeys: Set<String> = [
    "<S-Enter>", "<A-Enter>", "<C-Enter>", "<A-S-Enter>", "<C-S-Enter>", "<C-A-Enter>",
    "<C-A-S-Enter>",
  ]

  private func feedKey(_ stroke: KeyStroke) -> [ReadlineEvent] {
    // readline would insert the rest of an unknown sequence as typed text.
    guard !stroke.isControlSequence || engine.isBound(stroke.bytes) else { return [] }
    // A two-key command that fails inside the search makes readline crash (8.2: ^R ^X ^G), so the
    // search ends before any key that does not belong to it.
    if engine.isIncremental, stroke.text == nil, !Self.searchKeys.contains(stroke.name) {
      engine.endSearch()
    }
    if let first = stroke.bytes.first, first >= 0x80 { engine.dropSequence() }
    guard kind.isMultiline else { return feed(stroke.bytes) }
    if !engine.runLineOperator(stroke.bytes) { engine.feed(stroke.bytes) }
    // There is no history to search, and words typed into a search would be lost.
    if engine.isSearching { engine.feed([0x07]) }
    return outcome()
  }

  private static let searchKeys: Set<String> = [
    "<C-r>", "<C-s>", "<C-g>", "<BS>", "<C-w>", "<C-y>", "<Enter>",
  ]

  /// Moves the cursor by one displayed row; false at the first and the last row.
  private func moveToRow(_ step: Int, from column: Int?) -> Bool {
    let target = PromptView.point(
      in: line, from: point, movedBy: step, column: column, label: displayPrompt, width: width)
    guard let target else { return false }
    engine.move(to: target.point)
    goal = target.column
    return true
  }

  /// Moves the cursor by a page, at most to an end of the text; or asks to scroll what is beside the prompt.
  private func turnPage(_ step: Int, from column: Int?) -> [ReadlineEvent] {
    guard let pageRows else { return [.turnedPage(step)] }
    engine.dropSequence()
    if !moveToRow(step * pageRows, from: column) {
      engine.move(to: step < 0 ? 0 : line.utf8.count)
      goal = nil
    }
    return outcome()
  }

  /// The events of readline's last input.
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
    case .asked(let request):
      refresh()
      return kind.isMultiline ? [.changed, .asked(request)] : [.changed]
    case .editing(let matches):
      refresh()
      return [.changed] + (matches.isEmpty ? [] : [.completions(matches)])
    }
  }

  private func refresh() {
    line = engine.line
    point = min(engine.point, line.utf8.count)
    displayPrompt = engine.message ?? label
    engine.drawing?.isDrawn = false
    if !engine.isSearching { draft = line }
  }
}

/// An effect of a key on the prompt.
package enum ReadlineEvent: Hashable, Sendable {
  /// The line, the cursor or the label changed; redraw it.
  case changed

  /// Enter: the prompt has ended with this text.
  case accepted(String)

  /// Esc, ^C, or ^D on an empty line: the prompt has ended; ``ReadlinePrompt/draft`` keeps the
  /// text.
  case cancelled

  /// ^X^E: the prompt has ended; open this text in `$EDITOR`.
  case externalEditor(String)

  /// A key asks for a change of the prompt itself.
  case asked(PromptRequest)

  /// PgUp, -1, or PgDn, 1: what is beside the prompt scrolls.
  case turnedPage(Int)

  /// Tab found several completions; show them beside the prompt.
  case completions([String])

  /// Up in the first row of a text of several lines, -1, or Down in its last row, 1: the text before
  /// or after it is wanted.
  case leftText(Int)
}

/// A key of the prompt's own in a text of several lines.
package enum PromptRequest: Hashable, Sendable {
  /// ^X f: the prompt fills the screen, or no longer.
  case fullScreen
  /// ^X s: words for the wrong one at the cursor.
  case spelling
  /// ^X a: a file for the place of the cursor.
  case attachment
}

/// Completions of the word at the cursor.
package struct PromptCompletions: Equatable, Sendable {
  /// Whole words that can replace the typed one, best first.
  package var words: [String]
  /// The displayed label of each word: `#home 12`.
  package var labels: [String]
  /// Whether a single match is complete, so that a space follows.
  package var isFinished: Bool

  /// Makes completions; without one label per word, the words are their own labels.
  package init(_ words: [String] = [], labels: [String] = [], isFinished: Bool = true) {
    self.words = words
    self.labels = labels.count == words.count ? labels : words
    self.isFinished = isFinished
  }

  /// Finds completions of the word `text` that begins at the byte `start` of `line`.
  package typealias Source = (_ text: String, _ start: Int, _ line: String) -> PromptCompletions
}
