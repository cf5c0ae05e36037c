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
    let help = try program.run(["--help"]).output
    let list = try #require(help.components(separatedBy: "SUBCOMMANDS:\n").last)
    let lines = list.split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.isEmpty }
    let names = lines.filter { $0.prefix { $0 == " " }.count == 2 }.compactMap {
      $0.split(separator: " ").first
    }
    #expect(names.count > 15)
    for name in names {
      #expect(page.contains("\n.SS \(name)\n"), "\(name)")
      let own = try program.run([String(name), "--help"])
      #expect(own.code == 0)
      #expect(own.output.contains("Example"), "\(name) has no example")
    }
    #expect(page.contains("\\-\\-salvage"))
  }
}
