import Foundation
import Testing

@testable import daybook

/// The commands through the real binary: what they print, and how they end.
struct CommandLineTests {
  @Test("data that cannot be printed since standard output is closed is no success")
  func closedOutput() throws {
    let program = try Program()
    #expect(try program.shell("daybook list >&-").code == 0)
    _ = try program.run(["add", "Bought bread"])
    let result = try program.shell("daybook list >&-")
    #expect(result.code == 74)
    #expect(result.errors == "daybook: standard output is closed; nothing was printed\n")
  }

  private let program: Program

  init() throws {
    program = try Program()
  }

  @Test("add prints number and uuid, and list shows the entry under its day")
  func addAndList() throws {
    let added = try program.run(["add", "Bought", "bread", "#home"])
    #expect(added.code == 0)
    #expect(added.errors == "")
    let words = added.output.split(separator: "\t")
    #expect(words.first == "1")
    #expect(words.last?.count == 37)
    let dated = try program.run(["add", "--date", "2026-02-03 09:15", "--star", "Slept well"])
    #expect(dated.output.hasPrefix("2\t"))
    let list = try program.run(["list", "--sort", "oldest"])
    #expect(
      list.output.hasPrefix("Tuesday 3 February 2026\n    2  09:15 * Slept well\n"))
    #expect(!list.output.contains("Today"))
    #expect(list.output.hasSuffix("   Bought bread #home\n"))
  }

  @Test("text comes from standard input with line feeds alone, and without the last one")
  func standardInput() throws {
    _ = try program.run(["add"], input: Array("\u{FEFF}First line\r\nsecond\n\n".utf8))
    let shown = try program.run(["show", "--format", "json", "1"])
    #expect(shown.output.contains(#""text":"First line\nsecond\n""#))
  }

  @Test(
    "input that is no text ends with 65, names the byte and keeps the input",
    arguments: [
      ([0x61, 0x00, 0x62], "NUL at byte 2"), ([0x6F, 0x6B, 0xFF], "invalid UTF-8 at byte 3"),
      ([0xFF, 0xFE, 0x68, 0x00], "looks like UTF-16"),
    ] as [([UInt8], String)])
  func badInput(bytes: [UInt8], place: String) throws {
    let result = try program.run(["add"], input: bytes)
    #expect(result.code == 65)
    #expect(result.errors.contains(place))
    #expect(result.errors.split(separator: "\n").count == 1)
    #expect(try program.drafts().count == 1)
    #expect(try program.run(["list"]).output == "")
  }

  @Test("an argument that is not UTF-8 is refused with its byte")
  func badArgument() throws {
    let result = try program.shell(#"daybook add $'ok\xff'"#)
    #expect(result.code == 65)
    #expect(result.errors.contains("argument 2: invalid UTF-8 at byte 3"))
  }

  @Test("nothing to save ends with 1 and stores nothing")
  func nothing() throws {
    for input in ["", " \n\t\n"] {
      let result = try program.run(["add"], input: Array(input.utf8))
      #expect(result.code == 1)
      #expect(result.errors == "daybook: nothing to save\n")
    }
    #expect(try program.run(["list"]).output == "")
  }

  @Test("an unknown command or option ends with 64 and says what to do")
  func usage() throws {
    let command = try program.run(["lits"])
    #expect(command.code == 64)
    #expect(command.errors == "daybook: lits: no such command; did you mean list?\n")
    let option = try program.run(["list", "--frobnicate"])
    #expect(option.code == 64)
    #expect(option.errors.contains("frobnicate"))
    #expect(option.errors.split(separator: "\n").count == 1)
  }

  @Test("global options stand before or after the command")
  func globalOptions() throws {
    let journal = program.home.appending(path: "other.sqlite").path
    #expect(try program.run(["--journal", journal, "add", "one"]).code == 0)
    #expect(try program.run(["add", "--journal", journal, "two"]).output.hasPrefix("2\t"))
    #expect(
      try program.run(["--journal=\(journal)", "--read-only", "list"]).output.contains("two"))
    #expect(try program.run(["list"]).output == "")
    let refused = try program.run(["--journal", journal, "--read-only", "add", "three"])
    #expect(refused.code == 77)
    #expect(try program.drafts() == ["three"])
  }

  @Test("a missing journal that was named ends a reader with 66 and a writer's directory with 73")
  func missingJournal() throws {
    let missing = program.home.appending(path: "none/j.sqlite").path
    #expect(try program.run(["list", "--journal", missing]).code == 66)
    #expect(try program.run(["add", "--journal", "", "text"]).code == 64)
    #expect(try program.run(["add", "--journal", missing, "text"]).code == 73)
  }

  @Test("help and version go to standard output and end with 0")
  func help() throws {
    let version = try program.run(["--version"])
    let lines = version.output.split(separator: "\n")
    #expect(lines.first?.wholeMatch(of: /daybook [0-9]+\.[0-9]+\.[0-9]+/) != nil)
    #expect(version.output.contains("License GPL-3.0-or-later"))
    #expect(version.output.contains("SectionedResults is also available under the MIT License"))
    for arguments in [["--help"], ["add", "--help"], ["help", "list"]] {
      let help = try program.run(arguments)
      #expect(help.code == 0)
      #expect(help.output.contains("daybook "))
      #expect(help.errors == "")
    }
  }

  @Test("every command explains itself with an example")
  func helpOfCommands() throws {
    for command in Daybook.commandNames where command != "help" {
      let help = try program.run([command, "--help"])
      #expect(help.code == 0, "\(command)")
      // The screen is what the program does without a command.
      let example = command == "screen" ? "| daybook" : "  daybook \(command)"
      #expect(help.output.contains(example), "\(command)")
    }
  }

  @Test("words that begin with a minus are text, and everything after --")
  func minus() throws {
    _ = try program.run(["add", "minus", "-5", "degrees"])
    _ = try program.run(["add", "--", "--star", "is", "text"])
    let list = try program.run(["list", "--sort", "oldest"]).output
    #expect(list.contains("minus -5 degrees"))
    #expect(list.contains("--star is text"))
  }

  @Test("changes are undone and done again, also by another process")
  func undo() throws {
    _ = try program.run(["add", "Bought bread"])
    #expect(try program.run(["delete", "1"]).output == "1\n")
    #expect(try program.run(["list"]).output == "")
    #expect(try program.run(["undo"]).output == "undid the deletion of \"Bought bread\"\n")
    #expect(try program.run(["list"]).output.contains("Bought bread"))
    #expect(try program.run(["redo"]).code == 0)
    #expect(try program.run(["redo"]).code == 1)
    #expect(try program.run(["show", "7"]).code == 1)
  }

  @Test("edit replaces the text; the same text is no change")
  func edit() throws {
    _ = try program.run(["add", "Bought bread"])
    #expect(try program.run(["edit", "1", "Bought milk"]).code == 0)
    #expect(try program.run(["edit", "1", "Bought milk"]).code == 1)
    #expect(try program.run(["edit", "1", "-"], input: Array("Piped\n".utf8)).code == 0)
    #expect(try program.run(["show", "1"]).output.hasSuffix("\nPiped\n"))
  }

  @Test("a closed pipe ends quietly, a full disk with 74")
  func output() throws {
    _ = try program.run(["add", "Bought bread"])
    let closed = try program.shell("daybook list | true; echo ${PIPESTATUS[0]}")
    #expect(closed.output == "0\n")
    #expect(closed.errors == "")
    let full = try program.shell("daybook list > /dev/full; echo $?")
    #expect(full.output == "74\n")
    #expect(full.errors.contains("No space left on device"))
  }

  @Test("the editor's text is saved, and its draft goes only then")
  func editor() throws {
    let script = "script -qec \"$DAYBOOK add\" /dev/null </dev/null"
    let editor = program.home.appending(path: "ed it.sh")
    // Written by a child: a program that another test starts just now would inherit the open file,
    // and nobody can run a file that is open for writing.
    let made = try program.shell(
      #"printf '%s\n' '#!/bin/sh' 'echo "From the editor" > "$1"' > '\#(editor.path)';"#
        + " chmod 755 '\(editor.path)'")
    try #require(made.code == 0)
    let run = """
      export DAYBOOK=\(Program.binary.path) EDITOR="'\(editor.path)'"; \(script)
      export EDITOR=false; \(script)
      """
    let result = try program.shell(run)
    #expect(result.output.contains("editor ended with 1; nothing saved"))
    #expect(try program.run(["list"]).output.hasSuffix("From the editor\n"))
    #expect(try program.drafts() == [] && program.draftDirectories() == [])
  }

  @Test("JSON lists are documents and lines of whole entries")
  func json() throws {
    _ = try program.run(["add", "One #a"])
    _ = try program.run(["add", "Two #a #b"])
    let document = try program.run(["list", "--format", "json", "--section", "tag"]).output
    let parsed = try JSONSerialization.jsonObject(with: Data(document.utf8)) as? [String: Any]
    #expect((parsed?["entries"] as? [Any])?.count == 2)
    let lines = try program.run(["list", "--format", "jsonl", "--limit", "1"]).output
    #expect(lines.split(separator: "\n").count == 1)
    #expect(lines.contains(#""title":"Two #a #b""#))
  }
}
