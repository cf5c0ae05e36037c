import Foundation
import Testing

@testable import daybook

/// Templates on the command line and for the key `A`.
@Suite(.waiting)
struct TemplateCommandTests {
  private let program: Program

  init() throws {
    program = try Program()
    try write("templates/daily.md", "# {weekday}\n{open}\n{cursor}\n-- {year}\n")
    try write("templates/week.md", "Week {week} {dat}\n")
  }

  private func write(_ name: String, _ text: String) throws {
    let file = program.home.appending(path: ".config/daybook/\(name)")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  private func texts() throws -> [String] {
    let output = try program.run(["list", "--sort", "oldest", "--format", "jsonl"]).output
    return try output.split(separator: "\n").map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return object?["text"] as? String ?? ""
    }
  }

  @Test("a text stands at the cursor or behind, with the day that the entry gets")
  func add() throws {
    let date = ["--date", "2026-11-20 09:15"]
    let first = try program.run(["add", "--template", "daily"] + date + ["- [ ] bread"])
    #expect(first.code == 0 && first.errors == "")
    let second = try program.run(
      ["add", "--template", "week"] + date, input: Array("piped\n".utf8))
    #expect(
      second.errors.contains("templates/week.md:1: unknown {dat}, did you mean {date}?")
    )
    _ = try program.run(["add", "--template", "daily", "--date", "2026-11-21 09:15", "more"])
    #expect(
      try texts() == [
        "# Friday\n- [ ] bread\n-- 2026", "Week 47 {dat}\npiped",
        "# Saturday\n- [ ] bread\nmore\n-- 2026",
      ])
    #expect(try program.run(["add", "--template", "", "plain"]).code == 0)
    #expect(try program.run(["add", "--template", "daily"], input: []).code == 1)
  }

  @Test("a name that is none ends with 66 and names the nearest, or where it could be")
  func missing() throws {
    let near = try program.run(["add", "--template", "dayly", "x"])
    #expect(near.code == 66 && near.errors.contains("did you mean \"daily\"?"))
    let far = try program.run(["add", "--template", "qqqqqq", "x"])
    #expect(far.code == 66 && far.errors.contains(".config/daybook/templates/qqqqqq.md"))
    #expect(try program.run(["add", "--template", "../config", "x"]).code == 66)
    #expect(try texts() == [])
  }

  @Test("A opens the usual template of journal and weekday, and saves nothing that is unchanged")
  func editor() throws {
    let all = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    let days = all.map { "\($0) = \"week\"" }.joined(separator: "\n")
    let other = program.home.appending(path: "other.sqlite").path
    try write(
      "config.toml",
      "[templates]\ndefault = \"daily\"\n\(days)\n[templates.\"~/other.sqlite\"]\ndefault = \"daily\"\n"
    )
    let unchanged = try program.run([], input: Array("A".utf8), extra: ["EDITOR": "sleep 1.1; :"])
    #expect(unchanged.output.contains("unchanged; nothing saved"))
    #expect(try texts() == [])
    let saved = try program.run(
      [], input: Array("A".utf8), extra: ["EDITOR": "sh -c 'echo more >> $0'"])
    let text = try texts().first ?? ""
    #expect(text.hasPrefix("Week ") && text.hasSuffix("{dat}\nmore"))
    #expect(saved.output.contains("added entry 1; templates/week.md:1: unknown {dat}"))
    _ = try program.run(
      ["--journal", other], input: Array("A".utf8), extra: ["EDITOR": "sh -c 'echo more >> $0'"])
    #expect(try program.run(["--journal", other, "show", "1"]).output.contains("# "))
    _ = try program.run(
      [], input: Array(":add --template daily\r".utf8), extra: ["EDITOR": "sh -c 'echo x >> $0'"])
    #expect(try texts().last?.hasSuffix("\nx") == true)
    #expect(
      try program.run([], input: Array(":add --template dayly\r".utf8)).output.contains("daily"))
  }

  @Test("a usual template that is not there is warned of, and keeps nobody from writing")
  func missingDefault() throws {
    try write("config.toml", "[templates]\ndefault = \"gone\"\n")
    let result = try program.run(
      [], input: Array("A".utf8), extra: ["EDITOR": "sh -c 'echo x >> $0'"])
    #expect(try texts() == ["x"])
    #expect(result.output.contains("config.toml:2: no template \"gone\""))
    let shown = try program.run(["config", "show"]).output
    #expect(shown.contains("default = \"gone\"  # config.toml:2; there is no templates/gone.md"))
    #expect(shown.contains("/templates: daily, week"))
  }

  @Test("an editor that is known to take a line opens on that of the cursor")
  func line() {
    #expect(EditorProcess.command("vim", line: 3) == "vim +3")
    #expect(EditorProcess.command("/usr/bin/nano -w", line: 1) == "/usr/bin/nano -w +1")
    #expect(EditorProcess.command("code --wait", line: 3) == "code --wait")
    #expect(EditorProcess.command("vim", line: nil) == "vim")
  }

  @Test("wrong lines are named with the nearest word, and all others hold")
  func configuration() throws {
    let read = try Configuration.reading(
      """
      [templates]
      defalt = "a"
      monday = 3
      sunday = "week"
      [templates."work.sqlite"]
      default = "x"
      [templates."/a/b.sqlite"]
      friday = ""
      """)
    #expect(
      read.messages == [
        "config.toml:2: [templates]: unknown key \"defalt\", did you mean \"default\"?",
        "config.toml:3: templates.monday must be the name of a template, or \"\" for none",
        "config.toml:6: [templates.work.sqlite]: a journal is a path that begins with / or ~/, in quotes",
      ])
    let settings = read.settings
    #expect(settings.templateRule(weekday: 7) { _ in false }?.name == "week")
    #expect(settings.templateRule(weekday: 5) { $0 == "/a/b.sqlite" }?.name == "")
    #expect(settings.templateRule(weekday: 5) { _ in false } == nil)
  }
}
