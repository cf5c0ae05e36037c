import Glibc

/// How many colours may be used.
public enum ColorProfile: Int, CaseIterable, Comparable, Sendable {
  /// Nothing but text.
  case none
  /// Bold, dim, underlined, reversed; no colours (`NO_COLOR`, a monochrome terminal).
  case attributes
  /// The eight colours of the terminal's own palette.
  case ansi
  /// 256 colours.
  case indexed
  /// Any colour, where the terminal's description has it.
  case trueColor

  /// Whether `a` allows less than `b`.
  public static func < (a: ColorProfile, b: ColorProfile) -> Bool { a.rawValue < b.rawValue }

  /// The profile for text that is printed without asking the terminal's description.
  ///
  /// `COLORTERM` and `TERM` are what `ls` and `git` go by too.
  ///
  /// - Parameter isForced: Whether colours are wanted though `NO_COLOR` is set, nobody knows the
  ///   terminal, or there is none.
  public static func ofEnvironment(isForced: Bool) -> ColorProfile {
    let terminal = variable("TERM")
    let isKnown = !terminal.isEmpty && terminal != "dumb"
    guard isKnown || isForced else { return .none }
    if !isForced, !variable("NO_COLOR").isEmpty { return .attributes }
    if ["truecolor", "24bit"].contains(variable("COLORTERM")) { return .trueColor }
    if terminal.hasSuffix("-direct") { return .trueColor }
    if terminal.hasSuffix("-256color") { return .indexed }
    // The VT100s and their kin have no colours, and nobody has them.
    return .ansi
  }

  private static func variable(_ name: String) -> String {
    getenv(name).map { String(cString: $0) } ?? ""
  }

  /// The profile for a terminal with so many colours under the present environment.
  ///
  /// `NO_COLOR`, when set and not empty, leaves attributes (no-color.org).
  ///
  /// - Parameters:
  ///   - colors: The number in the terminal's description, 0 or less for a monochrome one.
  ///   - isDirect: Whether its numbers of colours are red, green and blue.
  static func detect(colors: Int, isDirect: Bool) -> ColorProfile {
    if let text = getenv("NO_COLOR"), text.pointee != 0 { return .attributes }
    if isDirect { return .trueColor }
    if colors >= 256 { return .indexed }
    return colors >= 8 ? .ansi : .attributes
  }
}
