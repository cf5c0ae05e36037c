/// The clock on the wall: the present instant and the zone's offsets, both replaceable.
///
/// Everything here that needs the time asks a value of this type, so that a test can stand at any
/// instant in any zone without touching the process.
public struct WallClock: Sendable {
  private let readSeconds: @Sendable () -> Int64
  private let readOffset: @Sendable (Int64) -> Int
  private let readZoneKnown: @Sendable () -> Bool

  /// Makes a clock from its readings.
  ///
  /// - Parameters:
  ///   - now: the present instant in seconds since 1970-01-01T00:00:00Z.
  ///   - offset: the zone's offset in force at such an instant, in seconds east of Greenwich.
  ///   - isZoneKnown: whether the zone asked for exists.
  public init(
    now: @escaping @Sendable () -> Int64, offset: @escaping @Sendable (Int64) -> Int,
    isZoneKnown: @escaping @Sendable () -> Bool = { true }
  ) {
    readSeconds = now
    readOffset = offset
    readZoneKnown = isZoneKnown
  }

  /// A clock that stands still, in a zone that keeps its offset.
  public static func fixed(seconds: Int64, offset: Int) -> WallClock {
    WallClock(now: { seconds }, offset: { _ in offset })
  }

  /// The present instant, in seconds since 1970-01-01T00:00:00Z.
  public func now() -> Int64 { readSeconds() }

  /// The offset in force at an instant, in seconds east of Greenwich, rounded to whole minutes.
  public func offset(at seconds: Int64) -> Int { Moment.wholeMinutes(readOffset(seconds)) }

  /// Whether the zone asked for exists; when not, times are UTC and the user should be told.
  public var isZoneKnown: Bool { readZoneKnown() }

  /// The present instant with the offset in force.
  public func moment() -> Moment { moment(at: now()) }

  /// An instant with the offset in force then.
  public func moment(at seconds: Int64) -> Moment {
    Moment(seconds: seconds, offset: offset(at: seconds))
  }
}
