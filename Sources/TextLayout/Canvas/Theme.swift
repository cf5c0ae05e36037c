/// The styles of the roles of text.
///
/// A widget gives each cell a role; a theme gives each role its colours and attributes. The
/// attributes of the widget's style and of the theme are combined, so that roles remain distinct
/// without colours.
package struct Theme: Hashable, Sendable {
  /// The name under which users choose it.
  package var name: String

  /// Its purpose, in a few words.
  package var about: String

  /// The styles of roles; a missing role has the style of text.
  package var looks: [Style.Role: ResolvedStyle]

  /// The styles for a terminal of 8 or 16 colours; without one the nearest colours are used.
  package var basic: [Style.Role: ResolvedStyle]

  /// The background of the terminal, where the theme has none of its own; `nil` if it is unknown.
  package var terminalBackground: ThemeColor?

  package init(
    name: String, about: String = "", looks: [Style.Role: ResolvedStyle],
    basic: [Style.Role: ResolvedStyle] = [:]
  ) {
    self.name = name
    self.about = about
    self.looks = looks
    self.basic = basic
  }

  /// The style of a role as written in the theme.
  package subscript(role: Style.Role) -> ResolvedStyle { looks[role] ?? ResolvedStyle() }

  /// Attributes only, for a screen without a chosen theme.
  package static let plain = Theme(
    name: "plain",
    looks: [
      .today: attributes(\.bold), .selected: attributes(\.reverse), .time: attributes(\.dim),
      .hint: attributes(\.dim), .status: attributes(\.reverse), .filter: attributes(\.bold),
      .prompt: attributes(\.bold),
      .error: attributes(\.bold), .changed: attributes(\.bold), .mark: attributes(\.bold),
      .match: attributes(\.underline), .control: attributes(\.reverse, \.dim),
      .heading: attributes(\.bold), .quote: attributes(\.dim), .link: attributes(\.underline),
      .added: attributes(\.bold), .removed: attributes(\.dim),
    ])

  private static func attributes(_ paths: WritableKeyPath<ResolvedStyle, Bool>...) -> ResolvedStyle
  {
    var look = ResolvedStyle()
    for path in paths { look[keyPath: path] = true }
    return look
  }
}

extension Theme {
  /// The resolved style: the role's, with the style's own attributes.
  ///
  /// A colour that a role does not set is that of normal text, so that a theme's background covers
  /// the screen. If a role has colours of its own, they replace two attributes that are substitutes
  /// for colours: a foreground replaces dim, a background replaces reverse.
  package func look(for style: Style, in profile: ColorProfile) -> ResolvedStyle {
    var look =
      style.selected ? selectedLook(for: style, in: profile) : plainLook(for: style, in: profile)
    if style.isCursorLine,
      written(style.role, in: profile).background == nil || style.role == .normal
    {
      look.background = cursorLine(in: profile) ?? look.background
    }
    return profile == .ansi ? visible(look) : look
  }

  /// A style that can be seen with 8 colours, whatever colours the terminal gives them.
  ///
  /// With eight colours, brightness needs bold, which many terminals ignore; bright black, which is grey,
  /// then is black. So colours that may equal the background are dropped: text without a background of its
  /// own is never black, grey or white, and no other text has its own background's colour. Grey text
  /// becomes dim.
  private func visible(_ look: ResolvedStyle) -> ResolvedStyle {
    var look = look
    let back = look.background?.number(in: .ansi).color
    if let front = look.foreground?.number(in: .ansi) {
      let isGray = front.color == 0 && front.isBright
      if let back {
        if front.color == back { look.foreground = Self.opposite(of: back) }
      } else if front.color == 0 || front.color == 7 {
        look.foreground = nil
      }
      // Of a role with a background, dim is the only difference that is left.
      if isGray, look.foreground?.number(in: .ansi).color != 0 { look.dim = true }
    } else if let back {
      look.foreground = Self.opposite(of: back)
    }
    // Bold black is shown as grey by some.
    if look.foreground == .palette(0) { look.bold = false }
    return look
  }

  /// Black or white, whichever differs more from one of the 8 colours.
  private static func opposite(of color: Int32) -> ThemeColor {
    Contrast.isDark(ThemeColor.palette(UInt8(truncatingIfNeeded: color & 7)).rgb)
      ? .palette(7) : .palette(0)
  }

  /// The style of a cell in the selected row: the selection's, in the role's own colour.
  ///
  /// The colour is made lighter or darker until it is readable on the selection. A role with a
  /// background of its own keeps it. Terminals of 8 or 16 colours have no lighter ones, so that
  /// there the whole row has the selection's colours.
  private func selectedLook(for style: Style, in profile: ColorProfile) -> ResolvedStyle {
    let own = plainLook(for: style, in: profile)
    let role = written(style.role, in: profile)
    let bar = written(.selected, in: profile)
    if profile >= .ansi, style.role != .normal, role.background != nil { return own }
    var look = bar
    look.bold = bar.bold || own.bold
    look.underline = bar.underline || own.underline
    look.italic = own.italic
    guard profile >= .ansi, let back = bar.background else {
      look.reverse = true
      if profile < .ansi { (look.foreground, look.background) = (nil, nil) }
      return look
    }
    if profile >= .indexed, style.role != .normal, let color = role.foreground {
      look.foreground = color.readable(on: back, ratio: Self.selectedContrast, in: profile)
    }
    return look
  }

  /// The background of the line of the cursor: a little nearer to the text's colour than the others.
  ///
  /// `nil` with few colours, and where the terminal's background is unknown.
  private func cursorLine(in profile: ColorProfile) -> ThemeColor? {
    guard profile >= .indexed,
      let back = written(.normal, in: profile).background ?? terminalBackground
    else { return nil }
    return back.nearer(toTextBy: Self.cursorLineShare)
  }

  /// The share of black or white in the background of the cursor's line.
  private static let cursorLineShare = 0.08

  /// The contrast of text on the selected row, as of WCAG's level AAA.
  package static let selectedContrast = 7.0

  private func plainLook(for style: Style, in profile: ColorProfile) -> ResolvedStyle {
    var look = written(style.role, in: profile)
    let hasColors = profile >= .ansi
    look.bold = look.bold || style.bold
    look.underline = look.underline || style.underline
    look.italic = look.italic || style.italic
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

  private func written(_ role: Style.Role, in profile: ColorProfile) -> ResolvedStyle {
    if profile == .ansi, !basic.isEmpty { return basic[role] ?? ResolvedStyle() }
    return self[role]
  }
}

/// The role of a cell, and attributes that every terminal supports.
///
/// A theme adds colours by role.
package struct Style: Hashable, Sendable {
  /// The role of a cell, to which a theme assigns a colour.
  package enum Role: String, CaseIterable, Codable, Sendable {
    /// Plain text.
    case normal
    /// The title of a section.
    case header
    /// The title of today's section.
    case today
    /// The selected row.
    case selected
    /// The star of an entry.
    case star
    case tag
    /// A time of day.
    case time
    /// Secondary information: counts, key hints.
    case hint
    /// The header line, the status line of a low screen, and the keys over a prompt.
    case status
    /// The filter in the header line.
    case filter
    case prompt
    /// An error message.
    case error
    /// A recent change.
    case changed
    /// The mark of a marked row.
    case mark
    /// A search match.
    case match
    /// A substitute for a character that cannot be shown.
    case control
    /// A heading in a text.
    case heading
    /// Code in a text.
    case code
    /// The bar beside a quote.
    case quote
    /// The text of a link.
    case link
    /// Text that another version adds.
    case added
    /// Text that another version removes.
    case removed
    /// A small amount in a heat map, the index or the calendar; see ``levels``.
    case level1
    /// A medium amount.
    case level2
    /// A large amount.
    case level3
    /// The largest amounts.
    case level4

    /// The roles of amounts in ascending order.
    ///
    /// Their cells contain a sign, never text, so a theme needs less contrast for them: 3 for the
    /// highest, and steps that the eye can distinguish.
    package static let levels: [Role] = [.level1, .level2, .level3, .level4]

    /// Whether its cells contain text that must be readable.
    package var isText: Bool { !Self.levels.contains(self) }
  }

  /// The role of the cell.
  package var role: Role
  package var bold: Bool
  package var dim: Bool
  /// Whether it is underlined.
  package var underline: Bool
  package var italic: Bool
  /// Whether foreground and background are swapped.
  package var reverse: Bool
  /// Whether it is struck out, on a terminal that can.
  package var struck = false
  /// Whether the cell is part of the selected row.
  package var selected = false
  /// Whether the cell is in the line of the cursor, of a text that is being written.
  package var isCursorLine = false

  /// Makes a style, plain by default.
  package init(
    _ role: Role = .normal, bold: Bool = false, dim: Bool = false, underline: Bool = false,
    italic: Bool = false, reverse: Bool = false
  ) {
    self.role = role
    self.bold = bold
    self.dim = dim
    self.underline = underline
    self.italic = italic
    self.reverse = reverse
  }
}

/// The signs of amounts: readable without colours, since a higher level has more ink.
package enum LevelSigns {
  /// The sign for nothing.
  package static let none = "·"
  /// The signs of the levels in ascending order.
  package static let shapes = ["▫", "▪", "■", "█"]
  /// The sign of every level if its colour names the level.
  package static let square = "■"
}

extension Theme {
  /// Whether the levels differ by colour; if not, they differ by their signs.
  package func hasLevelColors(in profile: ColorProfile) -> Bool {
    let colors = Style.Role.levels.map { look(for: Style($0), in: profile).foreground }
    return !colors.contains(nil) && Set(colors).count == colors.count
  }

  /// The text of a role as it is drawn: the signs of levels are one square if their colours differ.
  package func drawn(_ text: String, as role: Style.Role, in profile: ColorProfile) -> String {
    guard !role.isText, hasLevelColors(in: profile) else { return text }
    return String(
      text.map { LevelSigns.shapes.contains(String($0)) ? Character(LevelSigns.square) : $0 })
  }
}
