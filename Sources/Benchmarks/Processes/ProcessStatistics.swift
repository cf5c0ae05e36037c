import Foundation

/// What the system has counted for a process, from `/proc`.
struct ProcessStatistics {
  /// How often its threads went to sleep, and so how often they were woken.
  let sleeps: Int
  /// The processor time of all its threads, in nanoseconds.
  let nanoseconds: Int
  /// The most memory that was resident at a time, in KiB.
  ///
  /// The peak that `wait4` reports also counts what its parent had when it started the program.
  let peakKibibytes: Int

  /// Reads the statistics of a process that runs.
  init(pid: pid_t) throws {
    let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")
    var (sleeps, nanoseconds) = (0, 0)
    for task in tasks {
      let folder = "/proc/\(pid)/task/\(task)"
      sleeps += try ProcessStatistics.field("voluntary_ctxt_switches", in: "\(folder)/status")
      let schedule = try ProcessStatistics.text("\(folder)/schedstat")
      nanoseconds += schedule.split(separator: " ").first.flatMap { Int($0) } ?? 0
    }
    self.sleeps = sleeps
    self.nanoseconds = nanoseconds
    peakKibibytes = try ProcessStatistics.field("VmHWM", in: "/proc/\(pid)/status")
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  private static func field(_ name: String, in path: String) throws -> Int {
    let line = try text(path).split(separator: "\n").first { $0.hasPrefix("\(name):") }
    let number = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
    guard let number else { throw BenchError("\(path) has no \(name)") }
    return number
  }
}
