import Foundation
import Testing

/// The notes of `import` about omissions and changes, over every kind of journal.
struct ImportNotesCommandTests {
  private let program: Program

  init() throws {
    program = try Program()
  }

  private func file(_ name: String, _ bytes: [UInt8]) throws -> String {
    let url = program.home.appending(path: name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
    return url.path
  }

  private func directory() throws -> String {
    let notes = [
      "2024-01-05.md": "---\nmood: good\ntags: [C++]\n---\none",
      "2024-01-06.md": "---\nmood: bad\nplace: {lat: 3}\ntags: [C++]\n---\ntwo",
      "2024-01-07.md": "---\ntitle: a: b\n---\nthree",
    ]
    for (name, text) in notes { _ = try file("notes/\(name)", Array(text.utf8)) }
    return program.home.appending(path: "notes").path
  }

  @Test(
    "losses and changes are told once an import, in a dry run too, and never for what was there",
    arguments: ["j.sqlite", "j.json"])
  func toldOnce(journal: String) throws {
    let path = try directory()
    let journal = program.home.appending(path: journal).path
    let notes = """
      daybook: \(path): made: 2 mood fields
      daybook: \(path): not kept: 1 "place" field
      daybook: \(path): changed: 2 tags ("C++" is #C)
      daybook: \(path): front matter is invalid, and its fields were read one by one (1)

      """
    let rehearsal = try program.run(["--journal", journal, "import", "--dry-run", path])
    #expect(rehearsal.errors == notes)
    #expect(
      rehearsal.output == """
        would add 3, skip 0, fail 0; a dry run, nothing was written
        from Friday 5 January 2024 to Sunday 7 January 2024
        2024  3 entries
        1 new tag: #C 2

        """)
    let first = try program.run(["--journal", journal, "import", "--strict", path])
    #expect(first.errors == notes)
    #expect(first.output == "added 3, skipped 0, failed 0\n")
    #expect(first.code == 0)
    let again = try program.run(["--journal", journal, "import", path])
    #expect(again.errors == "")
    #expect(again.output == "added 0, skipped 3, failed 0\n")
    let shown = try program.run(["--journal", journal, "list", "--format", "markdown"])
    for text in ["one", "mood:: good", "two", "mood:: bad", "#C++", "a: b"] {
      #expect(shown.output.contains(text))
    }
  }

  @Test("what a directory has besides entries is counted by kind and named once")
  func leftOut() throws {
    let files = [
      "dayone.json", "b.JSON", "2023-01-01.md", "2023-01-02.org", "2023-01-03.txt", "LICENSE",
      ".hidden.org", "deep/notes about v1. and more",
    ]
    for name in files { _ = try file("mixed/\(name)", Array("one".utf8)) }
    let path = program.home.appending(path: "mixed").path
    _ = try program.shell("mkfifo \(path)/pipe; ln -s /nowhere/at/all \(path)/link")
    let said = "left out: 2 files without an extension, 2 \".json\" files, "
    for (words, start) in [
      (["import", "--dry-run", path], "would add 3, skip 0, fail 0"),
      (["import", path], "added 3, skipped 0, failed 0"),
    ] {
      let result = try program.run(words)
      #expect(result.output.hasPrefix(start))
      #expect(result.code == 0)
      let tails =
        ["1 pipe or device, 1 unreachable file"]
        + ["1 unreachable file, 1 pipe or device"]
      #expect(tails.map { "daybook: \(path): \(said)\($0)\n" }.contains(result.errors))
    }
  }

  @Test(
    "a journal that jrnl encrypted is refused, and what to do is said",
    arguments: ["gAAAAABfb4gQBMqqGn_W8v_s7qCi14bX", "JRNLv3\u{0}0eyJzYWx0Ijo"])
  func encrypted(text: String) throws {
    let path = try file("work.journal", Array(text.utf8))
    for words in [["import", path], ["import", "--from", "jrnl-text", path]] {
      let result = try program.run(words)
      #expect(result.code == 65)
      #expect(result.output == "")
      #expect(result.errors == "daybook: \(path): encrypted by jrnl; run jrnl --decrypt first\n")
    }
  }

  @Test("a file's own words in a message are short, whatever the file has")
  func shortMessages() throws {
    let words = String(repeating: "long ", count: 10_000)
    let path = try file("a.md", Array("---\ndate: \(words)\n---\nx".utf8))
    let result = try program.run(["import", path])
    #expect(result.code == 65)
    #expect(result.errors.utf8.count < path.utf8.count + 300)
  }
}
