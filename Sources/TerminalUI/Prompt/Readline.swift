import CReadline
import Glibc

/// The one readline of the process, in its callback mode, cut off from the terminal.
///
/// All bytes of what was typed stand in a queue before readline is called: a command that reads
/// a second byte (the search through the history, for one) finds it there and never waits.
final class Readline {
  // readline is one set of C variables; only the thread of the main loop ever calls it.
  nonisolated(unsafe) static let shared = Readline()

  /// What has become of the line since the last look.
  enum Outcome {
    case editing(matches: [String])
    case accepted(String)
    /// ^D on an empty line.
    case ended
    /// ^X^E.
    case editor
  }

  private(set) var owner: ObjectIdentifier?
  /// What was typed and not read yet begins at `head`.
  var queue: [UInt8] = []
  var head = 0
  /// The bytes of a character that is not whole yet.
  var utf8 = UTF8Assembler()
  var partial: [UInt8] = []
  var accepted: Outcome?
  var isBackspaceLent = false
  var matches: [String] = []
  var completions: PromptCompletions.Source = { _, _, _ in PromptCompletions() }
  private var historyCount = 0
  /// What is shown for the words that were found last.
  var labels: [String] = []
  private lazy var isPrepared: Bool = prepare()

  private init() {}

  // MARK: The life of a prompt

  func start(
    owner: ObjectIdentifier, text: String, history: [String],
    completions: @escaping PromptCompletions.Source
  ) {
    if self.owner != nil { cancel() }
    guard isPrepared else { return }
    self.owner = owner
    self.completions = completions
    forgetInput()
    daybook_readline_forget_undo()
    clear_history()
    for line in history { add_history(line) }
    historyCount = history.count
    using_history()
    Self.keepingTerminal {
      // The user's file may be read again by a key, so our settings come before each prompt.
      Self.overrideVariables()
      rl_callback_handler_install("", { Readline.shared.finish($0) })
    }
    // Settings that were read again since may have bound keys to readline's own.
    Self.bindClusterCommands()
    isBackspaceLent = false
    rl_replace_line(text, 1)
    daybook_readline_set_point(daybook_readline_end())
  }

  func cancel() {
    guard owner != nil else { return }
    daybook_readline_forget_undo()
    rl_callback_sigcleanup()
    rl_free_line_state()
    rl_callback_handler_remove()
    end()
  }

  /// Cancels the prompt of an owner that is going away, if it is still the one that asks.
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
  }

  /// Called by readline with the whole line, nil at ^D.
  private func finish(_ text: UnsafeMutablePointer<CChar>?) {
    accepted = text.map { .accepted(String(cString: $0)) } ?? .ended
    free(text)
    rl_callback_handler_remove()
    owner = nil
    completions = { _, _, _ in PromptCompletions() }
  }

  // MARK: What is shown

  var line: String {
    guard let start = daybook_readline_buffer() else { return "" }
    let bytes = UnsafeRawBufferPointer(start: start, count: Int(daybook_readline_end()))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The line of the history that is being edited, from 0; nil for the one that was begun with.
  var historyLine: Int? {
    let position = Int(where_history())
    return position < historyCount ? position : nil
  }

  var point: Int { Int(daybook_readline_point()) }
  var length: Int { Int(daybook_readline_end()) }

  /// What readline shows instead of a prompt: its search, its number.
  var message: String? {
    guard let text = daybook_readline_display_prompt(), text.pointee != 0 else { return nil }
    return String(cString: text)
  }

  var isSearching: Bool { daybook_readline_is_searching() != 0 }

  /// Whether ^R searches while its text is typed.
  var isIncremental: Bool { daybook_readline_is_incremental_search() != 0 }

  var isViInserting: Bool { daybook_readline_is_vi_insert() != 0 && !isSearching }

  func isBound(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { buffer in
      let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
      return daybook_readline_is_bound(start, buffer.count) != 0
    }
  }
}
