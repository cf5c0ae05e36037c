/// What is wrong with a theme.
public enum ThemeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no such role.
  case unknownRole(String)
  /// A word of a look means nothing.
  case badLook(role: String, text: String)

  /// One line that says what is wrong and what may stand there.
  ///
  /// The text comes from outside: pass the line through the sanitiser.
  public var description: String {
    switch self {
    case .unknownRole(let name):
      let names = Style.Role.allCases.map(\.rawValue).joined(separator: ", ")
      return "unknown role \"\(name)\" in a theme; there are \(names)"
    case .badLook(let role, let text):
      return "\(role) = \"\(text)\" is no look; write for example \"bold cyan on black\", "
        + "\"underline #d08770\" or \"reverse\""
    }
  }
}
