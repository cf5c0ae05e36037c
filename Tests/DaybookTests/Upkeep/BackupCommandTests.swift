import Foundation
import Testing

/// `daybook backup`, there and back.
@Suite(.waiting)
struct BackupCommandTests {
  private let program: Program

  init() throws {
    program = try Program()
  }

  private func path(_ name: String) -> String { program.home.appending(path: name).path }

  @Test("a copy is made beside a writer, is a journal, and is refused where a file stands")
  func copy() throws {
    _ = try program.run(["add", "one"])
    let made = try program.run(["backup", path("copy.sqlite")])
    #expect(made.code == 0)
    #expect(made.output == path("copy.sqlite") + "\n")
    #expect(try program.run(["--journal", path("copy.sqlite"), "list"]).output.hasSuffix("one\n"))
    #expect(try program.run(["backup", path("copy.sqlite")]).code == 73)
    let nowhere = try program.run(["backup", "/nowhere/copy.sqlite"])
    #expect(nowhere.errors.hasPrefix("daybook: /nowhere/copy.sqlite: its directory does not exist"))
    #expect(try program.run(["backup", "--force", path("copy.sqlite")]).code == 0)
  }

  @Test("a directory gets a file with the journal's name and the time")
  func directory() throws {
    _ = try program.run(["add", "one"])
    let made = try program.run(["backup", program.home.path])
    #expect(made.output.hasPrefix(path("journal-20")))
    #expect(made.output.hasSuffix(".sqlite\n"))
    let file = String(made.output.dropLast())
    #expect(try program.run(["--journal", file, "list"]).output.hasSuffix("one\n"))
  }

  @Test("restore asks, keeps the journal that was there, and needs a sound copy")
  func restore() throws {
    _ = try program.run(["add", "one"])
    _ = try program.run(["backup", path("copy.sqlite")])
    _ = try program.run(["add", "two"])
    let no = try program.run(
      ["backup", "--restore", path("copy.sqlite")], input: Array("n\n".utf8))
    #expect(no.code == 1)
    #expect(no.errors.contains("(1 entry, the last of "))
    let yes = try program.run(
      ["backup", "--restore", path("copy.sqlite")], input: Array("y\n".utf8))
    #expect(yes.code == 0)
    let kept = try #require(yes.output.split(separator: " ").last?.dropLast())
    #expect(try program.run(["list"]).output.hasSuffix("one\n"))
    #expect(try program.run(["--journal", String(kept), "list"]).output.contains("two"))
    try Data("garbage".utf8).write(to: URL(filePath: path("copy.sqlite")))
    #expect(try program.run(["backup", "--restore", "--yes", path("copy.sqlite")]).code == 65)
    #expect(try program.run(["backup", "--restore", "--yes", path("none.sqlite")]).code == 66)
  }

  @Test(
    "a copy with a changed text is refused with its fault, and put back with --force",
    arguments: ["sqlite", "json"])
  func faultyCopy(kind: String) throws {
    let (journal, copy) = (path("j.\(kind)"), path("copy.\(kind)"))
    func run(_ words: String...) throws -> Program.Result {
      try program.run(["--journal", journal] + words)
    }
    _ = try run("add", "one bread")
    _ = try run("backup", copy)
    _ = try run("add", "two")
    var bytes = Array(try Data(contentsOf: URL(filePath: copy)))
    for range in bytes.ranges(of: Array("one bread".utf8)) {
      bytes.replaceSubrange(range, with: Array("one broad".utf8))
    }
    try Data(bytes).write(to: URL(filePath: copy))
    let refused = try run("backup", "--restore", "--yes", copy)
    #expect(refused.code == 65)
    #expect(refused.errors.contains("entry 1: "), "\(refused.errors)")
    #expect(refused.errors.hasSuffix("choose another copy, or use --force\n"))
    #expect(try run("list").output.contains("one bread"))
    #expect(try run("list").output.contains("two"))
    #expect(try run("backup", "--restore", "--yes", "--force", copy).code == 0)
    #expect(try run("list").output.contains("one broad"))
    #expect(try !run("list").output.contains("two"))
  }

  @Test("restore says that a readable copy of a sealed journal makes it readable")
  func unsealing() throws {
    let journal = path("j.sqlite")
    _ = try program.run(["--journal", journal, "add", "one"])
    _ = try program.run(["--journal", journal, "backup", path("readable.sqlite")])
    try SealedProgram.make(journal, program)
    _ = try program.run(["--journal", journal, "backup", path("sealed.sqlite")])
    func restore(_ copy: String, _ options: [String], _ input: String) throws -> Program.Result {
      try program.run(
        ["--journal", journal, "backup", "--restore", path(copy)] + options,
        input: Array(input.utf8))
    }
    let question = "The journal is sealed, and the copy is readable."
    let note = "the journal is no longer sealed"
    let sealed = try restore("sealed.sqlite", [], "n\n")
    #expect(sealed.code == 1 && !sealed.errors.contains(question))
    let asked = try restore("readable.sqlite", [], "n\n")
    #expect(asked.code == 1 && asked.errors.contains(question) && !asked.errors.contains(note))
    let done = try restore("readable.sqlite", ["--yes"], "")
    #expect(done.code == 0 && done.errors.contains(note))
    let again = try restore("sealed.sqlite", ["--yes"], "")
    #expect(again.code == 0 && !again.errors.contains(note))
  }

  @Test("a screen that is open shows the file that replaced its own, and saves there")
  func screen() throws {
    _ = try program.run(["add", "one"])
    _ = try program.run(["backup", path("copy.sqlite")])
    let session = try TerminalSession(program, command: Program.binary.path)
    try session.wait("the list") { $0.contains("one") }
    #expect(try program.run(["backup", "--restore", "--yes", path("copy.sqlite")]).code == 0)
    try session.wait("the news") { $0.contains("opened again") }
    try session.type("a")
    try session.wait("the prompt") { $0.contains("new:") }
    try session.type("-l", "two")
    try session.type("Enter")
    try session.wait("the entry") { $0.contains("added entry 2") }
    #expect(try program.run(["list"]).output.contains("two"))
  }

  @Test(
    "what cannot be is refused with its code",
    arguments: [
      (["backup"], 64), (["backup", "-"], 64), (["backup", ""], 64),
      (["backup", "--yes", "x"], 64),
      (["backup", "copy.json"], 64), (["backup", "/nowhere/copy.sqlite"], 73),
      (["backup", "/dev/null"], 73), (["backup", "--restore", "--read-only", "x.sqlite"], 77),
    ] as [([String], Int32)])
  func refused(arguments: [String], code: Int32) throws {
    _ = try program.run(["add", "one"])
    let result = try program.run(arguments)
    #expect(result.code == code, "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count == 1)
  }

  @Test("without a journal there is nothing to copy, and a copy becomes the journal")
  func nothingThere() throws {
    #expect(try program.run(["backup", path("copy.sqlite")]).code == 66)
    _ = try program.run(["--journal", path("other.sqlite"), "add", "one"])
    let made = try program.run(["backup", "--restore", "--yes", path("other.sqlite")])
    #expect(made.output == "1 entry restored\n")
    #expect(try program.run(["list"]).output.hasSuffix("one\n"))
    #expect(try program.run(["doctor"]).output == "sound: 1 entry\n")
    #expect(
      try program.run(["--journal", path("other.sqlite"), "backup", path("other.sqlite")]).code
        == 64)
  }
}
