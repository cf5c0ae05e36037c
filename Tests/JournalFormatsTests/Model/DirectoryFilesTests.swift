import Journal
import TestSupport
import Testing

@testable import JournalFormats

/// How the texts of a directory name its files.
struct DirectoryFilesTests {
  private static let hash = String(repeating: "0123456789abcdef", count: 4)

  private func files(_ paths: [String]) -> DirectoryFiles {
    DirectoryFiles(
      DirectoryInMemory(bytes: Dictionary(uniqueKeysWithValues: paths.map { ($0, [1]) })))
  }

  /// The text with each file that is found named by the hash.
  private func rewritten(
    _ text: String, in paths: [String], of record: String = "note.md", isPicture: Bool = true
  ) -> String {
    files(paths).text(text, with: [], at: ImportPlace(file: record)) { _ in
      NamedFile(hash: Self.hash, digits: 16, isPicture: isPicture)
    }
  }

  @Test(
    "every way of writing a path names the file",
    arguments: [
      ("![](a/b.png)", "![](file:0123456789abcdef.png)"),
      ("![w](./a/b.png)", "![w](file:0123456789abcdef.png)"),
      ("![w](<a/b.png> \"t\")", "![w](file:0123456789abcdef.png \"t\")"),
      ("![[b.png]]", "![b](file:0123456789abcdef.png)"),
      ("![[a/b.png|200x100]]", "![b](file:0123456789abcdef.png)"),
      ("![[B.PNG|The sea]]", "![The sea](file:0123456789abcdef.png)"),
      ("[[b.png]]", "[b](file:0123456789abcdef.png)"),
      ("[w](a/b.png#part)", "[w](file:0123456789abcdef.png)"),
      ("![](a/c%20d.png)", "![](file:0123456789abcdef.png)"),
      ("![](a/c\\_d.png)", "![](file:0123456789abcdef.png)"),
      ("<img alt='x' src=\"a/b.png\" />", "![x](file:0123456789abcdef.png)"),
      ("| ![](a/b.png) |\n| --- |", "| ![](file:0123456789abcdef.png) |\n| --- |"),
      ("![](a/b.jpeg)", "![](file:0123456789abcdef.png)"),
    ])
  func written(text: String, result: String) {
    #expect(rewritten(text, in: ["a/b.png", "a/c d.png", "a/c_d.png"]) == result)
  }

  @Test(
    "a name is found in another composition of its letters, and opened as the directory spells it",
    arguments: [
      "![](a/Gr\u{FC}\u{DF}e.png)", "![](Gru\u{308}\u{DF}e.png)", "![[gr\u{FC}\u{DF}e.png]]",
    ],
    ["a/Gru\u{308}\u{DF}e.png", "a/Gr\u{FC}\u{DF}e.png"])
  func composition(text: String, path: String) throws {
    var entry = ImportedEntry(created: try moment("2024-01-05T10:00:00Z"), text: text)
    files([path]).find(in: &entry, at: ImportPlace(file: "a/note.md"))
    #expect(entry.files.map { Array($0.path.utf8) } == [utf8(path)])
    #expect(entry.missing.isEmpty)
  }

  @Test(
    "what is no file of the directory stays",
    arguments: [
      "![](../a/b.png)", "![](/x/b.png)", "![](https://x.org/a/b.png)", "![](file:a/b.png)",
      "`![](a/b.png)`", "```\n![[b.png]]\n```", "![[other.png]]", "[n](other.md)", "[[other]]",
      "![](a/../../b.png)", "a/b.png", "![](data:image/png;base64,AA)",
    ])
  func others(text: String) {
    #expect(rewritten(text, in: ["a/b.png", "other.md"]) == text)
  }

  @Test("a path counts from the note, then from the directories above it")
  func nested() {
    let paths = ["x/y/p.png", "x/q.png", "r.png"]
    let text = "![](p.png) ![](../q.png) ![](q.png) ![](../../r.png) ![](r.png) ![](../../../r.png)"
    let named = "![](file:0123456789abcdef.png)"
    let result = rewritten(text, in: paths, of: "x/y/note.md")
    #expect(
      result == Array(repeating: named, count: 5).joined(separator: " ") + " ![](../../../r.png)")
  }

  @Test("a file that is no picture is no image, and has words")
  func kinds() {
    #expect(
      rewritten("![](a/b.pdf) ![w](a/b.pdf)", in: ["a/b.pdf"], isPicture: false)
        == "[b](file:0123456789abcdef.pdf) [w](file:0123456789abcdef.pdf)")
    let sum = "d41d8cd98f00b204e9800998ecf8427e"
    #expect(
      rewritten("![](pdfs/\(sum).pdf)", in: ["pdfs/\(sum).pdf"], isPicture: false)
        == "[PDF](file:0123456789abcdef.pdf)")
  }

  @Test("a text of our own comes back as it was, whatever the file is")
  func own() {
    let texts = [
      "![w](file:0123456789abcdef.pdf)", "[](file:0123456789abcdef)",
      "[![](file:0123456789abcdef.JPG)](file:0123456789abcdef01234567.pdf)",
      "![w](<file:0123456789abcdef.png> 'title')",
    ]
    for text in texts {
      let exported = FileLink.text(text) { (OwnFile.path($0), false) }
      let paths = FileReference.all(in: exported).flatMap(\.paths)
      #expect(!exported.contains("file:"))
      #expect(rewritten(exported, in: Array(Set(paths)), isPicture: false) == text)
    }
  }

  @Test("attached notes beside an export are no notes")
  func attachedNotes() throws {
    let found = try entries(
      .markdown,
      [
        "2024-01-05.md": "one [n](files/0123456789abcdef.md)",
        "files/0123456789abcdef.md": "# 2020-01-01\n\nnone",
      ])
    #expect(found.map(\.text) == ["one [n](files/0123456789abcdef.md)"])
    #expect(found[0].files == [ImportedFile(path: "files/0123456789abcdef.md")])
  }
}
