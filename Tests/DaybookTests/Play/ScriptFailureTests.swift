import Foundation
import Testing

/// Steps of a script that fail: named on standard error at the end, with the exit code 1.
@Suite(.waiting)
struct ScriptFailureTests {
  private let program: Program

  init() throws {
    program = try Program()
  }

  private func file(_ text: String) throws -> String {
    let path = program.home.appending(path: "a.keys").path
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  @Test(
    "a failed step of a pipe is named by its key, and the rest is played",
    arguments: [
      (":frobnicate\raok\rq", "key 12 (:frobnicate): ", "frobnicate"),
      ("f(((\raok\rQ", "key 5 (filter: (((): ", "column"),
      ("Xaok\rq", "key 1 (X): ", "X is not bound"),
      (":import /nonexistent\raok\rq", "key 21 (:import /nonexistent): ", "No such file"),
      ("/nowhere\raok\rq", "key 9 (/nowhere): ", "nothing matches nowhere"),
      (":show 99\raok\rq", "key 9 (:show 99): ", "99"),
      ("a\raok\rq", "key 2 (<Enter>): ", "nothing to save"),
    ])
  func pipe(keys: String, place: String, reason: String) throws {
    let result = try program.run([], input: Array(keys.utf8))
    #expect(result.code == 1)
    let lines = result.errors.split(separator: "\n")
    #expect(lines.count == 1, "\(result.errors)")
    #expect(result.errors.hasPrefix("daybook: \(place)"), "\(result.errors)")
    #expect(result.errors.contains(reason), "\(result.errors)")
    #expect(try program.run(["list"]).output.hasSuffix(" ok\n"))
  }

  @Test("the same failure at another key is told again, and queries being typed are no failures")
  func repeated() throws {
    let twice = try program.run([], input: Array("XXaok\rq".utf8))
    #expect(twice.code == 1)
    #expect(
      twice.errors.split(separator: "\n").map { $0.prefix(19) } == [
        "daybook: key 1 (X):", "daybook: key 2 (X):",
      ])
    let typed = try program.run([], input: Array("f(ok OR b)\rq".utf8))
    #expect(typed.errors == "")
    #expect(typed.code == 0)
  }

  @Test("news, answers and drafts are no failures")
  func notices() throws {
    let result = try program.run([], input: Array("aone #x\rsu\u{12}zRaHalf".utf8))
    #expect(result.errors == "")
    #expect(result.code == 0)
    let drafts = try program.run([], input: Array(":drafts\rdyq".utf8))
    #expect(drafts.errors == "")
    #expect(drafts.code == 0)
    #expect(try program.drafts() == [])
  }

  @Test("a question that the keys end at is a failed step, and one that they answer is none")
  func question() throws {
    _ = try program.run(["add", "one"])
    let open = try program.run([], input: Array("d:purge\r".utf8))
    #expect(open.code == 1)
    #expect(open.errors.contains("the keys ended at a question; "), "\(open.errors)")
    for answer in ["nq", "n"] {
      let result = try program.run([], input: Array((":purge\r" + answer).utf8))
      #expect(result.code == 0 && result.errors == "", "\(result)")
    }
  }

  @Test("a failed step of a key file is named by file, line and column")
  func keyFile() throws {
    let path = try file("# first\naone<Enter>\n:frobnicate<Enter>X\n<Run frobnicate x>\naok<Enter>")
    let result = try program.run(["play", path])
    #expect(result.code == 1)
    let lines = result.errors.split(separator: "\n")
    #expect(lines.count == 3, "\(result.errors)")
    for (line, place) in zip(
      lines, ["3:12 (:frobnicate): ", "3:19 (X): ", "4:1 (<Run frobnicate x>): "])
    {
      #expect(line.hasPrefix("daybook: \(path):\(place)"), "\(line)")
    }
    #expect(try program.run(["list"]).output.hasSuffix(" one\n"))
    #expect(try program.run(["list"]).output.contains(" ok\n"))
  }

  @Test("a failure at the start, of the configuration, is not one of the script")
  func start() throws {
    let directory = program.home.appending(path: ".config/daybook")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try Data("wrong = 1\n".utf8).write(to: directory.appending(path: "config.toml"))
    let result = try program.run([], input: Array("aok\rq".utf8))
    #expect(result.code == 0)
    #expect(result.errors == "")
  }

  @Test("every script of the manual is played without a failure, and nothing of it is lost")
  func manual() throws {
    let chapter = try Repository.manual("scripts").text
    let blocks = chapter.split(separator: "\n```\n").enumerated()
      .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
    #expect(!blocks.isEmpty)
    for block in blocks {
      let result = try program.run(["play", try file(block + "\n"), "--speed", "max"])
      #expect(result.errors == "")
      #expect(result.code == 0)
    }
    let list = try program.run(["list", "--format", "jsonl"]).output
    #expect(list.contains(#""text":"pasted text,\nline ends included""#))
    #expect(!list.contains("Bought bread"))
    #expect(try program.drafts() == [])
    let piped = try #require(chapter.firstMatch(of: /`printf '([^']+)' \| daybook`/)).1
    let keys = piped.replacing(#"\r"#, with: "\r")
    #expect(try program.run([], input: Array(keys.utf8)).code == 0)
    #expect(try program.run(["list"]).output.contains("Bought bread #home"))
  }

  @Test(
    "an editor and a pipe never read the rest of the script",
    arguments: ["A", "|rest\\r", "aword\\030\\005"])
  func input(keys: String) throws {
    _ = try program.run(["add", "one"])
    try program.makeTool(program.home.appending(path: "rest").path, "cat >\"$HOME/taken\"")
    // Without a terminal, which the test may have.
    _ = try program.shell(
      """
      export EDITOR=$HOME/rest PATH=$HOME:$PATH
      (printf '\(keys)'; until [ -e $HOME/taken ]; do sleep 0.01; done; printf 'XYZ') |
        timeout 60 setsid -w \(Program.binary.path) >/dev/null 2>&1
      """)
    let taken = try String(
      contentsOf: program.home.appending(path: "taken"), encoding: .utf8)
    #expect(taken == (keys.hasPrefix("|") ? "one\n" : ""))
  }

  @Test("an editor that a script starts on a terminal reads from it")
  func terminal() throws {
    try program.makeTool(
      program.home.appending(path: "see").path, "readlink /proc/$$/fd/0 >\"$HOME/seen\"")
    _ = try program.shell(
      """
      export EDITOR=$HOME/see
      script -qec 'printf A | \(Program.binary.path)' /dev/null </dev/null >/dev/null
      """)
    let seen = try String(contentsOf: program.home.appending(path: "seen"), encoding: .utf8)
    #expect(seen == "/dev/tty\n")
  }
}
