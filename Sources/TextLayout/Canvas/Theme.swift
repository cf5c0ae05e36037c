/// How the roles of text look.
///
/// A widget says what a cell is; a theme says how that looks. Attributes of the widget's style and
/// of the theme add up, so that what has to be told apart stays so without colours.
package struct Theme: Hashable, Sendable {
  /// The name under which it is chosen.
  package var name: String

  /// What it is good for, a few words.
  package var about: String

  /// The looks of roles; a role that is missing looks as text does.
  package var looks: [Style.Role: ThemeLook]

  /// The looks on a terminal of 8 or 16 colours; where there are none the nearest colours are taken.
  package var basic: [Style.Role: ThemeLook]

  /// Makes a theme.
  package init(
    name: String, about: String = "", looks: [Style.Role: ThemeLook],
    basic: [Style.Role: ThemeLook] = [:]
  ) {
    self.name = name
    self.about = about
    self.looks = looks
    self.basic = basic
  }

  /// The look of a role, as it is written in the theme.
  package subscript(role: Style.Role) -> ThemeLook { looks[role] ?? ThemeLook() }

  /// Attributes alone, for a screen for which no theme was chosen.
  package static let plain = Theme(
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

extension Theme {
  /// What is put on the screen for a style: the role's look and the style's own attributes.
  ///
  /// A colour that a role does not name is that of normal text, so that a theme with a background has
  /// it everywhere. Where a role has colours of its own, they take the place of two attributes that
  /// only stand in for colours: dim goes when the text has a colour, reverse when what is behind it
  /// has one.
  package func look(for style: Style, in profile: ColorProfile) -> ThemeLook {
    var look = written(style.role, in: profile)
    let hasColors = profile >= .ansi
    look.bold = look.bold || style.bold
    look.underline = look.underline || style.underline
    look.dim = look.dim || (style.dim && !(hasColors && look.foreground != nil))
    look.reverse = look.reverse || (style.reverse && !(hasColors && look.background != nil))
    guard hasColors else {
      look.foreground = nil
      look.background = nil
      return look
    }
    let normal = written(.normal, in: profile)
    look.foreground = look.foreground ?? normal.foreground
    look.background = look.background ?? normal.background
    return look
  }

  /// Whether it has a background of its own, which printed lines would not fill.
  package var hasBackground: Bool { self[.normal].background != nil }

  private func written(_ role: Style.Role, in profile: ColorProfile) -> ThemeLook {
    if profile == .ansi, !basic.isEmpty { return basic[role] ?? ThemeLook() }
    return self[role]
  }
}

/// How a cell looks: what it is, and attributes that every terminal has.
///
/// A theme adds colours by role.
package struct Style: Hashable, Sendable {
  /// What a cell is, so that a theme can give it a colour.
  package enum Role: String, CaseIterable, Sendable {
    /// Text as it is.
    case normal
    /// The title of a section.
    case header
    /// What is selected.
    case selected
    /// The star of an entry.
    case star
    /// A tag.
    case tag
    /// A time of day.
    case time
    /// Something that helps but is not needed: counts, key hints.
    case hint
    /// The status line.
    case status
    /// The prompt.
    case prompt
    /// A message about something that failed.
    case error
    /// Something that has just changed.
    case changed
    /// The mark of a marked row.
    case mark
    /// What a search found.
    case match
    /// A picture that stands for a character that cannot be shown.
    case control
    /// A heading in a text.
    case heading
    /// Code in a text.
    case code
    /// The bar beside a quote.
    case quote
    /// The text of a link.
    case link
    /// What another version of a text has more.
    case added
    /// What another version of a text had, and has not any more.
    case removed
  }

  /// What the cell is.
  package var role: Role
  /// Whether it is bold.
  package var bold: Bool
  /// Whether it is dim.
  package var dim: Bool
  /// Whether it is underlined.
  package var underline: Bool
  /// Whether text and background change places.
  package var reverse: Bool

  /// Makes a style, plain unless told otherwise.
  package init(
    _ role: Role = .normal, bold: Bool = false, dim: Bool = false, underline: Bool = false,
    reverse: Bool = false
  ) {
    self.role = role
    self.bold = bold
    self.dim = dim
    self.underline = underline
    self.reverse = reverse
  }
}
