import Foundation
import Journal
import JournalFormats
import JournalStore
import JournalSync
import Testing

/// Markdown files of other programs in the repository: taken over once, by one device or by two.
struct SyncForeignTests {
  /// A file as another program writes it.
  struct Shape: CustomTestStringConvertible, Sendable {
    var program: String
    var path: String
    var text: String
    /// What the entry must contain.
    var words: [String]
    var testDescription: String { program }
  }

  static let shapes = [
    Shape(
      program: "Obsidian, daily note", path: "Daily/2026-11-20.md",
      text: "Met [[Anna]] at the lake.\n\n- [ ] call #todo\n", words: ["[[Anna]]", "#todo"]),
    Shape(
      program: "Obsidian, properties", path: "Notes/Lake.md",
      text: """
        ---
        aliases: [See]
        tags:
          - trip
          - summer
        created: 2026-08-01 09:30
        ---
        # Lake

        > [!note] cold
        """, words: ["Lake", "[!note] cold", "#trip", "#summer"]),
    Shape(
      program: "GitJournal", path: "2026-11-21-10-20-30.md",
      text: """
        ---
        created: '2026-11-21T10:20:30+0100'
        modified: '2026-11-21T11:20:30+0100'
        ---

        # A day

        Written on a phone.
        """, words: ["A day", "Written on a phone."]),
    Shape(
      program: "GitJournal, journal", path: "journal/2026-11-22-07-00-00.md",
      text: """
        ---
        title: Morning
        created: 2026-11-22T07:00:00+01:00
        tags: [early]
        type: Journal
        ---

        Sun.
        """, words: ["Morning", "Sun.", "#early"]),
    Shape(
      program: "Jekyll", path: "_posts/2026-03-04-hello.md",
      text: "---\nlayout: post\ntitle: \"Hello\"\ndate: 2026-03-04 12:00:00 +0100\n---\nworld\n",
      words: ["Hello", "world"]),
    Shape(
      program: "Windows", path: "Notes/2026-05-06 Windows.md",
      text: "---\r\ntags: a\r\n---\r\nfirst\r\nsecond\r\n", words: ["first", "second", "#a"]),
    Shape(
      program: "a name of any script", path: "日記/2026-05-07 湖🏞.md", text: "湖へ行った\n",
      words: ["湖へ行った"]),
  ]

  private func entry(_ rig: SyncRig, _ index: Int) throws -> (text: String, conflicts: [String]) {
    let device = rig.devices[index]
    let entries = try device.store.entries(device.numbers())
    #expect(entries.count == 1)
    let entry = try #require(entries.first)
    return (entry.text, try device.store.conflicts(of: entry.number))
  }

  /// Two devices that have synchronised an empty journal, with a foreign file in the remote.
  private func makeRig(_ shape: Shape) throws -> SyncRig {
    let rig = try SyncTemplates.rig("foreign") {
      let rig = try SyncRig(["sqlite", "json"], zones: [-5 * 3600, 10 * 3600])
      try rig.settle()
      return rig
    }
    try PlainGit(rig.scratch).commit([(shape.path, .text(shape.text))])
    return rig
  }

  @Test(
    "a file becomes one entry at a path of ours, whole, and then nothing is to do",
    arguments: shapes)
  func takenOver(shape: Shape) throws {
    let rig = try makeRig(shape)
    let report = try rig.sync(0)
    #expect(report.received == 1 && report.sent == 1 && report.skipped.isEmpty)
    try rig.expectEqual()
    let entry = try entry(rig, 1)
    for word in shape.words { #expect(entry.text.contains(word), "\(entry.text)") }
    #expect(entry.conflicts.isEmpty)
    for index in 0...1 { #expect(try rig.sync(index).isEmpty) }
  }

  @Test("two devices in different zones that take a file over at once agree", arguments: shapes)
  func atOnce(shape: Shape) throws {
    let rig = try makeRig(shape)
    var isDone = false
    try rig.sync(1) {
      false
    } progress: { progress in
      guard case .writing = progress, !isDone else { return }
      isDone = true
      _ = try? rig.sync(0)
    }
    #expect(isDone)
    try rig.expectEqual()
    #expect(try entry(rig, 0).conflicts.isEmpty)
  }

  @Test(
    "a device that did not see the move edits the file at its old path: both texts stay",
    arguments: shapes)
  func editedAtOldPath(shape: Shape) throws {
    let rig = try makeRig(shape)
    try rig.settle()
    let first = try entry(rig, 0).text
    // The phone pushes its file again, unchanged and then with another line.
    try PlainGit(rig.scratch).commit([(shape.path, .text(shape.text))])
    try rig.expectEqual()
    #expect(try entry(rig, 1) == (first, []))
    try PlainGit(rig.scratch).commit([(shape.path, .text(shape.text + "\nmore from the phone\n"))])
    try rig.expectEqual()
    let (text, conflicts) = try entry(rig, 1)
    #expect(([text] + conflicts).contains { $0.contains("more from the phone") })
    #expect(([text] + conflicts).contains(first))
  }

  @Test("an edit of the file before and after it was taken over arrives", arguments: shapes)
  func editedAtNewPath(shape: Shape) throws {
    let rig = try makeRig(shape)
    try rig.settle()
    let git = PlainGit(rig.scratch)
    let (path, text) = try #require(try git.files().first { $0.key != "daybook.json" })
    try git.commit([(path, .text(text + "\nadded at the new path"))])
    try rig.expectEqual()
    #expect(try entry(rig, 1).text.hasSuffix("\nadded at the new path"))
    #expect(try entry(rig, 1).conflicts.isEmpty)
  }
}
