import Foundation
import Testing

/// Lines typed after `:` in the whole program: what they do, and that their messages are the screen's.
@Suite(.waiting)
struct CommandLineOnScreenTests {
  private let program: Program

  init() throws {
    program = try Program()
  }

  private func add(_ texts: String...) throws {
    for text in texts { _ = try program.run(["add", text]) }
  }

  /// The screen after keys that come at once.
  private func keys(_ keys: String, _ arguments: [String] = []) throws -> String {
    try program.run(arguments, input: Array(keys.utf8)).output
  }

  /// The screen after keys that come one by one, each with its own turn of the main loop.
  private func slowly(_ keys: String) throws -> String {
    let script = keys.replacing("\r", with: "<Enter>")
    return try program.run(["play", "-"], input: Array(script.utf8)).output
  }

  private func path(_ name: String) -> String { program.home.appending(path: name).path }

  // MARK: - Purging

  @Test(":purge asks on the line of the prompt, and y removes", arguments: [false, true])
  func purge(isSlow: Bool) throws {
    try add("one", "two", "three", "stays")
    _ = try program.run(["delete", "1", "2", "3"])
    let press = isSlow ? slowly : { try keys($0) }
    let refused = try press(":purge\rn")
    #expect(refused.contains("nothing removed"))
    #expect(try press(":purge\r\u{1B}").contains("nothing removed"))
    let asked = try program.run(["screen", "--frames"], input: Array(":purge\rn".utf8)).output
    let question = asked.split(separator: "\u{0C}").contains { frame in
      frame.split(separator: "\n").last
        == "Remove 3 entries for good? This cannot be undone. y/N"
    }
    #expect(question, "\(asked)")
    #expect(try program.run(["list", "is:deleted"]).output.contains("three"))
    #expect(try press(":purge\ry").contains("removed 3 entries for good"))
    #expect(try program.run(["list", "is:deleted"]).output.isEmpty)
    #expect(try program.run(["list"]).output.contains("stays"))
    #expect(try press(":purge\r").contains("nothing in the trash to remove"))
  }

  @Test("a purge removes only the entries that its question counted")
  func purgeOfWhatWasAsked() throws {
    try add("one", "two", "three")
    _ = try program.run(["delete", "1"])
    let session = try TerminalSession(program, command: Program.binary.path)
    try session.wait("the list") { $0.contains("three") }
    try session.type(":", "purge", "Enter")
    try session.wait("the question") { $0.contains("Remove 1 entry for good?") }
    _ = try program.run(["delete", "2"])
    try session.answer("y")
    try session.wait("the refusal") { $0.contains("the trash has changed") }
    #expect(try program.run(["list", "is:deleted"]).output.contains("two"))
    #expect(try program.run(["list", "is:deleted"]).output.contains("one"))
    try session.type(":", "purge", "Enter")
    try session.wait("the new question") { $0.contains("Remove 2 entries for good?") }
    try session.answer("y")
    try session.wait("the news") { $0.contains("removed 2 entries for good") }
  }

  @Test(":purge --yes does not ask, --older leaves what is younger")
  func purgeOptions() throws {
    try add("one", "two")
    _ = try program.run(["delete", "1"])
    #expect(try keys(":purge --older 1y\r").contains("nothing in the trash to remove"))
    #expect(try keys(":purge --yes\r").contains("removed 1 entry for good"))
    #expect(try program.run(["show", "1"]).code == 1)
    let wrong = try keys(":purge --older gestern\r")
    #expect(wrong.contains("\"gestern\" is not a date"))
  }

  @Test("a kept prompt is open again after the answer, and after nothing to ask")
  func purgeInKeptPrompt() throws {
    try add("one", "two")
    _ = try program.run(["delete", "1"])
    _ = try keys(":purge\rythree\r", ["--prompt"])
    #expect(try program.run(["show", "1"]).code == 1)
    #expect(try program.run(["list"]).output.contains("three"))
    _ = try keys(":purge\rfour\r", ["--prompt"])
    #expect(try program.run(["list"]).output.contains("four"))
  }

  // MARK: - Entries

  @Test("tag, untag and redate act on the selected or marked entries")
  func entries() throws {
    try add("one", "two", "three")
    #expect(try keys("gg:tag home work\r").contains("tagged entry 3"))
    #expect(try program.run(["show", "3"]).output.contains("three #home #work"))
    #expect(try keys("gg:untag home\r").contains("untagged entry 3"))
    #expect(try program.run(["show", "3"]).output.contains("three #work"))
    #expect(try keys(":tag 1 home\r").contains("tagged entry 1"))
    #expect(try keys(":untag 1 --tag home\r").contains("untagged 1 entry"))
    #expect(try keys("*:redate yesterday\r").contains("3 entries"))
    // The section of today stays, without an entry.
    #expect(try keys("").contains("nothing yet"))
    _ = try program.run(["undo"])
    #expect(try keys(":redate 2 2020-02-03\r").contains("moved entry 2 to 2020-02-03"))
    #expect(try keys("gg:tag home\ru").contains("undid the new tags"))
  }

  @Test("several numbers and queries work as in a shell, and say what was done")
  func shellForms() throws {
    try add("one", "two", "three")
    for (line, news) in [
      ("star 1 2", "starred 2 entries"),
      ("unstar --where is:starred", "unstarred 2 entries"),
      ("delete 1 2", "deleted 2 entries; u undoes it"),
      ("restore 1 2", "restored 2 entries"),
      ("tag --where two --tag home", "tagged 1 entry"), ("redate 1 --date 3d", "moved 1 entry"),
      ("tags --rename home house", "renamed the tag in 1 entry"),
      ("add --star four", "added entry 4"), ("edit 4 five", "saved entry 4"),
    ] {
      #expect(try keys(":\(line)\r").contains(" \(news)"), "\(line)")
    }
  }

  @Test("errors speak of the screen, not of the shell")
  func messages() throws {
    try add("one")
    let lines = [
      "tag 1 --tag", "redate 1 --date", "import", "export x.unknown", "export --frob", "backup",
      "theme nothing", "theme zzzzzzzz", "set theme zzzzzz", "history 1 --restore", "doctor 1",
      "config nonsense", "tags --rename a", "list --sort sideways", "delete 7 8", "show 77",
      "delete 77", "edit 77", "history 77", "tag 77 home", "stats --format xml", "star --where",
      "import /nowhere --from nothing", "add --date gestern x", "purge --older never",
    ]
    for line in lines {
      let screen = try keys(":\(line)\r")
      for word in ["--help", "daybook:", "daybook config", "see daybook", "Missing", "Unknown"] {
        #expect(!screen.contains(word), "\(line): \(screen)")
      }
    }
    #expect(try keys(":tag 1 --tag\r").contains("tag: missing value for '--tag <tag>'"))
    #expect(try keys(":theme zzzzzzzz\r").contains("; use auto, calm, light"))
    _ = try program.run(["delete", "1"])
    #expect(
      try keys(":edit 1 new\r").contains(" entry 1 is in the trash; :restore 1 restores it"))
    for line in ["delete 77", "show 77", "edit 77", "history 77", "tag 77 home", "star 77"] {
      #expect(try keys(":\(line)\r").contains(" no entry has the number 77"), "\(line)")
    }
  }

  @Test("nothing to undo, and an entry that is not there, are said without a path")
  func withoutPath() throws {
    #expect(try keys("u").contains("\n nothing to undo"))
    #expect(try keys(":redo\r").contains("\n nothing to redo"))
    for (words, message) in [
      (["undo"], "nothing to undo"), (["redo"], "nothing to redo"),
      (["show", "99999"], "no entry has the number 99999"),
      (["delete", "99999"], "no entry has the number 99999"),
    ] {
      let result = try program.run(words)
      #expect(result.code == 1)
      #expect(result.errors == "daybook: \(message)\n")
    }
  }

  // MARK: - News

  @Test("an export says how many entries went where, and whether it replaced a file")
  func export() throws {
    try add("one #a", "two", "three")
    let file = path("out.md")
    #expect(try keys(":export \(file)\r").contains(" exported 3 entries to ~/out.md"))
    #expect(try keys(":export \(file) #a\r").contains("exists"))
    #expect(try keys(":export \(file) #a --force\r").contains(" replaced ~/out.md with 1 entry"))
    #expect(try keys(":export \(file).jsonl --force\r").contains(" exported 3 entries to"))
    #expect(try keys("gg V:export \(path("marked.json"))\r").contains("exported"))
    #expect(try keys(":export \(path("days"))/\r").contains(" exported 3 entries to ~/days/"))
    #expect(try program.run(["export", "-o", path("shell.json")]).output.isEmpty)
  }

  @Test("what one line tells goes to the status line, more of it on a page with a heading")
  func pages() throws {
    try add("one")
    let good = program.home.appending(path: "good.jsonl")
    let record = "{\"text\":\"new\",\"created\":\"2024-01-01\"}\n"
    try Data((record + record.replacing("new", with: "newer")).utf8).write(to: good)
    let shown = try keys(":import \(good.path)\r")
    #expect(
      shown.contains(":import \(good.path.prefix(40))"))
    #expect(shown.contains("\nall on Monday 1 January 2024\n2024  2 entries\n"))
    #expect(shown.contains("\nwould add 2, skip 0, fail 0; Enter imports, q leaves\n"))
    #expect(try !keys(":import \(good.path)\rq:list\r").contains("newer"))
    #expect(try keys(":import \(good.path)\r\r").contains("\n added 2, skipped 0, failed 0"))
    #expect(try keys(":import \(good.path)\r").contains("\n would add 0, skip 2, fail 0"))
    let broken = program.home.appending(path: "broken.jsonl")
    try Data("{\"text\":\"new\"}\n".utf8).write(to: broken)
    let page = try keys(":import \(broken.path)\r")
    #expect(page.contains(":import \(broken.path.prefix(40))"))
    #expect(page.filter { !$0.isWhitespace }.contains("broken.jsonl:1:entryhasno"))
    #expect(page.contains("would add 0, skip 0, fail 1"))
    #expect(
      try keys(":backup \(path("copy.sqlite"))\r").contains(" copied the journal to ~/copy.sqlite"))
    #expect(try keys(":doctor\r").contains("\n sound: 3 entries"))
    #expect(try keys(":list --sort title\r").contains(" :list --sort title "))
    #expect(try keys(":list --sort title -- nothing\r").contains("\n no entries match"))
    #expect(try keys("gg:history\r").contains("Version 1 of 1"))
    #expect(try keys(":history 1\r").contains("Version 1 of 1"))
    #expect(try keys("G:history --diff\r").contains(" :history --diff "))
  }

  @Test(
    "a backup is put back after a question, and the journal is open again",
    arguments: [false, true])
  func restore(isSlow: Bool) throws {
    try add("one")
    let copy = path("copy.sqlite")
    _ = try program.run(["backup", copy])
    try add("two")
    let press = isSlow ? slowly : { try keys($0) }
    #expect(try press(":backup --restore \(copy)\rn").contains(" nothing restored"))
    let screen = try press(":backup --restore \(copy)\ryathree\r")
    #expect(screen.contains("three") && screen.contains("one") && !screen.contains("two"))
    #expect(try program.run(["list"]).output.contains("three"))
    #expect(
      try keys(":backup --restore \(copy)\ry").contains(" 1 entry restored; the previous journal"))
  }

  @Test(":set KEY? says what config show says")
  func settings() throws {
    let shown = try program.run(["config", "show"]).output
    #expect(shown.contains("editor = \"vi\""))
    #expect(try keys(":set editor?\r").contains("\n editor = \"vi\""))
    let input = Array(":set editor?\r".utf8)
    let vim = try program.run([], input: input, extra: ["EDITOR": "vim -n"]).output
    #expect(vim.contains("\n editor = \"vim -n\", from EDITOR"))
    #expect(try keys(":set purge_after?\r").contains("\n purge_after is not set"))
    #expect(try keys(":set journal?\r").contains("\n journal = \"\(program.home.path)/"))
    let config = program.home.appending(path: ".config/daybook")
    try FileManager.default.createDirectory(at: config, withIntermediateDirectories: true)
    try Data("editor = \"nano\"\n".utf8).write(to: config.appending(path: "config.toml"))
    #expect(
      try program.run(["config", "show"]).output.contains("editor = \"nano\"  # config.toml:1"))
    #expect(try keys(":set editor?\r").contains("\n editor = \"nano\""))
  }

  @Test("a view that was saved is there in another journal too")
  func views() throws {
    try add("one #x")
    let other = path("other.sqlite")
    let screen = try keys("f#x\r:view save two\r:open \(other)\r:view\r")
    #expect(screen.contains("\n› two  #x"))
    #expect(try keys(":open \(other)\r:view two\r").contains(" other   filter: #x "))
  }

  @Test("a number goes to a row, $ to the end, and help is help", arguments: [false, true])
  func rows(isSlow: Bool) throws {
    try add("one", "two", "three")
    let press = isSlow ? slowly : { try keys($0) }
    #expect(try press("gg:2\r").contains(" 2 of 3"))
    #expect(try press("gg:$\r").contains(" 3 of 3"))
    #expect(try press("G:1\r").contains(" 1 of 3"))
    #expect(try press(":wq\r").contains("entries are saved at once; :q quits"))
    #expect(try press(":h\r").contains("half a screen down"))
  }
}
