import Foundation
import Testing

@testable import daybook

/// Another program put a readable file in the place of a sealed journal, or took the journal away: no text
/// gets there in the clear, and whoever did it himself has a way out.
@Suite("Replaced sealed journals")
struct ReplacedSealedTests {
  /// What became of the file.
  enum Replacement: CaseIterable {
    case readable, empty, gone
  }

  private let program: Program
  private var journal: String { program.home.appending(path: "j.sqlite").path }
  private var kept: String { program.home.appending(path: "kept.sqlite").path }

  init() throws {
    program = try Program()
    try SealedProgram.make(journal, program)
    try #require(run(["add", "sealed words"]).code == 0)
  }

  private func run(_ words: [String], input: String = "") throws -> Program.Result {
    try program.run(["--journal", journal] + words, input: Array(input.utf8))
  }

  private func replace(by replacement: Replacement) throws {
    try FileManager.default.moveItem(atPath: journal, toPath: kept)
    switch replacement {
    case .readable:
      let other = program.home.appending(path: "other.sqlite").path
      try #require(program.run(["--journal", other, "add", "decoy"]).code == 0)
      try FileManager.default.moveItem(atPath: other, toPath: journal)
    case .empty: try Data().write(to: URL(filePath: journal))
    case .gone: break
    }
  }

  private func contents() -> Data? { FileManager.default.contents(atPath: journal) }

  @Test("no command writes text there, and each says why", arguments: Replacement.allCases)
  func refused(replacement: Replacement) throws {
    try replace(by: replacement)
    let before = contents()
    let notes = program.home.appending(path: "notes.jsonl").path
    try Data("{\"text\": \"canary\", \"created\": \"2026-01-01\"}\n".utf8)
      .write(to: URL(filePath: notes))
    let commands: [([String], String)] = [
      (["add", "canary"], ""), (["add", "-"], "canary"), (["edit", "1", "canary"], ""),
      (["import", notes], ""), (["list"], ""), (["undo"], ""), ([], "acanary\rq"),
      (["sync", "--remote", program.home.path + "/remote.git"], ""),
    ]
    for (words, input) in commands {
      let result = try run(words, input: input)
      #expect(result.code == 65, "\(words): \(result.code) \(result.errors)")
      #expect(result.errors.contains("daybook unseal"), "\(words): \(result.errors)")
      #expect(contents() == before, "\(words)")
    }
    try FileManager.default.removeItem(atPath: notes)
    let readable = try program.shell("grep -rl canary '\(program.home.path)'")
    #expect(readable.output == "", "\(readable.output)")
    // The journal comes back.
    try? FileManager.default.removeItem(atPath: journal)
    try FileManager.default.moveItem(atPath: kept, toPath: journal)
    #expect(try run(["list"]).output.contains("sealed words"))
    #expect(try run(["add", "more"]).code == 0)
  }

  @Test("doctor calls a readable file there a problem, however sound it is")
  func examined() throws {
    #expect(try run(["doctor"]).code == 0)
    try replace(by: .readable)
    let result = try run(["doctor"])
    #expect(result.code == 65 && result.errors.contains("daybook unseal"), "\(result)")
    #expect(try run(["unseal", "--yes"]).code == 0)
    #expect(try run(["doctor"]).code == 0)
  }

  @Test("unseal forgets the sealed journal when the user says so", arguments: Replacement.allCases)
  func forgotten(replacement: Replacement) throws {
    try replace(by: replacement)
    #expect(try run(["unseal"]).code == 1)
    #expect(try run(["add", "refused"]).code == 65)
    let forgotten = try run(["unseal", "--yes"])
    #expect(forgotten.code == 0 && forgotten.errors.contains("1 draft can be opened"))
    #expect(try run(["add", "taken"]).code == 0)
    #expect(try run(["list"]).output.contains("taken"))
    #expect(try run(["unseal", "--yes"]).code == 1)
  }

  @Test("unseal tells of entries that wait for a journal that has gone, before it asks")
  func waiting() throws {
    try SealedProgram.lock(journal)
    // Without a command for the passphrase the journal is locked.
    try FileManager.default.removeItem(at: program.home.appending(path: ".config"))
    try #require(run(["add", "waiting"]).output.hasPrefix("-"))
    try replace(by: .gone)
    let asked = try run(["unseal"])
    #expect(asked.code == 1 && asked.errors.contains("1 entry added while"), "\(asked.errors)")
  }

  @Test("a restored copy, readable or sealed, is the journal", arguments: [true, false])
  func restored(isSealed: Bool) throws {
    let copy = program.home.appending(path: "copy.sqlite").path
    if isSealed {
      try #require(run(["backup", copy]).code == 0)
    } else {
      try #require(program.run(["--journal", copy, "add", "readable words"]).code == 0)
    }
    try replace(by: .gone)
    let restored = try run(["backup", "--restore", copy, "--yes"])
    #expect(restored.code == 0, "\(restored.errors)")
    #expect(try run(["add", "taken"]).code == 0)
    #expect(
      try run(["list"]).output.contains(isSealed ? "sealed words" : "readable words"))
  }

  @Test(
    "drafts of a sealed journal are those of the copy that is restored over it, whatever its key is",
    arguments: ["readable", "other"])
  func draftsOfReplaced(copy: String) throws {
    let file = program.home.appending(path: "\(copy).sqlite").path
    if copy == "readable" {
      try #require(program.run(["--journal", file, "add", "one"]).code == 0)
    } else {
      try SealedProgram.make(file, program)
    }
    _ = try run([], input: "acanary of the old key")
    #expect(try run(["doctor"]).errors.contains("1 draft is kept"))
    let restored = try run(["backup", "--restore", file, "--yes"])
    #expect(restored.code == 0, "\(restored.errors)")
    #expect(try run(["doctor"]).errors.contains("1 draft is kept"))
    #expect(try program.drafts() == (copy == "readable" ? ["canary of the old key"] : []))
    // Up recalls it.
    #expect(try run([], input: "a\u{1B}[A\rq").code == 0)
    #expect(try run(["list"]).output.contains("canary of the old key"))
  }

  @Test("a restore that fails leaves the drafts sealed")
  func draftsOfFailedRestore() throws {
    let copy = program.home.appending(path: "copy.sqlite").path
    try Data("no journal".utf8).write(to: URL(filePath: copy))
    _ = try run([], input: "acanary")
    #expect(try run(["backup", "--restore", copy, "--yes"]).code != 0)
    #expect(try program.drafts() == [])
    #expect(try run(["doctor"]).errors.contains("1 draft is kept"))
  }
}
