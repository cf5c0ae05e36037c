import TerminalUI

/// User's words on standard output: made safe for a terminal, cut where lines must fit.
enum Sanitizing {
  /// A one-line field.
  static func line(_ text: String) -> String { Sanitizer.plainLine(text) }

  /// A text of many lines.
  static func body(_ text: String) -> String { Sanitizer.plain(text) }

  /// A one-line field of at most so many columns; `nil` for no limit.
  static func line(_ text: String, columns: Int?) -> String {
    guard let columns else { return line(text) }
    return TextLayout.cut(text, columns: columns).map(\.text).joined()
  }
}
