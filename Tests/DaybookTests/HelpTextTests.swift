import Foundation
import Testing

@testable import daybook

/// The help of the command line: commands in groups, and lines as wide as the terminal.
@Suite(.waiting)
struct HelpTextTests {
  private let program: Program

  init() throws {
    program = try Program()
  }

  private func help(_ words: String..., columns: Int? = nil) throws -> [String] {
    let extra = columns.map { ["COLUMNS": "\($0)"] } ?? [:]
    let result = try program.run(words, extra: extra)
    #expect(result.code == 0 && result.errors == "", "\(words)")
    return result.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test("the help of the program lists every command once, in a group, on a line of 80 columns")
  func groups() throws {
    let lines = try help("--help")
    let others = try [help("help"), help("-h"), help("--journal", "x.sqlite", "--help")]
    #expect(others.allSatisfy { $0 == lines })
    #expect(lines.allSatisfy { $0.count <= 80 })
    var (group, found): (String, [String: [String]]) = ("", [:])
    for line in lines {
      if !line.hasPrefix(" ") { group = line }
      let words = line.split(separator: " ").map(String.init)
      guard line.hasPrefix("  "), !line.hasPrefix("   "), group.uppercased() == group,
        let name = words.first, !name.hasPrefix("-")
      else { continue }
      found[group, default: []].append(name)
      // The text of the command, and not only its name.
      #expect(words.count > 2 && line.hasSuffix("."), "\(line)")
    }
    #expect(found.count >= 4)
    #expect(found.values.allSatisfy { 3...8 ~= $0.count })
    #expect(found["WRITE:"]?.first == "add" && found["READ:"]?.first == "list")
    let all = found.values.joined().sorted()
    #expect(all == Daybook.commandNames.filter { $0 != "help" }.sorted())
    #expect(lines.count { $0.hasPrefix("  daybook") } >= 4, "examples")
  }

  @Test("its lines follow a narrower or wider terminal, at a command's text")
  func width() throws {
    for columns in [40, 50, 60, 120] {
      let lines = try help("--help", columns: columns)
      let words = lines.drop { !$0.hasPrefix("WRITE") }.prefix { !$0.hasPrefix("OPTIONS") }
      #expect(words.allSatisfy { $0.count <= columns }, "\(columns)")
      #expect(words.contains { $0.hasPrefix("           ") } == (columns < 70), "\(columns)")
    }
  }

  @Test("every paragraph of every help is wrapped once: no line ends before it is full")
  func wrappedOnce() throws {
    for name in Daybook.commandNames where name != "help" {
      for columns in [60, 80] {
        let lines = try help(name, "--help", columns: columns)
        var isExample = false
        for (line, next) in zip(lines, lines.dropFirst()) {
          if line.hasPrefix("Example") { isExample = true }
          if line.isEmpty || line.hasPrefix("USAGE:") { isExample = false }
          guard !isExample, !line.isEmpty, !next.isEmpty, !line.hasSuffix(":") else { continue }
          // An option or its text begins a line of its own.
          let margin = next.prefix { $0 == " " }.count
          guard margin == 0 || margin == 7 || margin == 26 else { continue }
          if line.hasPrefix("USAGE:") == false, margin == 7 { continue }
          let word = next.drop { $0 == " " }.prefix { $0 != " " }
          #expect(line.count + 1 + word.count >= columns, "\(name), \(columns): \(line)⏎\(next)")
          #expect(line.count <= columns, "\(name), \(columns): \(line)")
        }
      }
    }
  }

  @Test("messages about options begin in lower case, as all others do")
  func lowerCase() throws {
    for (words, start) in [
      (["list", "--frobnicate"], "unknown option"),
      (
        ["add", "--frob"], "unknown option '--frob'; put -- before a text that begins with it; see"
      ), (["add", "--date"], "missing value"),
      (["redate", "1"], "missing expected argument"), (["list", "--limit", "x"], "the value"),
      (["star"], "name entries"), (["demo", "--read-only"], "the demo"),
    ] {
      let result = try program.run(words)
      #expect(result.code == 64)
      #expect(result.errors.hasPrefix("daybook: \(start)"), "\(result.errors)")
    }
  }
}

/// `--theme`: the colours of one run.
@Suite(.waiting)
struct ThemeOptionTests {
  private let program: Program

  init() throws {
    program = try Program()
    _ = try program.run(["add", "Bought bread"])
  }

  private func screen(_ words: String) throws -> String {
    let command = "env TERM=screen-256color \(Program.binary.path) \(words)"
    let session = try TerminalSession(program, command: command)
    try session.wait("the entry") { $0.contains("Bought bread") }
    return try session.coloredScreen()
  }

  @Test("the screen and a script take the theme of the option, for one run")
  func themes() throws {
    #expect(try screen("--theme dark").contains("48;5;234"))
    #expect(try !screen("--theme mono").contains("38;5;"))
    #expect(try !screen("").contains("48;5;234"))
    let script = program.home.appending(path: "wait.keys")
    try Data("<Wait 60s>".utf8).write(to: script)
    #expect(try screen("play \(script.path) --theme dark").contains("48;5;234"))
  }

  @Test("an unknown theme is refused with the nearest name before anything is shown")
  func unknown() throws {
    for words in [
      ["--theme", "drak"], ["screen", "--theme", "drak"], ["demo", "--theme", "drak"],
    ] {
      let result = try program.run(words)
      #expect(result.code == 64 && result.output == "")
      #expect(
        result.errors == "daybook: --theme: unknown theme \"drak\", did you mean \"dark\"?\n")
    }
  }
}
