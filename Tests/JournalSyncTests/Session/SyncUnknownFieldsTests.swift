import Foundation
import Journal
import JournalFormats
import JournalStore
import Testing

@testable import JournalSync

/// Front matter that an entry has no place for stays in the file, whoever writes it.
struct SyncUnknownFieldsTests {
  private static let fields = "aliases:\n  - Bread\n# for the graph\ncssclasses: [wide]\n"

  /// A rig with one entry whose file somebody gave further fields.
  private struct Setup {
    let rig: SyncRig
    let entry: Entry
    let git: PlainGit

    init(_ kinds: [String] = ["sqlite", "json"]) throws {
      rig = try SyncRig(kinds)
      git = PlainGit(rig.scratch)
      entry = try rig.add(0, "the text of an entry")
      try rig.settle()
      try write(SyncUnknownFieldsTests.fields)
    }

    /// Replaces the front matter below the entry's own fields, as an editor or an owner of the key.
    func write(_ fields: String, text: String? = nil, at path: SyncPath? = nil) throws {
      var entry = try #require(try rig.devices[0].entry(entry.uuid))
      entry.text = text ?? entry.text
      let file = String(decoding: SyncFile.encode(entry), as: UTF8.self)
      let bytes = Array(file.replacing("---\n\n", with: fields + "---\n\n").utf8)
      try rig.commit([(path ?? SyncPath(entry), bytes)])
    }

    /// The unknown fields of the entry's file in the remote.
    func fields() throws -> String {
      let path = SyncPath(try #require(try rig.devices[0].entry(entry.uuid)))
      let text = try #require(try rig.remoteFiles()[path.text])
      let file = try SyncFile(Array(text.utf8), uuid: entry.uuid, day: nil)
      return String(decoding: file.unknown.bytes, as: UTF8.self)
    }

    func number(_ index: Int) throws -> Int64 {
      try #require(try rig.devices[index].entry(entry.uuid)).number
    }
  }

  static let kinds = [["sqlite", "json"], ["sealed.sqlite", "sealed.sqlite"]]

  @Test("an edit, a star, a date, the trash, undo and a merge keep them", arguments: kinds)
  func everyChange(kinds: [String]) throws {
    let setup = try Setup(kinds)
    let rig = setup.rig
    let changes: [(any EntryStore, Int64) throws -> Void] = [
      { _ = try $0.edit($1, text: "another text") },
      { _ = try $0.setStarred(true, [$1]) },
      {
        try $0.redate(
          [$1], created: Moment(seconds: 1_580_600_000, offset: 0),
          day: try #require(Day("2020-02-02")))
      },
      { store, number in _ = try store.delete([number]) },
      { store, number in _ = try store.restore([number]) },
    ]
    for (index, change) in changes.enumerated() {
      try change(rig.devices[index % 2].store, setup.number(index % 2))
      // The device that changes it may not have seen the fields.
      #expect(try rig.sync(index % 2).sent == 1)
      #expect(try setup.fields() == Self.fields, "change \(index)")
      try rig.expectEqual("change \(index)")
    }
    for index in 0...1 {
      _ = try rig.devices[index].store.edit(setup.number(index), text: "words by \(index)")
    }
    try rig.expectEqual()
    #expect(try setup.fields() == Self.fields)
  }

  @Test("an edit of the fields alone changes no journal and makes no commit", arguments: kinds)
  func fieldsAlone(kinds: [String]) throws {
    let setup = try Setup(kinds)
    for fields in [Self.fields, "aliases: x\n", ""] {
      try setup.write(fields)
      let head = try setup.git.head()
      for index in 0...1 { #expect(try setup.rig.sync(index).isEmpty) }
      #expect(try setup.git.head() == head)
      #expect(try setup.fields() == fields)
    }
  }

  @Test("fields in another place of the file are put below ours once, and then nothing is to do")
  func untidy() throws {
    let setup = try Setup()
    let file = String(decoding: SyncFile.encode(setup.entry), as: UTF8.self)
    let untidy = "---\nrating: 5\n" + file.dropFirst(4)
    try setup.rig.commit([(SyncPath(setup.entry), Array(untidy.utf8))])
    try setup.rig.expectEqual()
    #expect(try setup.fields() == "rating: 5\n")
    let head = try setup.git.head()
    for index in 0...1 { #expect(try setup.rig.sync(index).isEmpty) }
    #expect(try setup.git.head() == head)
  }

  @Test("somebody changes the fields while a device changes the entry", arguments: kinds)
  func atOnce(kinds: [String]) throws {
    let setup = try Setup(kinds)
    try setup.rig.settle()
    _ = try setup.rig.devices[1].store.edit(setup.number(1), text: "changed here")
    try setup.write("aliases: y\n")
    try setup.rig.expectEqual()
    #expect(try setup.fields() == "aliases: y\n")
    #expect(try setup.rig.devices[0].entry(setup.entry.uuid)?.text == "changed here")
    // And a text together with a field.
    _ = try setup.rig.devices[1].store.setStarred(true, [setup.number(1)])
    try setup.write("aliases: y\nmood: good\n", text: "changed there")
    try setup.rig.expectEqual()
    #expect(try setup.fields() == "aliases: y\nmood: good\n")
    let entry = try #require(try setup.rig.devices[1].entry(setup.entry.uuid))
    #expect(entry.text == "changed there" && entry.starred)
  }

  @Test("a removed, moved, copied or broken file does not lose them")
  func files() throws {
    let setup = try Setup()
    try setup.rig.settle()
    try setup.git.commit([(SyncPath(setup.entry).text, .delete)])
    try setup.rig.expectEqual()
    #expect(try setup.fields() == Self.fields)
    // Moved.
    let path = SyncPath(setup.entry).text
    let bytes = try setup.git.bytes(at: path)
    try setup.git.commit([(path, .delete), ("My note.md", .write(bytes))])
    try setup.rig.expectEqual()
    #expect(try setup.fields() == Self.fields)
    // Copied, with another field.
    let copy = String(decoding: bytes, as: UTF8.self).replacing("aliases:", with: "x: 1\naliases:")
    try setup.git.commit([("Copy.md", .text(copy))])
    try setup.rig.expectEqual()
    #expect(try setup.fields() == "x: 1\n" + Self.fields)
    // Broken, and written again since the entry changed here.
    try setup.git.commit([(path, .write([0xFF]))])
    _ = try setup.rig.devices[0].store.edit(setup.entry.number, text: "edited here")
    try setup.rig.expectEqual()
    #expect(try setup.fields() == "x: 1\n" + Self.fields)
  }

  @Test("a note of another program keeps its own under our name")
  func foreign() throws {
    let setup = try Setup()
    try setup.git.commit([
      ("Notes/2026-11-20.md", .text("---\nlayout: post\n# c\nweight: 5\n---\nlake"))
    ])
    try setup.rig.expectEqual()
    let file = try #require(try setup.git.files().first { $0.value.contains("lake") })
    #expect(file.value.contains("layout: post\n# c\nweight: 5\n---\n\nlake"))
  }

  @Test("what a device took over and could not send is sent with the fields")
  func unsent() throws {
    let setup = try Setup()
    try setup.git.commit([("Notes/2026-11-20.md", .text("---\nlayout: post\n---\nlake"))])
    let git = try FaultyGit(setup.rig.scratch).program(failing: "push", how: .before)
    #expect(throws: GitError.self) { try setup.rig.sync(1, git: git) }
    // The commit that was not sent is on top of a head that is no longer the remote's.
    try setup.git.commit([("README.md", .text("moved on"))])
    try setup.rig.expectEqual(others: ["README.md"])
    let file = try #require(try setup.git.files().first { $0.value.contains("lake") })
    #expect(file.value.contains("layout: post\n---\n\nlake"))
  }

  @Test("a remote that was rewound or replaced gets them again")
  func rewound() throws {
    let setup = try Setup()
    let before = try #require(try setup.git.head())
    try setup.write("mood: new\n")
    try setup.rig.settle()
    _ = try setup.rig.devices[1].store.setStarred(true, [setup.number(1)])
    try setup.rig.settle()
    try setup.git.rewind(to: before)
    try setup.rig.expectEqual()
    #expect(try setup.fields().contains("mood: new\n"))
    try setup.git.commit([], isNewRoot: true)
    try setup.rig.expectEqual()
    #expect(try setup.fields().contains("mood: new\n"))
  }
}
