import Foundation
import Glibc

/// The monotonic clock, shared by all processes of a machine.
enum Monotonic {
  /// Nanoseconds since a fixed instant.
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

  /// The duration of `body` in milliseconds.
  static func milliseconds(_ body: () throws -> Void) rethrows -> Double {
    let start = now()
    try body()
    return milliseconds(since: start)
  }
}

/// The processor time of this process, user and system, of all its threads.
enum ProcessorTime {
  /// Nanoseconds since the start of the process.
  static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}

/// Repeated measurements of one thing.
struct Samples {
  private(set) var values: [Double] = []

  init(_ values: [Double] = []) {
    self.values = values
  }

  /// Adds a measurement.
  mutating func add(_ value: Double) {
    values.append(value)
  }

  /// Adds the measurements of other samples.
  mutating func add(_ samples: Samples) {
    values += samples.values
  }

  /// The median; 0 without values.
  var median: Double { quantile(0.5) }

  /// The smallest value that at least a share of all values does not exceed.
  func quantile(_ share: Double) -> Double {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    let index = Int((Double(sorted.count) * share).rounded(.up)) - 1
    return sorted[min(max(index, 0), sorted.count - 1)]
  }
}

extension Samples {
  /// Measures one thing in several places in turn.
  ///
  /// So other load on the machine affects all of them. Every second round goes backwards, so that no
  /// place always follows the same one.
  ///
  /// - Parameters:
  ///   - rounds: the rounds that count; one before them also brings the files into memory.
  ///   - measure: a measurement in a place.
  static func inTurn(
    _ places: Int, rounds: Int, _ measure: (_ place: Int) throws -> Double
  ) rethrows -> [Samples] {
    var samples = Array(repeating: Samples(), count: places)
    for round in 0...rounds {
      for step in 0..<places {
        let place = round.isMultiple(of: 2) ? step : places - 1 - step
        let value = try measure(place)
        if round > 0 { samples[place].add(value) }
      }
    }
    return samples
  }
}

/// The reason why a measurement failed.
struct BenchError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// The machine that measures.
enum Machine {
  /// Its processor, cores and memory.
  static var name: String {
    let info = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let model = info.split(separator: "\n").first { $0.hasPrefix("model name") }
    let name = model?.split(separator: ":").last?.trimmingCharacters(in: .whitespaces)
    let memory = ProcessInfo.processInfo.physicalMemory >> 30
    let cores = ProcessInfo.processInfo.processorCount
    return "\(name ?? "unknown processor"), \(cores) cores, \(memory) GiB"
  }

  /// The date, such as 2026-11-24.
  static var today: String { Date.now.formatted(.iso8601.year().month().day()) }

  /// The average number of running processes in the last minute, ours included.
  static var load: String {
    let text = try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8)
    return text?.split(separator: " ").first.map(String.init) ?? "unknown"
  }
}
