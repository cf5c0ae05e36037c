/// What a local date and time means: clocks that are set forward skip some, set back repeat some.
public enum LocalTime: Hashable, Sendable {
  /// The clock showed it once, at this instant in seconds since the epoch.
  case once(Int64)
  /// The clock showed it twice; this is the first time.
  case twice(Int64)
  /// The clock never showed it; this instant is as long after the change as the time asked for.
  case skipped(Int64)

  /// The instant in seconds since the epoch, whichever case it is.
  public var seconds: Int64 {
    switch self {
    case .once(let seconds), .twice(let seconds), .skipped(let seconds): seconds
    }
  }
}

extension WallClock {
  /// The instant at which the local clock shows a day and time, and whether that was clear.
  ///
  /// The offsets in force a day before and a day after bracket a change of the clocks, also one
  /// that leaves out a whole day as Samoa did on 2011-12-30. Each gives a candidate; a candidate
  /// counts when its offset is in force at the instant it names.
  public func seconds(
    ofLocal day: Day, hour: Int, minute: Int, second: Int = 0
  ) -> LocalTime {
    let local = Int64(day.daysSinceEpoch) * 86_400 + Int64(hour * 3600 + minute * 60 + second)
    let before = offset(at: local - 86_400)
    let after = offset(at: local + 86_400)
    let candidates = [before, after].map { local - Int64($0) }
    let valid = candidates.filter { offset(at: $0) == Int(local - $0) }
    guard let first = valid.min(), let last = valid.max() else { return .skipped(candidates[0]) }
    return first == last ? .once(first) : .twice(first)
  }
}
