import TerminalUI

/// Themes as pictures need them, which no terminal draws.
enum PictureTheme {
  /// A theme by its name.
  ///
  /// - Throws: ``Failure`` 64 naming those that there are.
  static func named(_ name: String) throws(Failure) -> Theme {
    if let theme = Theme.builtIn.first(where: { $0.name == name }) { return theme }
    let names = Theme.builtIn.map(\.name).joined(separator: ", ")
    throw Failure(.usage, "no theme \(name); there are \(names)")
  }
}

extension Theme {
  /// What a cell looks like where there are all colours: the role's look, the style's own attributes,
  /// and behind both what normal text looks like.
  func pictured(_ style: Style) -> ThemeLook {
    var look = self[style.role]
    let normal = self[.normal]
    look.foreground = look.foreground ?? normal.foreground
    look.background = look.background ?? normal.background
    look.bold = look.bold || style.bold
    look.dim = look.dim || style.dim
    look.underline = look.underline || style.underline
    look.reverse = look.reverse || style.reverse
    return look
  }
}
