import Glibc

/// The reason why the terminal cannot be used.
package enum TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Standard output is not a terminal.
  case notATerminal

  /// `TERM` is unset or empty.
  case termUnset

  /// No description of this `TERM` is installed.
  case termUnknown(String)

  /// The terminal cannot position its cursor (`dumb`, a printer).
  case termUnusable(String)

  /// The program runs in the background, and another one owns the terminal.
  case background

  /// A system call failed.
  case system(call: String, code: Int32)

  /// One line with the error and the remedy.
  ///
  /// The name of the terminal is external text: pass the line through the sanitiser.
  package var description: String {
    switch self {
    case .notATerminal:
      "standard output is not a terminal; the full screen needs one"
    case .termUnset:
      "TERM is not set; try TERM=xterm-256color, or use the commands (daybook --help)"
    case .termUnknown(let name):
      "unknown terminal type \"\(name)\" in TERM; try TERM=xterm-256color, or use the commands"
        + " (daybook --help)"
    case .termUnusable(let name):
      "terminal type \"\(name)\" in TERM has no full screen; use the commands (daybook --help)"
    case .background:
      "the terminal belongs to another program; bring daybook to the foreground (fg)"
    case .system(let call, let code):
      "\(call): \(String(cString: strerror(code)))"
    }
  }
}
