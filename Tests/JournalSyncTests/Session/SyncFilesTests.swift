import Foundation
import Glibc
import Journal
import JournalFormats
import JournalStore
import JournalSync
import TestSupport
import Testing

/// Files that entries name are synchronised with them.
struct SyncFilesTests {
  private static let kinds = ["sqlite", "sealed.sqlite"]

  @Test("a file comes with its entry, in one commit, byte for byte", arguments: kinds)
  func everyday(kind: String) throws {
    let rig = try SyncRig([kind, kind])
    try rig.add(0, "before")
    try rig.settle()
    let head = try #require(try PlainGit(rig.scratch).head())
    for (place, size) in [0, 1, 600, 262_144, 700_001].enumerated() {
      let bytes = SyncRig.noise(size, seed: UInt64(place))
      let entry = try rig.attach(0, bytes, named: "sea \(place).JPG")
      let sent = try rig.sync(0)
      #expect((sent.sent, sent.filesSent, sent.filesReceived) == (1, 1, 0))
      #expect(sent.summary == "sent 1, received 0, merged 0, conflicts 0, files 1 sent, 0 received")
      let received = try rig.sync(1)
      #expect((received.received, received.filesSent, received.filesReceived) == (1, 0, 1))
      #expect(try rig.file(1, of: entry.uuid) == bytes)
      let stored = try #require(try rig.devices[1].store.files().last)
      #expect((stored.size, stored.name) == (size, "sea \(place).jpg"))
      #expect(try rig.sync(0).isEmpty)
      #expect(try rig.sync(1).isEmpty)
    }
    let count = try rig.scratch.line(
      "remote.git", ["rev-list", "--count", "\(head)..refs/heads/main"])
    #expect(count == "5")
    try rig.expectEqual()
    // What arrived is no step of anybody.
    #expect(try rig.devices[1].store.check() == [])
    let text = try PlainGit(rig.scratch).names()
    if kind == "sqlite" {
      #expect(text.count { $0.hasPrefix("files/") && $0.hasSuffix(".jpg") } == 5)
    }
  }

  @Test("a device that joins gets all files, and one without files in its texts gets none")
  func joining() throws {
    let rig = try SyncRig(["sqlite", "sqlite"])
    let entry = try rig.attach(0, [1, 2, 3])
    try rig.attach(1, [4, 5], named: "notes.md")
    let first = try rig.sync(0, isDryRun: true)
    #expect((first.filesSent, first.filesReceived) == (1, 0))
    try rig.sync(0)
    let dry = try rig.sync(1, isDryRun: true)
    #expect((dry.filesSent, dry.filesReceived) == (1, 1))
    let real = try rig.sync(1)
    #expect((real.filesSent, real.filesReceived) == (1, 1))
    try rig.expectEqual()
    #expect(try rig.file(1, of: entry.uuid) == [1, 2, 3])
    // A Markdown file there would be an entry for earlier versions.
    #expect(try rig.filePaths().allSatisfy { !$0.hasSuffix(".md") })
  }

  @Test(
    "a repository without files, of an earlier version, gets those of all devices once",
    arguments: kinds)
  func earlierVersion(kind: String) throws {
    let rig = try SyncRig([kind, kind])
    let entry = try rig.attach(0, [1, 2, 3])
    try rig.attach(1, [4])
    try rig.settle()
    // What an earlier version would have left.
    try PlainGit(rig.scratch).commit(try rig.filePaths().map { ($0, .delete) })
    let report = try rig.sync(0)
    #expect((report.sent, report.filesSent) == (0, 2))
    #expect(!report.isEmpty)
    try rig.expectEqual()
    #expect(try rig.file(1, of: entry.uuid) == [1, 2, 3])
  }

  @Test("a file that arrives after its entry was synchronised is sent then")
  func late() throws {
    let rig = try SyncRig(["sqlite", "sqlite", "sqlite"])
    let bytes = SyncRig.noise(5_000)
    let text = try rig.attach(2, bytes).text
    let entry = try rig.add(0, text)
    try rig.sync(0)
    #expect(try rig.sync(1).filesReceived == 0)
    var parts = [bytes, []]
    _ = try rig.devices[0].store.change(.importing) {
      try $0.addFile(named: "late.jpg") { parts.removeFirst() }
    }
    let report = try rig.sync(0)
    #expect((report.sent, report.filesSent) == (0, 1))
    #expect(try rig.sync(1).filesReceived == 1)
    #expect(try rig.file(1, of: entry.uuid) == bytes)
    try rig.expectEqual()
  }

  @Test("two devices that attach the same file at once", arguments: kinds)
  func equal(kind: String) throws {
    let rig = try SyncRig([kind, kind])
    try rig.settle()
    try rig.attach(0, [7, 7], named: "one.png")
    try rig.attach(1, [7, 7], named: "two.png")
    try rig.expectEqual()
    #expect(try rig.filesOfRemote().count == 1)
    for device in rig.devices { #expect(try device.store.files().count == 1) }
  }

  @Test("the trash keeps a file, and a purge removes it from the remote and from other devices")
  func purge() throws {
    let rig = try SyncRig(["sqlite", "sqlite"])
    let entry = try rig.attach(0, [1])
    try rig.attach(0, [2], text: "another")
    try rig.settle()
    _ = try rig.devices[0].store.delete([entry.number])
    try rig.expectEqual()
    #expect(try rig.filesOfRemote().count == 2)
    _ = try rig.devices[0].store.purge()
    try rig.sync(0)
    #expect(try rig.filesOfRemote().count == 1)
    // The other device hears of it in the same round in which it could send the file again.
    #expect(try rig.sync(1).filesSent == 0)
    #expect(try rig.filesOfRemote().count == 1)
    try rig.expectEqual()
    #expect(try rig.filesOfRemote().count == 1)
    #expect(try rig.devices[1].store.files().count == 1)
  }

  @Test(
    "files above a size stay in the repository until they are fetched, and are not removed from it",
    arguments: [0, 1_000])
  func left(limit: Int) throws {
    let rig = try SyncRig(["sqlite", "sqlite"])
    let large = [UInt8](repeating: 7, count: 300_000)
    let entries = [try rig.attach(0, [1]), try rig.attach(0, large, named: "large.bin")]
    let targets = entries.map { FileLink.all(in: $0.text)[0].target }
    try rig.sync(0)
    #expect(
      try rig.sync(1, isDryRun: true, receivedBelow: limit).filesReceived == (limit == 0 ? 0 : 1))
    #expect(try rig.sync(1, receivedBelow: limit).filesReceived == (limit == 0 ? 0 : 1))
    #expect(try rig.file(1, targets[0]) == (limit == 0 ? nil : [1]))
    #expect(try rig.file(1, targets[1]) == nil)
    // Other changes go both ways, and nothing is removed.
    let number = try #require(
      try rig.devices[1].store.inspect { try $0.entry(uuid: entries[1].uuid)?.number })
    let text = try rig.devices[1].store.entry(number).text
    try rig.devices[1].store.edit(number, text: "changed, \(text)")
    try rig.sync(1, receivedBelow: limit)
    try rig.sync(0)
    #expect(try rig.devices[0].store.entry(entries[1].number).text.hasPrefix("changed"))
    #expect(try rig.filesOfRemote().count == 2)
    #expect(try rig.session(1).fetchFile(named: targets[1]))
    #expect(try rig.file(1, targets[1]) == large)
    #expect(try !rig.session(1).fetchFile(named: targets[1]))
    #expect(try !rig.session(1).fetchFile(named: "0123456789abcdef"))
    #expect(try rig.sync(1, receivedBelow: limit).isEmpty)
    #expect(try rig.file(1, targets[1]) == large)
    // Without the limit the rest comes.
    try rig.sync(1)
    try rig.expectEqual()
    #expect(try rig.file(1, targets[0]) == [1])
  }

  @Test("a file that was left in the repository is kept where another device takes it out of it")
  func leftAndGone() throws {
    let rig = try SyncRig(["sqlite", "sqlite"])
    let bytes = [UInt8](repeating: 7, count: 3_000)
    let entry = try rig.attach(0, bytes)
    let target = FileLink.all(in: entry.text)[0].target
    try rig.sync(0)
    try rig.sync(1, receivedBelow: 0)
    let number = try #require(
      try rig.devices[1].store.inspect { try $0.entry(uuid: entry.uuid)?.number })
    try rig.devices[1].store.edit(number, text: "changed, \(entry.text)")
    // The other device purges the entry, with its file.
    _ = try rig.devices[0].store.delete([entry.number])
    _ = try rig.devices[0].store.purge()
    try rig.sync(0)
    #expect(try rig.filesOfRemote().isEmpty)
    try rig.sync(1, receivedBelow: 0)
    #expect(try rig.filesOfRemote().count == 1)
    try rig.sync(0)
    #expect(try rig.file(0, target) == bytes)
    // What nobody changed goes with its entry.
    let other = try rig.attach(0, [1, 2, 3], named: "b.bin", text: "another")
    try rig.sync(0)
    try rig.sync(1, receivedBelow: 0)
    _ = try rig.devices[0].store.delete([other.number])
    try rig.sync(0)
    try rig.sync(1, receivedBelow: 0)
    _ = try rig.devices[0].store.purge()
    try rig.sync(0)
    #expect(try rig.filesOfRemote().count == 1)
    #expect(try rig.sync(1, receivedBelow: 0).filesSent == 0)
    let names = try rig.filesOfRemote()
    #expect(names.count == 1, "\(names)")
  }

  @Test("a file that an edit takes out stays for undo, and comes back with it")
  func detached() throws {
    let rig = try SyncRig(["sqlite", "sqlite"])
    let entry = try rig.attach(0, [1, 2])
    try rig.settle()
    _ = try rig.devices[0].store.edit(entry.number, text: "no file")
    try rig.expectEqual()
    _ = try rig.devices[0].store.undo()
    try rig.expectEqual()
    #expect(try rig.file(1, of: entry.uuid) == [1, 2])
  }

  @Test("a device that never had a file does not remove that of an entry which it cannot read")
  func unreadable() throws {
    let rig = try SyncRig(["sqlite", "sqlite"])
    let entry = try rig.attach(0, [1, 2])
    try rig.sync(0)
    let git = PlainGit(rig.scratch)
    let path = SyncPath(entry).text
    let text = try #require(try git.files()[path])
    try git.commit([(path, .text(text.replacing("---\n\n", with: "\n")))])
    #expect(try rig.sync(1).skippedCount == 1)
    #expect(try rig.sync(1).filesSent == 0)
    #expect(try rig.filesOfRemote().count == 1)
    try git.commit([(path, .text(text))])
    try rig.expectEqual()
    #expect(try rig.file(1, of: entry.uuid) == [1, 2])
  }

  @Test("the text that lost a conflict brings its file", arguments: kinds)
  func conflict(kind: String) throws {
    let rig = try SyncRig([kind, kind, kind])
    let entry = try rig.add(0, "the sky is blue")
    try rig.settle()
    let number = try #require(try rig.devices[1].entry(entry.uuid)).number
    let first = try rig.content([1, 2], named: "first.png")
    let link = first.link(String(first.stored.hash.prefix(16))).markdown
    try rig.devices[0].store.attach([first], to: entry.number)
    _ = try rig.devices[0].store.edit(entry.number, text: "the sky is grey \(link)")
    rig.devices[1].clock.move(by: 1_000)
    _ = try rig.devices[1].store.edit(number, text: "the sky is red")
    try rig.expectEqual()
    for (index, device) in rig.devices.enumerated() {
      let number = try #require(try device.entry(entry.uuid)).number
      #expect(try device.store.conflicts(of: number) == ["the sky is grey \(link)"])
      #expect(try rig.file(index, String(first.stored.hash.prefix(16))) == [1, 2])
    }
  }

  @Test("a JSON journal keeps the texts, says so once, and leaves the files in the repository")
  func json() throws {
    let rig = try SyncRig(["sqlite", "json", "sqlite"])
    let entry = try rig.attach(0, [1, 2])
    try rig.sync(0)
    let joined = try rig.sync(1)
    #expect((joined.received, joined.filesReceived) == (1, 0))
    #expect(joined.notes.contains { $0.contains("keeps no files; 1 file stays") })
    try rig.add(1, "of the JSON journal")
    let next = try rig.sync(1)
    #expect(next.sent == 1 && next.notes.isEmpty && next.skippedCount == 0)
    try rig.expectEqual()
    #expect(try rig.file(2, of: entry.uuid) == [1, 2])
  }

  @Test("files larger than go together follow one after the other")
  func large() throws {
    let rig = try SyncRig(["sqlite", "sqlite"])
    rig.filesAtOnce = 700_000
    let size = 300_000
    let bytes = (0..<3).map { SyncRig.noise(size, seed: UInt64($0 + 10)) }
    try rig.attach(0, SyncRig.noise(900_000), named: "alone.bin")
    for (place, bytes) in bytes.enumerated() { try rig.attach(0, bytes, named: "\(place).bin") }
    let sent = try rig.sync(0)
    #expect((sent.sent, sent.filesSent) == (4, 4))
    let received = try rig.sync(1)
    #expect((received.received, received.filesReceived) == (4, 4))
    let hashes = try rig.devices.map { try Set($0.store.files().map(\.hash)) }
    #expect(hashes[0] == hashes[1] && hashes[0].count == 4)
    try rig.expectFiles()
    #expect(try rig.sync(0).isEmpty && rig.sync(1).isEmpty)
  }

  @Test("a file that the remote refuses for its size is named once, and everything else is sent")
  func refused() throws {
    let rig = try SyncRig(["sqlite", "sqlite"])
    try rig.settle()
    rig.filesAtOnce = 500_000
    try rig.scratch.git([
      "-C", "\(rig.scratch.path)/remote.git", "config", "receive.maxInputSize", "1000000",
    ])
    try rig.attach(0, SyncRig.noise(1_500_000), named: "film.mp4")
    try rig.attach(0, [1], named: "small.bin")
    let report = try rig.sync(0)
    #expect((report.sent, report.filesSent) == (2, 1), "\(report.notes)")
    #expect(report.notes.contains { $0.hasPrefix("film.mp4: the remote refused it") })
    #expect(try rig.sync(0).isEmpty)
    #expect(try rig.sync(0).notes.isEmpty)
    let received = try rig.sync(1)
    #expect((received.received, received.filesReceived) == (2, 1))
  }

  @Test("a damaged file is not sent and is named, and its text is sent")
  func damaged() throws {
    let rig = try SyncRig(["sqlite", "sqlite"])
    let entry = try rig.attach(0, SyncRig.noise(300))
    try rig.attach(0, [1])
    try Self.sqlite(
      rig.devices[0].path, "UPDATE file_piece SET bytes = zeroblob(300) WHERE length(bytes) = 300")
    let report = try rig.sync(0)
    #expect((report.sent, report.filesSent) == (2, 1))
    #expect(report.notes.contains { $0.contains("is damaged in this journal; it is not sent") })
    try rig.sync(1)
    #expect(try rig.file(1, of: entry.uuid) == nil)
  }

  private static func sqlite(_ path: String, _ sql: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/sqlite3")
    process.arguments = [path, sql]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test("a process that is killed in the middle of a large file", arguments: [0, 1])
  func killed(index: Int) async throws {
    var random = SeededGenerator(seed: SeededGenerator.runSeed &+ UInt64(index))
    let rig = try SyncRig(["sqlite", "sqlite"])
    try rig.settle()
    try rig.attach(0, SyncRig.noise(20 << 20), named: "large.bin")
    if index == 1 { try rig.sync(0) }
    let device = rig.devices[index]
    for round in 0..<2 {
      let path: String = device.path
      let scratch: String = rig.scratch.path
      let name: String = device.name
      let delay: UInt32 = UInt32(random.below(900_000))
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [
          path = path as String, scratch = scratch as String, delay = delay as UInt32,
          name = name as String
        ] in
        try SyncFaultTests.syncUntilKilled(path, scratch, name, after: delay)
      }
      try device.reopen()
      #expect(try Children.areGone(from: "\(rig.scratch.path)/\(device.cache)"))
      #expect(try device.store.check() == [], "kill \(round) after \(delay) µs")
    }
    try rig.settle()
    try rig.expectFiles()
    #expect(try rig.devices[1].store.files().map(\.size) == [20 << 20])
  }
}
