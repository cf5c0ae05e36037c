/// An instant in whole seconds, with the offset from UTC in force where it was written.
public struct Moment: Hashable, Sendable {
  /// Seconds since 1970-01-01T00:00:00Z.
  public let seconds: Int64
  /// The local clock's distance from UTC, in seconds east of Greenwich, always whole minutes.
  public let offset: Int

  /// Makes a moment from seconds since the epoch and an offset in seconds.
  ///
  /// The offset is rounded to whole minutes, since ISO 8601 knows no smaller ones: so a moment
  /// always comes back from its text unchanged.
  public init(seconds: Int64, offset: Int) {
    self.seconds = seconds
    self.offset = Moment.wholeMinutes(offset)
  }

  static func wholeMinutes(_ offset: Int) -> Int {
    let minutes = (offset.magnitude + 30) / 60
    return offset < 0 ? -Int(minutes) * 60 : Int(minutes) * 60
  }
}

extension Moment {
  /// The calendar day the local clock showed.
  public var localDay: Day { Day(daysSinceEpoch: Int(floored.quotient)) }

  /// The time of day the local clock showed.
  public var localTime: (hour: Int, minute: Int, second: Int) {
    let second = Int(floored.remainder)
    return (second / 3600, second / 60 % 60, second % 60)
  }

  /// The time of day the local clock showed, as people read it: `09:15`.
  public var clockText: String {
    let (hour, minute, _) = localTime
    return "\(Digits.padded(hour)):\(Digits.padded(minute))"
  }

  /// The offset as people read it: `+01`, `-03:30`.
  public var offsetText: String {
    let minutes = Int(offset.magnitude) / 60
    let rest = minutes % 60 == 0 ? "" : ":\(Digits.padded(minutes % 60))"
    return "\(offset < 0 ? "-" : "+")\(Digits.padded(minutes / 60))\(rest)"
  }

  /// The days since the epoch and the second of the day, both local.
  private var floored: (quotient: Int64, remainder: Int64) {
    let local = seconds &+ Int64(offset)
    let (quotient, remainder) = local.quotientAndRemainder(dividingBy: 86_400)
    return remainder < 0 ? (quotient - 1, remainder + 86_400) : (quotient, remainder)
  }
}
