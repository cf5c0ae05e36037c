extension Theme {
  /// What is put on the screen for a style: the role's look and the style's own attributes.
  ///
  /// A colour that a role does not name is that of normal text, so that a theme with a background has
  /// it everywhere. Where a role has colours of its own, they take the place of two attributes that
  /// only stand in for colours: dim goes when the text has a colour, reverse when what is behind it
  /// has one.
  public func look(for style: Style, in profile: ColorProfile) -> ThemeLook {
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
  public var hasBackground: Bool { self[.normal].background != nil }

  private func written(_ role: Style.Role, in profile: ColorProfile) -> ThemeLook {
    if profile == .ansi, !basic.isEmpty { return basic[role] ?? ThemeLook() }
    return self[role]
  }
}
