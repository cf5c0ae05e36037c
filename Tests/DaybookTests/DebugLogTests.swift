import Foundation
import Testing

@testable import daybook

/// The debug log: what happened, and no text of the user's unless asked.
@Suite("The debug log", .waiting)
struct DebugLogTests {
  private let program: Program
  private var file: String { program.home.appending(path: "daybook.log").path }

  init() throws { program = try Program() }

  /// Runs the program with a log.
  ///
  /// - Returns: the lines after the time and the process.
  private func log(
    _ words: [String], keys: String = "", level: String? = nil
  ) throws -> [String] {
    var extra = ["DAYBOOK_LOG": file]
    extra["DAYBOOK_LOG_LEVEL"] = level
    _ = try program.run(words, input: Array(keys.utf8), extra: extra)
    return try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map { line in
      #expect(line.wholeMatch(of: #/[0-9T:.-]{23}Z [0-9]+ (info|debug|text) .+/#) != nil, "\(line)")
      return line.split(separator: " ", maxSplits: 2).dropFirst(2).joined()
    }
  }

  @Test("it names the events and effects of the screen, and has no word of an entry")
  func screen() throws {
    let lines = try log([], keys: "acanaryword #canarytag\re more\r/canary\rq")
    #expect(lines.first?.hasPrefix("info start ") == true && lines.last == "info end 0")
    for line in [
      "debug event prompt.submitted", "debug effect change.add", "debug event list.batchArrived",
      "debug event journal.saved", "debug effect terminal.quit",
    ] {
      #expect(lines.contains(line), "\(line)")
    }
    #expect(!lines.contains { $0.contains("canary") || $0.contains(program.home.path) })
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  @Test("commands append their starts and ends, and failures have their codes")
  func commands() throws {
    _ = try log(["add", "canaryword"], level: "info")
    let lines = try log(["show", "99"], level: "info")
    #expect(lines.count == 4 && lines.last == "info end 1")
    #expect(!lines.contains { $0.contains("canary") })
  }

  @Test("contents are written when they are asked for, a line each")
  func contents() throws {
    let lines = try log([], keys: "acanary\u{1B}\rword\rq", level: "text")
    #expect(lines.contains { $0.contains("canary") && $0.hasPrefix("text event prompt") })
  }

  @Test(
    "a log that cannot be written keeps nothing from working", arguments: ["/nonexistent/x", ""])
  func unwritable(path: String) throws {
    let result = try program.run(["add", "x"], extra: ["DAYBOOK_LOG": path])
    #expect(result.code == 0 && result.errors == "")
  }

  @Test("a journal or a pipe with its name is not written to, and nothing waits for a reader")
  func otherFiles() throws {
    let journal = program.home.appending(path: "j.sqlite").path
    _ = try program.run(["--journal", journal, "add", "one"])
    let before = try #require(FileManager.default.contents(atPath: journal))
    let listed = try program.run(["--journal", journal, "list"], extra: ["DAYBOOK_LOG": journal])
    #expect(listed.code == 0)
    #expect(FileManager.default.contents(atPath: journal) == before)
    let pipe = program.home.appending(path: "pipe").path
    try #require(mkfifo(pipe, 0o600) == 0)
    #expect(
      try program.run(["--journal", journal, "list"], extra: ["DAYBOOK_LOG": pipe]).code == 0)
  }
}
