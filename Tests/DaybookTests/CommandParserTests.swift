import Testing

@testable import daybook

/// Command lines whose parsing has a shorter way.
struct CommandParserTests {
  @Test(
    "An add without options is what the parser makes of it",
    arguments: [
      ["add", "Bought", "bread", "#home"], ["add"], ["add", ""], ["add", "-5 degrees"],
      ["--journal", "other.sqlite", "add", "one", "--", "--two"],
      ["add", "text", "--journal", "x"], ["add", "--", "-h"], ["add", "-"],
      ["add", "--- rule"], ["add", "--star wars night"], ["add", "---"],
    ])
  func plainAdd(words: [String]) throws {
    let arranged = try CommandParser.arranged(words)
    guard case .add(let plain) = PlainCommandLine(arranged) else {
      Issue.record("not plain: \(words)")
      return
    }
    let parsed = try #require(try CommandParser.parse(arranged) as? AddCommand)
    #expect(plain == parsed.addition)
    #expect(GlobalOptions.Values(journal: plain.journal) == parsed.options.values)
    // Every option that the parser knows has the value that it has here.
    #expect(Mirror(reflecting: parsed).children.count == Mirror(reflecting: plain).children.count)
  }

  @Test(
    "The screen without options is what the parser makes of it",
    arguments: [[], ["screen"], ["--journal", "x"], ["screen", "--journal", ""]])
  func plainScreen(words: [String]) throws {
    let arranged = try CommandParser.arranged(words)
    guard case .screen(let journal) = PlainCommandLine(arranged) else {
      Issue.record("not plain: \(words)")
      return
    }
    let parsed = try #require(try CommandParser.parse(arranged) as? ScreenCommand)
    #expect(GlobalOptions.Values(journal: journal) == parsed.options.values)
    #expect(!parsed.frames && !parsed.prompt && parsed.filter == nil && parsed.theme == nil)
  }

  @Test(
    "Lines with other options go to the parser",
    arguments: [
      ["add", "--star", "text"], ["add", "--date", "yesterday", "text"], ["add", "-h"],
      ["add", "--journal", "x", "--star", "text"], ["add", "--color", "never", "text"],
      ["list", "text"], ["--journal=x"], ["screen", "--frames"],
    ])
  func others(words: [String]) throws {
    #expect(try PlainCommandLine(CommandParser.arranged(words)) == nil)
  }

  @Test(
    "Every option of every command that takes a value takes its next word, also one with a minus")
  func everyValue() throws {
    var count = 0
    for command in try CommandDump.commands(try Program()) {
      for option in (command.arguments ?? []) where option.kind == "option" {
        for name in option.names ?? [] {
          let word = (name.kind == "long" ? "--" : "-") + name.name
          let arranged = try CommandParser.arranged([command.commandName, word, "-1", "word"])
          let isTaken =
            arranged.contains("\(word)=-1") || arranged[1...].starts(with: [word, "-1"])
          #expect(isTaken, "\(command.commandName) \(word): \(arranged)")
          count += 1
        }
      }
    }
    #expect(count > 60, "two of each command at least: --journal and --color")
  }

  @Test(
    "A list whose words need no arrangement means what it means arranged",
    arguments: [
      ["list", "--limit", "20", "bread", "#home"], ["list", "bread", "--limit", "20", "--", "-x"],
      ["list", "bread", "-", "--limit", "20"], ["list", "bread", "--read-only", "walk"],
    ])
  func unarranged(words: [String]) throws {
    // A word with one minus asks which options take a value, and is removed again.
    let end = words.firstIndex(of: "--") ?? words.endIndex
    let arranged = try CommandParser.arranged(words[..<end] + ["-y"] + words[end...])
    let lists = try [CommandParser.arranged(words), arranged.filter { $0 != "-y" }].map {
      try #require(try CommandParser.parse($0) as? ListCommand)
    }
    #expect(arranged.contains("-y") && arranged.contains("--"))
    #expect(lists[0].list.query == lists[1].list.query)
    #expect(lists[0].list.limit == lists[1].list.limit)
    #expect(lists[0].options.values == lists[1].options.values)
  }

  @Test("Every option of add changes what is added")
  func everyOptionOfAdd() throws {
    let plain = EntryAddition(text: ["text"])
    let commands = try CommandDump.commands(try Program())
    let dumps = commands.filter { $0.commandName != "help" }
      .map { Set(($0.arguments ?? []).flatMap { $0.names ?? [] }) }
    let global = dumps.dropFirst().reduce(dumps[0]) { $0.intersection($1) }
    let add = try #require(commands.first { $0.commandName == "add" })
    var count = 0
    for option in add.arguments ?? [] where option.kind != "positional" {
      let name = try #require(option.names?.first { $0.kind == "long" })
      guard !global.contains(name) else { continue }
      let value = option.kind == "option" ? [option.allValues?.last ?? "1"] : []
      let words = try CommandParser.arranged(["add", "--\(name.name)"] + value + ["text"])
      let parsed = try #require(try CommandParser.parse(words) as? AddCommand)
      #expect(parsed.addition != plain, "--\(name.name)")
      #expect(parsed.addition.text == ["text"])
      count += 1
    }
    #expect(count >= 6)
  }

  @Test("Help and errors of every command are those of the whole program")
  func everyHelp() throws {
    let program = try Program()
    for name in Daybook.commandTypes.compactMap({ $0.configuration.commandName }) {
      let help = try program.run([name, "--help"])
      #expect(help.code == 0)
      #expect(help.output.contains("USAGE: daybook \(name)"), "\(name)")
      let refused = try program.run([name, "--no-such-option"])
      #expect(refused.code == 64)
      #expect(refused.errors.contains("daybook \(name) --help"), "\(name)")
    }
  }
}
