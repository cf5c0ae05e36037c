/// How JSON is read.
public struct JSONOptions: Hashable, Sendable {
  /// Whether invalid UTF-8 and lone surrogates are taken as U+FFFD; otherwise they are errors.
  public var isLossy: Bool
  /// How many arrays and objects may stand inside each other.
  public var depthLimit: Int

  /// Makes options.
  public init(isLossy: Bool = false, depthLimit: Int = 512) {
    self.isLossy = isLossy
    self.depthLimit = depthLimit
  }
}
