import Foundation
import Testing

/// `add` with a date before the text.
@Suite(.waiting)
struct DatedAddTests {
  private let program: Program

  init() throws {
    program = try Program()
  }

  private func shown(_ number: Int = 1) throws -> String {
    try program.run(["show", "\(number)"]).output
  }

  @Test("arguments that begin with a date are dated, as one or as several words")
  func arguments() throws {
    let one = try program.run(["add", "2026-11-20 9am: Called Anna #home"])
    #expect(one.code == 0 && one.errors == "", "a script hears nothing of it")
    #expect(try shown() == "1  2026-11-20 09:00\nCalled Anna #home\n")
    _ = try program.run(["add", "2026-11-19", "9:30", "pm:", "Called", "Bert", "--star"])
    #expect(try shown(2) == "2  2026-11-19 21:30 *\nCalled Bert\n")
    let json = try program.run(["list", "--format", "jsonl", "--limit", "1"]).output
    #expect(json.contains(#""created":"2026-11-20T09:00"#))
    #expect(!json.contains(#""modified":"2026-11-20T09:00"#), "it was written now")
  }

  @Test("with --date or --no-prefix all of it is text, and so is what comes from a pipe")
  func text() throws {
    let text = "2026-11-20 9am: Called Anna"
    _ = try program.run(["add", "--date", "2026-02-03 10:00", text])
    #expect(try shown() == "1  2026-02-03 10:00\n\(text)\n")
    _ = try program.run(["add", "--no-prefix", text])
    #expect(try !shown(2).hasPrefix("2  2026-11-20 09:00\n") && shown(2).hasSuffix("\n\(text)\n"))
    _ = try program.run(["add"], input: Array("\(text)\n".utf8))
    _ = try program.run(["add", "-"], input: Array("\(text)\n".utf8))
    for number in 3...4 { #expect(try shown(number).hasSuffix("\n\(text)\n")) }
    _ = try program.run(["add", "May: she called"])
    #expect(try shown(5).hasSuffix("\nMay: she called\n"))
  }

  @Test("a terminal is told the date")
  func terminal() throws {
    let line = "\(Program.binary.path) add 2026-11-20 9am: Called Anna; echo END; cat"
    let session = try TerminalSession(program, command: "sh -c '\(line)'", columns: 120)
    let screen = try session.wait("the end") { $0.contains("END") }
    #expect(screen.contains("daybook: entry 1 is dated Friday 20 November 2026, 09:00"))
  }

  @Test("a dated text that cannot be saved is kept with its date")
  func draft() throws {
    _ = try program.run(["add", "one"])
    let refused = try program.run(["--read-only", "add", "2026-11-20 9am: Called Anna"])
    #expect(refused.code == 77)
    #expect(try program.drafts() == ["2026-11-20 9am: Called Anna"])
    _ = try program.run(["add", "2026-11-20 9am: Called Anna"])
    #expect(try program.drafts() == [], "the draft is saved now")
  }

  @Test("a template goes around the text after the date")
  func template() throws {
    let directory = program.home.appending(path: ".config/daybook/templates")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try Data("# {date}\n{cursor}\nEnd\n".utf8).write(to: directory.appending(path: "daily.md"))
    _ = try program.run(["add", "--template", "daily", "2026-11-20 9am: Called Anna"])
    #expect(try shown().contains("2026-11-20 09:00\n# 2026-11-20\nCalled Anna\nEnd\n"))
  }

  @Test("after : it is the same, but not in the prompt for a new entry")
  func screen() throws {
    let text = "2026-11-20 9am: don't \"quote\" it"
    let command = try program.run([], input: Array(":add \(text)\rQ".utf8))
    #expect(command.output.contains("added entry 1, dated Friday 20 November 2026, 09:00"))
    #expect(try shown() == "1  2026-11-20 09:00\ndon't \"quote\" it\n")
    _ = try program.run([], input: Array("a\(text)\rQ".utf8))
    #expect(try shown(2).hasSuffix("\n\(text)\n"))
    _ = try program.run([], input: Array(":add note: \(text)\rQ".utf8))
    #expect(try shown(3).hasSuffix("\nnote: \(text)\n"))
  }
}
