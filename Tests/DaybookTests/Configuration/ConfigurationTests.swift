import Foundation
import Journal
import Screen
import Testing

@testable import daybook

/// `config.toml`: the resulting settings, and the messages about invalid lines.
struct ConfigurationTests {
  @Test("without a file the defaults hold and nothing is told")
  func absent() throws {
    let configuration = try ConfigDirectory().load()
    #expect(configuration.settings == Settings())
    #expect(configuration.keys == .standard)
    #expect(configuration.problems.isEmpty)
    #expect(configuration.summary == nil)
    #expect(Configuration.load(directory: nil).path == nil)
  }

  @Test("every setting is taken over, with its line")
  func settings() throws {
    let configuration = try Configuration.reading(
      """
      theme = "dark"
      day_ends_at = "05:30"
      week_starts = "sunday"
      date_format = "%d.%m.%Y"
      time_format = "12h"
      preview = "off"
      split = "below"
      list_share = 35
      scrolloff = 5
      mouse = false
      editor = "code --wait"
      browser = "w3m"
      prompt = true
      journal = "/tmp/j.sqlite"
      sort = "title"
      section = "month"
      on_this_day = false
      list_marks = true
      purge_after = "90d"
      pager = "less -S"
      sync.auto = ["start", "idle 5m", "quit"]
      sync.files = "below 5M"
      sync.device = "desk"
      seal.keep = "8h"
      seal.lock_after = "1h"
      seal.passphrase_command = "pass show journal"
      spell.languages = ["en_GB", "de_DE"]
      remind.at = "21:30"
      linear = true
      pictures = "names"
      [views]
      work = "#work -done"
      "on this day" = "on:*-11-21"
      """)
    #expect(configuration.messages == [])
    let settings = configuration.settings
    #expect(settings.theme == "dark" && settings.dayRule == DayRule(endsAt: 330))
    #expect(settings.weekStart == .sunday && settings.dateFormat?.pattern == "%d.%m.%Y")
    #expect(settings.timeFormat == .halfDayClock && settings.preview == .off)
    #expect(!settings.hearsMouse && settings.editor == "code --wait" && settings.keepsPrompt)
    #expect(settings.journal == "/tmp/j.sqlite" && settings.sort == .title)
    #expect(settings.section == .month && settings.purgeAfter == "90d" && !settings.onThisDay)
    #expect(settings.pager == "less -S")
    #expect(settings.spellLanguages == ["en_GB", "de_DE"])
    #expect(settings.view(named: "WORK")?.query == "#work -done")
    #expect(settings.views.map(\.name) == ["work", "on this day"])
    for key in SettingKey.all {
      #expect(key.shown(settings) != key.shown(Settings()), "\(key.name)")
    }
    #expect(configuration.origin(of: "section") == .file("config.toml", line: 16))
    #expect(configuration.origin(of: "views.work") == .file("config.toml", line: 32))
  }

  @Test("the table of settings names each key once and shows what it has read")
  func keysTable() throws {
    #expect(Set(SettingKey.all.map(\.name)).count == SettingKey.all.count)
    var settings = Settings()
    settings.dateFormat = DateFormat("%d.%m.", .date)
    settings.editor = "vim"
    settings.pager = ""
    settings.browser = "lynx"
    settings.syncDevice = "desk"
    settings.syncedFiles = .below(5_000_000)
    settings.journal = "/x"
    settings.purgeAfter = "1y"
    settings.passphraseCommand = "pass"
    settings.remindAt = 1_290
    let text = SettingKey.all.map { "\($0.name) = \($0.shown(settings) ?? "?")" }
      .joined(separator: "\n")
    let configuration = try Configuration.reading(text)
    #expect(configuration.messages == [])
    #expect(configuration.settings == settings)
  }

  @Test(
    "a wrong line is named with what would be right, and the default holds for it alone",
    arguments: [
      (#"thme = "dark""#, #"unknown key "thme", did you mean "theme"?"#),
      (#"frobnicate = 1"#, #"unknown key "frobnicate"; daybook config show lists them"#),
      (#"theme = "drak""#, #"unknown theme "drak", did you mean "dark"?"#),
      (#"theme = 3"#, "theme must be a string in quotes"),
      (#"day_ends_at = "25:00""#, #"day_ends_at must be a time such as "04:00""#),
      (#"day_ends_at = 04:00:00"#, #"day_ends_at must be a time such as "04:00""#),
      (#"preview = "maybe""#, #"preview must be one of "auto", "on", "off""#),
      (#"mouse = "yes""#, "mouse must be true or false"),
      (#"date_format = "%H""#, #"date_format must be a pattern such as "%d.%m.%Y""#),
      (#"journal = "notes.json""#, "journal must be a path that begins with / or ~/"),
      (#"editor = " ""#, #"editor must be a command such as "vim""#),
      (
        #"spell.languages = ["../x"]"#,
        #"spell.languages must be languages such as ["en_GB", "de_DE"]"#
      ),
      (#"purge_after = "soon""#, #"purge_after must be a time such as "90d", "12w" or "1y""#),
      (#"keys = 1"#, "keys must be a table; write [keys] on a line of its own"),
      (
        #"views.x = "sinse:2026""#,
        #"view "x": column 1: unknown field "sinse:", did you mean "since:"?"#
      ),
      (#"views.x = 1"#, #"view "x" must be a query in quotes"#),
      (#"themes.x.heder = "bold""#, #"unknown role "heder", did you mean "header"?"#),
      (#"themes.x.base = "drak""#, #"unknown theme "drak", did you mean "dark"?"#),
      (#"theme.x.header = "bold""#, #"unknown table "theme", did you mean "themes"?"#),
      (#"keys."x" = "stra""#, #"unknown action "stra", did you mean "star"?"#),
      (#"keys."x" = 1"#, #"a key is set to the name of an action, or to "" for none"#),
      (
        #"keys."<Foo>" = "star""#,
        #""<Foo>" is not a key; write x, <C-x>, <A-x>, <Enter>, <F1> or <lt>"#
      ),
      (#"keys."5j" = "star""#, #""5j": a number before a key is a count"#),
      (#"keys."" = "star""#, "the key is empty"),
      (
        #"keys."g" = "star""#,
        #""g" is the beginning of "gg" (first); remove that first: "gg" = """#
      ),
      (
        #"keys."jj" = "star""#,
        #""jj" begins with "j" (move-down); remove that first: "j" = """#
      ),
      (#"keys.lst.x = "star""#, #"unknown table "keys.lst", did you mean "keys.list"?"#),
    ])
  func wrong(line: String, message: String) throws {
    let configuration = try Configuration.reading(
      "mouse = false\n\(line)\n".replacing(
        "mouse = false\nmouse", with: "prompt = true\nmouse"))
    #expect(configuration.messages == ["config.toml:2: \(message)"])
    var expected = Settings()
    if line.hasPrefix("mouse") { expected.keepsPrompt = true } else { expected.hearsMouse = false }
    #expect(configuration.settings == expected)
    #expect(configuration.keys == .standard)
    #expect(configuration.summary == "config.toml:2: \(message)")
  }

  @Test("keys are read by any of their names")
  func keys() throws {
    let configuration = try Configuration.reading(
      """
      [keys]
      "<c-x>" = "star"
      "<PgDn>x" = "star"
      u = false
      "." = "redo"
      [keys.reading]
      "<Space>" = "page-down"
      """.replacing("<PgDn>x", with: "ww"))
    #expect(configuration.messages == [])
    let keys = configuration.keys
    #expect(keys.match("<C-x>", in: .list) == .action(.star))
    #expect(keys.match("ww", in: .list) == .action(.star))
    #expect(keys.match("u", in: .list) == .none)
    #expect(keys.match(".", in: .list) == .action(.redo))
    #expect(keys.match(KeySequence(keys: [" "]), in: .reading) == .action(.pageDown))
  }

  @Test("a file with a wrong syntax is ignored as a whole, and says so")
  func syntax() throws {
    let configuration = try Configuration.reading("mouse = false\ntheme = \n")
    #expect(configuration.settings == Settings())
    #expect(configuration.messages.count == 1)
    #expect(configuration.messages.first?.hasPrefix("config.toml:2:9: ") == true)
  }

  @Test("what is no file, no text or not ours to read is told and ignored")
  func unreadable() throws {
    let directory = try ConfigDirectory()
    let path = directory.url.appending(path: "config.toml")
    try FileManager.default.createDirectory(at: path, withIntermediateDirectories: false)
    #expect(directory.load().messages == ["config.toml: not a file; the file is ignored"])
    try FileManager.default.removeItem(at: path)
    try Data([0x61, 0xFF]).write(to: path)
    #expect(
      directory.load().messages == ["config.toml: invalid UTF-8 at byte 2; the file is ignored"])
    try Data("mouse = false\0".utf8).write(to: path)
    #expect(directory.load().messages == ["config.toml: NUL at byte 14; the file is ignored"])
    try FileManager.default.removeItem(at: path)
    try FileManager.default.createSymbolicLink(
      atPath: path.path, withDestinationPath: directory.url.appending(path: "dots.toml").path)
    #expect(directory.load().messages == [])
    try Data("mouse = false".utf8).write(to: directory.url.appending(path: "dots.toml"))
    #expect(!directory.load().settings.hearsMouse)
  }

  @Test("what config keys prints changes nothing when it is pasted")
  func keysRoundTrip() throws {
    let configuration = try Configuration.reading(KeyListing(.standard).toml)
    #expect(configuration.messages == [])
    let keys = configuration.keys
    for context in KeyContext.allCases {
      let before = KeyTable.standard.bindings.filter { $0.contexts.contains(context) }
      for binding in before {
        let match = keys.match(binding.sequence, in: context)
        #expect(match == .action(binding.action))
      }
      let after = keys.bindings.filter { $0.contexts.contains(context) }
      #expect(after.count == before.count)
    }
  }
}
