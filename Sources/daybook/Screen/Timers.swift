import Journal

/// The next times at which the main loop must wake up though nothing came.
///
/// While a script is played its own clock counts: it stands at the time of what is due, however long
/// that took, so that the same script always shows the same at the same time.
struct Timers {
  /// What waits for its time.
  enum Kind: CaseIterable {
    /// The rest of an escape sequence, or a lone Esc.
    case escape
    /// A pause in the typing, to keep a draft.
    case draft
    /// The colour of changed rows goes.
    case highlight
    /// Another look at a commit that seemed under way.
    case refresh
    /// The day ends, by the rule of when days end.
    case dayEnd
    /// The next key of a script.
    case key
  }

  /// The clock of a script.
  private struct Script {
    var start: ContinuousClock.Instant
    var now: ContinuousClock.Instant
    /// Whether no time is waited for.
    var skips: Bool
  }

  private var deadlines: [Kind: ContinuousClock.Instant] = [:]
  private var script: Script?

  private var now: ContinuousClock.Instant { script?.now ?? .now }

  /// Sets a timer, which replaces one of its kind; `nil` takes it away.
  mutating func set(_ kind: Kind, after duration: Duration?) {
    deadlines[kind] = duration.map { now + $0 }
  }

  /// Whether a timer of this kind runs.
  func isSet(_ kind: Kind) -> Bool { deadlines[kind] != nil }

  /// How long to sleep at most; `nil` for as long as it takes.
  var timeout: Duration? {
    guard let next = deadlines.values.min() else { return nil }
    return script?.skips == true ? .zero : max(.zero, ContinuousClock.now.duration(to: next))
  }

  /// Takes the timers that are due away.
  mutating func takeDue() -> [Kind] {
    guard var time = deadlines.values.min() else { return [] }
    if script?.skips != true, time > .now { return [] }
    if script == nil { time = .now } else { script?.now = time }
    let due = Kind.allCases.filter { kind in deadlines[kind].map { $0 <= time } ?? false }
    for kind in due { deadlines[kind] = nil }
    return due
  }
}

extension Timers {
  /// Begins with the clock of a script.
  ///
  /// - Parameter skipping: whether no time is waited for: what is next is due at once.
  mutating func followScript(skipping: Bool) {
    let now = ContinuousClock.now
    script = Script(start: now, now: now, skips: skipping)
  }

  /// Goes back to the computer's clock.
  mutating func leaveScript() {
    script = nil
    deadlines[.key] = nil
  }

  /// How long the script has been played by its own clock.
  var scriptTime: Duration { script.map { $0.start.duration(to: $0.now) } ?? .zero }
}

extension WallClock {
  /// How long the present day still lasts by a rule; a change of the clocks is met within an hour.
  func untilDayEnds(_ rule: DayRule) -> Duration {
    let (hour, minute, second) = moment().localTime
    let left = rule.endsAt * 60 - (hour * 3600 + minute * 60 + second)
    return .seconds(min(3600, left > 0 ? left : left + 86_400))
  }
}
