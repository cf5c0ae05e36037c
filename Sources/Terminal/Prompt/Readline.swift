import CNcurses
import CReadline
import Glibc
import TextLayout

/// The only readline of the process, in its callback mode, without access to the terminal.
///
/// All typed bytes are queued before readline is called: a command that reads a second byte (the
/// history search, for example) finds it in the queue and never blocks.
final class Readline {
  // readline is a set of C variables; only the main loop's thread calls it.
  nonisolated(unsafe) static let shared = Readline()

  /// The change of the line since the last look.
  enum Outcome {
    case editing(matches: [String])
    case accepted(String)
    /// ^D on an empty line.
    case ended
    /// ^X^E.
    case editor
    /// A key of the prompt's own; the line is as before.
    case asked(PromptRequest)
  }

  private(set) var owner: ObjectIdentifier?
  /// Typed bytes; the unread ones begin at `head`.
  var queue: [UInt8] = []
  var head = 0
  /// The bytes of an incomplete character.
  var utf8 = UTF8Assembler()
  var partial: [UInt8] = []
  var accepted: Outcome?
  var isBackspaceLent = false
  /// Whether the text may have several lines, on which the commands of lines work.
  private(set) var isMultiline = false
  /// The operator of vi that waits for its motion.
  var viOperator: ViOperator?
  var matches: [String] = []
  var completions: PromptCompletions.Source = { _, _, _ in PromptCompletions() }
  /// Whether the word at a byte of a line is a name with blanks, after a bracket.
  var spansBlanks: (_ line: String, _ point: Int) -> Bool = { _, _ in false }
  /// The labels of the last completions.
  var labels: [String] = []
  /// How readline draws the line itself; `nil` while the program draws it.
  var drawing: ReadlineDrawing?
  private(set) lazy var isPrepared: Bool = prepare()

  private init() {}

  // MARK: The life of a prompt

  func start(
    owner: ObjectIdentifier, isMultiline: Bool, text: String, undo: PromptUndo?, history: [String],
    spansBlanks: @escaping (String, Int) -> Bool, completions: @escaping PromptCompletions.Source
  ) {
    if self.owner != nil { cancel() }
    guard isPrepared else { return }
    self.owner = owner
    self.isMultiline = isMultiline
    drawing?.begin()
    self.completions = completions
    self.spansBlanks = spansBlanks
    forgetInput()
    daybook_readline_forget_undo()
    clear_history()
    for line in history { add_history(line) }
    using_history()
    Self.keepingTerminal {
      // A key may have reread the user's file, so the overrides are set before each prompt.
      Self.overrideVariables()
      rl_callback_handler_install("", { Readline.shared.finish($0) })
    }
    // Reread settings may have bound keys to readline's own commands.
    Self.bindClusterCommands()
    isBackspaceLent = false
    rl_replace_line(text, 1)
    restore(undo)
    daybook_readline_set_point(daybook_readline_end())
  }

  func cancel() {
    guard owner != nil else { return }
    drawing?.leave()
    daybook_readline_forget_undo()
    rl_callback_sigcleanup()
    rl_free_line_state()
    rl_callback_handler_remove()
    end()
  }

  /// Cancels the prompt of an owner that is deinitialised, if it is still active.
  func abandon(owner: ObjectIdentifier) {
    if self.owner == owner { cancel() }
  }

  func takeOutcome() -> Outcome {
    defer {
      accepted = nil
      matches = []
    }
    return accepted ?? .editing(matches: matches)
  }

  private func end() {
    owner = nil
    completions = { _, _, _ in PromptCompletions() }
    forgetInput()
  }

  private func forgetInput() {
    queue.removeAll(keepingCapacity: true)
    head = 0
    utf8.reset()
    partial = []
    accepted = nil
    matches = []
    viOperator = nil
  }

  /// Called by readline with the complete line, nil for ^D.
  private func finish(_ text: UnsafeMutablePointer<CChar>?) {
    accepted = text.map { .accepted(String(cString: $0)) } ?? .ended
    drawing?.end()
    free(text)
    rl_callback_handler_remove()
    owner = nil
    completions = { _, _, _ in PromptCompletions() }
  }

  // MARK: Display

  var line: String {
    guard let start = daybook_readline_buffer() else { return "" }
    let bytes = UnsafeRawBufferPointer(start: start, count: Int(daybook_readline_end()))
    return String(decoding: bytes, as: UTF8.self)
  }

  var point: Int { Int(daybook_readline_point()) }
  var length: Int { Int(daybook_readline_end()) }

  /// The text that readline shows in place of the prompt: its search or its numeric argument.
  var message: String? {
    guard let text = daybook_readline_display_prompt(), text.pointee != 0 else { return nil }
    return String(cString: text)
  }

  var isSearching: Bool { daybook_readline_is_searching() != 0 }

  /// Whether ^R is searching while the text is typed.
  var isIncremental: Bool { daybook_readline_is_incremental_search() != 0 }

  var isViInserting: Bool { daybook_readline_is_vi_insert() != 0 && !isSearching }

  var isViCommanding: Bool { daybook_readline_is_vi_command() != 0 && !isSearching }

  /// Whether readline has a command for a key with Alt; a capital letter means the small one.
  func takes(alt bytes: [UInt8]) -> Bool {
    let isCapital = bytes.last.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 } ?? false
    return isBound(isCapital ? bytes.dropLast() + [bytes[bytes.count - 1] | 0x20] : bytes)
  }

  /// Replaces the line and forgets its undo list and a half-typed command.
  ///
  /// - Parameter undo: the undo list of the new text.
  func replace(_ text: String, undo: PromptUndo?) {
    dropSequence()
    daybook_readline_forget_undo()
    rl_replace_line(text, 1)
    restore(undo)
    daybook_readline_set_point(daybook_readline_end())
  }

  func isBound(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { buffer in
      let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
      return daybook_readline_is_bound(start, buffer.count) != 0
    }
  }
}

extension Readline {
  /// Detaches readline from the terminal and reads the user's settings, once.
  func prepare() -> Bool {
    TerminalLocale.adopt()
    // fmemopen needs no descriptor, in case none is left.
    guard let sink = fopen("/dev/null", "we") ?? fmemopen(nil, 4_096, "w") else { return false }
    daybook_readline_detach(
      sink, { _ in Readline.shared.next() },
      { Readline.shared.head < Readline.shared.queue.count ? 1 : 0 }, {})
    daybook_readline_name(Self.permanent("daybook"))
    daybook_readline_complete(
      { text, start, _ in Readline.shared.complete(text, start: start) },
      { _, _, _ in Readline.shared.show() },
      Self.breaks, { Readline.shared.wordBreaks })
    // Before the user's file, which may override it.
    rl_variable_bind("show-all-if-ambiguous", "on")
    rl_add_defun(
      Self.permanent("daybook-external-editor"),
      { _, _ in
        Readline.shared.accepted = .editor
        return 0
      }, -1)
    rl_add_defun(
      Self.permanent("daybook-full-screen"),
      { _, _ in
        Readline.shared.accepted = .asked(.fullScreen)
        return 0
      }, -1)
    rl_add_defun(
      Self.permanent("daybook-spelling"),
      { _, _ in
        Readline.shared.accepted = .asked(.spelling)
        return 0
      }, -1)
    rl_add_defun(
      Self.permanent("daybook-attach"),
      { _, _ in
        Readline.shared.accepted = .asked(.attachment)
        return 0
      }, -1)
    Self.nameClusterCommands()
    Self.keepingTerminal { _ = rl_initialize() }
    Self.bindKeys()
    return true
  }

  // They never change after they are made.
  nonisolated(unsafe) private static let breaks = permanent(" \t\n()")
  nonisolated(unsafe) private static let brackets = permanent("[\n")

  /// The characters that end the word at the cursor.
  private var wordBreaks: UnsafeMutablePointer<CChar>? {
    spansBlanks(line, point) ? Self.brackets : Self.breaks
  }

  /// Reads a settings file, for tests.
  static func readSettings(_ path: String) {
    rl_read_init_file(path)
  }

  /// Sets variables that the user's file must not change: other values would access the terminal,
  /// block, or break UTF-8.
  static func overrideVariables() {
    for (name, value) in [
      ("bell-style", "none"), ("blink-matching-paren", "off"), ("convert-meta", "off"),
      ("input-meta", "on"), ("output-meta", "on"), ("byte-oriented", "off"),
      ("enable-bracketed-paste", "off"), ("page-completions", "off"),
      ("isearch-terminators", "\\e\\C-j"),
    ] {
      rl_variable_bind(name, value)
    }
  }

  /// Binds keys of common terminals that readline and the user's file leave unbound.
  private static func bindKeys() {
    let keys = [
      ("\\e[1~", "beginning-of-line"), ("\\e[7~", "beginning-of-line"),
      ("\\e[4~", "end-of-line"), ("\\e[8~", "end-of-line"), ("\\e[3~", "delete-char"),
      ("\\e[1;5C", "forward-word"), ("\\e[1;5D", "backward-word"),
      ("\\e[1;3C", "forward-word"), ("\\e[1;3D", "backward-word"),
      ("\\eOc", "forward-word"), ("\\eOd", "backward-word"),
      ("\\e[5~", "history-search-backward"), ("\\e[6~", "history-search-forward"),
      ("\\C-x\\C-e", "daybook-external-editor"), ("\\C-xf", "daybook-full-screen"),
      ("\\C-xs", "daybook-spelling"), ("\\C-xa", "daybook-attach"),
    ]
    // A recorded macro can search and fail inside the search, where readline 8.2 crashes. The last two would
    // save the text at once, one of them as a comment of a shell.
    for name in [
      "start-kbd-macro", "end-kbd-macro", "call-last-kbd-macro", "insert-comment",
      "operate-and-get-next",
    ] {
      for map in ["emacs-standard", "emacs-ctlx", "emacs-meta", "vi-insert", "vi-command"] {
        rl_unbind_function_in_map(rl_named_function(name), rl_get_keymap_by_name(map))
      }
    }
    for map in ["emacs-standard", "vi-insert", "vi-command"] {
      for (sequence, function) in keys {
        rl_bind_keyseq_if_unbound_in_map(
          sequence, rl_named_function(function), rl_get_keymap_by_name(map))
      }
    }
    bindClusterCommands()
  }

  /// Runs a readline function that reads the terminal description and thereby replaces the current
  /// terminal of ncurses; restores it afterwards.
  static func keepingTerminal(_ body: () -> Void) {
    let terminal = daybook_current_terminal()
    body()
    if terminal != nil { daybook_set_current_terminal(terminal) }
  }

  /// A C string that is never freed, since readline keeps the pointer.
  private static func permanent(_ text: String) -> UnsafeMutablePointer<CChar>? {
    strdup(text)
  }
}

extension Readline {
  /// The matches for readline: their common prefix, then each match, then nil; all from `malloc`.
  func complete(
    _ text: UnsafePointer<CChar>?, start: Int32
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
    daybook_readline_completion_is_final(0)
    guard let text else { return nil }
    let word = String(cString: text)
    let found = completions(word, Int(start), line)
    labels = found.labels
    let choices = found.words.filter { !$0.isEmpty && !$0.contains("\0") }
    guard let first = choices.first else { return nil }
    daybook_readline_completion_is_final(found.isFinished ? 0x20 : 0)
    var words = [choices.count == 1 ? first : Self.shared(choices, atLeast: word)]
    if choices.count > 1 { words += choices }
    let list = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(
      capacity: words.count + 1)
    for (index, word) in words.enumerated() { list[index] = strdup(word) }
    list[words.count] = nil
    return list
  }

  /// The common prefix of all words.
  ///
  /// Words may match without case: their common prefix can then be shorter than the typed text,
  /// which must not be cut.
  private static func shared(_ words: [String], atLeast typed: String) -> String {
    var common = words.first ?? ""
    for word in words.dropFirst() {
      let length = zip(common, word).prefix { $0 == $1 }.count
      common = String(common.prefix(length))
    }
    return common.count >= typed.count ? common : typed
  }

  /// Called by readline when a completion has several matches.
  func show() {
    matches = labels
  }
}
