/// An instant in whole seconds, with the offset from UTC in force where it was written.
public struct Moment: Hashable, Sendable {
  /// Seconds since 1970-01-01T00:00:00Z.
  public let seconds: Int64
  /// The local clock's distance from UTC, in seconds east of Greenwich.
  public let offset: Int

  /// Makes a moment from seconds since the epoch and an offset in seconds.
  public init(seconds: Int64, offset: Int) {
    self.seconds = seconds
    self.offset = offset
  }
}
