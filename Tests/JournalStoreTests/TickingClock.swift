import Journal
import Synchronization

/// A clock that goes on a second each time it is read, in a zone an hour east of Greenwich.
final class TickingClock: Sendable {
  private let seconds = Mutex<Int64>(1_795_000_000)

  var clock: WallClock {
    WallClock(
      now: {
        self.seconds.withLock { seconds in
          seconds += 1
          return seconds
        }
      },
      offset: { _ in 3600 })
  }
}
