/// How a cell looks: what it is, and attributes that every terminal has.
///
/// A theme adds colours by role.
public struct Style: Hashable, Sendable {
  /// What a cell is, so that a theme can give it a colour.
  public enum Role: String, CaseIterable, Sendable {
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
  public var role: Role
  /// Whether it is bold.
  public var bold: Bool
  /// Whether it is dim.
  public var dim: Bool
  /// Whether it is underlined.
  public var underline: Bool
  /// Whether text and background change places.
  public var reverse: Bool

  /// Makes a style, plain unless told otherwise.
  public init(
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
