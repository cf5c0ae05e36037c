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
    let chapters = Repository.root.appending(path: "Resources/manual").path
    let made = try program.shell("daybook --experimental-dump-help | \(Self.manual) \(chapters)")
    #expect(made.code == 0, "\(made.errors)")
    #expect(made.output == page, "make man writes it anew")
  }

  @Test(
    "the pages of chapters have all words of them; make man writes them anew",
    arguments: [
      ("daybook-config.5", ["configuration", "templates"]), ("daybook-queries.7", ["queries"]),
      ("daybook-sync.7", ["sync"]), ("daybook-sealed.7", ["sealed"]),
      ("daybook-mcp.7", ["mcp"]),
    ])
  func chapterPages(name: String, chapters: [String]) throws {
    let page = try Repository.text("Resources/\(name)")
    let directory = Repository.root.appending(path: "Resources/manual").path
    let made = try program.shell("\(Self.manual) --page \(name) \(directory)")
    #expect(made.code == 0, "\(made.errors)")
    #expect(made.output == page, "make man writes it anew")
    for chapter in chapters {
      // Links lose their destination, titles of the chapter may be the page's own.
      let text = try Repository.manual(chapter).text.replacing(/\]\([^)]*\)/, with: "]")
        .split(separator: "\n").filter { !$0.hasPrefix("# ") }.joined(separator: "\n")
      let shown = Set(Self.words(page).map { $0.lowercased() })
      let missing = Set(Self.words(text).map { $0.lowercased() }).subtracting(shown)
      // The head of a table is no part of a list of terms, and a fence has a language.
      let heads = [
        "term", "matches", "variable", "effect", "file", "contents", "toml", "placeholder",
        "becomes", "code", "meaning", "somebody", "who", "gets", "happens", "offset", "bytes",
        "content", "tool", "returns",
      ]
      #expect(missing.subtracting(heads) == [], "\(chapter)")
    }
    for setting in SettingKey.all where name.hasPrefix("daybook-config") {
      #expect(page.contains("\n\(setting.name) = "), "\(setting.name)")
    }
  }

  @Test("the pages have only requests of man, and every example ends")
  func formats() throws {
    for name in [
      "daybook.1", "daybook-config.5", "daybook-queries.7", "daybook-sync.7", "daybook-sealed.7",
      "daybook-mcp.7",
    ] {
      let path = Repository.root.appending(path: "Resources/\(name)").path
      let text = try Repository.text("Resources/\(name)")
      // Every request of the page is one of man's.
      let requests = Set(
        text.split(separator: "\n").filter { $0.hasPrefix(".") && !$0.hasPrefix(".\\\"") }
          .map { $0.prefix { $0 != " " } })
      let known = [
        ".TH", ".SH", ".SS", ".PP", ".TP", ".IP", ".RS", ".RE", ".nf", ".fi", ".nh", ".ad", ".sp",
      ]
      #expect(requests.subtracting(known.map { $0[...] }) == [], "\(path)")
      #expect(
        text.components(separatedBy: ".nf\n").count == text.components(separatedBy: ".fi\n").count)
      #expect(
        text.components(separatedBy: ".RS ").count == text.components(separatedBy: ".RE\n").count)
    }
  }

  @Test("it has the sections people look for, in their order")
  func sections() {
    let sections = page.split(separator: "\n").filter { $0.hasPrefix(".SH ") }.map {
      $0.dropFirst(4)
    }
    #expect(
      sections == [
        "NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "COMMANDS", "QUERIES", "DATES",
        "A DATE BEFORE THE TEXT", "KEYS",
        "FILES", "ENVIRONMENT", "EXIT STATUS", "EXAMPLES", "LICENSE",
        "SEE ALSO",
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
