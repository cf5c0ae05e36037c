import Files
import Foundation
import Glibc
import Journal
import JournalFormats
import JournalStore
import JournalSync
import Seal
import TestSupport
import Testing

/// Synchronisations that end in the middle: each has happened or not, and the next one goes on.
///
/// `SYNC_KILLS` sets the number of killed processes.
struct SyncFaultTests {
  /// Two devices with changes on both sides, one of them in conflict, and a purge.
  private static func makeRig(_ kinds: [String]) throws -> SyncRig {
    try SyncTemplates.rig("faults \(kinds)") { try madeRig(kinds) }
  }

  private static func madeRig(_ kinds: [String]) throws -> SyncRig {
    let rig = try SyncRig(kinds)
    let entries = try ["one", "two", "three", "four"].map { try rig.add(0, $0) }
    try rig.attach(0, [1, 2, 3], text: "a")
    _ = try rig.devices[0].store.delete([entries[3].number])
    try rig.settle()
    for (index, device) in rig.devices.prefix(2).enumerated() {
      let number = { uuid in try #require(try device.entry(uuid)).number }
      _ = try device.store.edit(number(entries[0].uuid), text: "one by \(index)")
      _ = try device.store.edit(number(entries[index + 1].uuid), text: "changed by \(index)")
      try rig.add(index, "added by \(index)")
    }
    _ = try rig.devices[1].store.purge()
    try rig.sync(0)
    try PlainGit(rig.scratch).commit([("2026-11-21 note.md", .text("a note by hand"))])
    return rig
  }

  /// The words that must be there at rest, in texts or open conflicts.
  private static let words: Set<Substring> = [
    "one", "by", "0", "1", "changed", "added", "a", "note", "hand",
  ]

  private static func expectWhole(_ rig: SyncRig, _ comment: Comment) throws {
    try rig.expectEqual(comment)
    for device in rig.devices {
      let all = try WordLedger.words(of: device).values.reduce(into: Set()) {
        $0.formUnion($1.live)
      }
      #expect(words.subtracting(all).isEmpty, comment)
      #expect(try device.numbers().count == 7, comment)
      #expect(try device.store.check() == [], comment)
    }
  }

  /// Whether every call of git fails once for each kind, instead of some.
  static let isThorough = ProcessInfo.processInfo.environment["SYNC_KILLS"] != nil

  @Test(
    "git that fails at any call, before, after or in the middle of its work",
    arguments: FaultyGit.Failure.allCases, ["sqlite", "json"])
  func failingGit(how: FaultyGit.Failure, kind: String) throws {
    var last = 0
    for call in Sample(oneIn: Self.isThorough ? 1 : 29, of: "\(how) \(kind)").prefix(300) {
      let rig = try Self.makeRig(["sqlite", kind])
      let git = try FaultyGit(rig.scratch)
      let before = try WordLedger.words(of: rig.devices[1])
      var failure: (any Error)?
      do {
        try rig.sync(1, git: git.program(failing: call, how: how))
      } catch {
        failure = error
      }
      // The last calls pack the cache: their failure fails nothing.
      #expect(failure == nil || failure is GitError, "call \(call): \(String(describing: failure))")
      // A sync that failed earlier for another reason has not reached it either.
      let isReached = try failure != nil || git.calls() >= call
      let comment: Comment = "call \(call) \(how) of \(kind): \(String(describing: failure))"
      WordLedger().checkSync(
        from: before, to: try WordLedger.words(of: rig.devices[1]), comment)
      try Self.expectWhole(rig, comment)
      last = call
      guard isReached else { break }
    }
    #expect((16..<300).contains(last))
  }

  @Test("a sync cancelled at any step loses nothing", arguments: ["sqlite", "json"])
  func cancelled(kind: String) throws {
    var checks = 0
    var wasCancelled = true
    while wasCancelled {
      let rig = try Self.makeRig(["sqlite", kind])
      var left = checks
      do {
        try rig.sync(1) {
          left -= 1
          return left < 0
        }
        wasCancelled = false
      } catch let error as GitError {
        #expect(error.kind == .cancelled)
      }
      try Self.expectWhole(rig, "cancelled at check \(checks)")
      checks += Self.isThorough ? 1 + checks / 4 : 1 + checks
    }
    #expect(checks > 3)
  }

  @Test("a journal that is written between all rounds ends in `busy`, and nothing is lost")
  func alwaysWritten() throws {
    let rig = try Self.makeRig(["sqlite", "sqlite"])
    var count = 0
    #expect {
      try rig.sync(1) {
        false
      } progress: { progress in
        guard case .writing(0, _) = progress else { return }
        count += 1
        _ = try? rig.add(1, "written meanwhile \(count)")
      }
    } throws: {
      ($0 as? SyncError)?.kind == .busy
    }
    #expect(count == 12)
    try rig.expectEqual()
    #expect(try rig.contents(0).count == 7 + count)
  }

  @Test("two synchronisations of one cache at once: the second is refused, the first goes on")
  func twoAtOnce() throws {
    let rig = try Self.makeRig(["sqlite", "sqlite"])
    var refused: GitError?
    try rig.sync(1) {
      false
    } progress: { progress in
      guard case .writing(0, _) = progress, refused == nil else { return }
      refused = gitError { try rig.sync(1) }
    }
    #expect(refused?.kind == .busy)
    try Self.expectWhole(rig, "two at once")
  }

  @Test("a remote that moves again between fetch and push")
  func movedMeanwhile() throws {
    let rig = try Self.makeRig(["sqlite", "json", "sqlite"])
    var count = 0
    try rig.sync(1) {
      false
    } progress: { progress in
      guard case .writing(0, _) = progress, count < 4 else { return }
      count += 1
      let other = count % 2 * 2
      _ = try? rig.sync(other)
      _ = try? rig.add(other, "moved \(count)")
      _ = try? rig.sync(other)
    }
    #expect(count == 4)
    try rig.expectEqual()
    #expect(try rig.contents(1).count == 11)
  }

  @Test("a dry run says what would happen and changes nothing, here or there")
  func dryRun() throws {
    let rig = try Self.makeRig(["sqlite", "json"])
    let before = try (
      rig.contents(1), PlainGit(rig.scratch).head(), rig.devices[1].store.syncState()
    )
    let dry = try rig.sync(1, isDryRun: true)
    #expect(
      try before
        == (rig.contents(1), PlainGit(rig.scratch).head(), rig.devices[1].store.syncState()))
    let real = try rig.sync(1)
    #expect((dry.sent, dry.received) == (real.sent, real.received))
    #expect((dry.merged, dry.conflicts) == (real.merged, real.conflicts))
    try Self.expectWhole(rig, "dry run")
  }

  /// The number of killed processes of each kind of journal.
  static let kills = ProcessInfo.processInfo.environment["SYNC_KILLS"].flatMap(Int.init) ?? 4

  @Test("a process that is killed while it synchronises", arguments: ["sqlite", "json"])
  func killed(kind: String) async throws {
    var random = SeededGenerator(seed: SeededGenerator.runSeed)
    for round in 0..<Self.kills {
      let rig = try Self.makeRig(["sqlite", kind])
      let device = rig.devices[1]
      let path: String = device.path
      let scratch: String = rig.scratch.path
      let delay: UInt32 = UInt32(random.below(120_000))
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, scratch = scratch as String, delay = delay as UInt32] in
        try SyncFaultTests.syncUntilKilled(path, scratch, "device2", after: delay)
      }
      try device.reopen()
      #expect(try Children.areGone(from: "\(rig.scratch.path)/\(device.cache)"))
      try Self.expectWhole(rig, "kill \(round) of \(kind) after \(delay) µs")
    }
  }

  /// Synchronises a journal in a child process until the process kills itself.
  ///
  /// - Parameter delay: microseconds after the start of the synchronisation.
  static func syncUntilKilled(
    _ path: String, _ scratch: String, _ name: String,
    pieceSize: Int = SyncSession.standardPiece, after delay: UInt32
  ) throws {
    let program = try GitProgram(
      environment: ["PATH=/usr/bin:/bin", "HOME=\(scratch)/home", "TMPDIR=\(scratch)"])
    let store: any EntryStore =
      try path.hasSuffix(".json")
      ? JSONEntryStore.open(path, mode: .readWrite) : SQLiteEntryStore.open(path, mode: .readWrite)
    Thread.detachNewThread {
      usleep(delay)
      kill(getpid(), SIGKILL)
    }
    let session = try SyncSession(
      store, GitRepository(at: "\(scratch)/cache-\(name)", program: program),
      remote: GitRemote("remote.git", relativeTo: scratch), device: name, pieceSize: pieceSize,
      openKey: { _ in throw SealError.wrongSecret })
    _ = try session.run()
    while true { sleep(1) }
  }
}
