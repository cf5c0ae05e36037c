import Journal
import Screen

/// The deadlines at which the main loop must wake up without input.
///
/// A script is played by its own clock, which is set to the time of each due step, however long
/// that step takes, so that the same script always shows the same at the same time.
struct Timers {
  /// The purpose of a timer.
  enum Kind: CaseIterable {
    /// The rest of an escape sequence, or a single Esc.
    case escape
    /// A pause in a paste that has not ended.
    case paste
    /// A pause in typing, to save a draft.
    case draft
    /// The end of the highlight of changed rows.
    case highlight
    /// A moment after a deletion.
    case deletion
    /// The end of a message of success.
    case message
    /// Retries the refresh after a busy database.
    case refresh
    /// The end of the day, by the day rule.
    case dayEnd
    /// A time without a key, after which the journal is synchronised.
    case idle
    /// A time without a key, after which a sealed journal is locked.
    case lock
    /// A pause in typing, after which results are said where the screen is read out.
    case typing
    /// The end of the time that decoding a picture may take.
    case picture
    /// The next key of a script.
    case key
  }

  /// The clock of a script.
  private struct Script {
    var start: ContinuousClock.Instant
    var now: ContinuousClock.Instant
    /// Whether waits are skipped.
    var skips: Bool
  }

  private var deadlines: [Kind: ContinuousClock.Instant] = [:]
  private var script: Script?

  private var now: ContinuousClock.Instant { script?.now ?? .now }

  /// Sets a timer and replaces the one of its kind; `nil` removes it.
  mutating func set(_ kind: Kind, after duration: Duration?) {
    deadlines[kind] = duration.map { now + $0 }
  }

  /// The time that a message of success is shown.
  static let messageTime = Duration.seconds(6)

  /// Sets the timer that ends a message of success; failures stay until the next key.
  ///
  /// - Parameter isWatched: whether a person sees the message; the last one of a pipe's keys stays,
  ///   since its screen is printed.
  mutating func setMessage(_ status: Status?, isWatched: Bool) {
    set(.message, after: status?.kind == .done && isWatched ? Self.messageTime : nil)
  }

  /// The time in which a second key of a deletion belongs to the first: two presses of a habit are
  /// closer, two decisions are not.
  static let habitTime = Duration.milliseconds(300)

  /// Whether a timer of this kind is set.
  func isSet(_ kind: Kind) -> Bool { deadlines[kind] != nil }

  /// The longest sleep; `nil` for no limit.
  var timeout: Duration? {
    guard let next = deadlines.values.min() else { return nil }
    return script?.skips == true ? .zero : max(.zero, ContinuousClock.now.duration(to: next))
  }

  /// Removes the due timers and returns their kinds.
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
  /// Starts the clock of a script.
  ///
  /// - Parameter skipping: whether waits are skipped: the next timer is due at once.
  mutating func followScript(skipping: Bool) {
    let now = ContinuousClock.now
    script = Script(start: now, now: now, skips: skipping)
  }

  /// Returns to the system clock.
  mutating func leaveScript() {
    script = nil
    deadlines[.key] = nil
  }

  /// The time of the script by its own clock.
  var scriptTime: Duration { script.map { $0.start.duration(to: $0.now) } ?? .zero }
}

extension WallClock {
  /// The time until the end of the day; a change of the system clock is noticed within an hour.
  func untilDayEnds(_ rule: DayRule) -> Duration {
    let (hour, minute, second) = moment().localTime
    let left = rule.endsAt * 60 - (hour * 3600 + minute * 60 + second)
    return .seconds(min(3600, left > 0 ? left : left + 86_400))
  }
}

extension ScreenLoop {
  /// Sets the timer of the results of typing, which are said when it rests; a pipe has no rests.
  func armTyping() {
    guard painter?.takeTyping() == true, state.environment.keysAreTyped || isPlaying else { return }
    timers.set(.typing, after: SpokenScreen.rest)
  }

  /// Handles the due timers, and the end of the day.
  func handleTimers() {
    for kind in timers.takeDue() where exitCode == nil {
      switch kind {
      case .escape: input?.endEscape()
      case .paste: input?.showPaste()
      case .draft: session?.prompts.keepWaitingDraft(in: state)
      case .highlight: send(.list(.highlightEnded))
      case .deletion: send(.list(.deletionSettled))
      case .message: send(.terminal(.messageExpired))
      case .refresh: refresh()
      case .dayEnd: break
      case .idle: syncWhenIdle()
      case .lock: lockWhenIdle()
      case .typing: try? painter?.endTyping(in: state)
      case .picture: session?.pictures.endLate()
      case .key: script?.step()
      }
    }
    guard let journal else { return }
    let today = state.settings.dayRule.day(of: journal.store.clock.moment())
    guard today != state.journal.today else { return }
    send(.journal(.dayChanged(today)))
    journal.listing.followTime()
  }
}
