import Glibc
import Journal
import Synchronization

/// The names of drafts: short, because an editor shows the path, and growing with time.
///
/// A name is the milliseconds since 1970 in base 36, of nine characters until the year 5188. It is
/// larger than the UUIDs of version 7 that older versions gave: those begin with `01`.
enum DraftName {
  private static let last = Mutex<Int64>(0)

  /// Makes a name that this process has not given yet.
  static func make() -> String {
    name(
      at: last.withLock { last in
        last = max(last + 1, milliseconds())
        return last
      })
  }

  /// The name of a draft that was begun so many milliseconds after 1970 began.
  static func name(at milliseconds: Int64) -> String {
    let digits = String(milliseconds, radix: 36)
    return String(repeating: "0", count: max(0, 9 - digits.count)) + digits
  }

  /// The name of the file that an editor opens: the entry's local date and time, `2026-11-22-0643.md`.
  ///
  /// Without a space, because many people's scripts around editors do not expect one.
  static func file(written moment: Moment) -> String {
    let text = moment.description
    return "\(text.prefix(10))-\(text.dropFirst(11).prefix(2))\(text.dropFirst(14).prefix(2)).md"
  }

  private static func milliseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}
