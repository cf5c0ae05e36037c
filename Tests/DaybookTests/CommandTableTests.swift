import Foundation
import Testing

@testable import daybook

/// Every command over every kind of journal ends with the code that the contract names.
@Suite(.waiting)
struct CommandTableTests {
  /// A command line and its exit codes.
  struct Row: CustomTestStringConvertible {
    var words: [String]
    /// Over a file with two entries and one in the trash.
    var file: Int32
    /// Over a memory journal, which is empty.
    var memory: Int32

    init(_ line: String, _ file: Int32, _ memory: Int32? = nil) {
      words = line.split(separator: " ").map(String.init)
      self.file = file
      self.memory = memory ?? file
    }

    var testDescription: String { words.joined(separator: " ") }
  }

  static let rows: [Row] = [
    Row("add x", 0), Row("add", 1), Row("add --date nonsense x", 65), Row("add --tag a,b x", 64),
    Row("add --frob", 64), Row("list", 0), Row("list --limit 1", 0), Row("list --limit=-1", 64),
    Row("list --limit -1", 64), Row("list --limit x", 64), Row("list sinse:x", 64),
    Row("list nothing", 0), Row("list --format xml", 64), Row("watch --limit -1", 64),
    Row("show 1", 0, 1), Row("show 99", 1), Row("show", 64), Row("show abc", 1),
    Row("list --at today", 0, 1), Row("list --at nonsense", 65), Row("list --at 2001", 1),
    Row("list --at 9999", 65), Row("show 1 --at today", 0, 1), Row("export --at 2001", 1),
    Row("stats --at today", 0, 1), Row("tags --at today", 0, 1),
    Row("tags --rename a b --at today", 64),
    Row("stats --format short --at today", 64),
    Row("edit 1 new", 0, 1), Row("edit 99 x", 1), Row("edit", 64), Row("delete 1", 0, 1),
    Row("delete 3", 1), Row("delete 99", 1), Row("delete --where two", 0, 1),
    Row("delete --where nothing", 1), Row("delete 1 --where x", 64), Row("restore 3", 0, 1),
    Row("restore 1", 1), Row("star 1", 0, 1), Row("unstar 1", 1), Row("tag 1 --tag new", 0, 1),
    Row("tag 1 --tag home", 1), Row("tag 1", 64), Row("untag 1 --tag home", 0, 1),
    Row("untag 1 --tag none", 1), Row("redate 1 --date yesterday", 0, 1), Row("redate 1", 64),
    Row("purge --yes", 0, 1), Row("purge", 1), Row("purge --older 1y --yes", 1),
    Row("purge --older -3d --yes", 65), Row("redate 1 --date -3d", 65),
    Row("history 1 --restore -1", 1), Row("tag 1 --tag -x", 64), Row("list --offset -2", 64),
    Row("undo", 0, 1), Row("undo 1", 0, 1), Row("undo 99", 1, 1), Row("undo x", 64), Row("redo", 1),
    Row("changes", 0), Row("changes --json -n 2", 0), Row("changes -n 0", 64),
    Row("history 1", 0, 1), Row("history 1 --diff", 0, 1),
    Row("history 1 --restore 9", 1), Row("history 99", 1), Row("tags", 0),
    Row("links", 0), Row("links 1", 0, 1), Row("links 99", 1), Row("links 1 2", 64),
    Row("attach 1", 64), Row("attach 1 /nowhere", 66), Row("attach 1 /dev/null", 65),
    Row("attach 1 /", 65), Row("--read-only attach 1 GOOD", 77, 1),
    Row("add --attach /nowhere x", 66),
    Row("files", 0), Row("files nothing", 0), Row("files sinse:x", 64), Row("file 1", 1),
    Row("file 99", 1), Row("file 0123456789abcdef", 1), Row("file 1 0", 64),
    Row("list file:>x", 64),
    Row("list has:x", 64), Row("list file:>1M", 0),
    Row("fields", 0), Row("random", 0, 1), Row("random nothing", 1), Row("random sinse:x", 64),
    Row("random --daily --format json", 0, 1),
    Row("remind", 1), Row("remind --status", 0), Row("remind --prompt", 0),
    Row("remind --notify", 0),
    Row("remind --prompt --status", 64), Row("links --complete x y", 0),
    Row("stats --field run", 64), Row("stats --field 9", 64),
    Row("stats --by month", 64), Row("stats --field run --by tag", 64),
    Row("list --csv-field run", 64),
    Row("list --format csv --csv-field run", 0),
    Row("tags --format json", 0), Row("tags --rename home house", 0, 1),
    Row("tags --rename none x", 1), Row("tags --rename x", 64), Row("play /nowhere", 66),
    Row("play -", 0), Row("replay", 64), Row("replay GOOD", 64),
    Row("demo", 64), Row("demo /nowhere", 64), Row("config show", 0),
    Row("config nonsense", 64), Row("doctor", 0),
    Row("doctor --fix", 0), Row("doctor x", 64), Row("backup COPY", 0), Row("backup -", 64),
    Row("backup --restore NONE --yes", 66, 73), Row("screen", 0), Row("help", 0),
    Row("help list", 0), Row("--version", 0), Row("frobnicate", 64), Row("--frobnicate", 64),
    Row("--read-only add x", 77, 0), Row("--read-only list", 0), Row("--read-only delete 1", 77, 1),
    Row("--read-only undo", 77, 1), Row("--read-only doctor --fix", 77, 0),
    Row("import GOOD", 0), Row("import --dry-run GOOD", 0), Row("import BROKEN", 65),
    Row("import --strict BROKEN", 65), Row("import NONE", 66), Row("import", 64),
    Row("import --from xml GOOD", 64), Row("import --from jrnl GOOD", 65),
    Row("--read-only import GOOD", 77, 0), Row("--read-only import --dry-run GOOD", 0),
    Row("export", 0), Row("export --format csv", 0), Row("export --format xml", 64),
    Row("export sinse:x", 64), Row("export nothing", 0), Row("export --id 1", 0, 1),
    Row("export --id 99", 1), Row("export -o COPY --format json", 0),
    Row("export -o GOOD", 73), Row("export -o x.unknown", 64), Row("--read-only export", 0),
    Row("stats", 0), Row("stats --format json", 0), Row("stats --format svg", 0),
    Row("stats --format xml", 64), Row("stats --year 2026", 0), Row("stats --year 0", 64),
    Row("stats sinse:x", 64), Row("stats nothing", 0), Row("--read-only stats", 0),
    Row("add --template none", 66), Row("add --template none x", 66),
    Row("add --template daily x", 0), Row("config path", 0), Row("config keys", 0),
    Row("config themes", 0), Row("config show --format json", 0),
    Row("config show --format xml", 64), Row("config init", 0), Row("config init", 73),
    Row("config init --force", 0), Row("config show --force", 64), Row("stats --format short", 0),
    Row("stats --format short --year 2026", 64),
    Row("sync", 64), Row("sync --status", 1), Row("sync --forget", 1),
    Row("sync --remote ext::x", 64), Row("sync --status --dry-run", 64),
    Row("--read-only seal", 77), Row("unseal", 1), Row("passphrase", 1),
    Row("lock", 1), Row("unlock", 1), Row("unlock --for soon", 64),
    Row("mcp", 0), Row("mcp --write", 0), Row("mcp --filter sinse:x", 64),
    Row("mcp --write --read-only", 64), Row("export -o COPY/ --format obsidian", 0),
    Row("export --format obsidian", 64), Row("export --format pdf", 64),
  ]

  @Test("every command is in the table")
  func complete() {
    let words = Self.rows.flatMap { row in row.words.drop { $0.hasPrefix("--") }.prefix(1) }
    #expect(Set(Daybook.commandNames).subtracting(words) == [])
  }

  @Test(
    "each ends with its code, one line on standard error, and nothing there when it is done",
    arguments: ["sqlite", "json", "memory"])
  func codes(kind: String) throws {
    let program = try Program()
    let prepared = program.home.appending(path: "prepared.\(kind)")
    if kind != "memory" {
      for words in [["add", "one #home"], ["add", "two"], ["add", "three"], ["delete", "3"]] {
        try #require(program.run(["--journal", prepared.path] + words).code == 0)
      }
    }
    let files = try Self.files(in: program.home)
    for row in Self.rows {
      // A draft of the row before would cause a message.
      try? FileManager.default.removeItem(at: program.home.appending(path: ".local/state"))
      let journal = program.home.appending(path: "j.\(kind)").path
      if kind != "memory" {
        try? FileManager.default.removeItem(atPath: journal)
        try FileManager.default.copyItem(atPath: prepared.path, toPath: journal)
      }
      let copy = program.home.appending(path: "\(UUID().uuidString).\(kind)").path
      let words = row.words.map { word in
        files[word]
          ?? (["COPY", "NONE"].contains(word) ? copy : word == "COPY/" ? copy + "-vault/" : word)
      }
      let place = kind == "memory" ? ":memory:" : journal
      let result = try program.run(["--journal", place] + words)
      let code = kind == "memory" ? row.memory : row.file
      #expect(result.code == code, "\(kind) \(row.testDescription): \(result.errors)")
      let lines = result.errors.split(separator: "\n").count
      let asks = row.words == ["purge"] && code == 1 && kind != "memory"
      #expect(
        lines == (result.code == 0 ? 0 : asks ? 2 : 1), "\(row.testDescription): \(result.errors)")
    }
  }

  @Test("files are attached to entries outside the trash, and refused by a JSON journal")
  func attached() throws {
    let program = try Program()
    let file = try #require(Self.files(in: program.home)["GOOD"])
    for (kind, codes) in [("sqlite", [0, 1, 1, 0, 0]), ("json", [78, 1, 78, 78, 78])] {
      let journal = ["--journal", program.home.appending(path: "attached.\(kind)").path]
      for words in [["add", "one"], ["add", "two"], ["delete", "2"]] {
        try #require(program.run(journal + words).code == 0)
      }
      let lines = [
        ["attach", "1", file], ["attach", "99", file], ["attach", "2", file],
        ["add", "--attach", file],
        ["add", "--attach", file, "x"],
      ]
      for (words, code) in zip(lines, codes) {
        let result = try program.run(journal + words)
        #expect(result.code == code, "\(kind) \(words): \(result.errors)")
        #expect(result.errors.split(separator: "\n").count == (code == 0 ? 0 : 1), "\(words)")
      }
    }
  }

  /// The files for imports, and a template.
  private static func files(in home: URL) throws -> [String: String] {
    let templates = home.appending(path: ".config/daybook/templates")
    try FileManager.default.createDirectory(at: templates, withIntermediateDirectories: true)
    try Data("# {date}\n{cursor}\n".utf8).write(to: templates.appending(path: "daily.md"))
    let (good, broken) = (home.appending(path: "good.jsonl"), home.appending(path: "broken.jsonl"))
    try Data("{\"text\":\"new\",\"created\":\"2024-01-01\"}\n".utf8).write(to: good)
    try Data("{\"text\":\"new\"}\n".utf8).write(to: broken)
    return ["GOOD": good.path, "BROKEN": broken.path]
  }

  @Test(
    "a journal that was named and is not there ends readers with 66, and writers make it",
    arguments: ["sqlite", "json"])
  func missing(kind: String) throws {
    let program = try Program()
    for (line, code) in [
      ("list", 66), ("show 1", 66), ("tags", 66), ("links", 66), ("fields", 66), ("random", 66),
      ("files", 66), ("file 1", 66),
      ("history 1", 66),
      ("doctor", 66),
      ("backup x.\(kind)", 66), ("--read-only list", 66), ("export", 66), ("stats", 66),
      ("add x", 0), ("undo", 1), ("redo", 1),
      ("delete 1", 1), ("purge --yes", 1),
    ] as [(String, Int32)] {
      let journal = program.home.appending(path: "\(UUID().uuidString).\(kind)").path
      let words = line.split(separator: " ").map(String.init)
      #expect(try program.run(["--journal", journal] + words).code == code, "\(line)")
      #expect(FileManager.default.fileExists(atPath: journal) == (code != 66), "\(line)")
    }
  }

  @Test("what cannot be told is done all the same, and says so")
  func untold() throws {
    let program = try Program()
    let result = try program.shell("daybook add one >/dev/full; echo $?; daybook list | wc -l")
    #expect(result.output == "74\n2\n")
    #expect(result.errors.hasPrefix("daybook: entry 1 is saved, but standard output: "))
  }
}
