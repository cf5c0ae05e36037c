import Glibc

/// The wait for a journal that others are writing to.
///
/// It lasts five seconds for one that somebody holds and does nothing with; as long as its file goes on changing
/// others are at work, each for a moment, and the turn will come: then up to a minute.
struct BusyTimeout {
  private let path: String
  private let start: Int64
  private var stamp: FileStamp?
  private var changed: Int64
  private let attendant: BusyAttendant?

  /// The wait for a journal whose holder does nothing, in milliseconds.
  static let idle: Int64 = 5_000
  /// The longest wait, in milliseconds.
  static let longest: Int64 = 60_000

  /// Starts to wait.
  init(for path: String, attendant: BusyAttendant? = .current) {
    self.path = path
    self.attendant = attendant
    start = BusyTimeout.now()
    stamp = FileStamp(path: path)
    changed = start
  }

  /// Sleeps a moment: short ones at first, since most waits are for one commit.
  ///
  /// - Returns: whether to try again.
  mutating func wait() -> Bool {
    usleep(BusyTimeout.now() - start < 50 ? 1_000 : 10_000)
    return continues()
  }

  /// Whether to go on waiting: the same without a sleep, for a wait that something else ends.
  mutating func continues() -> Bool {
    let now = BusyTimeout.now()
    // Looking at the file costs more than the shortest waits are worth.
    if now - changed > 1_000, let present = FileStamp(path: path), present != stamp {
      stamp = present
      changed = now
    }
    if attendant?.waits(now - start) == true { return false }
    return now - changed < BusyTimeout.idle && now - start < BusyTimeout.longest
  }

  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}

/// Observes a store that waits for a journal that another program is writing to, and may end the wait.
///
/// ```swift
/// let attendant = BusyAttendant { milliseconds in wantsToGiveUp() }
/// try BusyAttendant.$current.withValue(attendant) { try store.add([entry]) }
/// ```
///
/// A store that is opened while an attendant is the current one asks it for as long as it is open.
/// A wait that is ended throws ``StoreError/Kind/busy``, as one that was too long does.
package final class BusyAttendant: @unchecked Sendable {
  // Unchecked: a store belongs to one thread, which alone waits for it and changes the closure.

  /// The attendant of the current operation, if it has one.
  @TaskLocal package static var current: BusyAttendant?

  /// Called every few milliseconds of a wait with its length so far in milliseconds; returns whether
  /// to give up.
  package var waits: (_ milliseconds: Int64) -> Bool

  package init(_ waits: @escaping (_ milliseconds: Int64) -> Bool) {
    self.waits = waits
  }
}
