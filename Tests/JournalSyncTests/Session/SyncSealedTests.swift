import Files
import Foundation
import Journal
import JournalFormats
import JournalStore
import Seal
import Testing

@testable import JournalSync

/// Sealed journals and their sealed repository.
struct SyncSealedTests {
  private let rig: SyncRig
  private let git: PlainGit

  init() throws {
    rig = try SyncRig(["sealed.sqlite", "sealed.sqlite"])
    git = PlainGit(rig.scratch)
  }

  @Test(
    "two devices with keys of their own come to the same journal, with conflicts that are settled")
  func everyday() throws {
    let entry = try rig.add(0, "the sky is blue")
    try rig.add(0, "三 #home\r\n\n---\n")
    try rig.add(1, "written before joining")
    #expect(try rig.sync(0).isSealed)
    let joined = try rig.sync(1)
    #expect(joined.isSealed && joined.sent == 1 && joined.received == 2)
    try rig.expectEqual()
    let (one, two) = (rig.devices[0].store, rig.devices[1].store)
    let number = try #require(try two.inspect { try $0.entry(uuid: entry.uuid) }).number
    _ = try one.edit(entry.number, text: "the sky is grey")
    rig.devices[1].clock.move(by: 100)
    _ = try two.edit(number, text: "the sky is red")
    _ = try rig.sync(0)
    #expect(try rig.sync(1).conflicts == 1)
    try rig.expectEqual()
    #expect(try one.conflicts(of: entry.number) == ["the sky is grey"])
    _ = try one.edit(entry.number, text: "the sky is grey and red")
    _ = try two.delete([number + 1])
    try rig.expectEqual()
    _ = try two.purge()
    try rig.expectEqual()
    #expect(try rig.sync(0).isEmpty)
    #expect(try rig.sync(1).isEmpty)
  }

  @Test(
    "nothing of an entry can be found in the remote, or in the repositories beside the journals")
  func canary() throws {
    let canary = "zanzibarian"
    let entry = try rig.add(0, "\(canary) title #\(canary)\nbody", day: Day("2019-08-07"))
    _ = try rig.sync(0)
    _ = try rig.sync(1)
    _ = try rig.devices[0].store.edit(entry.number, text: "another \(canary)")
    try rig.expectEqual()
    let words = [
      canary, entry.uuid, "2019-08-07", "2019/08/07", "device1", "entry", "entries from",
    ]
    for name in ["remote.git", "cache-device1", "cache-device2"] {
      let objects = try rig.scratch.git([
        "-C", "\(rig.scratch.path)/\(name)", "cat-file", "--batch-all-objects", "--batch",
      ])
      let text = String(decoding: objects, as: UTF8.self)
      #expect(text.contains("entries"))
      for word in words { #expect(!text.replacing("entries", with: "").contains(word), "\(word)") }
      let files = FileManager.default.enumerator(atPath: "\(rig.scratch.path)/\(name)")
      while let file = files?.nextObject() as? String {
        let bytes = try? Data(contentsOf: URL(filePath: "\(rig.scratch.path)/\(name)/\(file)"))
        #expect(bytes?.range(of: Data(canary.utf8)) == nil, "\(file)")
        #expect(!file.contains(entry.uuid))
      }
    }
  }

  /// Makes two devices at rest with an entry that was edited, and returns the head before the edit.
  private func edited() throws -> (entry: Entry, old: String) {
    let entry = try rig.add(0, "the first text")
    let other = try rig.add(0, "another entry")
    try rig.settle()
    let old = try #require(try git.head())
    rig.devices[0].clock.move(by: 100)
    let store = rig.devices[0].store
    _ = try store.edit(entry.number, text: "the second text")
    _ = try store.setStarred(true, [other.number])
    try rig.settle()
    return (entry, old)
  }

  @Test("former files that the host commits again are named, and the entries are sent again")
  func putBack() throws {
    let (entry, old) = try edited()
    let before = try rig.contents(0)
    try git.putBack(filesOf: old)
    let report = try rig.sync(1)
    #expect(report.received == 0 && report.sent == 2)
    #expect(report.notes.count { $0.contains("without the key") && $0.contains("2 entries") } == 1)
    #expect(try rig.sync(0).notes == [])
    try rig.expectEqual()
    #expect(try rig.contents(0) == before)
    // A commit of the same files by a device with the key counts: here an undo.
    for _ in 0..<2 { try rig.devices[0].store.undo() }
    _ = try rig.sync(0)
    let received = try rig.sync(1)
    #expect(received.received == 2 && received.notes == [])
    try rig.expectEqual()
    #expect(try rig.devices[1].entry(entry.uuid)?.text == "the first text")
  }

  @Test("an edit is merged with former files that the host commits again, and nothing is lost")
  func putBackUnderEdit() throws {
    let (entry, old) = try edited()
    try git.putBack(filesOf: old)
    _ = try rig.devices[1].store.edit(1, text: "the second text, and more")
    try rig.add(1, "a third entry")
    _ = try rig.sync(1)
    try rig.expectEqual()
    #expect(try rig.devices[0].entry(entry.uuid)?.text == "the second text, and more")
    #expect(try rig.devices[0].entry(entry.uuid)?.conflicts == "")
  }

  @Test("files that the host removes are written again, with the conflicts, and nothing is purged")
  func removed() throws {
    let (entry, _) = try edited()
    let number = try #require(try rig.devices[1].entry(entry.uuid)).number
    _ = try rig.devices[0].store.edit(entry.number, text: "lake")
    rig.devices[1].clock.move(by: 1_000)
    _ = try rig.devices[1].store.edit(number, text: "mountain")
    _ = try rig.devices[0].store.delete([entry.number + 1])
    try rig.settle()
    let before = try rig.contents(0)
    let names = try git.names().filter { $0 != SyncPath.manifest.text }
    #expect(names.count == 3)
    try git.commit(names.map { ($0, .delete) })
    let report = try rig.sync(0)
    #expect(report.received == 0 && report.sent == 2)
    #expect(report.notes.contains { $0.contains("without the key") })
    #expect(try rig.sync(1).isEmpty)
    try rig.expectEqual()
    #expect(try rig.contents(0) == before)
    // A purge of a device with the key counts.
    try rig.devices[0].store.purge()
    try rig.expectEqual()
    #expect(try rig.contents(1).count == 1)
  }

  @Test("a device asks for the repository's passphrase once; a wrong one changes nothing")
  func passphrase() throws {
    try rig.add(0, "one")
    _ = try rig.sync(0)
    let wrong = Passphrase(Array("wrong".utf8))
    #expect(throws: SealError.wrongSecret) { try rig.sync(1, passphrase: wrong) }
    #expect(try rig.contents(1).isEmpty && rig.devices[1].store.syncState() == nil)
    _ = try rig.sync(1)
    // From now on the journal has the key, also when the passphrase would be wrong.
    try rig.add(0, "two")
    _ = try rig.sync(0, passphrase: wrong)
    #expect(try rig.sync(1, passphrase: wrong).received == 1)
  }

  @Test("a changed passphrase is sent: later devices join with it")
  func changedPassphrase() throws {
    let new = Passphrase(Array("the new one".utf8))
    try rig.add(0, "one")
    try rig.settle()
    let location = JournalLocation(path: rig.devices[0].path, isExplicit: true)
    try Sealing(location).change { _, key in try SyncRig.slots(key, new) }
    let report = try rig.sync(0)
    #expect(report.isPassphraseSent && !report.isEmpty && report.sent == 0)
    #expect(try rig.sync(0).isEmpty)
    #expect(try rig.sync(1).isEmpty)
    let third = try rig.join("\(rig.scratch.path)/device3.sealed.sqlite")
    #expect(throws: SealError.wrongSecret) { try rig.sync(third) }
    #expect(try rig.sync(third, passphrase: new).received == 1)
    // A device with a key of its own does not write its slots over them.
    try rig.add(1, "two")
    try rig.settle()
    let fourth = try rig.join("\(rig.scratch.path)/device4.sealed.sqlite")
    #expect(try rig.sync(fourth, passphrase: new).received == 2)
  }

  @Test("a readable journal and a sealed remote are kept apart, and the other way round")
  func mixed() throws {
    try rig.add(0, "sealed")
    _ = try rig.sync(0)
    let readable = try rig.join("\(rig.scratch.path)/device3.sqlite")
    try rig.add(readable, "readable")
    let head = try git.head()
    let error = #expect(throws: SyncError.self) { try rig.sync(readable) }
    #expect(error?.kind == .sealedRemote && error?.wrappedKey != nil)
    #expect(try git.head() == head)
    #expect(try rig.contents(readable).count == 1)

    let other = try SyncRig(["sqlite", "sealed.sqlite"])
    try other.add(0, "readable")
    try other.add(1, "sealed")
    _ = try other.sync(0)
    #expect(throws: SyncError.readableRemote) { try other.sync(1) }
    #expect(try other.contents(1).count == 1)
  }

  @Test("a remote that pretends to be readable, or to have another key, gets nothing")
  func pretending() throws {
    try rig.add(0, "one")
    try rig.settle()
    let manifest = try #require(try git.files()[SyncPath.manifest.text])
    let journal = try SyncManifest(Array(manifest.utf8)).journal
    let key = try JournalKey.random()
    let slots = try SyncRig.slots(key, SyncRig.passphrase)
    let cases: [(SyncManifest, SyncError.Kind)] = [
      (SyncManifest(journal: journal), .readableRemote),
      (SyncManifest(journal: journal, seal: .init(id: key.id, slots: slots.used)), .otherJournal),
    ]
    for (fake, kind) in cases {
      try git.commit([(SyncPath.manifest.text, .write(fake.encode()))])
      let head = try git.head()
      for index in 0...1 {
        try rig.add(index, "secret")
        let error = #expect(throws: SyncError.self) { try rig.sync(index) }
        #expect(error?.kind == kind)
      }
      #expect(try git.head() == head)
    }
    // Slots of the right id whose key is another one open nothing.
    let real = try rig.repositoryKeyID(manifest)
    let forged = SyncManifest(journal: journal, seal: .init(id: real, slots: slots.used))
    try git.commit([(SyncPath.manifest.text, .write(forged.encode()))])
    let third = try rig.join("\(rig.scratch.path)/device3.sealed.sqlite")
    #expect(throws: SealError.wrongSecret) { try rig.sync(third) }
    try git.commit([(SyncPath.manifest.text, .text(manifest))])
    try rig.expectEqual()
  }

  @Test(
    "a removed manifest is written again, by a device with another key, too", arguments: [0, 1])
  func removedManifest(writer: Int) throws {
    try rig.add(0, "one")
    try rig.settle()
    let manifest = try #require(try git.files()[SyncPath.manifest.text])
    try git.commit([(SyncPath.manifest.text, .delete)])
    try rig.add(writer, "two")
    _ = try rig.sync(writer)
    #expect(try git.files()[SyncPath.manifest.text] == manifest)
    try rig.expectEqual()
  }

  @Test("changed, exchanged, foreign and readable files are named and left alone; nothing is lost")
  func hostileFiles() throws {
    for text in ["one", "two", "three"] { try rig.add(0, text) }
    try rig.settle()
    let paths = try git.names().filter { $0.hasPrefix("entries/") }.sorted()
    try #require(paths.count == 3)
    let bytes = try paths.map { try git.bytes(at: $0) }
    let before = try rig.contents(1)
    var flipped = bytes[0]
    flipped[flipped.count / 2] ^= 1
    let digits = paths[0].dropFirst("entries/".count).filter { $0 != "/" }
    let attacks: [(String, [(String, PlainGit.Change)])] = [
      ("a changed bit", [(paths[0], .write(flipped))]),
      ("cut off", [(paths[0], .write(Array(bytes[0].dropLast(16))))]),
      ("empty", [(paths[0], .write([]))]),
      ("exchanged", [(paths[0], .write(bytes[1])), (paths[1], .write(bytes[0]))]),
      (
        "a second name",
        [
          (
            "entries/\(digits.prefix(4))/\(digits.dropFirst(4).prefix(2))/\(digits.dropFirst(6))",
            .write(bytes[0])
          )
        ]
      ),
      ("readable", [("2026/11/21/0190a5d0-ac96-774b-bcce-b302099a8057.md", .text("Injected"))]),
      ("a note", [("Notes/2026-11-21.md", .text("Injected"))]),
      ("a conflict", [("conflicts/\(String(repeating: "ab", count: 88))", .write(bytes[2]))]),
    ]
    for (name, changes) in attacks {
      let head = try #require(try git.head())
      try git.commit(changes)
      let report = try rig.sync(1)
      #expect(report.skippedCount >= 1, "\(name)")
      #expect(report.received == 0, "\(name)")
      #expect(try rig.contents(1) == before, "\(name)")
      // Back to the state before, as the owner of the remote would do.
      try git.reset(to: head)
      _ = try rig.sync(1)
      #expect(try rig.contents(1) == before, "\(name)")
    }
    try rig.expectEqual()
  }

  @Test("two devices that fill an empty repository at once join the key of the first")
  func bothFirst() throws {
    for index in 0...1 { try rig.add(index, "of device \(index)") }
    var isDone = false
    try rig.sync(1) {
      false
    } progress: { [rig] progress in
      guard case .writing = progress, !isDone else { return }
      isDone = true
      _ = try? rig.sync(0)
    }
    #expect(isDone)
    try rig.expectEqual()
    #expect(try rig.contents(1).count == 2)
  }

  @Test("what hosts add is ignored")
  func hostFiles() throws {
    try git.commit([
      ("README.md", .text("Hello")), ("LICENSE", .text("MIT")), (".github/x", .text("y")),
    ])
    try rig.add(0, "one")
    let report = try rig.sync(0)
    #expect(report.skippedCount == 0 && report.sent == 1)
    try rig.settle()
    #expect(try rig.contents(0) == rig.contents(1))
  }
}

/// The form of names and contents.
struct TreeSealTests {
  @Test("names and contents come back, equal ones are equal, and others are refused")
  func roundTrip() throws {
    let seal = TreeSeal(key: try .random())
    let uuid = EntryUUID.make()
    for path in [
      SyncPath.entry(uuid: uuid, day: try #require(Day("0001-01-01"))),
      .entry(uuid: uuid, day: try #require(Day("9999-12-31"))),
      SyncPath(conflict: "text", of: uuid),
    ] {
      let name = try #require(try seal.name(of: path))
      #expect(try seal.path(of: Array(name.utf8)) == path)
      #expect(try seal.name(of: path) == name)
      #expect(name.split(separator: "/").allSatisfy { $0.utf8.count < 255 })
      for place in [0, 9, 13, 20, name.utf8.count - 1] {
        var bytes = Array(name.utf8)
        bytes[place] = bytes[place] == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
        #expect((try? seal.path(of: bytes)) == SyncPath?.none)
      }
      for size in [0, 1, 100, 467, 468, 469, 5_000, 100_000] {
        let content = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
        let sealed = try seal.seal(content, name: name)
        #expect(try seal.seal(content, name: name) == sealed)
        #expect(try seal.open(sealed, name: name) == content)
        #expect(sealed.count <= TreeSeal.sizeLimit(of: size))
        #expect(throws: SyncTreeError.self) { try seal.open(sealed, name: name + "0") }
        let other = TreeSeal(key: try .random())
        #expect(throws: SyncTreeError.self) { try other.open(sealed, name: name) }
        #expect(try other.seal(content, name: name) != sealed)
      }
    }
    #expect(try seal.name(of: .foreign("Notes/x.md")) == nil)
    #expect(try seal.path(of: Array("daybook.json".utf8)) == .manifest)
  }

  @Test("sizes are padded to few different ones, by an eighth at most")
  func padding() {
    var sizes: Set<Int> = []
    for size in 0...70_000 {
      let padded = TreeSeal.paddedSize(of: size)
      #expect(padded >= size + 4 && padded >= 512)
      #expect(padded <= 512 || (padded - size - 4) * 8 <= size + 4, "\(size) \(padded)")
      sizes.insert(padded)
    }
    #expect(sizes.count <= 120)
  }
}
