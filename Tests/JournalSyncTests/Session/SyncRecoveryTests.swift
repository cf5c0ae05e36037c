import Files
import Foundation
import Journal
import JournalFormats
import JournalStore
import JournalSync
import Testing

/// Lost caches, copied and restored journals, and remotes that are rewound, rewritten or replaced.
struct SyncRecoveryTests {
  /// Makes two devices with three entries at rest.
  private func makeRig(_ kinds: [String] = ["sqlite", "json"]) throws -> SyncRig {
    try SyncTemplates.rig("recovery \(kinds)") {
      let rig = try SyncRig(kinds)
      for text in ["one", "two", "three"] { try rig.add(0, text) }
      try rig.settle()
      return rig
    }
  }

  private func number(_ rig: SyncRig, _ index: Int, _ text: String) throws -> Int64 {
    let store = rig.devices[index].store
    let entries = try store.entries(rig.devices[index].numbers())
    return try #require(entries.first { $0.text == text }).number
  }

  private func texts(_ rig: SyncRig, _ index: Int) throws -> Set<String> {
    Set(try rig.devices[index].store.entries(rig.devices[index].numbers()).map(\.text))
  }

  /// Whether no device has an open conflict.
  private func expectNoConflict(_ rig: SyncRig) throws {
    for device in rig.devices {
      let entries = try device.store.entries(device.numbers())
      #expect(entries.allSatisfy { $0.conflicts.isEmpty })
    }
  }

  /// Synchronises until the push, which fails: the journal has the result, the remote has not.
  private func syncWithoutPush(_ rig: SyncRig, _ index: Int) throws {
    let git = try FaultyGit(rig.scratch)
    let program = try git.program(failing: "push", how: .before)
    #expect(throws: GitError.self) { try rig.sync(index, git: program) }
  }

  /// Takes every way an entry can change on the second device, with all but the purge under way.
  private func changeAll(_ rig: SyncRig) throws {
    let store = rig.devices[1].store
    try rig.add(1, "four")
    _ = try store.edit(number(rig, 1, "one"), text: "one edited")
    try store.redate(
      [number(rig, 1, "two")], created: Moment(seconds: 1_580_600_000, offset: 0),
      day: try #require(Day("2020-02-02")))
  }

  @Test("a lost cache is fetched again: nothing is sent twice, and nothing conflicts")
  func lostCache() throws {
    let rig = try makeRig()
    try changeAll(rig)
    rig.devices[1].cache = "another"
    #expect(try rig.sync(1).sent == 3)
    try rig.expectEqual()
    #expect(try texts(rig, 0) == ["one edited", "two", "three", "four"])
    try expectNoConflict(rig)
  }

  @Test(
    "a cache lost with an unsent commit: the changes are still sent, and nothing conflicts",
    arguments: [true, false])
  func lostUnsent(hasMoved: Bool) throws {
    let rig = try makeRig()
    try changeAll(rig)
    try syncWithoutPush(rig, 1)
    rig.devices[1].cache = "another"
    if hasMoved {
      _ = try rig.devices[0].store.edit(number(rig, 0, "three"), text: "three edited")
      try rig.sync(0)
    }
    _ = try rig.devices[1].store.edit(number(rig, 1, "four"), text: "four edited")
    try rig.expectEqual()
    #expect(
      try texts(rig, 0)
        == ["one edited", "two", hasMoved ? "three edited" : "three", "four edited"])
    try expectNoConflict(rig)
  }

  @Test(
    "an unsent commit and a remote that moved: every change of both arrives, in one file each",
    arguments: [true, false])
  func unsent(editsMore: Bool) throws {
    let rig = try makeRig()
    try changeAll(rig)
    try syncWithoutPush(rig, 1)
    _ = try rig.devices[0].store.edit(number(rig, 0, "three"), text: "three edited")
    try rig.sync(0)
    if editsMore { _ = try rig.devices[1].store.edit(number(rig, 1, "two"), text: "two edited") }
    try rig.expectEqual()
    #expect(
      try texts(rig, 0)
        == ["one edited", editsMore ? "two edited" : "two", "three edited", "four"])
    try expectNoConflict(rig)
  }

  @Test("an unsent commit and then a purge: the purge arrives")
  func unsentPurge() throws {
    let rig = try makeRig()
    _ = try rig.devices[1].store.delete([number(rig, 1, "one")])
    try rig.sync(1)
    _ = try rig.devices[1].store.setStarred(true, [number(rig, 1, "two")])
    try syncWithoutPush(rig, 1)
    _ = try rig.devices[0].store.edit(number(rig, 0, "three"), text: "three edited")
    try rig.sync(0)
    _ = try rig.devices[1].store.purge()
    try rig.expectEqual()
    #expect(try texts(rig, 0) == ["two", "three edited"])
  }

  @Test("an unsent commit with nothing but a conflict: the conflict arrives")
  func unsentConflict() throws {
    let rig = try makeRig()
    rig.devices[0].clock.move(by: 1_000)
    _ = try rig.devices[0].store.edit(number(rig, 0, "one"), text: "lake")
    _ = try rig.devices[1].store.edit(number(rig, 1, "one"), text: "mountain")
    try rig.sync(0)
    try syncWithoutPush(rig, 1)
    try rig.add(0, "moves the remote")
    try rig.sync(0)
    try rig.expectEqual()
    #expect(try rig.devices[0].store.conflicts(of: number(rig, 0, "lake")) == ["mountain"])
  }

  @Test("an unsent commit that took over somebody's file: the file does not stay beside the entry")
  func unsentForeign() throws {
    let rig = try makeRig()
    try PlainGit(rig.scratch).commit([("2026-11-21 note.md", .text("a note"))])
    try syncWithoutPush(rig, 1)
    try PlainGit(rig.scratch).commit([("README.md", .text("moves the remote"))])
    try rig.sync(1)
    try rig.expectEqual(others: ["README.md"])
    #expect(try texts(rig, 0).contains { $0.contains("a note") })
  }

  @Test(
    "a copied journal and its original both go on, with one cache or with two",
    arguments: [true, false], ["sqlite", "json"])
  func copied(sharesCache: Bool, kind: String) throws {
    let rig = try makeRig([kind, kind])
    try changeAll(rig)
    try syncWithoutPush(rig, 1)
    let copy = "\(rig.scratch.path)/copy.\(kind)"
    try rig.devices[1].store.backup(to: copy)
    let index = try rig.join(copy)
    if sharesCache { rig.devices[index].cache = rig.devices[1].cache }
    _ = try rig.devices[1].store.edit(number(rig, 1, "three"), text: "three of the original")
    _ = try rig.devices[index].store.edit(number(rig, index, "two"), text: "two of the copy")
    try rig.sync(index)
    try rig.expectEqual()
    #expect(
      try texts(rig, 0)
        == ["one edited", "two of the copy", "three of the original", "four"])
    try expectNoConflict(rig)
  }

  @Test(
    "a restored older backup gets what came since, and keeps what the backup had unsent",
    arguments: ["sqlite", "json"])
  func restored(kind: String) throws {
    let rig = try makeRig([kind, "sqlite"])
    try rig.add(0, "only in the backup")
    let backup = "\(rig.scratch.path)/backup.\(kind)"
    try rig.devices[0].store.backup(to: backup)
    for text in ["later", "much later"] {
      try rig.add(0, text)
      try rig.settle()
    }
    _ = try rig.devices[1].store.edit(number(rig, 1, "one"), text: "one edited")
    try rig.settle()
    let index = try rig.join(backup)
    rig.devices[index].cache = rig.devices[0].cache
    _ = try rig.devices[index].store.edit(number(rig, index, "two"), text: "two edited")
    try rig.expectEqual()
    #expect(
      try texts(rig, 1)
        == [
          "one edited", "two edited", "three", "only in the backup", "later", "much later",
        ])
    try expectNoConflict(rig)
  }

  @Test(
    "a JSON file that lost its log is compared with the remote, however long its new log is",
    arguments: [0, 40])
  func lostLog(later: Int) throws {
    let rig = try makeRig(["json", "sqlite"])
    let device = rig.devices[0]
    _ = try rig.devices[1].store.edit(number(rig, 1, "three"), text: "three edited")
    try rig.sync(1)
    var text = try String(contentsOfFile: device.path, encoding: .utf8)
    let sets = try #require(text.range(of: "\"sets\":["))
    let sync = try #require(text.range(of: "],\"sync\":"))
    text.replaceSubrange(sets.upperBound..<sync.lowerBound, with: "],\"changes\":[")
    try text.write(toFile: device.path, atomically: true, encoding: .utf8)
    try device.reopen()
    _ = try device.store.edit(number(rig, 0, "one"), text: "one edited")
    for index in 0..<later { try device.store.setStarred(index % 2 == 0, [number(rig, 0, "two")]) }
    try device.reopen()
    try rig.expectEqual()
    #expect(try texts(rig, 1) == ["one edited", "two", "three edited"])
    try expectNoConflict(rig)
  }

  @Test("a remote that was rewound gets back what it lacks, with removals and conflicts")
  func rewound() throws {
    let rig = try makeRig()
    let git = PlainGit(rig.scratch)
    let head = try #require(try git.head())
    try changeAll(rig)
    _ = try rig.devices[1].store.delete([number(rig, 1, "three")])
    try rig.settle()
    _ = try rig.devices[1].store.purge()
    try rig.settle()
    let before = try rig.contents(0)
    try git.rewind(to: head)
    let report = try rig.sync(0)
    #expect(report.notes.contains { $0.contains("was reset to an older state") })
    try rig.expectEqual()
    #expect(try rig.contents(1) == before)
  }

  @Test(
    "a squashed history removes nothing and conflicts with nothing; edits of both sides arrive",
    arguments: [true, false])
  func squashed(losesCache: Bool) throws {
    let rig = try makeRig()
    let git = PlainGit(rig.scratch)
    try git.commit([("README.md", .text("squashed"))], isNewRoot: true)
    _ = try rig.devices[1].store.edit(number(rig, 1, "one"), text: "one edited")
    if losesCache { rig.devices[0].cache = "another" }
    try rig.expectEqual(others: ["README.md"])
    #expect(try texts(rig, 0) == ["one edited", "two", "three"])
    try expectNoConflict(rig)
  }

  @Test(
    "a history that was replaced by one with an older text takes no word away",
    arguments: ["edit", "star", "redate", "tag", "trash", "purge", "nothing"])
  func replacedByOlder(change: String) throws {
    let rig = try makeRig()
    let git = PlainGit(rig.scratch)
    let old = try #require(try git.head())
    var ledger = WordLedger()
    ledger.record(from: [:], to: try WordLedger.words(of: rig.devices[0]))
    func recording(_ index: Int, _ body: () throws -> Void) throws {
      let before = try WordLedger.words(of: rig.devices[index])
      try body()
      ledger.record(from: before, to: try WordLedger.words(of: rig.devices[index]))
    }
    try recording(0) {
      _ = try rig.devices[0].store.edit(number(rig, 0, "one"), text: "one and precious words")
    }
    try rig.sync(0)
    try git.replaceHistory(withFilesOf: old)
    let store = rig.devices[1].store
    let one = try number(rig, 1, "one")
    rig.devices[1].clock.move(by: 1_000)
    try recording(1) {
      switch change {
      case "edit": _ = try store.edit(one, text: "one edited")
      case "star": _ = try store.setStarred(true, [one])
      case "redate":
        let created = Moment(seconds: 1_580_600_000, offset: 0)
        try store.redate([one], created: created, day: created.localDay)
      case "tag": _ = try store.retag([one], as: .tag) { $0 + " #tag" }
      case "trash": _ = try store.delete([one])
      case "purge":
        _ = try store.delete([one])
        _ = try store.purge()
      default: break
      }
    }
    for index in [1, 0, 1, 0] {
      let before = try WordLedger.words(of: rig.devices[index])
      try rig.sync(index)
      ledger.checkSync(
        from: before, to: try WordLedger.words(of: rig.devices[index]), "\(change)")
    }
    try rig.expectEqual()
    for device in rig.devices {
      let words = try WordLedger.words(of: device)
      ledger.checkRest(words, "\(change)")
      #expect(words.values.contains { $0.live.isSuperset(of: ["and", "precious", "words"]) })
    }
  }

  @Test("a squash that dropped files removes nothing, and keeps conflicts open")
  func squashedAway() throws {
    let rig = try makeRig()
    for (index, text) in ["lake", "mountain"].enumerated() {
      _ = try rig.devices[index].store.edit(number(rig, index, "one"), text: text)
    }
    try rig.settle()
    let before = try rig.contents(0)
    let git = PlainGit(rig.scratch)
    let manifest = try #require(try git.files()["daybook.json"])
    try git.commit(
      [("daybook.json", .text(manifest))], isNewRoot: true, startsEmpty: true)
    try rig.expectEqual()
    #expect(try rig.contents(1) == before)
  }

  @Test("an emptied or new repository gets everything again", arguments: [true, false])
  func emptied(losesCache: Bool) throws {
    let rig = try makeRig()
    let before = try rig.contents(0)
    try rig.scratch.git(
      ["-C", "\(rig.scratch.path)/remote.git", "update-ref", "-d", "refs/heads/main"])
    if losesCache { rig.devices[0].cache = "another" }
    let report = try rig.sync(0)
    #expect(report.sent == 3 && report.notes.contains { $0.contains("empty") })
    try rig.expectEqual()
    #expect(try rig.contents(1) == before)
  }

  @Test("the repository of another journal, or of none, is refused, and nothing changes")
  func replaced() throws {
    let rig = try makeRig()
    let before = try rig.contents(0)
    let git = PlainGit(rig.scratch)
    let other = SyncManifest(journal: EntryUUID.make()).encode()
    for (files, kind) in [
      ([("daybook.json", PlainGit.Change.write(other))], SyncError.Kind.otherJournal),
      ([("main.swift", .text("print()"))], .notAJournal),
    ] {
      try git.commit(files, isNewRoot: true, startsEmpty: true)
      let head = try git.head()
      #expect { try rig.sync(0) } throws: { ($0 as? SyncError)?.kind == kind }
      #expect(try git.head() == head)
      #expect(try rig.contents(0) == before)
    }
  }

  @Test("two devices that fill an empty remote at the same moment join one journal")
  func firstAtOnce() throws {
    let rig = try SyncRig()
    try rig.add(0, "of the first")
    try rig.add(1, "of the second")
    var isDone = false
    let report = try rig.sync(1) {
      false
    } progress: { progress in
      guard case .writing = progress, !isDone else { return }
      isDone = true
      _ = try? rig.sync(0)
    }
    #expect(isDone && report.received == 1 && report.notes.isEmpty)
    try rig.expectEqual()
    #expect(try texts(rig, 0) == ["of the first", "of the second"])
  }

  @Test("a device that was offline while everything changed a hundred times")
  func longOffline() throws {
    let rig = try makeRig(["sqlite", "sqlite"])
    let store = rig.devices[0].store
    let one = try number(rig, 0, "one")
    _ = try rig.devices[1].store.edit(number(rig, 1, "two"), text: "two of the traveller")
    for round in 0..<100 {
      _ = try store.edit(one, text: "one \(round)")
      try rig.add(0, "entry \(round)")
      if round % 20 == 0 { try rig.sync(0) }
    }
    try rig.expectEqual()
    #expect(try rig.contents(1).count == 103)
    try expectNoConflict(rig)
  }
}
