import Foundation
import TestSupport
import Testing

@testable import daybook

/// `--record`, `replay` and `--dump-state` of the built program.
@Suite("Recording and replaying", .waiting)
struct ReplayCommandTests {
  private let program: Program
  private var file: String { program.home.appending(path: "run.jsonl").path }

  init() throws { program = try Program() }

  private func record(_ keys: String, _ words: String...) throws -> Program.Result {
    try program.run(["--record", file] + words, input: Array(keys.utf8))
  }

  private func lines() throws -> [String] {
    try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  @Test("a run in a terminal has the same frames again: commits, sizes, prompts and pages")
  func terminal() throws {
    for index in 1...12 { _ = try program.run(["add", "Row \(index) 東京 👩‍👩‍👧 #walk"]) }
    let session = try TerminalSession(
      program, command: "\(Program.binary.path) --record \(file)", columns: 80, lines: 24)
    try session.wait("the list") { $0.contains("Row 12") }
    #expect(try session.screen().contains("recording all that you type and see"))
    try session.type("a")
    try session.wait("the prompt") { $0.contains("new:") }
    try session.type("-l", "Bought bread #home")
    try session.type("Enter")
    try session.wait("the entry") { $0.contains("added entry 13") }
    _ = try program.run(["add", "From outside"])
    try session.wait("the commit") { $0.contains("From outside") }
    try session.resize(columns: 40, lines: 10)
    try session.wait("the small screen") { !$0.contains("Row 5") }
    for (key, shown) in [("M", "November"), ("?", "Keys"), ("S", "words")] {
      try session.type(key)
      try session.wait(shown) { $0.contains(shown) || key == "M" && !$0.contains("a new") }
      try session.type("q")
      try session.wait("the list") { $0.contains("a new") && $0.contains("Row") }
    }
    try session.resize(columns: 120, lines: 30)
    try session.wait("the large screen") { $0.contains("Row 5") }
    let last = try session.screen()
    try session.type("q")
    var again = Program.Result(output: "", errors: "", code: 65)
    let isWhole = try becomesTrue {
      again = try program.run(["replay", file, "--frames"])
      return try again.code != 65 && lines().last?.contains("\"end\"") == true
    }
    #expect(isWhole && again.code == 0 && again.errors == "", "\(again.errors)")
    let frames = again.output.components(separatedBy: "\u{0C}")
    #expect(frames.count > 8 && frames.contains { $0.contains("new: Bought bread") })
    // The last line has keys; a message may have expired meanwhile.
    #expect(frames.last?.contains("Row 5") == true && last.contains("Row 5"))
  }

  @Test("replaying opens no journal, changes no file and runs nothing")
  func untouched() throws {
    let recorded = try record("aone #tag\rd", "--journal", program.home.path + "/j.sqlite")
    try FileManager.default.removeItem(atPath: program.home.path + "/j.sqlite")
    let before = try FileManager.default.subpathsOfDirectory(atPath: program.home.path).sorted()
    let again = try program.run(["replay", file])
    #expect(again.code == 0 && again.output == recorded.output, "\(again.errors)")
    let after = try FileManager.default.subpathsOfDirectory(atPath: program.home.path)
    #expect(
      after.filter { !$0.hasPrefix("run-") }.sorted() == before.filter { !$0.hasPrefix("run-") })
  }

  @Test("--frame stops after a frame, --keys prints the keys")
  func parts() throws {
    _ = try record("aone #tag\r?q")
    let first = try program.run(["replay", file, "--frame", "1"])
    #expect(first.code == 0 && first.output.contains("This journal is empty"))
    let beyond = try program.run(["replay", file, "--frame", "99"])
    #expect(beyond.code == 64 && beyond.errors.contains("has only"))
    #expect(try program.run(["replay", file, "--keys"]).output == "aone #tag<Enter>\n?q\n")
    for words in [["--frame", "0"], ["--keys", "--frames"], ["--dump-texts"], ["--read-only"]] {
      #expect(try program.run(["replay", file] + words).code == 64, "\(words)")
    }
  }

  @Test("--dump-state has no text of the user's unless it is asked for")
  func dump() throws {
    let keys = "acanaryword #canarytag\rfcanary\r\re canarytwo"
    let live = try program.run(
      ["--record", file, "--dump-state", "--journal", program.home.path + "/canary.sqlite"],
      input: Array(keys.utf8))
    let again = try program.run(["replay", file, "--dump-state"])
    let texts = try program.run(["replay", file, "--dump-state", "--dump-texts"])
    #expect(live.code == 0 && again.code == 0 && texts.code == 0)
    #expect(
      again.output.contains("\n  journal\n    name: \"…\" (")
        && again.output.contains("keysAreTyped: false"))
    for output in [live.output.components(separatedBy: "\nState\n").last ?? "", again.output] {
      #expect(!output.contains("canary") && output.contains("grouping: kind: day"))
    }
    #expect(texts.output.contains("canaryword") && texts.output.contains("canary.sqlite"))
  }

  // MARK: - Files

  @Test("a record is private, and no other file is written to")
  func otherFiles() throws {
    _ = try record("q")
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    let before = try #require(FileManager.default.contents(atPath: file))
    let again = try record("q")
    #expect(again.code == 73 && again.errors.contains("exists"))
    #expect(FileManager.default.contents(atPath: file) == before)
    let link = program.home.appending(path: "link").path
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: program.home.path + "/target")
    for path in [link, "/nonexistent/x", "/dev/full", program.home.path] {
      let refused = try program.run(["--record", path], input: Array("aone\r".utf8))
      #expect(refused.code == 73, "\(path): \(refused.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: program.home.path + "/target"))
    #expect(try program.run(["list"]).output == "")
  }

  @Test("a sealed journal is not recorded")
  func sealed() throws {
    let journal = program.home.path + "/sealed.sqlite"
    try SealedProgram.make(journal, program)
    let refused = try record("aone\r", "--journal", journal)
    #expect(refused.code == 77 && refused.errors.contains("sealed"))
    #expect(!FileManager.default.fileExists(atPath: file))
    let opened = try record("aone\r:open \(journal)\racanary\r")
    #expect(opened.code == 1 && opened.errors.contains("no record is made of a sealed journal"))
    #expect(
      try !lines().contains { $0.contains("canary") || $0.contains(SealedProgram.passphrase) })
    #expect(try program.run(["--journal", journal, "list"]).output.contains("canary"))
  }

  @Test("damaged, cut, foreign and newer files are named with their line, and end with 65")
  func damaged() throws {
    _ = try record("aone #tag\rq")
    let whole = try lines()
    func replay(_ lines: [String], end: String = "\n") throws -> Program.Result {
      try (lines.joined(separator: "\n") + end).write(
        toFile: file, atomically: false, encoding: .utf8)
      return try program.run(["replay", file])
    }
    let cut = try replay(whole.dropLast(3) + [String(whole[whole.count - 3].dropLast(5))], end: "")
    #expect(cut.code == 65 && cut.errors.contains("line \(whole.count - 2): "))
    // What was before it is shown.
    #expect(cut.output.contains("added entry 1"))
    var changed = whole
    changed[4] = "{\"at\":1,\"event\":{\"_0\":{\"nonsense\":{}}}}"
    let damaged = try replay(changed)
    #expect(damaged.code == 65 && damaged.errors.contains("line 5: "))
    let newer = whole[0].replacing("\"format\":1", with: "\"format\":2")
    let later = try replay([newer] + whole.dropFirst())
    #expect(later.code == 65 && later.errors.contains("was made by daybook"))
    for foreign in [[], ["{}"], ["{\"version\":2}"], ["no json"], ["\u{0}"]] {
      let result = try replay(foreign)
      #expect(result.code == 65 && result.errors.contains("is not a record"), "\(foreign)")
    }
    #expect(try program.run(["replay", "/nowhere"]).code == 66)
    #expect(try program.run(["replay", "/dev/null"]).code == 65)
    let other = whole.map { line in
      line.contains("\"frame\"") ? line.replacing(#/"_0":-?\d+/#, with: "\"_0\":1") : line
    }
    let different = try replay(other)
    #expect(different.code == 1 && different.errors.contains("frames are not as recorded"))
    // No line of any damage lets the program crash.
    for index in whole.indices.dropFirst() {
      var lines = whole
      lines.remove(at: index)
      #expect([0, 1, 65].contains(try replay(lines).code), "without line \(index + 1)")
    }
  }

  @Test("a record is shown frame by frame on a terminal")
  func viewer() throws {
    _ = try record("aone #tag\rq", "--frames")
    let session = try TerminalSession(
      program, command: "\(Program.binary.path) replay \(file)", columns: 100, lines: 26)
    try session.wait("the first frame") {
      $0.contains("frame 1 of ") && $0.contains("This journal is empty")
    }
    try session.type("Space")
    try session.wait("the next frame") { $0.contains("frame 2 of ") && $0.contains("new:") }
    try session.type("BSpace")
    try session.wait("the frame before") { $0.contains("frame 1 of ") }
    try session.type("G")
    try session.wait("the last frame") { $0.contains("one") && !$0.contains("new:") }
    try session.type("g")
    try session.wait("the first frame") { $0.contains("frame 1 of ") }
    try session.type("p")
    try session.wait("the last frame") { $0.contains("one") && !$0.contains("frame 1 of ") }
  }
}
