import Glibc

/// A process, told apart from a later one that got the same number.
struct ProcessStamp: Hashable {
  /// The process's number.
  var pid: Int32
  /// When it started, in clock ticks since the system started.
  var start: UInt64

  /// This process.
  static let current = ProcessStamp(running: getpid()) ?? ProcessStamp(pid: getpid(), start: 0)

  /// Makes a stamp from its parts.
  init(pid: Int32, start: UInt64) {
    self.pid = pid
    self.start = start
  }

  /// The stamp of a process that runs now.
  init?(running pid: Int32) {
    guard let start = Self.start(of: pid) else { return nil }
    self.init(pid: pid, start: start)
  }

  /// Whether that process still runs.
  var isAlive: Bool { pid > 0 && Self.start(of: pid) == start }

  /// Field 22 of `/proc/PID/stat`; the second field may hold blanks, so count from its last `)`.
  private static func start(of pid: Int32) -> UInt64? {
    guard let bytes = DraftFile.read("/proc/\(pid)/stat", limit: 4096),
      let end = bytes.lastIndex(of: UInt8(ascii: ")"))
    else { return nil }
    let fields = String(decoding: bytes[(end + 1)...], as: UTF8.self).split(separator: " ")
    // A zombie writes nothing more, though its parent has not noticed its end.
    guard fields.count > 19, fields[0] != "Z", fields[0] != "X" else { return nil }
    return UInt64(fields[19])
  }
}
