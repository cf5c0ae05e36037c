import Foundation
import JournalStore
import TestSupport
import Testing

/// Power cuts while a device synchronises, replayed from the real programs, `git` among them: the journal
/// is as before or as after, and the next synchronisation completes it, or names a lock of git in the
/// remote's directory that must be removed first.
///
/// By default some moments are cut; `SYNC_CUTS=3` makes three disks of each.
@Suite(.waiting)
struct SyncPowerCutTests {
  private static let rounds = ProcessInfo.processInfo.environment["SYNC_CUTS"].flatMap(Int.init)

  /// Where the remote is.
  enum Remote: CaseIterable {
    /// On a machine that has power.
    case elsewhere
    /// In a directory of the same disk, such as one on a stick.
    case sameDisk
  }

  @Test(
    "a power cut at any write of a sync loses nothing", arguments: ["sqlite", "json"],
    Remote.allCases)
  func everyMoment(kind: String, remote: Remote) throws {
    let devices = try TwoDevices(kind)
    let before = try devices.contents("b")
    #expect(try devices.sync("b").code == 0)
    #expect(try devices.sync("a").code == 0)
    let after = try devices.contents("b")
    try devices.reset()
    var disk = try CutDisk(directory: devices.work.path)
    let log = devices.program.home.path + "/log"
    let result = try devices.sync(
      "b",
      extra: [
        "LD_PRELOAD": try FaultShim.path(), "FAULT_DIR": devices.work.path, "FAULT_LOG": log,
      ])
    try #require(result.code == 0, "\(result.errors)")
    let operations = try WriteLog(log).operations
    for part in TwoDevices.Part.allCases {
      let directory = devices.directory(part, of: "b") + "/"
      #expect(operations.contains { $0.name.hasPrefix(directory) }, "nothing written to \(part)")
    }
    var generator = SeededGenerator(seed: SeededGenerator.runSeed)
    let sample = Sample(oneIn: Self.rounds == nil ? 47 : 1, of: "\(kind) \(remote)")
    for index in 0...operations.count {
      if index > 0 { disk.take(operations[index - 1]) }
      guard sample.contains(index) || index == operations.count else { continue }
      for round in 0..<(Self.rounds ?? 1) {
        var image = disk.image(&generator)
        if remote == .elsewhere {
          let directory = devices.directory(.remote, of: "b") + "/"
          image = image.filter { !$0.key.hasPrefix(directory) }
          // Git there sees that nobody talks any more, and removes its locks.
          image.merge(
            disk.whole.filter { $0.key.hasPrefix(directory) && !$0.key.hasSuffix(".lock") }
          ) { $1 }
        }
        try replace(devices, by: image)
        let note = "cut after change \(index) of \(operations.count), disk \(round)"
        try check(devices, note, before: before, after: after, hasEnded: index == operations.count)
      }
    }
  }

  /// Gives both devices and the remote these files and no others.
  private func replace(_ devices: TwoDevices, by image: [String: [UInt8]]) throws {
    try devices.reset()
    for path in try CutDisk(directory: devices.work.path).whole.keys where image[path] == nil {
      try FileManager.default.removeItem(atPath: path)
    }
    for (path, bytes) in image {
      let url = URL(filePath: path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      // Git's packs are read-only.
      unlink(path)
      try Data(bytes).write(to: url)
    }
  }

  private func check(
    _ devices: TwoDevices, _ note: String, before: [String], after: [String], hasEnded: Bool
  ) throws {
    do {
      let now = try devices.contents("b")
      #expect(now == before || now == after, "\(note)")
      if hasEnded { #expect(now == after, "\(note)") }
      #expect(try StoredJournal.open(devices.journal("b")).check() == [], "\(note)")
      for name in ["b", "a"] {
        var next = try devices.sync(name)
        while next.code == 77, let lock = next.errors.firstMatch(of: /'(\/.+\.lock)': File exists/)
        {
          // Git's own lock in a directory that others may use, too: only its user can know.
          #expect(next.errors.contains("if no git is at work there, remove that .lock file"))
          try #require(unlink(String(lock.1)) == 0)
          next = try devices.sync(name)
        }
        #expect([0, 1].contains(next.code), "\(note), sync of \(name): \(next.errors)")
      }
      for name in ["b", "a"] {
        let now = try devices.contents(name)
        #expect(now == after, "\(note), journal of \(name)")
      }
      let fsck = try devices.program.shell(
        "git -C '\(devices.directory(.remote, of: "b"))' fsck --strict")
      #expect(fsck.code == 0, "\(note): \(fsck.errors)")
    } catch {
      Issue.record("\(note): \(error)")
    }
  }
}
