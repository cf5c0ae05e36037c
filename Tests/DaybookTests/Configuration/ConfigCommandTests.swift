import Foundation
import Testing

/// The configuration through the real binary: what it changes, and what is said about it.
@Suite(.waiting)
struct ConfigCommandTests {
  private let program: Program

  init() throws {
    program = try Program()
  }

  /// Writes the user's `config.toml`.
  private func configure(_ text: String) throws {
    let directory = program.home.appending(path: ".config/daybook")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: directory.appending(path: "config.toml"))
  }

  @Test("path names the file that is looked for, after XDG_CONFIG_HOME")
  func path() throws {
    let usual = try program.run(["config", "path"])
    #expect(usual.output == "\(program.home.path)/.config/daybook/config.toml\n")
    let other = try program.run(["config", "path"], extra: ["XDG_CONFIG_HOME": "/tmp/x"])
    #expect(other.output == "/tmp/x/daybook/config.toml\n")
    let none = try program.run(["config", "path"], extra: ["HOME": ""])
    #expect(none.code == 73)
  }

  @Test("show tells the default, the file, the environment and the option apart")
  func show() throws {
    try configure("mouse = false\n\n[views]\n\"my work\" = \"#work\"\n[keys]\n\"x\" = \"star\"\n")
    let result = try program.run(
      ["config", "show", "--journal", "/tmp/other.sqlite"], extra: ["EDITOR": "ed"])
    #expect(result.code == 0 && result.errors == "")
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(lines.contains { $0.hasPrefix("theme = \"auto\"  # default; ") })
    #expect(lines.contains { $0.hasPrefix("mouse = false  # config.toml:1; ") })
    #expect(lines.contains { $0.hasPrefix("editor = \"ed\"  # environment EDITOR; ") })
    #expect(
      lines.contains { $0.hasPrefix("journal = \"/tmp/other.sqlite\"  # option --journal; ") })
    #expect(lines.contains("\"my work\" = \"#work\"  # config.toml:4"))
    #expect(lines.contains("x = \"star\"  # config.toml:6"))
    let variable = try program.run(["config", "show"], extra: ["DAYBOOK_JOURNAL": "/tmp/v.json"])
    #expect(variable.output.contains("\"/tmp/v.json\"  # environment DAYBOOK_JOURNAL"))
  }

  @Test("what show prints is a configuration that means the same")
  func showRoundTrip() throws {
    let text = """
      time_format = "12h"
      date_format = "%d.%m.%Y"
      section = "month"
      [views]
      work = "#work"
      [keys]
      x = "star"
      [keys.list]
      y = "star"
      """
    try configure(text)
    let first = try program.run(["config", "show", "--format", "json"])
    try configure(try program.run(["config", "show"]).output)
    let second = try program.run(["config", "show", "--format", "json"])
    #expect(second.errors == "")
    #expect(try Self.values(first.output) == Self.values(second.output))
    #expect(try Self.values(first.output)["time_format"] == "%l:%M %p")
  }

  private static func values(_ json: String) throws -> [String: String] {
    let parsed = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: [String: Any]]
    return try #require(parsed).compactMapValues { $0["value"] as? String }
  }

  @Test("a wrong line is named on standard error, and the rest holds")
  func problems() throws {
    _ = try program.run(["add", "--date", "2026-02-03 09:15", "Slept well"])
    try configure("section = \"month\"\n\nthme = \"dark\"\n")
    let result = try program.run(["list"])
    #expect(result.code == 0)
    #expect(
      result.errors == "daybook: config.toml:3: unknown key \"thme\", did you mean \"theme\"?\n")
    #expect(result.output.hasPrefix("February 2026\n"))
  }

  @Test("a wrong line is named once for each state of the file, by config and on the screen always")
  func problemsOnce() throws {
    let first = "daybook: config.toml:1: unknown key \"thme\", did you mean \"theme\"?\n"
    try configure("thme = \"dark\"\n")
    #expect(try program.run(["--read-only", "tags"]).errors.contains(first))
    #expect(try program.run(["add", "one"]).errors == first)
    for words in [["list"], ["stats"], ["add", "two"], ["--read-only", "list"]] {
      #expect(try program.run(words).errors.isEmpty, "\(words)")
    }
    #expect(try program.run(["config", "show"]).errors == first)
    #expect(try program.run(["config", "show"]).errors == first)
    #expect(try program.run([], input: []).output.contains("did you mean \"theme\"?"))
    // A command after : reports its result, and nothing about the file.
    let input = Array(":star 1 2\r".utf8)
    #expect(try program.run([], input: input).output.contains(" starred 2 entries"))
    try configure("thme = \"dark\"\n# another state\n")
    #expect(try program.run(["list"]).errors == first)
    #expect(try program.run(["list"]).errors.isEmpty)
    try configure("theme = \"dark\"\n")
    #expect(try program.run(["list"]).errors.isEmpty)
  }

  @Test("the screen tells it in the status line")
  func screenTells() throws {
    try configure("thme = \"dark\"\n")
    let result = try program.run([], input: Array("q".utf8))
    #expect(result.output.contains(" config.toml:1: unknown key \"thme\", did you mean \"theme\"?"))
    #expect(result.errors == "")
  }

  @Test("keys of the file work on the screen, and its hints name them")
  func keys() throws {
    try configure("[keys]\n\"x\" = \"new-entry\"\na = \"\"\n")
    let result = try program.run([], input: Array("xFrom x\rq".utf8))
    #expect(result.output.contains("From x"))
    #expect(result.output.contains("x new"))
    #expect(try program.run(["list"]).output.contains("From x"))
  }

  @Test("formats reach the screen, list and show")
  func formats() throws {
    try configure("date_format = \"%d.%m.%Y\"\ntime_format = \"%Hh%M\"\n")
    _ = try program.run(["add", "--date", "2026-02-03 09:15", "Slept well"])
    #expect(try program.run(["list"]).output == "03.02.2026\n    1  09h15   Slept well\n")
    #expect(try program.run(["show", "1"]).output.hasPrefix("1  2026-02-03 09h15\n"))
    let screen = try program.run([], input: Array("\r".utf8)).output
    #expect(screen.contains("\n 03.02.2026, 09h15  "))
  }

  @Test("a day ends when the file says, for add and for the screen")
  func dayEnd() throws {
    // Nobody's clock is at the last minute of a day twice in a row.
    try configure("day_ends_at = \"23:59\"\n")
    let json = try program.run(["add", "Late", "--format", "json"]).output
    let entry = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    let created = try #require(entry?["created"] as? String)
    if !created.contains("T23:59") {
      #expect(entry?["day"] as? String != String(created.prefix(10)))
    }
    _ = try program.run([], input: Array("aLater\rq".utf8))
    let days = try program.run(["list", "--format", "jsonl"]).output
      .split(separator: "\n").map { $0.split(separator: "\"day\":")[1].prefix(12) }
    if !created.contains("T23:5") { #expect(Set(days).count == 1) }
  }

  @Test("the journal of the file stands below the variable, and that below the option")
  func journal() throws {
    let path = { (name: String) in program.home.appending(path: name).path }
    try configure("journal = \"~/file.json\"\n")
    _ = try program.run(["add", "one"])
    _ = try program.run(["add", "two"], extra: ["DAYBOOK_JOURNAL": path("variable.json")])
    _ = try program.run(
      ["add", "three", "--journal", path("option.json")],
      extra: ["DAYBOOK_JOURNAL": path("variable.json")])
    for (name, text) in [("file", "one"), ("variable", "two"), ("option", "three")] {
      let listed = try program.run(["list", "--journal", path("\(name).json")]).output
      #expect(listed.hasSuffix(" \(text)\n"))
    }
    #expect(try program.run([], input: Array("q".utf8)).output.contains(" file.json"))
  }

  @Test("sort of the file holds for lists, and an option outweighs it")
  func sort() throws {
    try configure("sort = \"oldest\"\nsection = \"none\"\n")
    for (day, text) in [("2026-02-03", "a"), ("2026-02-04", "b")] {
      _ = try program.run(["add", "--date", "\(day) 09:15", text])
    }
    #expect(try program.run(["list"]).output.hasSuffix(" b\n"))
    #expect(try program.run(["list", "--sort", "newest"]).output.hasSuffix(" a\n"))
  }

  @Test("purge keeps what purge_after says")
  func purge() throws {
    try configure("purge_after = \"30d\"\n")
    _ = try program.run(["add", "one"])
    _ = try program.run(["delete", "1"])
    #expect(try program.run(["purge", "--yes"]).code == 1)
    #expect(try program.run(["restore", "1"]).code == 0)
  }

  @Test("the editor of the file comes before that of the environment")
  func editor() throws {
    try configure("editor = \"sh -c 'echo From the file > \\\"$1\\\"' sh\"\n")
    let result = try program.shell(
      "export EDITOR=false; script -qec '\(Program.binary.path) add' /dev/null </dev/null")
    #expect(result.code == 0)
    #expect(try program.run(["list"]).output.hasSuffix(" From the file\n"))
  }

  @Test("list has colours on a terminal or when they are always wanted, and else none")
  func color() throws {
    _ = try program.run(["add", "--star", "Bought bread"])
    let plain = try program.run(["list"]).output
    #expect(!plain.contains("\u{1B}"))
    let always = try program.run(["list", "--color", "always"], extra: ["NO_COLOR": "1"]).output
    #expect(always.hasPrefix("\u{1B}[1;38;5;31m"))
    let bare = always.replacing(/\u{1B}\[[0-9;]*m/, with: "")
    #expect(bare == plain)
    let script = { (options: String) in
      "script -qec '\(Program.binary.path) list \(options)' /dev/null </dev/null"
    }
    #expect(try program.shell(script("")).output.contains("\u{1B}[1;38;5;31mToday"))
    #expect(try !program.shell(script("--color never")).output.contains("\u{1B}"))
    let noColor = try program.shell("export NO_COLOR=1; " + script("")).output
    #expect(noColor.contains("\u{1B}[1mToday"))
    #expect(!noColor.contains("38;5"))
  }

  @Test("themes are listed with a sample, the one in use marked")
  func themes() throws {
    try configure("theme = \"dark\"\n[themes.mine]\nabout = \"my own\"\n")
    let lines = try program.run(["config", "themes"]).output.split(separator: "\n")
    #expect(lines.first == "  mine      my own")
    #expect(lines.contains { $0.hasPrefix("* dark      ") })
    let colored = try program.run(["config", "themes", "--color", "always"]).output
    #expect(colored.contains("\u{1B}[38;5;110;48;5;234m Today "))
  }

  @Test("an unknown subject ends with 64")
  func usage() throws {
    #expect(try program.run(["config", "shwo"]).code == 64)
  }

  @Test("the theme of the file is on the terminal, also for who has NO_COLOR set and asks for it")
  func terminal() throws {
    try configure("theme = \"dark\"\n")
    _ = try program.run(["add", "Bought bread"])
    #expect(try screen("").contains("48;5;234"))
    #expect(try !screen("NO_COLOR=1").contains("48;5;"))
    #expect(try screen("NO_COLOR=1", "--color always").contains("48;5;234"))
    #expect(try !screen("", "--color never").contains("48;5;"))
  }

  private func screen(_ variables: String, _ options: String = "") throws -> String {
    let command = "env TERM=screen-256color \(variables) \(Program.binary.path) \(options)"
    let session = try TerminalSession(program, command: command)
    try session.wait("the entry") { $0.contains("Bought bread") }
    return try session.coloredScreen()
  }
}
