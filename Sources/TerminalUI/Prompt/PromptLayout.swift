/// A prompt as the lines of a screen.
public struct PromptLayout: Hashable, Sendable {
  /// What each row shows, from the top; at least one row.
  public var lines: [[Cluster]]

  /// Where the cursor stands, counted from the first of ``lines``.
  public var cursor: CursorPosition
}
