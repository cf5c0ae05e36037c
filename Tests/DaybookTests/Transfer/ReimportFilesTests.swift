import Foundation
import Testing

/// Pictures and files of records and notes that are imported again.
@Suite(.waiting)
struct ReimportFilesTests {
  private let program: Program

  init() throws { program = try Program() }

  private func path(_ name: String) -> String { "\(program.home.path)/\(name)" }

  private func write(_ text: String, to name: String) throws {
    let url = program.home.appending(path: name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  private func importing(_ words: String...) throws -> String {
    let result = try program.run(["import"] + words)
    #expect(result.code == 0, "\(result.errors)")
    return result.output.trimmingCharacters(in: .newlines)
  }

  /// The hashes in the text of an entry.
  private func files(_ number: Int = 1) throws -> [String] {
    try program.run(["show", "\(number)"]).output.split(separator: "file:").dropFirst()
      .map { String($0.prefix(16)) }
  }

  @Test(
    "a picture that was exchanged for another one comes in, in a dry run, too",
    arguments: ["dayone", "dayone in a zip", "markdown", "vault"])
  func exchanged(kind: String) throws {
    let json = """
      {"metadata": {"version": "1.0"}, "entries": [{"uuid": "77777777777777777777777777777777",
      "creationDate": "2024-01-04T04:30:00Z", "timeZone": "GMT",
      "text": "![](dayone-moment://FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF) home",
      "photos": [{"identifier": "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF",
      "md5": "965c83ad8a418362028c276bc363a183", "type": "png"}]}]}
      """
    var picture = "d/photos/965c83ad8a418362028c276bc363a183.png"
    switch kind {
    case "markdown":
      try write("![Sea](sea.png) home\n", to: "d/2024-01-05.md")
      picture = "d/sea.png"
    case "vault":
      _ = try program.run(["add", "Sea\nhome", "--date", "2024-01-05 10:00"])
      #expect(try program.run(["export", "--format", "obsidian", "-o", path("d")]).code == 0)
      let note = try String(contentsOfFile: path("d/2024/Sea.md"), encoding: .utf8)
      try write(note + "![[sea.png]]\n", to: "d/2024/Sea.md")
      picture = "d/2024/sea.png"
    default: try write(json, to: "d/Journal.json")
    }
    func take(_ bytes: String, _ words: String...) throws -> String {
      try write("\u{89}PNG\r\n\(bytes)", to: picture)
      guard kind.hasSuffix("zip") else { return try importing(path("d")) }
      _ = try program.shell("cd '\(path("d"))' && rm -f ../d.zip && zip -qr ../d.zip .")
      return try importing(path("d.zip"))
    }
    _ = try take("one")
    let first = try files()
    #expect(first.count == 1)
    #expect(try take("one") == "added 0, skipped 1, failed 0")
    try write("\u{89}PNG\r\ntwo", to: picture)
    if kind == "markdown" {
      let dry = try program.run(["import", "--dry-run", path("d")]).output
      #expect(dry.hasPrefix("would add 0, update 1, skip 0"), "\(dry)")
    }
    #expect(try take("two") == "added 0 with 1 file, updated 1, skipped 0, failed 0")
    #expect(try files().count == 1 && files() != first)
    #expect(try take("two") == "added 0, skipped 1, failed 0")
    #expect(try program.run(["doctor"]).code == 0)
  }

  @Test(
    "a note of the vault to which a picture was added is written by later exports, once imported")
  func vault() throws {
    _ = try program.run(["add", "Sea\nhome", "--date", "2024-01-05 10:00"])
    let export = { try self.program.run(["export", "--format", "obsidian", "-o", self.path("v")]) }
    #expect(try export().code == 0)
    let note = try String(contentsOfFile: path("v/2024/Sea.md"), encoding: .utf8)
    try write(note + "![[Pasted image.png]]\n", to: "v/2024/Sea.md")
    try write("\u{89}PNG\r\none", to: "v/Pasted image.png")
    #expect(try export().errors.contains("left 1 file with changes that are not in the journal"))
    #expect(try importing(path("v")) == "added 0 with 1 file, updated 1, skipped 0, failed 0")
    #expect(try export().errors == "")
    let written = try String(contentsOfFile: path("v/2024/Sea.md"), encoding: .utf8)
    #expect(written.contains("![Pasted image](../files/"), "\(written)")
    _ = try program.run(["edit", "1", "Sea\nand land"])
    #expect(try export().errors == "")
    #expect(try String(contentsOfFile: path("v/2024/Sea.md"), encoding: .utf8).contains("land"))
  }

  @Test("pictures with definitions and with paths from the top are attached, and others are named")
  func references() throws {
    try write(
      """
      ![Sea][1] and ![Land][two words] and ![Sky]

      ![Top](/assets/d.png) ![Far](/Users/anna/e.png) ![Uri](file:///home/f.png)

      `![Sea][1]` [text][3] [^1]

      [1]: assets/a.png "Sea"
      [Two  Words]: <assets/b b.png>
      [sky]: assets/c.png
      [3]: https://example.org/x.png
      [^1]: assets/a.png
      """, to: "n/2024-01-05.md")
    for (name, bytes) in [("a", "1"), ("b b", "2"), ("c", "3"), ("d", "4")] {
      try write("\u{89}PNG\r\n\(bytes)", to: "n/assets/\(name).png")
    }
    let result = try program.run(["import", path("n")])
    #expect(result.output == "added 1 with 4 files, skipped 0, failed 0\n", "\(result.errors)")
    #expect(result.errors.contains("/Users/anna/e.png, /home/f.png"), "\(result.errors)")
    let shown = try program.run(["show", "1"]).output
    for words in ["![Sea](file:", "![Land](file:", "![Sky](file:", "![Top](file:", "`![Sea][1]`"] {
      #expect(shown.contains(words), "\(words): \(shown)")
    }
    #expect(try importing(path("n")) == "added 0, skipped 1, failed 0")
    #expect(try program.run(["doctor"]).code == 0)
  }
}
