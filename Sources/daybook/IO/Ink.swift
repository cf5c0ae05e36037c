import TerminalUI

/// Colours and attributes for lines that are printed, by the same roles as on the screen.
struct Ink {
  /// Text as it is.
  static let none = Ink(theme: .plain, profile: .none)

  private let theme: Theme
  /// How many colours there are.
  let profile: ColorProfile

  /// Makes an ink from a theme.
  init(theme: Theme, profile: ColorProfile) {
    self.theme = theme
    self.profile = profile
  }

  /// A text that has been made safe already, with the look of a role.
  func paint(_ text: String, _ role: Style.Role) -> String {
    let look = theme.look(for: Style(role), in: profile).escapes(in: profile)
    let isBlank = text.utf8.allSatisfy { $0 == UInt8(ascii: " ") }
    return look.isEmpty || isBlank ? text : look + text + ThemeLook.reset
  }

  /// A line made of parts, each made safe, and all of them cut to so many columns.
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
  /// The ink for a listing: the user's theme on a terminal or where colours are asked for.
  ///
  /// A theme with a background of its own is made for the whole screen; printed lines do not fill it,
  /// so they take the usual theme, which sits well anywhere.
  func ink(on output: Output) -> Ink {
    guard color == .always || (color == .auto && output.isTerminal) else { return .none }
    let profile = ColorProfile.ofEnvironment(isForced: color == .always)
    guard profile > .none else { return .none }
    let chosen = Configuration.ofUser.theme().theme
    let usual = try? ThemeLibrary().theme(named: ThemeLibrary.standard)
    return Ink(theme: chosen.hasBackground ? usual ?? .plain : chosen, profile: profile)
  }
}
