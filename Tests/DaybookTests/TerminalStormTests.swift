import Foundation
import TestSupport
import Testing

/// What terminals do to a program while somebody types: other sizes, suspends, and their end.
///
/// `TERMINAL_RESIZES=2000` is the number of sizes.
@Suite(.waiting)
struct TerminalStormTests {
  private static var resizes: Int {
    ProcessInfo.processInfo.environment["TERMINAL_RESIZES"].flatMap(Int.init) ?? 40
  }

  private let program: Program

  init() throws {
    program = try Program()
  }

  @Test("any sizes while a text is typed: the text is all there, and the screen fits")
  func resizes() throws {
    for number in 1...50 { _ = try program.run(["add", "entry \(number) 日本語 #a"]) }
    let session = try begin()
    var random = SeededGenerator(seed: 5)
    var typed = ""
    for round in 0..<Self.resizes {
      let (columns, lines) = (1 + random.below(200), 1 + random.below(60))
      try session.resize(columns: columns, lines: lines)
      if round.isMultiple(of: 5) {
        typed += "w\(round) "
        try session.type("-l", "w\(round) ")
      }
    }
    try session.resize(columns: 200, lines: 60)
    try session.wait("the typed text and the list") {
      $0.filter { !$0.isWhitespace }.contains(typed.filter { !$0.isWhitespace })
        && $0.contains("日本語")
    }
    try session.type("Enter")
    try session.wait("the entry") { $0.contains("added entry 51") }
    let stored = try program.run(["show", "51"]).output
    #expect(stored.contains(typed.trimmingCharacters(in: .whitespaces)))
  }

  @Test("a suspended program goes on where it was, again and again")
  func suspends() throws {
    let session = try begin()
    let pid = try self.pid()
    for round in 0..<8 {
      try session.type("-l", "w\(round) ")
      try session.wait("the word") { $0.contains("w\(round)") }
      // The parent is no shell with job control: the signals come as a supervisor sends them.
      _ = try program.shell("kill -TSTP \(pid); sleep 0.02; kill -CONT \(pid)")
    }
    try session.wait("the text") { $0.contains("new: w0 w1 w2 w3 w4 w5 w6 w7") }
    try session.type("Enter")
    try session.wait("the entry") { $0.contains("added entry 1") }
  }

  @Test("a terminal that hangs up leaves the text as a draft, and the process ends")
  func hangUp() throws {
    for start in ["Half a text", "日本語 and 👩‍👩‍👧", String(repeating: "long ", count: 60)] {
      let text = start + " end."
      let session = try begin()
      let pid = try self.pid()
      try session.type("-l", text)
      try session.wait("the text") { $0.contains("end.") }
      session.end()
      let result = try program.shell(
        "for i in $(seq 500); do [ -e /proc/\(pid) ] || exit 0; sleep 0.01; done; exit 1")
      #expect(result.code == 0, "the process did not end")
      #expect(try program.drafts().contains(text), "\(text)")
    }
  }

  /// The program with its prompt open.
  private func begin() throws -> TerminalSession {
    let script = "sh -c 'echo $$ > $HOME/pid; exec \(Program.binary.path)'; cat"
    let file = program.home.appending(path: "run")
    try Data(script.utf8).write(to: file)
    let session = try TerminalSession(program, command: "sh \(file.path)")
    try session.wait("the screen") { $0.contains("q quit") || $0.contains("This journal is empty") }
    try session.type("a")
    try session.wait("the prompt") { $0.contains("new:") }
    return session
  }

  private func pid() throws -> String {
    try String(contentsOf: program.home.appending(path: "pid"), encoding: .utf8)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
