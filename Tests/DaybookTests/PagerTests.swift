import Foundation
import Testing

@testable import Screen
@testable import daybook

/// Long lists on a terminal go through the user's pager, and nothing else does.
@Suite(.waiting)
struct PagerTests {
  private let program: Program
  private var saved: URL { program.home.appending(path: "paged.txt") }

  init() throws {
    program = try Program()
    let lines = (1...3_000).map { number in
      #"{"text":"entry \#(number) of this journal","created":"2026-01-01T10:00:00+00:00"}"#
    }
    let file = program.home.appending(path: "many.jsonl")
    try Data(lines.joined(separator: "\n").utf8).write(to: file)
    try #require(program.run(["import", file.path]).code == 0)
  }

  /// A pager that keeps what it reads and says so.
  private var keeping: String { "cat > \(saved.path); echo PAGED $LESS" }

  /// Runs a line of the shell in a terminal of 80 × 24; the screen at its end.
  private func screen(
    _ line: String, _ variables: [String: String] = [:], keys: [String] = []
  ) throws -> String {
    try? FileManager.default.removeItem(at: saved)
    let script = program.home.appending(path: "run.sh")
    let exports = variables.map { "export \($0)='\($1)'\n" }.joined()
    let text = """
      daybook() { '\(Program.binary.path)' "$@"; }
      trap : INT
      \(exports)\(line)
      echo "END $?"
      exec cat
      """
    try Data(text.utf8).write(to: script)
    let session = try TerminalSession(program, command: "sh \(script.path)")
    for key in keys {
      try session.wait("the pager") { $0.contains("READY") }
      try session.type(key)
    }
    return try session.wait("the end") { $0.contains("END ") }
  }

  @Test("a list longer than the screen is the pager's, whole and with its colours")
  func long() throws {
    let screen = try screen("daybook list", ["PAGER": keeping])
    #expect(screen.contains("PAGED FRX\nEND 0") && !screen.contains("entry 1 "))
    let text = try String(contentsOf: saved, encoding: .utf8)
    #expect(text.contains("\u{1B}[") && text.contains("Thursday 1 January 2026"))
    #expect(text.split(separator: "\n").count == 3_001)
  }

  @Test(
    "the other long outputs are paged too",
    arguments: [
      "list --format jsonl", "show --where entry", "stats", "--no-pager=no list",
    ])
  func others(words: String) throws {
    guard !words.hasPrefix("--") else {
      // A flag has no value.
      #expect(try program.run(["--no-pager=no", "list"]).code == 64)
      return
    }
    #expect(try screen("daybook \(words)", ["PAGER": keeping]).contains("PAGED FRX\nEND 0"))
  }

  @Test("tags and versions are paged when they are long")
  func tagsAndVersions() throws {
    let tags = (1...40).map { "#tag\($0)" }.joined(separator: " ")
    _ = try program.run(["edit", "1", "all \(tags)"])
    #expect(try screen("daybook tags", ["PAGER": keeping]).contains("PAGED"))
    #expect(try !screen("daybook history 1", ["PAGER": keeping]).contains("PAGED"))
    let text = (1...40).map { "line \($0)" }.joined(separator: "\n")
    _ = try program.run(["edit", "1", text])
    #expect(try screen("daybook history 1 --diff", ["PAGER": keeping]).contains("PAGED"))
  }

  @Test(
    "what fits is printed, and so is everything with --no-pager, without a pager, and in a pipe")
  func direct() throws {
    let cases: [(line: String, variables: [String: String])] = [
      ("daybook list --limit 20", ["PAGER": keeping]),
      ("daybook list --no-pager", ["PAGER": keeping]),
      ("daybook --no-pager list", ["PAGER": keeping]),
      ("daybook list | tail -n 5", ["PAGER": keeping]),
      ("daybook list", ["PAGER": keeping, "DAYBOOK_PAGER": ""]),
      ("daybook list", ["PAGER": "cat"]), ("daybook list", ["PAGER": "/nowhere/pager"]),
      ("daybook list", ["PAGER": keeping, "TERM": "dumb"]),
    ]
    for (line, variables) in cases {
      let screen = try screen(line, variables)
      #expect(screen.contains("entry ") && screen.contains("END 0"), "\(line) \(variables)")
      #expect(!screen.contains("PAGED"), "\(line) \(variables)")
      #expect(!FileManager.default.fileExists(atPath: saved.path), "\(line) \(variables)")
    }
  }

  @Test("the setting stands between the two variables, and LESS is left to its owner")
  func setting() throws {
    let directory = program.home.appending(path: ".config/daybook")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let file = directory.appending(path: "config.toml")
    try Data("pager = \"cat >/dev/null; echo FROM SETTING $LESS\"\n".utf8).write(to: file)
    let set = try screen("daybook list", ["PAGER": keeping, "LESS": "-S"])
    #expect(set.contains("FROM SETTING -S"))
    #expect(try screen("daybook list", ["DAYBOOK_PAGER": keeping]).contains("PAGED FRX"))
    try Data("pager = \"\"\n".utf8).write(to: file)
    #expect(try !screen("daybook list", ["PAGER": keeping]).contains("PAGED"))
  }

  @Test("a pager that is left early ends the list quietly, with 0")
  func left() throws {
    let screen = try screen("daybook list", ["PAGER": "head -n 2"])
    let lines = screen.split(separator: "\n")
    #expect(lines.count == 3 && lines.last == "END 0", "\(screen)")
  }

  @Test("^C is a key of the pager: the list waits until its pager ends")
  func interrupt() throws {
    let pager = "trap \"echo KEY\" INT; cat >/dev/null; echo READY; read a </dev/tty; echo LEFT"
    let screen = try screen("daybook list", ["PAGER": pager], keys: ["C-c", "Enter"])
    let lines = screen.split(separator: "\n").map(String.init)
    #expect(lines.last == "END 0" && lines.contains("LEFT"), "\(screen)")
  }

  @Test("the pager is that of the variable, the setting, or PAGER, in this order, else less")
  func order() {
    var settings = Settings()
    var variables = ["TERM": "xterm", "PATH": "/bin:/usr/bin"]
    func pager() -> String? { Pager.ofUser(settings) { variables[$0] }?.command }
    variables["PAGER"] = "sh -c more"
    #expect(pager() == "sh -c more")
    settings.pager = "env x"
    #expect(pager() == "env x")
    variables["DAYBOOK_PAGER"] = "tail -n 3"
    #expect(pager() == "tail -n 3")
    for none in ["", "  ", "cat", "no-such-pager -x", "/bin/no-such-pager"] {
      variables["DAYBOOK_PAGER"] = none
      #expect(pager() == nil, "\(none)")
    }
    variables["DAYBOOK_PAGER"] = "$MINE"
    #expect(pager() == "$MINE", "the shell decides about it")
    for terminal in ["dumb", nil] {
      variables["TERM"] = terminal
      #expect(pager() == nil)
    }
  }

  @Test("a text fills the screen from as many lines as it has, also with long and wide ones")
  func rows() {
    for (text, rows) in [
      ("", 0), ("a\n", 1), ("a\nb\n", 2), ("0123456789\n", 1), ("0123456789a\n", 2),
      ("\u{1B}[1;38;5;31mtitle\u{1B}[0m\n", 1), ("東京東京東\n", 1), ("東京東京東京\n", 2),
      ("äöüäöüäöüä\n", 1), ("\ta\n", 1), ("\t\ta\n", 2), ("no line end", 0),
    ] {
      for screen in 1...4 {
        let fills = ScreenRows.fill(Array(text.utf8), columns: 10, rows: screen)
        #expect(fills == (rows >= screen), "\(text), \(screen)")
      }
    }
  }
}
