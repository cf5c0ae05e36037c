/// How the roles of text look.
///
/// A widget says what a cell is; a theme says how that looks. Attributes of the widget's style and
/// of the theme add up, so that what has to be told apart stays so without colours.
public struct Theme: Hashable, Sendable {
  /// The name under which it is chosen.
  public var name: String

  /// What it is good for, a few words.
  public var about: String

  /// The looks of roles; a role that is missing looks as text does.
  public var looks: [Style.Role: ThemeLook]

  /// The looks on a terminal of 8 or 16 colours; where there are none the nearest colours are taken.
  public var basic: [Style.Role: ThemeLook]

  /// Makes a theme.
  public init(
    name: String, about: String = "", looks: [Style.Role: ThemeLook],
    basic: [Style.Role: ThemeLook] = [:]
  ) {
    self.name = name
    self.about = about
    self.looks = looks
    self.basic = basic
  }

  /// The look of a role, as it is written in the theme.
  public subscript(role: Style.Role) -> ThemeLook { looks[role] ?? ThemeLook() }

  /// Attributes alone, for a screen for which no theme was chosen.
  public static let plain = Theme(
    name: "plain",
    looks: [
      .header: attributes(\.bold), .selected: attributes(\.reverse), .time: attributes(\.dim),
      .hint: attributes(\.dim), .status: attributes(\.reverse), .prompt: attributes(\.bold),
      .error: attributes(\.bold), .changed: attributes(\.bold), .mark: attributes(\.bold),
      .match: attributes(\.underline), .control: attributes(\.reverse, \.dim),
      .heading: attributes(\.bold), .quote: attributes(\.dim), .link: attributes(\.underline),
      .added: attributes(\.bold), .removed: attributes(\.dim),
    ])

  private static func attributes(_ paths: WritableKeyPath<ThemeLook, Bool>...) -> ThemeLook {
    var look = ThemeLook()
    for path in paths { look[keyPath: path] = true }
    return look
  }
}
