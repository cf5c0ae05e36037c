import Files
import Foundation
import Journal
import JournalFormats
import JournalStore
import JournalSync
import Synchronization
import Testing

/// Several journals of a test that synchronise through one repository in a directory.
final class SyncRig {
  let scratch: Scratch
  /// The journals, one for each device.
  private(set) var devices: [Device] = []

  /// A journal with its cache.
  final class Device {
    let name: String
    let store: any EntryStore
    /// Its clock; tests set it, also backwards.
    let clock: SteppingClock

    fileprivate init(
      _ name: String, _ clock: SteppingClock, _ store: any EntryStore
    ) {
      (self.name, self.clock, self.store) = (name, clock, store)
    }
  }

  /// A clock that goes on a second each time it is read.
  final class SteppingClock: Sendable {
    private let seconds = Mutex<Int64>(1_795_000_000)

    func move(by count: Int64) { seconds.withLock { $0 += count } }

    var clock: WallClock {
      WallClock(
        now: {
          self.seconds.withLock { seconds in
            seconds += 1
            return seconds
          }
        }, offset: { _ in 3600 })
    }
  }

  /// - Parameter kinds: the endings of the journals: `sqlite` or `json`.
  init(_ kinds: [String] = ["sqlite", "sqlite"]) throws {
    scratch = try Scratch()
    try scratch.makeRemote()
    for (index, kind) in kinds.enumerated() {
      let name = "device\(index + 1)"
      let path = "\(scratch.path)/\(name).\(kind)"
      let clock = SteppingClock()
      let store: any EntryStore =
        if kind == "json" {
          try JSONEntryStore.open(path, mode: .create, clock: clock.clock)
        } else {
          try SQLiteEntryStore.open(path, mode: .create, clock: clock.clock)
        }
      devices.append(Device(name, clock, store))
    }
  }

  /// Synchronises a device.
  @discardableResult
  func sync(_ index: Int, cancelling: @escaping () -> Bool = { false }) throws -> SyncReport {
    let device = devices[index]
    let repository = try scratch.repository("cache-\(device.name)")
    return try SyncSession(
      device.store, repository, remote: scratch.remote(), device: device.name,
      isCancelled: cancelling
    ).run()
  }

  /// Synchronises all devices until nothing changes any more.
  func settle() throws {
    for _ in 0..<6 {
      let reports = try devices.indices.map { try sync($0) }
      if reports.allSatisfy(\.isEmpty) { return }
    }
    Issue.record("the devices do not come to rest")
  }

  /// What must be the same on each device: every field but the number, and the texts of conflicts.
  func contents(_ index: Int) throws -> [String] {
    let store = devices[index].store
    let numbers =
      try store.numbers(matching: nil) + store.numbers(matching: .flag(.deleted))
    return try store.entries(numbers).map { entry in
      let conflicts = try store.conflicts(of: entry.number).sorted()
      return String(decoding: SyncFile.encode(entry), as: UTF8.self) + "\n\(conflicts)"
    }.sorted()
  }

  @discardableResult
  func add(_ index: Int, _ text: String, day: Day? = nil) throws -> Entry {
    let store = devices[index].store
    let now = store.clock.moment()
    return try store.add([NewEntry(text: text, created: now, day: day ?? now.localDay)])[0]
  }
}
