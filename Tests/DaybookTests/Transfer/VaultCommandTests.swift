import Foundation
import Testing

/// `export --format obsidian`, again and again over the same directory.
@Suite(.waiting)
struct VaultCommandTests {
  private let program: Program

  init() throws {
    program = try Program()
    for (text, date) in [
      ("Potato soup: a recipe", "2025-12-31 09:00"), ("Walk #sea", "2026-01-02 10:00"),
      ("walk", "2026-01-03 10:00"),
    ] {
      #expect(try program.run(["add", text, "--date", date]).code == 0)
    }
  }

  private var vault: URL { program.home.appending(path: "vault") }

  private func export(_ words: String...) throws -> Program.Result {
    try program.run(["export", "--format", "obsidian", "-o", vault.path] + words)
  }

  /// All files, each with its content.
  private func files() throws -> [String: String] {
    let found = FileManager.default.enumerator(atPath: vault.path)?.compactMap { $0 as? String }
    var files: [String: String] = [:]
    for path in found ?? [] where path.hasSuffix(".md") || path.hasSuffix(".json") {
      files[path] = try String(contentsOf: vault.appending(path: path), encoding: .utf8)
    }
    return files
  }

  private func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: vault.appending(path: path))
  }

  @Test("a vault has a note for each entry, and an import brings the journal back")
  func wayBack() throws {
    let result = try export()
    #expect(result.code == 0 && result.output == "" && result.errors == "")
    #expect(
      try files().keys.sorted() == [
        "2025/Potato soup a recipe.md", "2026/Walk.md", "2026/walk 2026-01-03.md",
      ])
    let other = program.home.appending(path: "other.sqlite").path
    let back = try program.run(["--journal", other, "import", "--strict", vault.path])
    #expect(back.output == "added 3, skipped 0, failed 0\n")
    let (from, to) = (
      try program.run(["export"]).output, try program.run(["--journal", other, "export"]).output
    )
    let number = /"number":\d+/
    #expect(from.replacing(number, with: "") == to.replacing(number, with: ""))
    #expect(try program.run(["import", vault.path]).output == "added 0, skipped 3, failed 0\n")
  }

  @Test("a picture that was changed in the vault stays, and the export says so")
  func changedPicture() throws {
    let picture = program.home.appending(path: "a.png")
    try Data(SampleFiles.picture).write(to: picture)
    #expect(try program.run(["attach", "1", picture.path]).code == 0)
    _ = try export()
    let names = try FileManager.default.contentsOfDirectory(atPath: vault.path + "/files")
    let file = try #require(names.first.map { vault.appending(path: "files/\($0)") })
    #expect(try Data(contentsOf: file) == Data(SampleFiles.picture))
    let changed = Data(SampleFiles.picture + [1, 2, 3])
    try changed.write(to: file)
    for words in [[], ["--force"]] {
      let result = try program.run(["export", "--format", "obsidian", "-o", vault.path] + words)
      #expect(try Data(contentsOf: file) == changed)
      #expect(result.errors.contains("was changed since, and stays"), "\(result.errors)")
    }
    try FileManager.default.removeItem(at: file)
    _ = try export()
    #expect(try Data(contentsOf: file) == Data(SampleFiles.picture))
  }

  @Test(
    "a second export touches what changed alone, and removes its own notes of entries that are gone"
  )
  func again() throws {
    _ = try export()
    let walk = vault.appending(path: "2026/Walk.md").path
    func changed() throws -> Date? {
      try FileManager.default.attributesOfItem(atPath: walk)[.modificationDate] as? Date
    }
    let before = try changed()
    _ = try program.run(["edit", "3", "walk again"])
    _ = try program.run(["delete", "1"])
    let result = try export()
    #expect(result.errors == "daybook: removed 2 notes of entries not in this export\n")
    #expect(try files().keys.sorted() == ["2026/Walk.md", "2026/walk again.md"])
    #expect(try changed() == before)
    #expect(try export().errors == "")
    // Nothing matches: that is no reason to remove all.
    #expect(try export("nowhere").code == 0)
    #expect(try files().count == 2)
  }

  @Test("properties and comments that entries have no place for are named, and never replaced")
  func properties() throws {
    _ = try export()
    let walk = try #require(try files()["2026/Walk.md"])
    let names = [
      "cssclasses: [wide]", "# for the graph", "publish: true  # not yet", "a:\n  b:\n    c: 1",
      "aliases:\n  - \"home\"  # why", "aliases: [don't, \"a \\\" # b\"] # it's",
    ]
    for (index, line) in names.enumerated() {
      let changed = walk.replacing("---\ncreated", with: "---\n\(line)\ncreated")
      try write(changed, to: "2026/Walk.md")
      let read = try program.run(["import", vault.appending(path: "2026/Walk.md").path])
      let name = ["cssclasses", "a comment", "publish", "a", "a comment", "a comment"][index]
      #expect(read.errors.contains(name), "\(line): \(read)")
      let result = try export("--force")
      #expect(result.code == 1 && result.errors.contains("2026/Walk.md"), "\(line): \(result)")
      #expect(try files()["2026/Walk.md"] == changed, "\(line)")
    }
  }

  @Test("notes that somebody changed stay, and so does every other file")
  func others() throws {
    _ = try export()
    try FileManager.default.createDirectory(
      at: vault.appending(path: ".obsidian"), withIntermediateDirectories: true)
    let walk = try #require(try files()["2026/Walk.md"]) + "my own words\n"
    try write(walk, to: "2026/Walk.md")
    let own = ["2026/mine.md": "# Mine\n", ".obsidian/app.json": "{}", "notes.md": "x"]
    for (path, text) in own { try write(text, to: path) }
    _ = try program.run(["edit", "2", "Walk #sea and back"])
    _ = try program.run(["add", "Mine", "--date", "2026-02-01 10:00"])
    _ = try program.run(["delete", "3"])
    let result = try export()
    #expect(result.code == 0)
    let left = "left 1 file with changes that are not in the journal: 2026/Walk.md; daybook import"
    #expect(result.errors.contains(left))
    let all = try files()
    #expect(all["2026/Walk.md"] == walk)
    for (path, text) in own { #expect(all[path] == text, "\(path)") }
    #expect(all["2026/Mine 2026-02-01.md"] != nil && all["2026/walk 2026-01-03.md"] == nil)
    // The entry has one note.
    #expect(all["2026/Walk sea and back.md"] == nil)
    #expect(try export("--force").errors.contains(left))
    #expect(try files()["2026/Walk.md"] == walk)
    let merged = try program.run(["import", vault.appending(path: "2026/Walk.md").path])
    #expect(merged.output == "added 0, updated 1, skipped 0, failed 0\n")
    #expect(try export().errors.contains("left 1 note that was changed in the vault; --force"))
    #expect(try export("--force").errors.contains("left") == false)
    #expect(try files()["2026/Walk.md"] == nil)
    #expect(try files()["2026/Walk sea and back.md"]?.contains("my own words") == true)
    for (path, text) in own { #expect(try files()[path] == text, "\(path)") }
  }

  @Test("a note that was changed in the vault and imported follows the journal again")
  func imported() throws {
    _ = try export()
    let walk = try #require(try files()["2026/Walk.md"])
    try write(walk + "\nmy own words\n", to: "2026/Walk.md")
    #expect(try export().errors.contains("2026/Walk.md"))
    #expect(try program.run(["import", vault.path]).output.contains("updated 1"))
    #expect(try export().errors == "")
    _ = try program.run(["edit", "2", "Walk #sea\n\nmy own words, and more"])
    #expect(try export().errors == "")
    #expect(try files()["2026/Walk.md"]?.contains("my own words, and more") == true)
    #expect(try program.run(["import", vault.path]).output == "added 0, skipped 3, failed 0\n")
  }

  @Test("a vault is a directory, and is not printed")
  func targets() throws {
    #expect(try program.run(["export", "--format", "obsidian"]).code == 64)
    try Data().write(to: vault)
    #expect(try export().code != 0)
    #expect(try Data(contentsOf: vault).isEmpty)
  }

  @Test("an export that is cut off is finished by the next one")
  func cut() throws {
    for index in 0..<40 {
      _ = try program.run(["add", "Entry \(index)", "--date", "2026-03-01 10:00"])
    }
    for delay in ["0.01", "0.02", "0.04"] {
      _ = try program.shell(
        "timeout -s KILL \(delay) \(Program.binary.path) export --format obsidian -o '\(vault.path)'"
      )
    }
    let result = try export()
    #expect(result.code == 0 && result.errors == "")
    #expect(try files().count == 43)
    #expect(try files().keys.allSatisfy { $0.hasSuffix(".md") })
  }
}
