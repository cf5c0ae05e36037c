import Journal

/// The next times at which the main loop must wake up though nothing came.
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
    /// Midnight.
    case midnight
  }

  private var deadlines: [Kind: ContinuousClock.Instant] = [:]

  /// Sets a timer, which replaces one of its kind; `nil` takes it away.
  mutating func set(_ kind: Kind, after duration: Duration?) {
    deadlines[kind] = duration.map { ContinuousClock.now + $0 }
  }

  /// Whether a timer of this kind runs.
  func isSet(_ kind: Kind) -> Bool { deadlines[kind] != nil }

  /// How long to sleep at most; `nil` for as long as it takes.
  var timeout: Duration? {
    deadlines.values.min().map { max(.zero, ContinuousClock.now.duration(to: $0)) }
  }

  /// Takes the timers that are due away.
  mutating func takeDue() -> [Kind] {
    let now = ContinuousClock.now
    let due = Kind.allCases.filter { kind in deadlines[kind].map { $0 <= now } ?? false }
    for kind in due { deadlines[kind] = nil }
    return due
  }
}

extension WallClock {
  /// How long the present calendar day still lasts; a change of the clocks is met within an hour.
  var untilMidnight: Duration {
    let (hour, minute, second) = moment().localTime
    return .seconds(min(3600, 86_400 - (hour * 3600 + minute * 60 + second)))
  }
}
