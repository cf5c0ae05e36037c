import Files
import Glibc
import Screen
import Terminal
import TextLayout

/// Messages to users, one line each, sanitised for terminals.
enum Console {
  /// Prints an error on standard error.
  static func complain(_ message: String) {
    let line = "daybook: \(Sanitizer.plainLine(message))\n"
    _ = Descriptor.writeAll(STDERR_FILENO, Array(line.utf8))
  }

  /// Prints the reason for the program's end: on standard error, or on standard output if that
  /// cannot be written.
  static func complainAtEnd(_ message: String) {
    let line = Array("daybook: \(Sanitizer.plainLine(message))\n".utf8)
    if Descriptor.writeAll(STDERR_FILENO, line) != 0 {
      _ = Descriptor.writeAll(STDOUT_FILENO, line)
    }
  }

  /// Prints a hint for a person on standard error; scripts do not get it.
  static func hint(_ message: String) {
    if isatty(STDERR_FILENO) == 1 { complain(message) }
  }

  /// Prints a question on standard error, without a line end.
  static func ask(_ question: String) {
    _ = Descriptor.writeAll(STDERR_FILENO, Array(Sanitizer.plain(question).utf8))
  }

  /// Prints a question on standard error and reads the answer, a line of standard input.
  ///
  /// - Returns: whether it was `y` or `yes`.
  static func agrees(_ question: String) -> Bool {
    ask(question)
    let answer = StandardInput.line()?.lowercased()
    // A terminal has echoed the answer's line end.
    if !StandardInput.isTerminal { ask("\n") }
    return answer == "y" || answer == "yes"
  }

  /// Prints a text of the program on standard output.
  ///
  /// - Throws: ``Output/Closed`` or ``Failure`` 74.
  static func print(_ text: String) throws {
    let output = Output()
    try output.line(text)
    try output.flush()
  }
}

/// Colours and attributes of printed lines, by the same roles as on the screen.
struct Ink {
  /// Plain text.
  static let none = Ink(theme: .plain, profile: .none)

  private let theme: Theme
  /// The number of colours.
  let profile: ColorProfile

  init(theme: Theme, profile: ColorProfile) {
    self.theme = theme
    self.profile = profile
  }

  /// A sanitised text in the style of a role.
  func paint(_ text: String, _ role: Style.Role, bold: Bool = false) -> String {
    let look = theme.look(for: Style(role, bold: bold), in: profile).escapes(in: profile)
    let isBlank = text.utf8.allSatisfy { $0 == UInt8(ascii: " ") }
    let drawn = theme.drawn(text, as: role, in: profile)
    return look.isEmpty || isBlank ? drawn : look + drawn + ResolvedStyle.reset
  }

  /// A line of parts, each sanitised, cut to a number of columns.
  func line(_ parts: [(text: String, role: Style.Role)], columns: Int?) -> String {
    guard profile > .none else {
      return Sanitizing.line(parts.map(\.text).joined(), columns: columns)
    }
    var room = columns ?? .max
    var line = ""
    for part in parts {
      let text = Sanitizing.line(part.text, columns: columns.map { _ in max(0, room) })
      if columns != nil { room -= TextWidth.columns(of: text) }
      line += paint(text, part.role)
    }
    return line
  }
}

extension GlobalOptions {
  /// The ink of a listing: the user's theme on a terminal or if colours are requested.
  ///
  /// A theme with a background of its own is for the whole screen; printed lines do not fill it, so
  /// they use the default theme, which fits any background.
  func ink(on output: Output) -> Ink {
    guard color == .always || (color == .auto && output.isTerminal) else { return .none }
    var profile = ColorProfile.ofEnvironment(isForced: color == .always)
    guard profile > .none else { return .none }
    if profile > .ansi, output.isTerminal {
      profile = min(profile, MultiplexerClient()?.limit ?? profile)
    }
    let chosen = Configuration.ofUser.theme().theme
    let usual = try? ThemeLibrary().theme(named: ThemeLibrary.standard)
    return Ink(theme: chosen.hasBackground ? usual ?? .plain : chosen, profile: profile)
  }
}

/// User text on standard output: sanitised for a terminal, cut where lines must fit.
enum Sanitizing {
  /// A one-line field.
  static func line(_ text: String) -> String { Sanitizer.plainLine(text) }

  /// A text of many lines.
  static func body(_ text: String) -> String { Sanitizer.plain(text) }

  /// A one-line field with a maximum number of columns; `nil` for no limit.
  static func line(_ text: String, columns: Int?) -> String {
    guard let columns else { return line(text) }
    return TextFit.cut(text, columns: columns).map(\.text).joined()
  }
}

extension Ink {
  /// A printed line, cut to a number of columns.
  func text(of line: RoleLine, columns: Int?) -> String {
    self.line(line.parts.map { ($0.text, $0.role) }, columns: columns)
  }
}
