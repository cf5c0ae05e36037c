import Foundation
import Testing

/// The manual page says what the program has.
struct ManualTests {
  private let program: Program
  private let page: String

  init() throws {
    program = try Program()
    let root = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    page = try String(contentsOf: root.appending(path: "Resources/daybook.1"), encoding: .utf8)
  }

  /// What the argument parser says of the commands.
  private struct Dump: Decodable {
    struct Command: Decodable {
      var commandName: String
      var shouldDisplay: Bool?
    }

    struct Root: Decodable {
      var subcommands: [Command]
    }

    var command: Root
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
        "FILES", "ENVIRONMENT", "EXIT STATUS", "EXAMPLES",
      ])
  }

  @Test("every command has a description and an example, and no word of its help is lost")
  func commands() throws {
    // The list of the help is made for people: its lines are broken where the width says so.
    let dump = try program.run(["--experimental-dump-help"]).output
    let names = try JSONDecoder().decode(Dump.self, from: Data(dump.utf8)).command.subcommands
      .filter { $0.shouldDisplay != false && $0.commandName != "help" }.map(\.commandName)
    #expect(names.count > 20)
    for name in names {
      #expect(page.contains("\n.SS \(name)\n"), "\(name)")
      let own = try program.run([name, "--help"])
      #expect(own.code == 0)
      #expect(own.output.contains("Example"), "\(name) has no example")
    }
    #expect(page.contains("\\-\\-salvage"))
  }
}
