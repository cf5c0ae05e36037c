/// Whether the reading pane stands beside the list.
public enum PreviewMode: String, CaseIterable, Sendable {
  /// Where the screen is wide enough for both.
  case auto
  /// Wherever it can stand at all.
  case on
  /// Only when asked for.
  case off

  /// Whether it is wanted; nil where the width decides.
  public var isWanted: Bool? {
    switch self {
    case .auto: nil
    case .on: true
    case .off: false
    }
  }
}
