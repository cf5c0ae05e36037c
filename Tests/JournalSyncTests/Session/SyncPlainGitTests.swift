import Foundation
import Journal
import JournalFormats
import JournalStore
import JournalSync
import Testing

/// What people and other programs do to the files of the repository, and what it means for journals.
struct SyncPlainGitTests {
  /// Two devices with one synchronised entry.
  private struct Setup {
    let rig: SyncRig
    let git: PlainGit
    let entry: Entry
    var uuid: String { entry.uuid }
    var path: String { SyncPath(entry).text }

    init(
      _ text: String = "the text of an entry", kinds: [String] = ["sqlite", "json"],
      zones: [Int] = []
    ) throws {
      rig = try SyncRig(kinds, zones: zones)
      git = PlainGit(rig.scratch)
      entry = try rig.add(0, text)
      try rig.settle()
    }

    /// The bytes of the entry's file with a change.
    func file(_ change: (inout Entry) -> Void) -> PlainGit.Change {
      var entry = entry
      change(&entry)
      return .write(SyncFile.encode(entry))
    }

    func state(_ index: Int) throws -> Entry? { try rig.devices[index].entry(uuid) }

    func conflicts(_ index: Int) throws -> [String] {
      guard let number = try state(index)?.number else { return [] }
      return try rig.devices[index].store.conflicts(of: number)
    }
  }

  @Test(
    "a file that is moved to another directory stays the entry, and returns to its path",
    arguments: ["Elsewhere/UUID.md", "2001/02/03/UUID.md", "My note.md"])
  func moved(name: String) throws {
    let setup = try Setup()
    let target = name.replacing("UUID", with: setup.uuid)
    try setup.git.commit([
      (setup.path, .delete), (target, setup.file { $0.text = "moved and edited" }),
    ])
    try setup.rig.expectEqual()
    #expect(try setup.rig.contents(0).count == 1)
    #expect(try setup.state(1)?.text == "moved and edited")
    #expect(try setup.state(1)?.deleted == nil)
    #expect(try setup.conflicts(1) == [])
  }

  @Test(
    "a copy with the uuid of an entry becomes one with it; both texts stay",
    arguments: [true, false], ["Elsewhere/UUID.md", "2001/02/03/UUID.md", "Copy.md"])
  func copied(isEdited: Bool, name: String) throws {
    let setup = try Setup()
    let target = name.replacing("UUID", with: setup.uuid)
    try setup.git.commit([(target, setup.file { if isEdited { $0.text = "another text" } })])
    try setup.rig.expectEqual()
    let texts = try [setup.state(1)?.text].compactMap(\.self) + setup.conflicts(1)
    #expect(
      Set(texts) == (isEdited ? [setup.entry.text, "another text"] : [setup.entry.text]))
  }

  @Test("with a copy of it before it in the tree, an edited file is still merged word by word")
  func copyBesideAnEdit() throws {
    let setup = try Setup("one two three")
    _ = try setup.rig.devices[0].store.edit(setup.entry.number, text: "one two drei")
    try setup.git.commit([
      (setup.path, setup.file { $0.text = "eins two three" }),
      ("2001/02/03/\(setup.uuid).md", setup.file { _ in }),
    ])
    try setup.rig.expectEqual()
    #expect(try setup.state(1)?.text == "eins two drei")
  }

  @Test("two files of one uuid that no journal knows become one entry with both texts, everywhere")
  func newTwice() throws {
    let setup = try Setup()
    let uuid = EntryUUID.make()
    let files = ["one side", "the other side"].enumerated().map { index, text in
      (
        "2020/01/0\(index + 1)/\(uuid).md",
        setup.file { entry in
          (entry.uuid, entry.text) = (uuid, text)
        }
      )
    }
    try setup.git.commit(files)
    try setup.rig.expectEqual()
    let device = setup.rig.devices[1]
    let entry = try #require(try device.entry(uuid))
    let texts = try [entry.text] + device.store.conflicts(of: entry.number)
    #expect(Set(texts) == ["one side", "the other side"])
  }

  @Test("removing a copy that could not be read leaves the entry alone")
  func removedCopy() throws {
    let setup = try Setup()
    let copy = "2001/02/03/\(setup.uuid).md"
    try setup.git.commit([(copy, .write([0xFF, 0xFE]))])
    try setup.rig.expectEqual(others: [copy])
    try setup.git.commit([(copy, .delete)])
    try setup.rig.expectEqual()
    #expect(try setup.state(1)?.deleted == nil)
    #expect(try setup.state(1)?.text == setup.entry.text)
  }

  @Test("a file removed by hand moves its entry to the trash; an edit there brings it back")
  func removed() throws {
    let setup = try Setup()
    try setup.git.commit([(setup.path, .delete)])
    try setup.rig.sync(0)
    #expect(try setup.state(0)?.deleted != nil)
    let number = try #require(try setup.state(1)?.number)
    _ = try setup.rig.devices[1].store.edit(number, text: "still wanted")
    try setup.rig.expectEqual()
    #expect(try setup.state(0)?.deleted == nil)
    #expect(try setup.state(0)?.text == "still wanted")
  }

  @Test(
    "a broken file is left alone and named; repaired, it counts as edited, and nothing conflicts")
  func broken() throws {
    let setup = try Setup("one two three")
    try setup.git.commit([(setup.path, .write([0xFF]))])
    #expect(try setup.rig.sync(0).skipped.map(\.path) == [setup.path])
    try setup.rig.sync(1)
    #expect(try setup.state(0)?.text == "one two three")
    try setup.git.commit([(setup.path, setup.file { $0.text = "one two four" })])
    try setup.rig.expectEqual()
    #expect(try setup.state(1)?.text == "one two four")
    #expect(try setup.conflicts(1) == [])
  }

  @Test("removing a broken file brings the journal's state back, also out of a purge")
  func removedBroken() throws {
    let setup = try Setup()
    _ = try setup.rig.devices[0].store.delete([setup.entry.number])
    try setup.rig.settle()
    try setup.git.commit([(setup.path, .write([0xFF]))])
    for index in 0...1 { try setup.rig.sync(index) }
    try setup.git.commit([(setup.path, .delete)])
    try setup.rig.expectEqual()
    #expect(try setup.state(1)?.text == setup.entry.text)
  }

  @Test("an entry that is broken in the repository and edited here is written again")
  func brokenAndEdited() throws {
    let setup = try Setup()
    try setup.git.commit([(setup.path, .write([0xFF]))])
    _ = try setup.rig.devices[0].store.edit(setup.entry.number, text: "edited here")
    try setup.rig.expectEqual()
    #expect(try setup.state(1)?.text == "edited here")
  }

  @Test(
    "a file without times and zones means the same on devices in different zones",
    arguments: [true, false])
  func zones(isOurs: Bool) throws {
    let setup = try Setup(zones: [-8 * 3600, 9 * 3600])
    let uuid = EntryUUID.make()
    let path = isOurs ? "2026/11/21/\(uuid).md" : "Notes/2026-11-21 lake.md"
    try setup.git.commit([
      (path, .text("---\ncreated: 2026-11-21 09:00\nstarred: yes\n---\nlake\n"))
    ])
    try setup.rig.expectEqual()
    #expect(try setup.rig.contents(1).count == 2)
    // An edit that also spells the front matter in another way.
    try setup.git.commit([
      (setup.path, .text("---\nuuid: \(setup.uuid)\ncreated: 2026-11-20 07:00\n---\nhandmade\n"))
    ])
    try setup.rig.expectEqual()
    #expect(try setup.state(1)?.text == "handmade\n")
  }

  @Test("a hand-made file whose day differs from its path gets the path of its day")
  func otherDay() throws {
    let setup = try Setup()
    let uuid = EntryUUID.make()
    let file = setup.file { $0.uuid = uuid }
    try setup.git.commit([("2001/02/03/\(uuid).md", file)])
    try setup.rig.expectEqual()
    let entry = try #require(try setup.rig.devices[1].entry(uuid))
    _ = try setup.rig.devices[1].store.edit(entry.number, text: "edited")
    try setup.rig.expectEqual()
    #expect(try setup.rig.devices[0].entry(uuid)?.text == "edited")
  }

  @Test("an edit by hand that did not raise `modified` counts as made now")
  func unstamped() throws {
    let setup = try Setup()
    try setup.git.commit([(setup.path, setup.file { $0.text = "by hand" })])
    try setup.rig.expectEqual()
    let state = try #require(try setup.state(1))
    #expect(state.text == "by hand" && state.modified.seconds > setup.entry.modified.seconds)
  }

  @Test("a uuid in upper case is the entry's: in a name and in front matter")
  func upperCase() throws {
    let setup = try Setup()
    try setup.git.commit([
      ("2026/11/21/\(setup.uuid.uppercased()).md", setup.file { $0.text = "shouted" })
    ])
    try setup.rig.expectEqual()
    #expect(try setup.rig.contents(1).count == 1)
    let texts = try [setup.state(1)?.text].compactMap(\.self) + setup.conflicts(1)
    #expect(Set(texts) == [setup.entry.text, "shouted"])
  }

  @Test("names that differ only in case are two entries")
  func caseOnly() throws {
    let setup = try Setup()
    try setup.git.commit([
      ("Notes/2026-11-21 a.md", .text("small")), ("Notes/2026-11-21 A.md", .text("large")),
      ("notes/2026-11-21 a.md", .text("other directory")),
    ])
    try setup.rig.expectEqual()
    #expect(try setup.rig.contents(1).count == 4)
  }

  @Test(
    "an entry redated on one side and edited on the other has both, and one file",
    arguments: [true, false])
  func redatedAndEdited(byHand: Bool) throws {
    let setup = try Setup()
    let day = try #require(Day("2020-02-02"))
    try setup.rig.devices[1].store.redate(
      [try #require(try setup.state(1)?.number)],
      created: Moment(seconds: 1_580_600_000, offset: 0), day: day)
    if byHand {
      try setup.git.commit([(setup.path, setup.file { $0.text = "edited" })])
    } else {
      _ = try setup.rig.devices[0].store.edit(setup.entry.number, text: "edited")
    }
    try setup.rig.expectEqual()
    #expect(try setup.state(0)?.day == day)
    #expect(try setup.state(0)?.text == "edited")
  }

  @Test(
    "a manifest that somebody removed or damaged is written again",
    arguments: [nil, "", "{}", "not JSON"])
  func manifest(text: String?) throws {
    let setup = try Setup()
    let journal = try setup.rig.devices[0].store.syncState()?.journal
    try setup.git.commit([("daybook.json", text.map { .text($0) } ?? .delete)])
    try setup.rig.expectEqual()
    #expect(try setup.rig.devices[1].store.syncState()?.journal == journal)
  }

  @Test("a manifest of a newer format or of another journal stops, and nothing changes")
  func otherManifest() throws {
    let setup = try Setup()
    let before = try setup.rig.contents(0)
    for (text, kind) in [
      (
        "{\"format\":\"daybook-sync\",\"version\":\(SyncManifest.version + 1)}",
        SyncError.Kind.newerFormat
      ),
      (
        String(decoding: SyncManifest(journal: EntryUUID.make()).encode(), as: UTF8.self),
        .otherJournal
      ),
    ] {
      try setup.git.commit([("daybook.json", .text(text)), (setup.path, .delete)])
      #expect { try setup.rig.sync(0) } throws: { ($0 as? SyncError)?.kind == kind }
      #expect(try setup.rig.contents(0) == before)
    }
  }

  // MARK: Conflicts

  /// A setup with an open conflict on both devices.
  private func conflicting() throws -> Setup {
    let setup = try Setup("first words")
    for (index, text) in ["lake", "mountain"].enumerated() {
      let number = try #require(try setup.state(index)?.number)
      _ = try setup.rig.devices[index].store.edit(number, text: text)
    }
    try setup.rig.settle()
    #expect(try setup.conflicts(0).count == 1)
    return setup
  }

  @Test("a purged entry leaves no file, nor those of its open conflicts")
  func purgedConflict() throws {
    let setup = try conflicting()
    let store = setup.rig.devices[0].store
    _ = try store.delete([try #require(try setup.state(0)?.number)])
    try setup.rig.settle()
    _ = try store.purge()
    // Not only when another device follows.
    try setup.rig.sync(0)
    #expect(Array(try setup.git.files().keys) == [SyncPath.manifest.text])
    try setup.rig.expectEqual()
    #expect(try setup.rig.contents(1) == [])
  }

  @Test("removing a conflict file by hand settles the conflict; its text stays a version")
  func removedConflict() throws {
    let setup = try conflicting()
    let lost = try setup.conflicts(0)[0]
    try setup.git.commit([(SyncPath(conflict: lost, of: setup.uuid).text, .delete)])
    try setup.rig.expectEqual()
    for index in 0...1 {
      #expect(try setup.conflicts(index) == [])
      let number = try #require(try setup.state(index)?.number)
      #expect(try setup.rig.devices[index].store.versions(number).contains { $0.text == lost })
    }
  }

  @Test("a conflict file edited by hand is a conflict with that text")
  func editedConflict() throws {
    let setup = try conflicting()
    let path = SyncPath(conflict: try setup.conflicts(0)[0], of: setup.uuid).text
    try setup.git.commit([(path, .text("rewritten by hand"))])
    try setup.rig.expectEqual()
    #expect(try setup.conflicts(1) == ["rewritten by hand"])
  }

  @Test("conflict files that cannot be read, and of unknown entries, are named and change nothing")
  func badConflicts() throws {
    let setup = try conflicting()
    let before = try setup.rig.contents(0)
    let hash = String(repeating: "0", count: 64)
    let bad = [
      "conflicts/\(setup.uuid)/\(hash).md", "conflicts/\(EntryUUID.make())/\(hash).md",
      "conflicts/\(setup.uuid)/short.md",
    ]
    try setup.git.commit(bad.map { ($0, .write([0x61, 0x00])) })
    let report = try setup.rig.sync(0)
    #expect(Set(report.skipped.map(\.path)) == Set(bad))
    try setup.rig.expectEqual(others: Set(bad))
    #expect(try setup.rig.contents(1) == before)
  }

  @Test(
    "a new conflict reaches a device that redated, deleted or purged the entry meanwhile",
    arguments: ["redate", "delete", "purge", "edit"])
  func conflictAgainstChange(change: String) throws {
    let setup = try Setup("first words", kinds: ["sqlite", "sqlite", "json"])
    let devices = setup.rig.devices
    if change == "purge" { _ = try devices[0].store.delete([setup.entry.number]) }
    try setup.rig.settle()
    let numbers = try (0...2).map { try #require(try setup.state($0)?.number) }
    devices[0].clock.move(by: 1_000)
    _ = try devices[0].store.edit(numbers[0], text: "lake")
    _ = try devices[1].store.edit(numbers[1], text: "mountain")
    try setup.rig.sync(0)
    try setup.rig.sync(2)
    switch change {
    case "redate":
      try devices[2].store.redate(
        [numbers[2]], created: Moment(seconds: 1_580_600_000, offset: 0),
        day: try #require(Day("2020-02-02")))
    case "delete": _ = try devices[2].store.delete([numbers[2]])
    case "purge":
      _ = try devices[2].store.delete([numbers[2]])
      try setup.rig.sync(2)
      _ = try devices[2].store.purge()
    default: _ = try devices[2].store.edit(numbers[2], text: "lake and sea")
    }
    // The text of the first device stands; only a conflict file is new for the third.
    try setup.rig.sync(1)
    try setup.rig.expectEqual()
    let texts = try [#require(try setup.state(2)).text] + setup.conflicts(2)
    #expect(texts.contains("mountain"))
    if change == "redate" { #expect(try setup.state(0)?.day == Day("2020-02-02")) }
  }
}
