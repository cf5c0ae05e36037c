import CNcurses
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
  private var queue: [UInt8] = []
  private var head = 0
  private var utf8 = UTF8Assembler()
  private var partial: [UInt8] = []
  private var accepted: Outcome?
  private var matches: [String] = []
  private var completions: (String, Int, String) -> [String] = { _, _, _ in [] }
  private lazy var isPrepared: Bool = prepare()

  private init() {}

  // MARK: The life of a prompt

  func start(
    owner: ObjectIdentifier, text: String, history: [String],
    completions: @escaping (String, Int, String) -> [String]
  ) {
    if self.owner != nil { cancel() }
    guard isPrepared else { return }
    self.owner = owner
    self.completions = completions
    forgetInput()
    daybook_readline_forget_undo()
    clear_history()
    for line in history { add_history(line) }
    using_history()
    Self.keepingTerminal {
      // The user's file may be read again by a key, so our settings come before each prompt.
      Self.overrideVariables()
      rl_callback_handler_install("", { Readline.shared.finish($0) })
    }
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
    completions = { _, _, _ in [] }
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
    completions = { _, _, _ in [] }
  }

  // MARK: Input

  /// Feeds bytes, keeping back a character that is not whole and replacing what is ill-formed.
  func feed(_ bytes: [UInt8]) {
    for byte in bytes { while !take(byte) { continue } }
    run()
  }

  private func take(_ byte: UInt8) -> Bool {
    switch utf8.push(byte) {
    case .more: partial.append(byte)
    case .scalar:
      queue += partial
      queue.append(byte)
      partial = []
    case .illFormed(let again):
      queue += KeyStroke.replacement.bytes
      partial = []
      return !again
    }
    return true
  }

  private func run() {
    let before = place
    while head < queue.count, owner != nil, accepted == nil { rl_callback_read_char() }
    // Undo does not reach over a move through the history: what it reaches for may be freed.
    if before.isSearching || place != before { daybook_readline_forget_undo() }
    queue.removeAll(keepingCapacity: true)
    head = 0
    if isIncremental, daybook_readline_is_in_sequence() != 0 { daybook_readline_break_search() }
    dropIllFormed()
    alignPoint()
  }

  /// Where in the history the line stands.
  private struct Place: Equatable {
    var position: Int32
    var saved: UnsafeRawPointer?
    var isSearching: Bool
  }

  private var place: Place {
    Place(
      position: where_history(), saved: daybook_readline_saved_line(), isSearching: isSearching)
  }

  /// Takes bytes out of the line that are no text.
  ///
  /// None are ever fed, but a count and a quoted key (`Alt-3 ^Q Alt-u`) can make readline 8.2
  /// insert the first byte of a later character twice.
  private func dropIllFormed() {
    guard let start = daybook_readline_buffer() else { return }
    let bytes = UnsafeRawBufferPointer(start: start, count: Int(daybook_readline_end()))
    guard String(validating: bytes, as: UTF8.self) == nil else { return }
    for range in UTF8Assembler.illFormedRanges(in: Array(bytes)).reversed() {
      let point = daybook_readline_point()
      rl_delete_text(Int32(range.lowerBound), Int32(range.upperBound))
      if point >= range.upperBound { daybook_readline_set_point(point - Int32(range.count)) }
    }
  }

  /// Puts the cursor between characters, where it may not be after a search was given up: readline
  /// then brings one line back with the cursor of another, and the next key would cut a character.
  private func alignPoint() {
    guard let bytes = daybook_readline_buffer() else { return }
    var point = min(daybook_readline_point(), daybook_readline_end())
    while point > 0, UInt8(bitPattern: bytes[Int(point)]) & 0xC0 == 0x80 { point -= 1 }
    daybook_readline_set_point(point)
  }

  /// Inserts text that is no keys.
  ///
  /// A search through the history takes it as what is searched.
  func insert(_ text: String) {
    guard isIncremental else {
      rl_insert_text(text)
      return
    }
    feed(text.utf8.filter { $0 >= 0x20 && $0 != 0x7F })
  }

  /// Drops the first keys of a command of several, when what follows cannot belong to it.
  ///
  /// readline would take the first byte of a character for the command's last key and insert the
  /// others, which are then no text.
  func dropSequence() {
    if daybook_readline_is_in_sequence() != 0 { feed([0x07]) }
  }

  /// Ends the search through the history with the line that it found.
  func endSearch() {
    feed([0x0A])
  }

  func move(to point: Int) {
    daybook_readline_set_point(Int32(point))
  }

  private func next() -> Int32 {
    guard head < queue.count else { return EOF }
    defer { head += 1 }
    return Int32(queue[head])
  }

  // MARK: What is shown

  var line: String {
    guard let start = daybook_readline_buffer() else { return "" }
    let bytes = UnsafeRawBufferPointer(start: start, count: Int(daybook_readline_end()))
    return String(decoding: bytes, as: UTF8.self)
  }

  var point: Int { Int(daybook_readline_point()) }

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

// MARK: - Completion

extension Readline {
  /// The words for readline: what they share first, then each, then nil; all from `malloc`.
  private func complete(
    _ text: UnsafePointer<CChar>?, start: Int32
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
    daybook_readline_completion_is_final()
    guard let text else { return nil }
    let word = String(cString: text)
    let found = completions(word, Int(start), line).filter { !$0.isEmpty && !$0.contains("\0") }
    guard let first = found.first else { return nil }
    var words = [found.count == 1 ? first : Self.shared(found, atLeast: word)]
    if found.count > 1 { words += found }
    let list = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(
      capacity: words.count + 1)
    for (index, word) in words.enumerated() { list[index] = strdup(word) }
    list[words.count] = nil
    return list
  }

  /// The characters that all words begin with.
  ///
  /// Words may match without case: what they share can then be less than what was typed, and
  /// that must not be cut.
  private static func shared(_ words: [String], atLeast typed: String) -> String {
    var common = words.first ?? ""
    for word in words.dropFirst() {
      let length = zip(common, word).prefix { $0 == $1 }.count
      common = String(common.prefix(length))
    }
    return common.count >= typed.count ? common : typed
  }

  private func show(
    _ list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, count: Int32
  ) {
    guard let list, count > 0 else { return }
    matches = (1...Int(count)).compactMap { list[$0].map { String(cString: $0) } }
  }
}

// MARK: - Setting up

extension Readline {
  private func prepare() -> Bool {
    TerminalLocale.adopt()
    // The second needs no descriptor, in case none is left.
    guard let sink = fopen("/dev/null", "we") ?? fmemopen(nil, 4_096, "w") else { return false }
    daybook_readline_detach(
      sink, { _ in Readline.shared.next() },
      { Readline.shared.head < Readline.shared.queue.count ? 1 : 0 }, {})
    daybook_readline_name(Self.permanent("daybook"))
    daybook_readline_complete(
      { text, start, _ in Readline.shared.complete(text, start: start) },
      { list, count, _ in Readline.shared.show(list, count: count) },
      Self.permanent(" \t\n()"))
    // Before the user's file, which may say otherwise.
    rl_variable_bind("show-all-if-ambiguous", "on")
    rl_add_defun(
      Self.permanent("daybook-external-editor"),
      { _, _ in
        Readline.shared.accepted = .editor
        return 0
      }, -1)
    Self.keepingTerminal { _ = rl_initialize() }
    Self.bindKeys()
    return true
  }

  /// Reads a file of settings, as tests need it.
  static func readSettings(_ path: String) {
    rl_read_init_file(path)
  }

  /// What no setting of the user may change, because it would reach for the terminal, wait, or
  /// break UTF-8.
  private static func overrideVariables() {
    for (name, value) in [
      ("bell-style", "none"), ("blink-matching-paren", "off"), ("convert-meta", "off"),
      ("input-meta", "on"), ("output-meta", "on"), ("byte-oriented", "off"),
      ("enable-bracketed-paste", "off"), ("page-completions", "off"),
      ("isearch-terminators", "\\e\\C-j"),
    ] {
      rl_variable_bind(name, value)
    }
  }

  /// Keys of common terminals that readline or the user's file have left free.
  private static func bindKeys() {
    let keys = [
      ("\\e[1~", "beginning-of-line"), ("\\e[7~", "beginning-of-line"),
      ("\\e[4~", "end-of-line"), ("\\e[8~", "end-of-line"), ("\\e[3~", "delete-char"),
      ("\\e[1;5C", "forward-word"), ("\\e[1;5D", "backward-word"),
      ("\\e[1;3C", "forward-word"), ("\\e[1;3D", "backward-word"),
      ("\\eOc", "forward-word"), ("\\eOd", "backward-word"),
      ("\\e[5~", "history-search-backward"), ("\\e[6~", "history-search-forward"),
      ("\\C-x\\C-e", "daybook-external-editor"),
    ]
    // A recorded macro can search and fail inside the search, where readline 8.2 crashes.
    for name in ["start-kbd-macro", "end-kbd-macro", "call-last-kbd-macro"] {
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
  }

  /// Runs something of readline that asks for the terminal's description, which changes the
  /// current terminal of ncurses behind its back.
  private static func keepingTerminal(_ body: () -> Void) {
    let terminal = daybook_current_terminal()
    body()
    if terminal != nil { daybook_set_current_terminal(terminal) }
  }

  /// A C string for ever, as readline keeps the pointer.
  private static func permanent(_ text: String) -> UnsafeMutablePointer<CChar>? {
    strdup(text)
  }
}
