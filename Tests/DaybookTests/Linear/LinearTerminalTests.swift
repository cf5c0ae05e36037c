import Foundation
import Testing

/// `daybook --linear` in a real terminal, and its transcripts.
@Suite("--linear in a terminal")
struct LinearTerminalTests {
  private let program: Program

  init() throws { program = try Program() }

  @Test(
    "readline draws the prompt, a text has several lines, and the terminal is as before",
    arguments: ["dumb", "xterm"])
  func writing(term: String) throws {
    let session = try TerminalSession(
      program,
      command: """
        sh -c 'TERM=\(term) \(Program.binary.path) \(term == "dumb" ? "" : "--linear"); \
        stty -a | grep -q -- "-echo " || echo restored; sleep 60'
        """)
    try session.wait("the empty journal") { $0.contains("This journal is empty") }
    try session.type("a")
    try session.wait("the prompt") { $0.contains("new entry: Enter save") && $0.contains("\nnew:") }
    try session.type("Bread", "C-j", "and milk")
    try session.wait("the text") { $0.contains("new: Bread") && $0.contains("and milk") }
    try session.type("Enter")
    try session.wait("the saved entry") { $0.contains("added entry 1") }
    try session.type("q")
    try session.wait("the end") { $0.contains("restored") }
    #expect(try program.run(["show", "1"]).output.contains("Bread\nand milk"))
  }

  @Test("a commit of another program is said above an open prompt, whose text stays")
  func openPrompt() throws {
    let session = try TerminalSession(program, command: "\(Program.binary.path) --linear")
    try session.wait("the empty journal") { $0.contains("This journal is empty") }
    try session.type("aHalf a")
    try session.wait("the text") { $0.contains("new: Half a") }
    _ = try program.run(["add", "From the shell"])
    try session.wait("the news") { screen in
      let lines = screen.split(separator: "\n").map(String.init)
      return lines.contains("another program added 1 entry") && lines.last == "new: Half a"
    }
    try session.type(" thought", "Enter")
    try session.wait("the saved entry") { $0.contains("added entry 2") }
    #expect(try program.run(["show", "2"]).output.contains("Half a thought"))
  }

  @Test("keys from a pipe are a transcript without control sequences, also with a configuration")
  func transcript() throws {
    let keys = Array("aOne\raTwo words\rjq".utf8)
    let said = try program.run(["--linear"], input: keys)
    #expect(said.code == 0 && said.errors == "")
    #expect(said.output.utf8.allSatisfy { $0 >= 0x20 || $0 == 0x0A })
    let lines = said.output.split(separator: "\n").map(String.init)
    #expect(lines.contains("new: Two words"))
    #expect(lines.contains { $0.hasPrefix("added entry 2") })
    #expect(lines.contains { $0.hasPrefix("row 2 of 2") && $0.hasSuffix(": One") })
    _ = try program.shell(
      "mkdir -p ~/.config/daybook; echo 'linear = true' > ~/.config/daybook/config.toml")
    #expect(try program.run([], input: Array("q".utf8)).output.contains("row 1 of 2"))
  }
}
