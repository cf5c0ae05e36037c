import Foundation
import Testing

@testable import Screen
@testable import daybook

/// `config init` and `config edit`: the file of the configuration.
@Suite(.waiting)
struct ConfigFileTests {
  private let program: Program
  private var file: URL { program.home.appending(path: ".config/daybook/config.toml") }

  init() throws {
    program = try Program()
  }

  /// An editor that replaces the file with this text.
  private func editor(_ text: String) throws -> String {
    let (copy, script) = (program.home.appending(path: "new.toml"), "\(program.home.path)/editor")
    try Data(text.utf8).write(to: copy)
    // Written by a child: nobody can run a file that another process has open for writing.
    let made = try program.shell(
      "printf '#!/bin/sh\\ncp \(copy.path) \"$1\"\\n' >\(script); chmod 755 \(script)")
    try #require(made.code == 0)
    return script
  }

  private func mode(_ url: URL) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
  }

  @Test("every setting has a line in the example, which means the default without its sign")
  func example() throws {
    #expect(try Configuration.reading(ConfigExample.text).messages == [])
    #expect(try Configuration.reading(ConfigExample.text).settings == Settings())
    let lines = ConfigExample.text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.allSatisfy { $0.isEmpty || $0.hasPrefix("#") })
    // The settings one by one, since a table takes the lines below it.
    for key in SettingKey.all {
      let line = try #require(lines.first { $0.hasPrefix("#\(key.name) = ") }, "\(key.name)")
      let read = try Configuration.reading(String(line.dropFirst()))
      #expect(read.messages == [], "\(line)")
      #expect(read.origin(of: key.name) == .file("config.toml", line: 1), "\(line)")
      let usual = key.shown(Settings())
      #expect(usual == nil || key.shown(read.settings) == usual, "\(line)")
      #expect(usual != nil || key.shown(read.settings) != nil, "\(line)")
    }
  }

  @Test("the whole example is valid without its signs, tables included")
  func uncommented() throws {
    let lines = ConfigExample.text.split(separator: "\n", omittingEmptySubsequences: false)
    let text = lines.map { line in
      line.hasPrefix("#") && !line.hasPrefix("# ") ? line.dropFirst() : line
    }.joined(separator: "\n")
    let configuration = try Configuration.reading(text)
    #expect(configuration.messages == [])
    #expect(configuration.settings.views.count == 1 && configuration.settings.templates.count == 2)
    #expect(configuration.keyChanges.count == 3 && configuration.themes.own.count == 1)
    #expect(lines.allSatisfy { $0.count <= 100 })
  }

  @Test("init makes file and directory for their owner alone, and replaces nothing without --force")
  func initialises() throws {
    let made = try program.run(["config", "init"])
    #expect(made.code == 0 && made.output == "\(file.path)\n" && made.errors == "")
    #expect(try String(contentsOf: file, encoding: .utf8) == ConfigExample.text)
    #expect(try mode(file) == 0o600 && mode(file.deletingLastPathComponent()) == 0o700)
    #expect(try program.run(["config", "show"]).errors == "")
    try Data("theme = \"dark\"\n".utf8).write(to: file)
    let refused = try program.run(["config", "init"])
    #expect(refused.code == 73)
    #expect(refused.errors == "daybook: \(file.path): the file exists; --force replaces it\n")
    #expect(try String(contentsOf: file, encoding: .utf8) == "theme = \"dark\"\n")
    #expect(try program.run(["config", "init", "--force"]).code == 0)
    #expect(try String(contentsOf: file, encoding: .utf8) == ConfigExample.text)
    #expect(try program.run(["config", "init"], extra: ["HOME": ""]).code == 73)
  }

  @Test("edit opens the file, which it makes first, and reports wrong lines with 78")
  func edits() throws {
    let seen = program.home.appending(path: "seen").path
    let first = try program.shell("EDITOR='cp -t \(program.home.path)' daybook config edit")
    #expect(first.code == 0 && first.output == "" && first.errors == "")
    let copy = program.home.appending(path: "config.toml")
    #expect(try String(contentsOf: copy, encoding: .utf8) == ConfigExample.text)
    let editor = try editor("thme = 1\nmouse = false\npreview = \"x\"\n")
    let wrong = try program.run(["config", "edit"], extra: ["EDITOR": editor])
    #expect(wrong.code == 78)
    #expect(
      wrong.errors.split(separator: "\n").map { $0.prefix(28) }
        == ["daybook: config.toml:1: unkn", "daybook: config.toml:3: prev"])
    #expect(try program.run(["config", "show"]).output.contains("mouse = false  # config.toml:2"))
    #expect(!FileManager.default.fileExists(atPath: seen))
    for (editor, code) in [("false", 1), ("no-such-editor", 1)] as [(String, Int32)] {
      #expect(try program.run(["config", "edit"], extra: ["EDITOR": editor]).code == code)
    }
  }

  @Test("after :config edit the screen has the keys, views and settings of the file")
  func screen() throws {
    let editor = try editor(
      "sort = \"oldest\"\n[views]\nmine = \"two\"\n[keys]\nx = \"new-entry\"\na = \"\"\n")
    for (date, text) in [("2026-02-03", "one"), ("2026-02-04", "two")] {
      _ = try program.run(["add", "--date", date, text])
    }
    let extra = ["EDITOR": editor]
    let before = try program.run([], input: Array("Q".utf8)).output
    let changed = try program.run([], input: Array(":config edit\rQ".utf8), extra: extra).output
    #expect(changed.contains("reloaded config.toml"))
    func order(_ screen: String) -> [Substring] {
      screen.matches(of: /\d\d:\d\d +(one|two)/).map(\.1)
    }
    #expect(order(before) == ["two", "one"] && order(changed) == ["one", "two"])
    try FileManager.default.removeItem(at: file)
    let keys = Array(":config edit\rxFrom x\r:view mine\rQ".utf8)
    let screen = try program.run([], input: keys, extra: extra).output
    #expect(try program.run(["list"]).output.contains("From x"))
    #expect(order(screen) == ["two"], "the view of the file")
  }

  @Test(
    "a wrong line is shown on the screen and the rest holds; a file that is not TOML changes nothing"
  )
  func screenErrors() throws {
    let extra = ["EDITOR": try editor("thme = 1\nsection = \"month\"\n")]
    _ = try program.run(["add", "--date", "2026-02-03", "one"])
    let wrong = try program.run([], input: Array(":config edit\rQ".utf8), extra: extra).output
    #expect(wrong.contains("config.toml:1: unknown key \"thme\", did you mean \"theme\"?"))
    #expect(wrong.contains("February 2026") && !wrong.contains("3 February"))
    _ = try editor("section = \n")
    let broken = try program.run([], input: Array(":config edit\rQ".utf8), extra: extra).output
    #expect(broken.contains("the file is ignored") && !broken.contains("3 February"))
    try Data("section = \"month\"\n".utf8).write(to: file)
    let show = try program.run(
      [], input: Array(":config edit\r:config show\rQ".utf8),
      extra: extra.merging(["LINES": "90"]) { $1 })
    #expect(show.output.contains("section = \"month\""), "the configuration in use")
  }

  @Test("on a terminal the theme of the file is there after the editor")
  func theme() throws {
    _ = try program.run(["add", "one"])
    let editor = try editor("theme = \"dark\"\n")
    let command = "env TERM=screen-256color EDITOR=\(editor) \(Program.binary.path)"
    let session = try TerminalSession(program, command: command)
    try session.wait("the entry") { $0.contains("one") }
    #expect(try !session.coloredScreen().contains("48;5;234"))
    try session.type(":config edit", "Enter")
    try session.wait("the configuration") { $0.contains("reloaded config.toml") }
    #expect(try session.coloredScreen().contains("48;5;234"))
  }
}
