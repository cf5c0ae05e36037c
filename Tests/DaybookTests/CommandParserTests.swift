import Testing

@testable import daybook

/// Command lines whose parsing has a shorter way.
struct CommandParserTests {
  /// All properties of a value and of the values in it, by name.
  private func properties(_ value: Any, _ path: String = "") -> [String: String] {
    let children = Mirror(reflecting: value).children
    guard !children.isEmpty, !(value is [String]), !(value is String?) else {
      return [path: "\(value)"]
    }
    return children.reduce(into: [:]) { result, child in
      result.merge(properties(child.value, "\(path).\(child.label ?? "")")) { first, _ in first }
    }
  }

  @Test(
    "An add without options has every property that the parser gives it",
    arguments: [
      ["add", "Bought", "bread", "#home"], ["add"], ["add", ""], ["add", "-5 degrees"],
      ["--journal", "other.sqlite", "add", "one", "--", "--two"],
      ["add", "text", "--journal", "x"], ["add", "--", "-h"], ["add", "-"],
    ])
  func plainAdd(words: [String]) throws {
    let arranged = try CommandParser.arranged(words)
    let short = try #require(AddCommand.unparsed(arranged))
    // An option with its default value sends the same line to the parser.
    let longer = [arranged[0], "--format", "text"] + arranged.dropFirst()
    #expect(AddCommand.unparsed(longer) == nil)
    let parsed = try #require(try CommandParser.parse(longer) as? AddCommand)
    let expected = properties(parsed)
    #expect(expected.count > 9)
    #expect(properties(short) == expected)
  }

  @Test(
    "The screen without options has every property that the parser gives it",
    arguments: [[], ["screen"], ["--journal", "x"], ["--journal=x"], ["screen", "--journal", ""]])
  func plainScreen(words: [String]) throws {
    let arranged = try CommandParser.arranged(words)
    let longer = arranged + ["--color", "auto"]
    #expect(ScreenCommand.unparsed(longer) == nil)
    let parsed = try #require(try CommandParser.parse(longer) as? ScreenCommand)
    let expected = properties(parsed)
    #expect(expected.count > 6)
    guard let short = ScreenCommand.unparsed(arranged) else {
      #expect(words == ["--journal=x"])
      return
    }
    #expect(properties(short) == expected)
  }

  @Test(
    "An add with other options goes to the parser",
    arguments: [
      ["add", "--star", "text"], ["add", "--date", "yesterday", "text"], ["add", "-h"],
      ["add", "--journal", "x", "--star", "text"], ["add", "--color", "never", "text"],
      ["list", "text"],
    ])
  func optionsOfAdd(words: [String]) throws {
    #expect(try AddCommand.unparsed(CommandParser.arranged(words)) == nil)
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
