/// What a prompt asks for.
public enum PromptKind: CaseIterable, Hashable, Sendable {
  /// The text of an entry: many lines, never written to a history.
  case entry
  /// A command after `:`.
  case command
  /// A search after `/` or a filter.
  case search
  /// Tags of an entry.
  case tags
  /// A date.
  case date
  /// Anything else, as a yes or no.
  case other

  /// Whether a line feed may stand in the text; elsewhere it becomes a space.
  public var isMultiline: Bool { self == .entry }

  /// Whether its history is kept in a file: what commands are, and nothing of the journal's text.
  public var isRemembered: Bool { self == .command || self == .search }
}
