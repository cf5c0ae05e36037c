import CNcurses
import CReadline
import Glibc

extension Readline {
  /// Cuts readline off from the terminal and reads the user's settings, once.
  func prepare() -> Bool {
    TerminalLocale.adopt()
    // The second needs no descriptor, in case none is left.
    guard let sink = fopen("/dev/null", "we") ?? fmemopen(nil, 4_096, "w") else { return false }
    daybook_readline_detach(
      sink, { _ in Readline.shared.next() },
      { Readline.shared.head < Readline.shared.queue.count ? 1 : 0 }, {})
    daybook_readline_name(Self.permanent("daybook"))
    daybook_readline_complete(
      { text, start, _ in Readline.shared.complete(text, start: start) },
      { _, _, _ in Readline.shared.show() },
      Self.permanent(" \t\n()"))
    // Before the user's file, which may say otherwise.
    rl_variable_bind("show-all-if-ambiguous", "on")
    rl_add_defun(
      Self.permanent("daybook-external-editor"),
      { _, _ in
        Readline.shared.accepted = .editor
        return 0
      }, -1)
    Self.nameClusterCommands()
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
    bindClusterCommands()
  }

  /// Runs something of readline that asks for the terminal's description, which changes the
  /// current terminal of ncurses behind its back.
  static func keepingTerminal(_ body: () -> Void) {
    let terminal = daybook_current_terminal()
    body()
    if terminal != nil { daybook_set_current_terminal(terminal) }
  }

  /// A C string for ever, as readline keeps the pointer.
  private static func permanent(_ text: String) -> UnsafeMutablePointer<CChar>? {
    strdup(text)
  }
}
