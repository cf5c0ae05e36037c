/// How the roles of text look.
///
/// A widget says what a cell is; a theme says how that looks. Attributes of the widget's style and
/// of the theme add up, so that what has to be told apart stays so without colours.
public struct Theme: Hashable, Sendable {
  /// The name under which it is chosen.
  public var name: String

  /// The looks of roles; a role that is missing looks as text does.
  public var looks: [Style.Role: ThemeLook]

  /// Makes a theme.
  public init(name: String, looks: [Style.Role: ThemeLook]) {
    self.name = name
    self.looks = looks
  }

  /// Makes a theme from roles and words, as a configuration has them.
  ///
  /// - Throws: ``ThemeError`` for a role or a word that means nothing.
  public init(name: String, descriptions: [String: String]) throws(ThemeError) {
    self.init(name: name, looks: [:])
    for (key, text) in descriptions.sorted(by: { $0.key < $1.key }) {
      guard let role = Style.Role(rawValue: key) else { throw .unknownRole(key) }
      guard let look = ThemeLook(text) else { throw .badLook(role: key, text: text) }
      looks[role] = look
    }
  }

  /// The look of a role.
  public subscript(role: Style.Role) -> ThemeLook { looks[role] ?? ThemeLook() }

  /// The default: few colours, all from the terminal's own palette, which fits its background,
  /// and each backed by an attribute or a sign on the screen.
  public static let calm = Theme(
    name: "calm",
    looks: [
      .header: look {
        $0.bold = true
        $0.foreground = .palette(4)
      },
      .selected: look { $0.reverse = true },
      .star: look { $0.foreground = .palette(3) },
      .tag: look { $0.foreground = .palette(6) },
      .time: look { $0.dim = true },
      .hint: look { $0.dim = true },
      .status: look { $0.reverse = true },
      .prompt: look { $0.bold = true },
      .error: look {
        $0.bold = true
        $0.foreground = .palette(1)
      },
      .changed: look {
        $0.bold = true
        $0.foreground = .palette(2)
      },
      .mark: look {
        $0.bold = true
        $0.foreground = .palette(5)
      },
      .match: look {
        $0.underline = true
        $0.foreground = .palette(3)
      },
      .control: look {
        $0.reverse = true
        $0.dim = true
      },
      .heading: look {
        $0.bold = true
        $0.foreground = .palette(4)
      },
      .code: look { $0.foreground = .palette(2) },
      .quote: look {
        $0.dim = true
        $0.foreground = .palette(6)
      },
      .link: look {
        $0.underline = true
        $0.foreground = .palette(4)
      },
    ])

  /// The same signs with attributes alone.
  public static let plain = Theme(
    name: "plain",
    looks: calm.looks.mapValues { look in
      var look = look
      look.foreground = nil
      look.background = nil
      return look
    })

  /// The themes that are built in.
  public static let builtIn = [calm, plain]

  private static func look(_ change: (inout ThemeLook) -> Void) -> ThemeLook {
    var look = ThemeLook()
    change(&look)
    return look
  }
}
