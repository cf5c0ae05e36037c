import Foundation
import Journal
import JournalStore
import Testing

/// A disk that fails or is full at each single write of `daybook sync`, and of the programs `git` that
/// it starts: the sync has happened or not, and the next one completes it.
///
/// `SYNC_KILLS` tries every write instead of some.
@Suite(.waiting)
struct SyncDiskTests {
  /// A disk that fails.
  struct Fault: CustomTestStringConvertible, Sendable {
    /// What is on the disk: the journal, the cache of its repository, or the remote.
    enum Disk: String, CaseIterable {
      case journal, cache, remote
    }

    var disk: Disk
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
    + Fault.Disk.allCases.flatMap { disk in
      [
        Fault(disk: disk, number: ENOSPC, isSticky: true), Fault(disk: disk, number: EIO),
      ]
    } + [Fault(disk: .journal, kind: "json", number: ENOSPC, isSticky: true)]

  static let isThorough = ProcessInfo.processInfo.environment["SYNC_KILLS"] != nil

  /// Two devices in one directory, with a remote between them.
  private final class Rig {
    let program: Program
    let kind: String
    let work: URL
    private let master: URL

    /// Both devices have changes that the other lacks, one of them in conflict, and a purge.
    init(_ kind: String) throws {
      (program, self.kind) = (try Program(), kind)
      (work, master) = (
        program.home.appending(path: "work"), program.home.appending(path: "master")
      )
      for name in ["a", "b"] {
        try FileManager.default.createDirectory(
          at: work.appending(path: name), withIntermediateDirectories: true)
      }
      try StoredJournal.add(["one", "two", "three", "four"], to: journal("a"))
      _ = try StoredJournal.open(journal("a")).delete([4])
      for name in ["a", "b"] {
        let result = try sync(name, ["--remote", directory(.remote, of: name)])
        #expect(result.code == 0, "\(result.errors)")
      }
      for (index, name) in ["a", "b"].enumerated() {
        // Two texts of one second would be stamped anew, with the time of the sync.
        let clock = WallClock(now: { 1_795_300_000 + Int64(index) * 60 }, offset: { _ in 0 })
        let store: any EntryStore =
          try kind == "json"
          ? JSONEntryStore.open(journal(name), mode: .readWrite, clock: clock)
          : SQLiteEntryStore.open(journal(name), mode: .readWrite, clock: clock)
        let numbers = Dictionary(
          uniqueKeysWithValues: try store.entries(store.numbers(matching: nil)).map {
            ($0.text, $0.number)
          })
        _ = try store.edit(#require(numbers["one"]), text: "one by \(name)")
        _ = try store.edit(
          #require(numbers[index == 0 ? "two" : "three"]), text: "changed by \(name)")
        try StoredJournal.add(["added by \(name)"], to: journal(name))
        if name == "b" { _ = try store.purge() }
      }
      #expect(try sync("a").code == 0)
      try FileManager.default.copyItem(at: work, to: master)
    }

    func journal(_ name: String) -> String { work.appending(path: "\(name)/j.\(kind)").path }

    /// The directory of a disk, as a device sees it.
    func directory(_ disk: Fault.Disk, of name: String) -> String {
      switch disk {
      case .journal: work.appending(path: name).path
      case .cache: work.appending(path: "state-\(name)").path
      case .remote: work.appending(path: "remote.git").path
      }
    }

    private func variables(_ name: String) -> [String: String] {
      ["XDG_STATE_HOME": directory(.cache, of: name), "HOSTNAME": name]
    }

    @discardableResult
    func sync(_ name: String, _ words: [String] = []) throws -> Program.Result {
      try program.run(["--journal", journal(name), "sync"] + words, extra: variables(name))
    }

    /// Synchronises with a disk whose n-th write fails.
    func sync(_ name: String, _ fault: Fault, _ number: Int) throws -> (Program.Result, Bool) {
      let mark = program.home.appending(path: "mark").path
      unlink(mark)
      var extra = variables(name).merging([
        "LD_PRELOAD": try FaultShim.path(), "FAULT_DIR": directory(fault.disk, of: name),
        "FAULT_AT": "\(number)", "FAULT_ERRNO": "\(fault.number)", "FAULT_MARK": mark,
      ]) { $1 }
      if fault.isSticky { extra["FAULT_STICKY"] = "1" }
      extra["FAULT_CALL"] = fault.call
      let result = try program.run(["--journal", journal(name), "sync"], extra: extra)
      return (result, FileManager.default.fileExists(atPath: mark))
    }

    /// Brings both devices and the remote back to the beginning.
    func reset() throws {
      try FileManager.default.removeItem(at: work)
      try FileManager.default.copyItem(at: master, to: work)
    }

    /// All that must be equal on both devices: entries without their numbers, and open conflicts.
    func contents(_ name: String) throws -> [String] {
      // Opening for writing rolls an interrupted transaction back.
      let store = try StoredJournal.open(journal(name))
      return try StoredJournal.entries(journal(name)).map { entry in
        let conflicts = try store.conflicts(of: entry.number)
        var entry = entry
        entry.number = 0
        return "\(entry) \(conflicts)"
      }
    }
  }

  @Test("a sync on a failing disk has happened or not; the next one completes", arguments: faults)
  func failing(fault: Fault) throws {
    let rig = try Rig(fault.kind)
    let before = try rig.contents("b")
    #expect(try rig.sync("b").code == 0)
    #expect(try rig.sync("a").code == 0)
    let after = try rig.contents("b")
    #expect(try rig.contents("a") == after)
    #expect(after != before)
    let step = Self.isThorough ? 1 : 12
    var (number, hits) = (1, 0)
    while number < 400 {
      try rig.reset()
      let (result, isHit) = try rig.sync("b", fault, number)
      let comment: Comment = "write \(number): \(result.code) \(result.errors)"
      let now = try rig.contents("b")
      #expect(now == before || now == after, comment)
      #expect(result.code != 0 || now == after, comment)
      #expect(result.code == 0 || result.errors.hasPrefix("daybook: "), comment)
      #expect(result.errors.split(separator: "\n").count <= 1, comment)
      let location = JournalLocation(path: rig.journal("b"), isExplicit: true)
      let left = try JournalDoctor(location).repair().left.findings
      #expect(left.isEmpty, "\(left.map(\.text)) after \(comment)")
      let next = try rig.sync("b")
      #expect([0, 1].contains(next.code), "\(next.errors) after \(comment)")
      let other = try rig.sync("a")
      #expect([0, 1].contains(other.code), "\(other.errors) after \(comment)")
      #expect(try rig.contents("b") == after, comment)
      #expect(try rig.contents("a") == after, comment)
      let check = try rig.program.shell("git -C '\(rig.work.path)/remote.git' fsck --strict")
      #expect(check.code == 0, "\(check.errors) after \(comment)")
      if !isHit {
        #expect(result.code == 0, comment)
        break
      }
      hits += 1
      number += step
    }
    #expect(number < 400 && hits > 0, "\(hits) of \(number)")
  }
}
