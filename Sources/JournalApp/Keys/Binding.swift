/// Where a binding holds.
public enum KeyContext: String, CaseIterable, Sendable {
  /// The list of entries.
  case list
  /// The list of what was deleted.
  case trash
  /// One entry, read whole.
  case reading
  /// The help screen, and text that a command printed.
  case page
  /// The versions of an entry.
  case versions
  /// Lines one of which is chosen.
  case menu
  /// The drafts that are kept, one of which is chosen.
  case drafts
  /// The month calendar.
  case calendar
  /// The jump bar.
  case jump
  /// Statistics.
  case statistics
  /// The menu of orders and sections.
  case order
}

/// One key sequence, what it does, and how the help names it.
///
/// A binding owns its help text, so that the help screen cannot tell anything else than the keys do.
public struct Binding: Equatable, Sendable {
  /// The keys.
  public var sequence: KeySequence
  /// What they do.
  public var action: Action
  /// Where they do it.
  public var contexts: Set<KeyContext>

  /// Makes a binding.
  public init(_ sequence: KeySequence, _ action: Action, _ contexts: Set<KeyContext>) {
    self.sequence = sequence
    self.action = action
    self.contexts = contexts
  }
}
