/// How the rows of a list are ordered.
public enum ListOrder: String, CaseIterable, Sendable {
  /// Latest written first; entries of the same second by number, highest first.
  case newest
  /// Earliest written first; entries of the same second by number, lowest first.
  case oldest
  /// Latest changed first.
  case modified
  /// By title without case and accents.
  case title
}

/// What the sections of a list are made by.
public enum Sectioning: String, CaseIterable, Sendable {
  /// A section a day; its key is `2026-11-21`.
  case day
  /// A section an ISO week; its key is `2026-W47`.
  case week
  /// A section a month; its key is `2026-11`.
  case month
  /// A section a year; its key is `2026`.
  case year
  /// A section a tag; its key is the folded tag, empty for entries without one.
  case tag
  /// One section whose key is empty.
  case none
}
