import Foundation
import Testing

@testable import daybook

/// The manual page says what the program has.
struct ManualTests {
  private let program: Program
  private let page: String

  init() throws {
    program = try Program()
    page = try Repository.text("Resources/daybook.1")
  }

  private static var manual: String {
    Program.binary.deletingLastPathComponent().appending(path: "daybook-manual").path
  }

  @Test("the page is the one that the definitions give; make man writes it anew")
  func isCurrent() throws {
    let made = try program.shell("daybook --experimental-dump-help | \(Self.manual)")
    #expect(made.code == 0, "\(made.errors)")
    #expect(made.output == page, "make man writes it anew")
  }

  @Test("it has the sections people look for, in their order")
  func sections() {
    let sections = page.split(separator: "\n").filter { $0.hasPrefix(".SH ") }.map {
      $0.dropFirst(4)
    }
    #expect(
      sections == [
        "NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "COMMANDS", "QUERIES", "DATES", "KEYS",
        "FILES", "ENVIRONMENT", "EXIT STATUS", "EXAMPLES", "LICENSE",
      ])
  }

  @Test("every command has a section with all words of its help, and an example")
  func commands() throws {
    let commands = try CommandDump.commands(program).filter { $0.commandName != "help" }
    #expect(Set(commands.map(\.commandName) + ["help"]) == Set(Daybook.commandNames))
    let everywhere = Self.words(page)
    for command in commands {
      let name = command.commandName
      let section = try #require(
        page.components(separatedBy: "\n.SS \(name)\n").dropFirst().first, "\(name)"
      ).components(separatedBy: "\n.S")[0]
      // The examples of all commands are in one section.
      let texts = (command.discussion ?? "").split(separator: /Examples?:\n/, maxSplits: 1)
      let examples = Self.words(String(try #require(texts.last)))
      #expect(texts.count == 2 && examples.contains("daybook"), "\(name) has no example")
      #expect(examples.subtracting(everywhere) == [], "\(name)")
      let own = Self.words((command.abstract ?? "") + "\n" + texts[0])
      #expect(own.subtracting(Self.words(section)) == [], "\(name)")
      // Options common to all commands are described once.
      for argument in command.arguments ?? [] where argument.shouldDisplay {
        #expect(Self.words(argument.abstract ?? "").subtracting(everywhere) == [], "\(name)")
      }
    }
  }

  /// The words of a text, or of a manual page without its signs.
  private static func words(_ text: String) -> Set<Substring> {
    let plain = text.replacing(/\\f[A-Z]|\\\((aq|ti|ha|rs)|\\e/, with: " ")
      .replacing("\\&", with: "").replacing("\\r", with: " r").replacing("\\", with: "")
    return Set(plain.split { !($0.isLetter || $0.isNumber) })
  }
}
