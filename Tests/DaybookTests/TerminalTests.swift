import Foundation
import Testing

/// A few walks through the real program in a real terminal.
@Suite(.waiting)
struct TerminalTests {
  private let program: Program

  init() throws {
    program = try Program()
  }

  @Test("an entry typed in the prompt appears in the list, under today")
  func write() throws {
    let session = try start()
    try session.wait("the greeting") { $0.contains("This journal is empty") }
    try session.type("a")
    try session.wait("the prompt") { $0.contains("new:") }
    try session.type("-l", "Bought bread #home")
    try session.wait("the text") { $0.contains("new: Bought bread #home") }
    try session.type("Enter")
    let screen = try session.wait("the entry") { $0.contains("added entry 1") }
    let lines = screen.split(separator: "\n")
    #expect(lines[1].hasPrefix("Today, "))
    #expect(lines[2].contains("Bought bread") && lines[2].hasSuffix("#home"))
  }

  @Test("an entry that another process adds appears without a key")
  func otherProcess() throws {
    _ = try program.run(["add", "Here first"])
    let session = try start()
    try session.wait("the first entry") { $0.contains("Here first") }
    _ = try program.run(["add", "From outside"])
    try session.wait("the other one") { $0.contains("From outside") && $0.contains(" of 2") }
    _ = try program.run(["delete", "1"])
    try session.wait("its end") { !$0.contains("Here first") }
  }

  @Test("the screen follows the window's size, and text wraps in the prompt")
  func resize() throws {
    _ = try program.run(["add", "Bought bread"])
    let session = try start()
    try session.wait("the entry") { $0.contains("Bought bread") }
    try session.resize(columns: 40, lines: 10)
    try session.wait("the small screen") {
      $0.split(separator: "\n", omittingEmptySubsequences: false).count <= 11
        && $0.contains("q quit")
    }
    try session.type("a")
    try session.wait("the prompt") { $0.contains("new:") }
    try session.type("-l", String(repeating: "word ", count: 12))
    try session.wait("three lines of prompt") { $0.contains("new: word") }
  }

  @Test("Esc leaves the prompt and keeps a draft; a lone Esc does not wait for another key")
  func escape() throws {
    let session = try start()
    try session.wait("the greeting") { $0.contains("This journal is empty") }
    try session.type("a")
    try session.wait("the prompt") { $0.contains("new:") }
    try session.type("-l", "Half")
    try session.wait("the text") { $0.contains("new: Half") }
    try session.type("Escape")
    try session.wait("the draft") { $0.contains("1 draft kept: press a, then Up") }
    #expect(try program.drafts() == ["Half"])
  }

  @Test("SIGTERM keeps the text, restores the terminal and ends with 143")
  func terminate() throws {
    let command = "sh -c 'echo $$ > $HOME/pid; exec \(Program.binary.path)'"
    let session = try TerminalSession(
      program, command: "sh -c \"\(command.replacing("$", with: "\\$"))\"' ; echo code=$?; cat'")
    try session.wait("the greeting") { $0.contains("This journal is empty") }
    try session.type("a")
    try session.wait("the prompt") { $0.contains("new:") }
    try session.type("-l", "Half")
    try session.wait("the text") { $0.contains("new: Half") }
    let pid = try String(contentsOf: program.home.appending(path: "pid"), encoding: .utf8)
    _ = try program.shell("kill -TERM \(pid)")
    try session.wait("the end") { $0.contains("code=143") && !$0.contains("new: Half") }
    #expect(try program.drafts() == ["Half"])
  }

  private func start() throws -> TerminalSession {
    try TerminalSession(program, command: Program.binary.path)
  }
}
