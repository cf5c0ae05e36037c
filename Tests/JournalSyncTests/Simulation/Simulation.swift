import Foundation
import Glibc
import JournalSync
import SimulatedDisk
import TestSupport

/// Runs worlds, and shrinks the script of one that breaks a promise.
struct Simulation {
  /// A world that broke a promise.
  struct Failure: CustomStringConvertible {
    var seed: UInt64
    var error: String
    /// What happened in the shortest script that fails.
    var script: [String]
    var kinds: [String]

    var description: String {
      """
      seed \(seed): \(error)
      to repeat it: make simulate SEED=\(seed)
      the shortest script that breaks a promise, with \(kinds.joined(separator: ", ")):
        \(script.joined(separator: "\n  "))
      """
    }
  }

  private(set) var worlds = 0
  private(set) var events = 0
  private(set) var calls = 0
  private(set) var faults = 0
  private(set) var failures: [Failure] = []
  private(set) var writes = 0
  /// The time that the worlds took without that of shrinking, and the seconds of a processor for it.
  private(set) var time = Duration.zero
  private(set) var processor = 0.0

  /// The directory of the journals, in memory where the system has room for it there.
  private static let parent =
    access("/dev/shm", W_OK) == 0 ? "/dev/shm" : FileManager.default.temporaryDirectory.path

  static func script(_ seed: UInt64) -> WorldScript {
    WorldScript(
      seed: seed, pieces: [1, 3, 8, SyncSession.standardPiece],
      files: [1, 700, SyncSession.standardFiles])
  }

  /// Runs events in a new world.
  ///
  /// - Returns: the world; its log ends with what broke a promise, if anything did.
  static func world(_ script: WorldScript, _ events: [WorldEvent]) throws -> (World, String?) {
    let directory = "\(parent)/daybook-world-\(getpid())"
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: false)
    defer {
      daybook_disk_forget()
      try? FileManager.default.removeItem(atPath: directory)
    }
    let world = try World(script, in: directory)
    defer { for device in world.devices { device.close() } }
    do {
      try world.run(events)
      return (world, nil)
    } catch {
      return (world, "\(error)")
    }
  }

  /// Runs the world of a seed.
  mutating func run(_ seed: UInt64) throws {
    let script = Self.script(seed)
    let (start, used) = (ContinuousClock.now, Self.processorTime)
    let (world, error) = try Self.world(script, script.events)
    time += ContinuousClock.now - start
    processor += Self.processorTime - used
    worlds += 1
    events += script.events.count
    (calls, writes) = (calls + world.calls, writes + world.writes)
    faults += world.faults
    guard let error else { return }
    // Shrinking takes a while.
    print("world \(worlds), seed \(seed): \(error)")
    fflush(nil)
    var (last, lastError) = (world, error)
    _ = shrunk(script.events) { events in
      guard let (world, error) = try? Self.world(script, events), let error else { return false }
      (last, lastError) = (world, error)
      return true
    }
    failures.append(
      Failure(seed: seed, error: lastError, script: last.log, kinds: script.kinds))
  }

  /// The seconds that this thread has used a processor.
  private static var processorTime: Double {
    var now = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
  }

  /// The figures of a run.
  var summary: String {
    let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
    let rate = Double(worlds) / max(processor, 0.001)
    return String(
      format: "%d worlds, %d events, %d calls of git, %d writes before a power cut, %d faults"
        + " in %.1f s, processor %.1f s: %.1f worlds a second of a processor",
      worlds, events, calls, writes, faults, seconds, processor, rate)
  }
}
