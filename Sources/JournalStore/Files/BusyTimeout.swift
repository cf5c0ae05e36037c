import Glibc

/// The wait for a journal while other processes write to it.
///
/// It lasts five seconds if the holder does nothing. While the file keeps changing, or a process that
/// locks it works, others are making progress, and the wait lasts up to ten minutes: the repair of a
/// million entries takes two.
struct BusyTimeout {
  private let path: String
  private let start: Int64
  private var stamp: FileStamp?
  private var changed: Int64
  /// The processes that lock the file, and when they were looked for.
  private var holders: LockHolders?
  private var looked: Int64
  private let attendant: BusyAttendant?

  /// The longest wait for an inactive holder, in milliseconds.
  static let idle: Int64 = 5_000
  /// The longest wait in all cases, in milliseconds.
  static let longest: Int64 = 600_000

  init(for path: String, attendant: BusyAttendant? = .current) {
    self.path = path
    self.attendant = attendant
    start = BusyTimeout.now()
    stamp = FileStamp(path: path)
    changed = start
    looked = start
  }

  /// Sleeps, briefly at first, since most waits are for one commit.
  ///
  /// - Returns: whether to try again.
  mutating func wait() -> Bool {
    usleep(BusyTimeout.now() - start < 50 ? 1_000 : 10_000)
    return continues()
  }

  /// Whether to continue waiting: the same without a sleep, if something else ends the wait.
  mutating func continues() -> Bool {
    let now = BusyTimeout.now()
    // A stat call costs more than the shortest waits.
    if now - changed > 1_000 {
      if let present = FileStamp(path: path), present != stamp {
        stamp = present
        changed = now
      } else if now - looked > 1_000 {
        let present = LockHolders(of: path)
        if let holders, present.haveWorked(since: holders) { changed = now }
        (holders, looked) = (present, now)
      }
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

/// Observes the wait of a store for another program's writes, and may cancel it.
///
/// ```swift
/// let attendant = BusyAttendant { milliseconds in wantsToGiveUp() }
/// try BusyAttendant.$current.withValue(attendant) { try store.add([entry]) }
/// ```
///
/// A store that is opened while an attendant is current uses it as long as the store is open. A
/// cancelled wait throws ``StoreError/Kind/busy``, like one that timed out.
package final class BusyAttendant: @unchecked Sendable {
  // Unchecked: a store belongs to one thread, and only that thread waits and changes the closure.

  /// The attendant of the current operation, if any.
  @TaskLocal package static var current: BusyAttendant?

  /// Called every few milliseconds with the length of the wait so far in milliseconds; returns
  /// whether to cancel.
  package var waits: (_ milliseconds: Int64) -> Bool

  package init(_ waits: @escaping (_ milliseconds: Int64) -> Bool) {
    self.waits = waits
  }
}
