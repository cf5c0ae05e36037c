import Glibc

/// Reads the clock that never jumps, which all processes of a machine share.
enum Monotonic {
  /// Nanoseconds since some fixed instant.
  static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Milliseconds since an earlier reading.
  static func milliseconds(since start: UInt64) -> Double {
    milliseconds(from: start, to: now())
  }

  /// Milliseconds between two readings.
  static func milliseconds(from start: UInt64, to end: UInt64) -> Double {
    Double(Int64(bitPattern: end &- start)) / 1_000_000
  }

  /// How long `body` takes, in milliseconds.
  static func milliseconds(_ body: () throws -> Void) rethrows -> Double {
    let start = now()
    try body()
    return milliseconds(since: start)
  }
}
