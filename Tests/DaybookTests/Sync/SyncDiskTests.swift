import Foundation
import Journal
import JournalStore
import TestSupport
import Testing

/// A disk that fails or is full at each single write of `daybook sync`, and of the programs `git` that
/// it starts: the sync has happened or not, and the next one completes it.
///
/// `SYNC_KILLS` tries every write instead of some.
@Suite(.waiting)
struct SyncDiskTests {
  /// A disk that fails.
  struct Fault: CustomTestStringConvertible, Sendable {
    /// What is on the disk.
    var disk: TwoDevices.Part
    var kind = "sqlite"
    var number: Int32
    /// Whether it fails from the n-th write on, instead of once.
    var isSticky = false
    /// The function whose calls fail; `nil` for every write.
    var call: String?
    var testDescription: String {
      "\(kind), \(disk), \(call ?? "write"), errno \(number), \(isSticky ? "for good" : "once")"
    }
  }

  /// A commit of SQLite ends with these calls: it fails where one of them fails.
  private static let commits = ["fsync", "ftruncate"].map {
    Fault(disk: .journal, number: EIO, call: $0)
  }
  static let faults =
    commits
    + TwoDevices.Part.allCases.flatMap { disk in
      [
        Fault(disk: disk, number: ENOSPC, isSticky: true), Fault(disk: disk, number: EIO),
      ]
    } + [Fault(disk: .journal, kind: "json", number: ENOSPC, isSticky: true)]

  static let isThorough = ProcessInfo.processInfo.environment["SYNC_KILLS"] != nil

  /// Synchronises the second device with a disk whose n-th write fails.
  private func sync(
    _ devices: TwoDevices, _ fault: Fault, _ number: Int
  ) throws -> (Program.Result, Bool) {
    let mark = devices.program.home.appending(path: "mark").path
    unlink(mark)
    var extra = [
      "LD_PRELOAD": try FaultShim.path(), "FAULT_DIR": devices.directory(fault.disk, of: "b"),
      "FAULT_AT": "\(number)", "FAULT_ERRNO": "\(fault.number)", "FAULT_MARK": mark,
    ]
    if fault.isSticky { extra["FAULT_STICKY"] = "1" }
    extra["FAULT_CALL"] = fault.call
    let result = try devices.sync("b", extra: extra)
    return (result, FileManager.default.fileExists(atPath: mark))
  }

  @Test("a sync on a failing disk has happened or not; the next one completes", arguments: faults)
  func failing(fault: Fault) throws {
    let devices = try TwoDevices(fault.kind)
    let before = try devices.contents("b")
    #expect(try devices.sync("b").code == 0)
    #expect(try devices.sync("a").code == 0)
    let after = try devices.contents("b")
    #expect(try devices.contents("a") == after)
    #expect(after != before)
    var (last, hits) = (0, 0)
    let interval = Self.isThorough ? 1 : 61
    for number in Sample(oneIn: interval, of: fault.testDescription).prefix(400) {
      last = number
      try devices.reset()
      let (result, isHit) = try sync(devices, fault, number)
      let comment: Comment = "write \(number): \(result.code) \(result.errors)"
      let now = try devices.contents("b")
      #expect(now == before || now == after, comment)
      #expect(result.code != 0 || now == after, comment)
      #expect(result.code == 0 || result.errors.hasPrefix("daybook: "), comment)
      #expect(result.errors.split(separator: "\n").count <= 1, comment)
      let location = JournalLocation(path: devices.journal("b"), isExplicit: true)
      let left = try JournalDoctor(location).repair().left.findings
      #expect(left.isEmpty, "\(left.map(\.text)) after \(comment)")
      let next = try devices.sync("b")
      #expect([0, 1].contains(next.code), "\(next.errors) after \(comment)")
      let other = try devices.sync("a")
      #expect([0, 1].contains(other.code), "\(other.errors) after \(comment)")
      #expect(try devices.contents("b") == after, comment)
      #expect(try devices.contents("a") == after, comment)
      let check = try devices.program.shell(
        "git -C '\(devices.work.path)/remote.git' fsck --strict")
      #expect(check.code == 0, "\(check.errors) after \(comment)")
      if !isHit {
        #expect(result.code == 0, comment)
        break
      }
      hits += 1
    }
    #expect(last < 400 && hits > 0, "\(hits) of \(last)")
  }
}
