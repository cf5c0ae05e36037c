import Journal
import Synchronization

/// Moments that an ``OffsetRule`` notes or knows, which may be asked on any thread.
final class MomentSet: Sendable {
  private let moments = Mutex<(known: Set<Moment>, new: [Moment])>(([], []))

  func contains(_ moment: Moment) -> Bool { moments.withLock { $0.known.contains(moment) } }

  func insert(_ moment: Moment) {
    moments.withLock { if $0.known.insert(moment).inserted { $0.new.append(moment) } }
  }

  /// The moments that are new since the last call, in order.
  func takeNew() -> [Moment] {
    moments.withLock { moments in
      defer { moments.new = [] }
      return moments.new
    }
  }
}
