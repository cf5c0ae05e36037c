import Foundation
import Glibc
import Journal
import JournalFormats
import JournalStore
import Seal
import TestSupport
import Testing

@testable import JournalSync

/// A first synchronisation goes in pieces, and the next one goes on where it stopped.
struct SyncPieceTests {
  static let kinds = [
    ["sqlite", "sqlite"], ["json", "sqlite"], ["sqlite", "json"],
    ["sealed.sqlite", "sealed.sqlite"],
  ]
  private static let count = 11

  /// The first device has entries, on a few days; one is in the trash.
  private static func makeRig(_ kinds: [String], sent: Bool) throws -> SyncRig {
    let rig = try SyncTemplates.rig("pieces \(kinds) \(sent)") {
      let rig = try SyncRig(kinds)
      rig.pieceSize = 3
      for index in 0..<count {
        try rig.add(0, "entry \(index)", day: Day("2026-11-\(10 + index % 4)"))
      }
      _ = try rig.devices[0].store.delete([2])
      if sent { try rig.sync(0) }
      return rig
    }
    rig.pieceSize = 3
    return rig
  }

  private func commits(_ rig: SyncRig) throws -> [String] {
    guard try PlainGit(rig.scratch).head() != nil else { return [] }
    return try rig.scratch.line("remote.git", ["rev-list", "refs/heads/main"])
      .split(separator: "\n").map(String.init)
  }

  private func received(_ rig: SyncRig, _ index: Int = 1) throws -> Int {
    try rig.devices[index].numbers().count
  }

  /// The number of entries that the remote has.
  private func sent(_ rig: SyncRig) throws -> Int {
    try PlainGit(rig.scratch).head() == nil
      ? 0 : rig.remoteFiles().count { SyncHistory.uuid(of: $0.key) != nil }
  }

  @Test("entries are sent and received in pieces, and both devices are equal", arguments: kinds)
  func pieces(kinds: [String]) throws {
    let rig = try Self.makeRig(kinds, sent: false)
    var done: [Int] = []
    let first = try rig.sync(0) {
      false
    } progress: { progress in
      if case .writing(let index, let all) = progress { done.append(all - index) }
    }
    #expect(first.sent == Self.count && first.received == 0)
    #expect(try commits(rig).count == 4)
    #expect(done.count == 4)
    let second = try rig.sync(1)
    #expect(second.received == Self.count && second.sent == 0)
    try rig.expectEqual()
    for index in 0...1 {
      #expect(try rig.sync(index).isEmpty)
      let state = try #require(try rig.devices[index].store.syncState())
      #expect(try state.base == PlainGit(rig.scratch).head())
      #expect(try rig.devices[index].store.unsentCount(state) == 0)
    }
  }

  @Test("what was sent or received in pieces is kept, and is not done again", arguments: kinds)
  func goesOn(kinds: [String]) throws {
    for (index, part) in [(0, 3), (0, 6), (0, 9), (1, 3), (1, 6), (1, 9)] {
      let rig = try Self.makeRig(kinds, sent: index == 1)
      syncPart(rig, index, until: part)
      #expect(try (index == 0 ? sent(rig) : received(rig)) == part)
      let before = try commits(rig)
      let state = try #require(try rig.devices[index].store.syncState())
      #expect(
        try rig.devices[index].store.unsentCount(state) == (index == 0 ? Self.count - part : 0))
      let report = try rig.sync(index)
      #expect((index == 0 ? report.sent : report.received) == Self.count - part)
      #expect((index == 0 ? report.received : report.sent) == 0)
      #expect(try before.allSatisfy(commits(rig).contains))
      try rig.expectEqual("device \(index) after \(part)")
    }
  }

  @Test("a sync cancelled at any step loses nothing", arguments: kinds)
  func cancelled(kinds: [String]) throws {
    for index in 0...1 {
      var checks = 0
      var wasCancelled = true
      while wasCancelled {
        let rig = try Self.makeRig(kinds, sent: index == 1)
        var left = checks
        do {
          try rig.sync(index) {
            left -= 1
            return left < 0
          }
          wasCancelled = false
        } catch let error as GitError {
          #expect(error.kind == .cancelled)
        }
        let part = try index == 0 ? sent(rig) : received(rig)
        #expect([0, 3, 6, 9, 11].contains(part))
        let report = try rig.sync(index)
        let done = Self.count - (index == 0 ? report.sent : report.received)
        #expect(done == part)
        try rig.expectEqual("device \(index) cancelled at check \(checks)")
        checks += SyncFaultTests.isThorough ? 1 + checks / 3 : 1 + checks
      }
      #expect(checks > 3)
    }
  }

  @Test(
    "git that fails at any call: what was received and sent is kept",
    arguments: FaultyGit.Failure.allCases,
    [["sqlite", "sqlite"], ["sealed.sqlite", "sealed.sqlite"]])
  func failingGit(how: FaultyGit.Failure, kinds: [String]) throws {
    for index in 0...1 {
      var last = 0
      let interval = SyncFaultTests.isThorough ? 1 : 127
      for call in Sample(oneIn: interval, of: "\(how) \(kinds) \(index)").prefix(300) {
        let rig = try Self.makeRig(kinds, sent: index == 1)
        let git = try FaultyGit(rig.scratch)
        var failure: (any Error)?
        do {
          try rig.sync(index, git: git.program(failing: call, how: how))
        } catch {
          failure = error
        }
        #expect(failure == nil || failure is GitError, "\(String(describing: failure))")
        let part = try index == 0 ? sent(rig) : received(rig)
        #expect([0, 3, 6, 9, 11].contains(part), "call \(call): \(part)")
        let head = try PlainGit(rig.scratch).head()
        let report = try rig.sync(index)
        if index == 1 { #expect(report.received == Self.count - part) }
        #expect(try head.map(commits(rig).contains) ?? true)
        try rig.expectEqual("device \(index), call \(call) \(how)")
        last = call
        guard try failure != nil || git.calls() >= call else { break }
      }
      #expect((20..<300).contains(last))
    }
  }

  /// Cancels a synchronisation when a number of entries was sent or received in pieces.
  private func syncPart(_ rig: SyncRig, _ index: Int, until count: Int) {
    var isEnough = false
    let error = gitError {
      try rig.sync(index) {
        isEnough
      } progress: { progress in
        switch progress {
        case .writing(let done, _), .applying(let done, _): isEnough = isEnough || done >= count
        default: break
        }
      }
    }
    #expect(error?.kind == .cancelled)
  }

  @Test("the commit that was not sent is sent as it is, unless the remote moved", arguments: kinds)
  func unsentCommit(kinds: [String]) throws {
    for moves in [false, true] {
      let rig = try Self.makeRig(kinds, sent: false)
      let git = try FaultyGit(rig.scratch).program(failing: "push", how: .before)
      // A program that was just written may be "busy" while another thread starts one.
      for _ in 0..<20 where try rig.devices[0].store.syncState() == nil {
        #expect(gitError { try rig.sync(0, git: git) }?.kind == .failed)
      }
      let state = try #require(try rig.devices[0].store.syncState())
      let commit = try #require(state.base?.split(separator: " ").first.map(String.init))
      if moves { try PlainGit(rig.scratch).commit([("README.md", .text("hello"))]) }
      #expect(try rig.devices[0].store.unsentCount(state) >= Self.count - 3)
      #expect(try rig.sync(0).sent == Self.count)
      #expect(try commits(rig).contains(commit) == !moves)
      try rig.expectEqual(others: ["README.md"])
    }
  }

  @Test("a remote that refuses the first piece leaves no link")
  func refusedPiece() throws {
    let rig = try Self.makeRig(["sqlite", "sqlite"], sent: false)
    let lock = "\(rig.scratch.path)/remote.git/refs/heads/main.lock"
    try Data().write(to: URL(filePath: lock))
    #expect(gitError { try rig.sync(0) }?.kind == .refused)
    #expect(try rig.devices[0].store.syncState() == nil)
    try FileManager.default.removeItem(atPath: lock)
    #expect(try rig.sync(0).sent == Self.count)
    try rig.expectEqual()
  }

  @Test(
    "both sides change between the pieces that are received; nothing is lost", arguments: kinds)
  func changesWhileReceiving(kinds: [String]) throws {
    let rig = try Self.makeRig(kinds, sent: true)
    let (one, two) = (rig.devices[0], rig.devices[1])
    try rig.add(1, "written before joining")
    syncPart(rig, 1, until: 6)
    #expect(try received(rig) == 7)
    let there = try two.store.entries(two.numbers())
    let entries = try one.store.entries(one.numbers())
    let here = entries.filter { entry in there.contains { $0.uuid == entry.uuid } }
    let missing = entries.filter { entry in !here.contains { $0.uuid == entry.uuid } }
    func number(_ entry: Entry) throws -> Int64 { try #require(try two.entry(entry.uuid)).number }
    // On the device with a part: an edit, a purge, a star, a new entry, an edit of the first one.
    try #require(here.count == 6 && missing.count == 5)
    _ = try two.store.edit(number(here[0]), text: "edited there")
    _ = try two.store.delete([number(here[1])])
    _ = try two.store.purge()
    try rig.add(1, "written meanwhile")
    _ = try two.store.edit(
      there.first { $0.text.hasPrefix("written") }.map(\.number) ?? 0, text: "mine")
    // In the remote: edits of a received and of a missing entry, a purge of each.
    _ = try one.store.edit(here[2].number, text: "edited here")
    _ = try one.store.edit(missing[0].number, text: "edited, too")
    _ = try one.store.delete([here[3].number, missing[1].number])
    try rig.sync(0)
    _ = try one.store.purge()
    try rig.sync(0)
    // One more piece, then the rest.
    syncPart(rig, 1, until: 3)
    _ = try two.store.setStarred(true, [number(here[4])])
    try rig.expectEqual()
    let texts = try one.store.entries(one.numbers()).map(\.text)
    #expect(
      Set(texts).isSuperset(of: [
        "edited there", "edited here", "edited, too", "mine", "written meanwhile",
      ]))
    // Those that were deleted and purged between two syncs of a device arrive in its trash.
    for gone in [here[1], here[3]] { #expect(try one.entry(gone.uuid)?.deleted != nil) }
    #expect(try one.entry(missing[1].uuid) == nil)
    #expect(try one.entry(here[4].uuid)?.starred == true)
  }

  @Test("both sides change between the pieces that are sent", arguments: kinds)
  func changesWhileSending(kinds: [String]) throws {
    let rig = try Self.makeRig(kinds, sent: false)
    let one = rig.devices[0]
    syncPart(rig, 0, until: 6)
    let all = try one.store.entries(one.numbers()).sorted { $0.number < $1.number }
    _ = try one.store.edit(all[0].number, text: "edited, sent before")
    _ = try one.store.edit(all[9].number, text: "edited, not sent before")
    _ = try one.store.delete([all[4].number, all[10].number])
    _ = try one.store.purge()
    try rig.add(1, "of the second device")
    try rig.sync(1)
    let part = try received(rig)
    #expect(part == 7)
    let second = try #require(try rig.devices[1].entry(all[1].uuid)).number
    _ = try rig.devices[1].store.edit(second, text: "edited by the second device")
    try rig.sync(1)
    try rig.expectEqual()
    let texts = Set(try one.store.entries(one.numbers()).map(\.text))
    #expect(
      texts.isSuperset(of: [
        "edited, sent before", "edited, not sent before", "of the second device",
        "edited by the second device",
      ]))
    #expect(try one.entry(all[4].uuid).map { $0.deleted != nil } ?? true)
    #expect(try one.entry(all[10].uuid) == nil)
  }

  @Test("a remote that is rewound, replaced or emptied between two pieces", arguments: 0...2)
  func otherRemote(how: Int) throws {
    for index in 0...1 {
      let rig = try Self.makeRig(["sqlite", "sqlite"], sent: index == 1)
      let git = PlainGit(rig.scratch)
      syncPart(rig, index, until: 6)
      let commits = try commits(rig)
      switch how {
      case 0: try git.rewind(to: commits[commits.count - 1])
      case 1: try git.commit([], isNewRoot: true)
      default:
        try rig.scratch.git([
          "-C", "\(rig.scratch.path)/remote.git", "update-ref", "-d", "refs/heads/main",
        ])
      }
      try rig.sync(index)
      try rig.expectEqual("\(index) \(how)")
      #expect(try received(rig, 0) == Self.count && received(rig, 1) == Self.count)
      // The one in the trash stays there, and no other went there.
      #expect(try rig.devices[1].store.numbers(matching: .flag(.deleted)).count == 1)
    }
  }

  @Test("two devices with the same entries: they are compared, sent once, and no text conflicts")
  func overlap() throws {
    let rig = try SyncRig(["sqlite", "json"])
    rig.pieceSize = 3
    let now = rig.devices[0].store.clock.moment()
    for index in 0...1 {
      let shared = (0..<8).map { number in
        NewEntry(
          text: "shared \(number)", created: now, day: now.localDay,
          uuid: EntryUUID.derived(path: "\(number)"))
      }
      _ = try rig.devices[index].store.add(shared)
      for number in 0..<7 { try rig.add(index, "own \(number) of \(index)") }
    }
    #expect(try rig.sync(0).sent == 15)
    syncPart(rig, 1, until: 3)
    let report = try rig.sync(1)
    #expect(report.conflicts == 0)
    try rig.expectEqual()
    #expect(try received(rig) == 22)
    #expect(try sent(rig) == 22)
  }

  @Test("a record comes back, and an invalid one is none")
  func records() {
    let ids = (0..<3).map { ObjectID(String(repeating: "\($0 + 1)", count: 40)) }
    guard let one = ids[0], let two = ids[1] else { return }
    for base in [
      SyncBase(one), SyncBase(one, isSent: false), SyncBase(one, isSent: false, parent: two),
      SyncBase(one, pending: .init(numbers: 4...9, mayBeThere: false)),
      SyncBase(
        one, isSent: false, parent: two, pending: .init(numbers: 4...9, mayBeThere: true),
        whole: ids[2]),
    ] {
      #expect(SyncBase(base.text) == base)
    }
    for text in ["", "x", "\(one) pending=9-4", "\(one) of=x", "\(one) - what=1"] {
      #expect(SyncBase(text) == nil, "\(text)")
    }
  }

  @Test("a process that is killed between pieces, again and again, until all is received")
  func killed() async throws {
    var random = SeededGenerator(seed: SeededGenerator.runSeed &+ 77)
    for index in 0...1 {
      let rig = try Self.makeRig(["sqlite", "sqlite"], sent: index == 1)
      for _ in 0..<max(4, SyncFaultTests.kills) {
        let path: String = rig.devices[index].path
        let scratch: String = rig.scratch.path
        let delay = UInt32(random.below(400_000))
        let name: String = rig.devices[index].name
        await #expect(processExitsWith: .signal(SIGKILL)) {
          [
            path = path as String, scratch = scratch as String, delay = delay as UInt32,
            name = name as String
          ] in
          try SyncFaultTests.syncUntilKilled(path, scratch, name, pieceSize: 2, after: delay)
        }
        try rig.devices[index].reopen()
        #expect(try rig.devices[index].store.check() == [])
        #expect(try index == 0 || received(rig) % 2 == 0 || received(rig) == Self.count)
      }
      try rig.expectEqual("device \(index)")
      #expect(try received(rig) == Self.count)
    }
  }
}
