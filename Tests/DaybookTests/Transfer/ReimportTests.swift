import Foundation
import Testing

/// Imports of files that were changed since they were imported or exported.
@Suite(.waiting)
struct ReimportTests {
  private let program: Program

  init() throws { program = try Program() }

  private func path(_ name: String) -> String { "\(program.home.path)/\(name)" }

  private func write(_ text: String, to name: String) throws {
    let url = program.home.appending(path: name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  private func replace(_ old: String, by new: String, in name: String) throws {
    let url = program.home.appending(path: name)
    let text = try String(contentsOf: url, encoding: .utf8)
    #expect(text.contains(old), "\(name): \(text)")
    try Data(text.replacing(old, with: new).utf8).write(to: url)
  }

  private func text(_ number: Int) throws -> String {
    let shown = try program.run(["show", "\(number)"]).output
    return shown.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).last
      .map(String.init)?.trimmingCharacters(in: .newlines) ?? ""
  }

  private func importing(_ words: String...) throws -> String {
    let result = try program.run(["import"] + words)
    #expect(result.code == 0, "\(result.errors)")
    return result.output.trimmingCharacters(in: .newlines)
  }

  /// The formats whose records have the identities of their entries, with the names of their exports.
  private static let formats: [(format: String, name: String)] = [
    ("json", "a.json"), ("jsonl", "a.jsonl"), ("csv", "a.csv"), ("markdown", "a.md"),
    ("markdown", "notes/"), ("obsidian", "vault"), ("org", "a.org"), ("dayone", "a.zip"),
  ]

  @Test(
    "a record that changed updates its entry, in every format with identities", arguments: formats)
  func everyFormat(format: String, name: String) throws {
    for (index, words) in ["Soup with leek", "Walk home"].enumerated() {
      let text = "Title \(index)\n\(words) today"
      _ = try program.run(["add", text, "--date", "2026-01-0\(index + 1) 10:00"])
    }
    let exported = try program.run(["export", "--format", format, "-o", path(name)])
    #expect(exported.code == 0, "\(exported.errors)")
    #expect(try importing(path(name)) == "added 0, skipped 2, failed 0")
    let changed: String
    switch format {
    case "dayone":
      let json = try program.shell("unzip -p '\(path(name))' Journal.json").output
      changed = "b.json"
      try write(json.replacing("leek", with: "leek and cream"), to: changed)
    case "obsidian":
      changed = name
      try replace("leek", by: "leek and cream", in: "vault/2026/Title 0.md")
    case "markdown" where name.hasSuffix("/"):
      changed = name
      try replace("leek", by: "leek and cream", in: "notes/2026-01-01.md")
    default:
      changed = name
      try replace("leek", by: "leek and cream", in: name)
    }
    let dry = try program.run(["import", "--dry-run", path(changed)])
    #expect(dry.output.hasPrefix("would add 0, update 1, skip 1, fail 0"), "\(dry.output)")
    #expect(dry.errors.contains("changed in the file, and updated here: 1 entry (\"Title 0\")"))
    #expect(try importing(path(changed)) == "added 0, updated 1, skipped 1, failed 0")
    #expect(try text(1) == "Title 0\nSoup with leek and cream today")
    #expect(try importing(path(changed)) == "added 0, skipped 2, failed 0")
    // The old state is one of the entry, and says nothing new.
    _ = try program.run(["undo"])
    #expect(try text(1) == "Title 0\nSoup with leek today")
    #expect(try importing(path(changed)) == "added 0, updated 1, skipped 1, failed 0")
  }

  @Test("what the journal has itself since the export stays, and old exports change nothing")
  func oldExports() throws {
    _ = try program.run(["add", "One two three", "--date", "2026-01-01 10:00"])
    for (format, name) in Self.formats {
      #expect(try program.run(["export", "--format", format, "-o", path(name)]).code == 0)
    }
    _ = try program.run(["edit", "1", "One two three four"])
    _ = try program.run(["star", "1"])
    for (format, name) in Self.formats {
      #expect(try importing(path(name)) == "added 0, skipped 1, failed 0", "\(format)")
    }
    #expect(try text(1) == "One two three four")
    #expect(try program.run(["list", "is:starred"]).output.contains("One two"))
  }

  @Test("changes here and in the vault are merged, and the same words are kept twice")
  func vault() throws {
    for (index, text) in ["Both\none two three", "Clash\nword", "Gone\nhere"].enumerated() {
      _ = try program.run(["add", text, "--date", "2026-01-0\(index + 1) 10:00"])
    }
    let vault = path("vault")
    #expect(try program.run(["export", "--format", "obsidian", "-o", vault]).code == 0)
    try replace("one two", by: "ONE two", in: "vault/2026/Both.md")
    try replace("\nword", by: "\nwort", in: "vault/2026/Clash.md")
    try replace("\ncreated", by: "\nmood: good\ncreated", in: "vault/2026/Gone.md")
    _ = try program.run(["edit", "1", "Both\none two three four"])
    _ = try program.run(["edit", "2", "Clash\nmot"])
    _ = try program.run(["delete", "3"])

    // Nothing that the journal has not seen is replaced.
    let forced = try program.run(["export", "--format", "obsidian", "--force", "-o", vault])
    #expect(forced.code == 1)
    #expect(
      forced.errors.contains(
        "left 3 files with changes that are not in the journal: 2026/Both.md, 2026/Clash.md, "
          + "2026/Gone.md; daybook import"))
    try replace("\nwort", by: "\nwort", in: "vault/2026/Clash.md")

    let result = try program.run(["import", vault])
    #expect(result.output == "added 0, updated 2, conflicts 1, skipped 0, failed 0\n")
    #expect(result.errors.contains("changed in the file and here, and merged: 1 entry (\"Both\")"))
    #expect(result.errors.contains("in the same words; is:conflict finds both texts: 1 entry"))
    #expect(
      result.errors.contains("changed in the file, and in the trash here: 1 entry (\"Gone\")"))
    #expect(try text(1) == "Both\nONE two three four")
    #expect(try text(2) == "Clash\nmot")
    #expect(try program.run(["list", "is:conflict"]).output.contains("Clash"))
    #expect(try program.run(["list", "is:deleted"]).output.contains("Gone"))
    #expect(try importing(vault) == "added 0, skipped 3, failed 0")

    // Now they are in the journal.
    _ = try program.run(["export", "--format", "obsidian", "--force", "-o", vault])
    try replace("ONE two three four", by: "ONE two three four", in: "vault/2026/Both.md")
    #expect(try importing(vault) == "added 0, skipped 2, failed 0")
  }

  @Test("a directory of days is replaced but for files with words that the journal never had")
  func days() throws {
    for day in 1...3 {
      _ = try program.run(["add", "Title \(day)\nwords", "--date", "2026-01-0\(day) 10:00"])
    }
    let notes = path("notes/")
    #expect(try program.run(["export", "-o", notes]).code == 0)
    try replace("words", by: "my words", in: "notes/2026-01-01.md")
    try write("# Mine\n", to: "notes/2026-01-02.md")
    _ = try program.run(["edit", "3", "Title 3\nwords and more"])
    let forced = try program.run(["export", "--force", "-o", notes])
    // The export is not complete.
    #expect(forced.code == 1)
    #expect(
      forced.errors.contains(
        "left 2 files with changes that are not in the journal: 2026-01-01.md, 2026-01-02.md; "))
    try replace("my words", by: "my words", in: "notes/2026-01-01.md")
    try replace("# Mine", by: "# Mine", in: "notes/2026-01-02.md")
    try replace("and more", by: "and more", in: "notes/2026-01-03.md")
    #expect(try importing(notes) == "added 1, updated 1, skipped 1, failed 0")
    #expect(try program.run(["export", "--force", "-o", notes]).errors == "")
    #expect(try importing(notes) == "added 0, skipped 4, failed 0")
  }

  @Test("a changed copy of a note of the vault is an entry of its own")
  func copy() throws {
    _ = try program.run(["add", "Soup\nwith leek", "--date", "2026-01-01 10:00"])
    #expect(
      try program.run(["export", "--format", "obsidian", "-o", path("vault")]).code == 0)
    let note = try String(contentsOfFile: path("vault/2026/Soup.md"), encoding: .utf8)
    try write(note.replacing("leek", with: "beans"), to: "vault/2026/Soup.md copy.md")
    #expect(try importing(path("vault")) == "added 1, skipped 1, failed 0")
    #expect(try importing(path("vault")) == "added 0, skipped 2, failed 0")
  }

  @Test("a changed note of a folder without identities updates its entry")
  func folder() throws {
    try write("Walked to the lake.\nIt rained a little.\n", to: "n/2026-01-01.md")
    try write("---\ndate: 2026-01-01\n---\nWith Anna at the station.\n", to: "n/Meeting.md")
    try write("---\ndate: 2026-01-01\n---\nWith Bert at the station.\n", to: "n/Talk.md")
    #expect(try importing(path("n")) == "added 3, skipped 0, failed 0")
    try write(
      "Walked to the lake.\nIt rained a little.\nIn the evening we cooked.\n", to: "n/2026-01-01.md"
    )
    try write("---\ndate: 2026-01-01\n---\nWith Bert at the station, late.\n", to: "n/Talk.md")
    try write("---\ndate: 2026-01-01\n---\nSomething else altogether\n", to: "n/New.md")
    let dry = try program.run(["import", "--dry-run", path("n")]).output
    #expect(dry.hasPrefix("would add 1, update 2, skip 1, fail 0"), "\(dry)")
    #expect(try importing(path("n")) == "added 1, updated 2, skipped 1, failed 0")
    #expect(try importing(path("n")) == "added 0, skipped 4, failed 0")
    #expect(try program.run(["list"]).output.contains("Meeting"))
    let all = try program.run(["export"]).output
    #expect(all.contains("In the evening") && all.contains("station, late"))
    #expect(all.components(separatedBy: "\"text\"").count == 5)
  }

  private static let ofTheDay = "Woke up early\nMood: fine\nWeather: cold and dry\nCoffee at eight"

  @Test("a note with another name or title is another entry, whatever its words are")
  func names() throws {
    let notes = [
      ("2024-01-05 One.md", "2024-01-05 Two.md", ""),
      ("Meeting with Anna.md", "Meeting with Bert.md", "---\ncreated: 2024-01-06T10:00\n---\n"),
      ("a.md", "b.md", "---\ndate: 2024-01-07\ntitle: NAME\n---\n"),
    ]
    for (index, (name, other, matter)) in notes.enumerated() {
      for (name, words) in [(name, "Kissed Anna"), (other, "Fired Bob")] {
        try write(
          "\(matter.replacing("NAME", with: name))\(Self.ofTheDay)\n\(words)\n",
          to: "\(index)/\(words)/\(name)")
        let result = try importing(path("\(index)/\(words)"))
        #expect(result == "added 1, skipped 0, failed 0", "\(name)")
      }
    }
  }

  @Test("a note that was renamed is the same one, and a copy or a note of the same words is not")
  func renamed() throws {
    func note(_ words: String) -> String { "---\ncreated: 2024-01-06T10:00\n---\n\(words)\n" }
    try write(note("We talked"), to: "n/Talk.md")
    #expect(try importing(path("n")) == "added 1, skipped 0, failed 0")
    func rename(_ name: String, _ new: String) throws {
      try FileManager.default.moveItem(atPath: path("n/\(name)"), toPath: path("n/\(new)"))
    }
    try rename("Talk.md", "Chat.md")
    let dry = try program.run(["import", "--dry-run", path("n")]).output
    #expect(dry.hasPrefix("would add 0, update 1, skip 0"), "\(dry)")
    #expect(try importing(path("n")) == "added 0, updated 1, skipped 0, failed 0")
    #expect(try text(1) == "Chat\n\nWe talked")
    #expect(try importing(path("n")) == "added 0, skipped 1, failed 0")
    // Again, also from what it was called before.
    try rename("Chat.md", "Meeting.md")
    #expect(try importing(path("n")) == "added 0, updated 1, skipped 0, failed 0")
    // Another note from one template, beside it and in another directory.
    try write(note("We talked"), to: "n/Other.md")
    #expect(try importing(path("n")) == "added 1, skipped 1, failed 0")
    try write(note("We talked"), to: "m/Third.md")
    #expect(try importing(path("m")) == "added 1, skipped 0, failed 0")
    #expect(try text(1) == "Meeting\n\nWe talked")
  }

  @Test("a note of the same name without some lines of its entry keeps both texts")
  func otherFolder() throws {
    try write("\(Self.ofTheDay)\nKissed Anna\n", to: "private/2024-01-05.md")
    try write("\(Self.ofTheDay)\nFired Bob\n", to: "work/2024-01-05.md")
    #expect(try importing(path("private")) == "added 1, skipped 0, failed 0")
    let dry = try program.run(["import", "--dry-run", path("work")]).output
    #expect(dry.hasPrefix("would add 0, keep both texts of 1, skip 0, fail 0"), "\(dry)")
    let result = try program.run(["import", path("work")])
    #expect(result.output == "added 0, conflicts 1, skipped 0, failed 0\n")
    #expect(result.errors.contains("like an entry of its day, without some of its lines"))
    #expect(try importing(path("work")) == "added 0, skipped 1, failed 0")
    #expect(try importing(path("private")) == "added 0, skipped 1, failed 0")
    #expect(try text(1).contains("Kissed Anna"))
    #expect(try program.run(["list", "is:conflict"]).output.contains("Woke up early"))
    // A word that is written otherwise, and new lines, are changes of the same note.
    try write("\(Self.ofTheDay)!\nKissed Anna again\nSlept\n", to: "private/2024-01-05.md")
    #expect(try importing(path("private")).hasPrefix("added 0, updated 1"))
    #expect(try text(1).hasSuffix("again\nSlept"))
    // Half of a line is no line.
    let words = (1...30).map { "word\($0)" }.joined(separator: " ")
    try write("\(words)\nMood: good\nAte: soup\n", to: "w/2024-02-05.md")
    try write("\(words)\nMood: bad\nAte: bread\n", to: "h/2024-02-05.md")
    #expect(try importing(path("w")) == "added 1, skipped 0, failed 0")
    #expect(try importing(path("h")) == "added 0, conflicts 1, skipped 0, failed 0")
    #expect(try text(2).contains("Ate: soup"))
  }

  @Test("a changed note whose entry is in the trash stays there, and another one does not go there")
  func trashed() throws {
    try write("\(Self.ofTheDay)\n", to: "n/2024-01-05.md")
    #expect(try importing(path("n")) == "added 1, skipped 0, failed 0")
    _ = try program.run(["delete", "1"])
    try write("\(Self.ofTheDay)\nSlept\n", to: "n/2024-01-05.md")
    let dry = try program.run(["import", "--dry-run", path("n")])
    #expect(dry.output.hasPrefix("would add 0, update 1, skip 0"), "\(dry)")
    #expect(try importing(path("n")) == "added 0, updated 1, skipped 0, failed 0")
    #expect(try program.run(["list", "is:deleted"]).output.contains("Woke up early"))
    #expect(try importing(path("n")) == "added 0, skipped 1, failed 0")
    let other = Self.ofTheDay.replacing("Coffee at eight", with: "Tea with Bob")
    try write("\(other)\nSlept\n", to: "m/2024-01-05.md")
    #expect(try importing(path("m")) == "added 1, skipped 0, failed 0")
  }

  @Test(
    "a record with an instant and no identity updates its entry, and one of another journal does not"
  )
  func instants() throws {
    func enex(_ words: String) -> String {
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <en-export><note><title>Sea</title><created>20240105T230017Z</created>
      <content><![CDATA[<en-note><div>\(words)</div></en-note>]]></content></note></en-export>
      """
    }
    try write(enex("We walked to the lake and back"), to: "a.enex")
    #expect(try importing(path("a.enex")) == "added 1, skipped 0, failed 0")
    try write(enex("We walked to the lake and back, and swam"), to: "a.enex")
    #expect(try importing(path("a.enex")) == "added 0, updated 1, skipped 0, failed 0")
    try write(enex("Something else"), to: "a.enex")
    #expect(try importing(path("a.enex")) == "added 1, skipped 0, failed 0")
    #expect(try importing(path("a.enex")) == "added 0, skipped 1, failed 0")
    // The template of a day says nothing of whose day it is.
    let template = "## Morning\n## Evening\n"
    try write("\(template)Work was long, the report is done\n", to: "work/2024-02-01.md")
    try write("\(template)At home we cooked soup\n", to: "home/2024-02-01.md")
    #expect(try importing(path("work")) == "added 1, skipped 0, failed 0")
    #expect(try importing(path("home")) == "added 1, skipped 0, failed 0")
  }

  @Test("pictures come to the notes of Evernote that an earlier import left without them")
  func pictures() throws {
    let png =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    let digest = "cf30bd4a51b3dbd5ba9a2e9f8bd3a0c9"
    func enex(_ data: String) -> String {
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <en-export><note><title>Sea</title><created>20240105T230000Z</created>
      <content><![CDATA[<en-note><div>Walked</div></en-note>]]></content>
      <resource>\(data)<mime>image/png</mime><resource-attributes><file-name>pic.png</file-name>
      </resource-attributes></resource></note></en-export>
      """
    }
    // A journal in a JSON file takes no files, as the builds before files did.
    let other = path("texts.json")
    let data = "<data encoding=\"base64\">\(png)</data>"
    try write(enex(data), to: "a.enex")
    _ = digest
    #expect(
      try program.run(["--journal", other, "import", path("a.enex")]).output
        == "added 1, skipped 0, failed 0\n")
    #expect(try importing(other) == "added 1, skipped 0, failed 0")
    #expect(try text(1).contains("![](pic.png)"))
    #expect(try importing(path("a.enex")) == "added 0 with 1 file, updated 1, skipped 0, failed 0")
    #expect(try text(1).contains("![](file:"))
    #expect(try importing(path("a.enex")) == "added 0, skipped 1, failed 0")
  }

  @Test("of two states of an entry in one file of Daybook the later one counts, in a dry run, too")
  func twoStates() throws {
    let uuid = "01890a5d-ac96-774b-bcce-b302099a8057"
    let lines = ["one", "one two", "one two"].enumerated().map {
      "{\"uuid\":\"\(uuid)\",\"created\":\"2024-01-05T10:00:00+01:00\",\"text\":\"\($1)\","
        + "\"modified\":\"2024-01-05T10:0\(min($0, 1)):00+01:00\"}"
    }
    try write(lines.joined(separator: "\n"), to: "a.jsonl")
    let dry = try program.run(["import", "--dry-run", path("a.jsonl")]).output
    #expect(dry.hasPrefix("would add 1, update 1, skip 1, fail 0"), "\(dry)")
    #expect(try importing(path("a.jsonl")) == "added 1, updated 1, skipped 1, failed 0")
    #expect(try text(1) == "one two")
    #expect(try importing(path("a.jsonl")) == "added 0, skipped 3, failed 0")
  }

  @Test("fields that an import leaves out now stay where an earlier one made them")
  func fields() throws {
    let day = """
      {"metadata": {"version": "1.0"}, "entries": [{"uuid": "0A1B2C3D4E5F60718293A4B5C6D7E8F9",
      "creationDate": "2024-01-05T10:00:00Z", "timeZone": "GMT", "text": "Walk",
      "weather": {"conditionsDescription": "Clear"}}]}
      """
    try write(day, to: "a.json")
    #expect(try importing(path("a.json")) == "added 1, skipped 0, failed 0")
    #expect(try importing("--drop-fields", path("a.json")) == "added 0, skipped 1, failed 0")
    #expect(try text(1).contains("weather:: Clear"))
    try write(day.replacing("Walk", with: "Walk home"), to: "a.json")
    #expect(
      try importing("--drop-fields", path("a.json")) == "added 0, updated 1, skipped 0, failed 0")
    #expect(try text(1) == "Walk home\n\nweather:: Clear")
  }
}
