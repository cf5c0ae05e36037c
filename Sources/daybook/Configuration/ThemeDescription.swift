import TerminalUI

/// A theme as a file or a table of the configuration has it, read line by line.
///
/// ```toml
/// about = "what it is good for"
/// base = "calm"                    # what holds for roles that are not named
/// header = "bold #0087af"
/// [basic]                          # terminals of 8 or 16 colours
/// header = "bold blue"
/// ```
struct ThemeDescription {
  /// The theme whose looks hold where this one says nothing.
  private(set) var base: String?
  /// The theme without its base.
  private(set) var theme: Theme
  /// Lines that mean nothing.
  private(set) var problems: [ConfigProblem] = []

  /// Reads the keys of a theme.
  init(_ items: [ConfigItem], name: String, file: String) {
    theme = Theme(name: name, looks: [:])
    for item in items {
      if let message = take(item) {
        problems.append(ConfigProblem(file: file, line: item.line, message: message))
      }
    }
  }

  /// Makes it stand alone.
  mutating func forgetBase() { base = nil }

  /// The theme over its base.
  func theme(over base: Theme?) -> Theme {
    guard let base else { return theme }
    var whole = theme
    whole.looks = base.looks.merging(theme.looks) { $1 }
    // The base's fallback colours would hide the colours that were changed here.
    let kept = base.basic.filter { theme.looks[$0.key] == nil }
    let own = theme.looks.merging(theme.basic) { $1 }
    whole.basic = base.basic.isEmpty && theme.basic.isEmpty ? [:] : kept.merging(own) { $1 }
    return whole
  }

  private mutating func take(_ item: ConfigItem) -> String? {
    let isBasic = item.path.first == "basic" && item.path.count == 2
    guard item.path.count == 1 || isBasic, let key = item.path.last else {
      return unknown(item.path.joined(separator: "."))
    }
    if key == "basic", item.value == .emptyTable { return nil }
    guard case .text(let text) = item.value else { return "\(key) must be a text in quotes" }
    switch key {
    case "about" where !isBasic: theme.about = text
    case "base" where !isBasic: base = text
    default: return take(key, text, isBasic: isBasic)
    }
    return nil
  }

  private mutating func take(_ key: String, _ text: String, isBasic: Bool) -> String? {
    guard let role = Style.Role(rawValue: key) else { return unknown(key) }
    guard let look = ThemeLook(text) else {
      return "\(key) = \"\(text)\" is no look; write for example \"bold cyan on black\", "
        + "\"underline #d08770\" or \"reverse\""
    }
    if isBasic { theme.basic[role] = look } else { theme.looks[role] = look }
    return nil
  }

  private func unknown(_ word: String) -> String {
    let roles = Style.Role.allCases.map(\.rawValue)
    return ConfigProblem.unknown(
      "role", word, among: roles, else: "there are \(roles.joined(separator: ", "))")
  }
}
