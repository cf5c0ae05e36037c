import Glibc

/// How long to wait for a journal that others are writing to.
///
/// Five seconds for one that somebody holds and does nothing with; as long as its file goes on changing
/// others are at work, each for a moment, and the turn will come: then up to a minute.
struct Patience {
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
    start = Patience.now()
    stamp = FileStamp(path: path)
    changed = start
  }

  /// Sleeps a moment: short ones at first, since most waits are for one commit.
  ///
  /// - Returns: whether to try again.
  mutating func wait() -> Bool {
    usleep(Patience.now() - start < 50 ? 1_000 : 10_000)
    return goesOn()
  }

  /// Whether to wait on: the same without a sleep, for a wait that something ends.
  mutating func goesOn() -> Bool {
    let now = Patience.now()
    // Looking at the file costs more than the shortest waits are worth.
    if now - changed > 1_000, let present = FileStamp(path: path), present != stamp {
      stamp = present
      changed = now
    }
    if attendant?.waits(now - start) == true { return false }
    return now - changed < Patience.idle && now - start < Patience.longest
  }

  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}
